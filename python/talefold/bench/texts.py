"""Seeded texts."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence

__all__ = ["numbered_words", "player_lines", "scene_transcript", "words"]

# Common enough to be one token each in most vocabularies.
_WORDS = """
the road river town house fire water night stone bread horse winter summer king queen
friend old young small long dark light under over after before north south mountain
forest bridge market door window letter story song hand heart voice name gold silver
""".split()


def words(count: int, random_source: random.Random) -> str:
    """So many words, with a space between them."""
    return " ".join(random_source.choices(_WORDS, k=count))


def numbered_words(count: int, first: int) -> str:
    """So many words that differ from those of other firsts."""
    return "".join(f"word{(first + i) % 977} " for i in range(count))


def player_lines(count: int) -> list[str]:
    """So many lines of a player, of 8 to 25 words, always the same.

    Each length comes once in 18 lines, so that any stretch has as much to read.
    """
    source = random.Random(20240229)
    lines: list[str] = []
    while len(lines) < count:
        lengths = source.sample(range(8, 26), 18)
        lines += [words(length, source) for length in lengths]
    return lines[:count]


def scene_transcript(speakers: Sequence[str], count: int) -> str:
    """So many lines of a scene, for `Scene.import_transcript`, always the same.

    Everybody is there from the beginning, nobody speaks twice in a row.
    """
    source = random.Random(20240229)
    told: list[dict[str, object]] = [{"kind": "presence", "activate": list(speakers)}]
    speaker = ""
    for text in player_lines(count):
        speaker = source.choice([each for each in speakers if each != speaker])
        told.append({"kind": "character", "speaker": speaker, "text": text})
    return "\n".join(json.dumps(each) for each in told)

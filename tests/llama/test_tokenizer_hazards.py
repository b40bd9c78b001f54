"""No text crashes the tokenizer or keeps it busy for long.

llama.cpp splits words with std::regex for many vocabularies, which needs stack for each
character it matches: 26,000 letters, or spaces, ended the process. Hence the fresh
processes.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest

from support import raises_code
from talefold import (
    Engine,
    ErrorCode,
    GenerateParams,
    GraphDescription,
    SummarizeParams,
)

from .conftest import Load, ModelFile, Reference
from .talk import ask, asked, open_talk
from .vocabulary_models import CONTEXT_SIZE, write_vocabulary_model

MOST_BYTES = 65536  # of a message, unless the engine is told otherwise
MOST_SECONDS = 5.0


def fill(unit: str) -> str:
    """As much of it as a message may have."""
    return unit * (MOST_BYTES // len(unit.encode()))


TEXTS = {
    "30,000 letters": "a" * 30_000,
    "letters": fill("a"),
    "upper case": fill("Q"),
    "alternating case": fill("aB"),
    "accented letters": fill("é"),
    "Cyrillic": fill("ж"),
    "CJK": fill("漢"),
    "kana": fill("かな"),
    "Hangul": fill("한"),
    "Thai": fill("ก"),
    "combining marks": fill("\u0301"),
    "combining marks on a letter": "a" + "\u0301" * 30_000,
    "emoji": fill("😀"),
    "joined emoji": fill("👩\u200d"),
    "digits": fill("7"),
    "Arabic digits": fill("٣"),
    "punctuation": fill("!"),
    "mixed punctuation": fill(".,;:"),
    "apostrophes": fill("'s"),
    "brackets": fill("<|"),
    "maths": fill("∑"),
    "private use": fill("\ue000"),
    "spaces": fill(" "),
    "tabs": fill("\t"),
    "newlines": fill("\n"),
    "CR LF": fill("\r\n"),
    "no-break spaces": fill("\u00a0"),
    "wide spaces": fill("\u3000"),
    "zero-width spaces": fill("\u200b"),
    "line separators": fill("\u2028"),
    "letters, digits": fill("a1"),
    "letters, spaces": fill("a "),
    "letters, double spaces": fill("a  "),
    "spaces, newlines": fill(" \n"),
    "spaces, wide spaces": fill(" \u3000"),
    "marks, spaces": fill("! "),
    "marks, newlines": fill("!\n"),
    "letters, marks": fill("a!"),
    "of all kinds": fill("aZ9 .\n漢😀e\u0301<|"),
}

# Ways to split words: llama.cpp's own code (default, llama-bpe, qwen2), and regular
# expressions, on most of which it crashed before texts were cut in pieces.
SPLITTERS = (
    "default",
    "llama-bpe",
    "qwen2",
    "tekken",
    "deepseek-llm",
    "deepseek-v3",
    "deepseek-coder",
    "gpt-4o",
    "llama4",
    "bailingmoe",
    "exaone-moe",
    "kimi-k2",
    "spark2_5",
)

COUNT = """
import json, sys, time
import talefold

texts = json.load(sys.stdin)
engine = talefold.Engine()
engine.load_model("model", sys.argv[1], chat_template="chatml")
for name, text in texts.items():
    start = time.monotonic()
    count = engine.count_tokens("model", text)
    print(json.dumps([name, count, time.monotonic() - start]), flush=True)
"""


def check_hazards(path: Path) -> None:
    process = subprocess.run(
        [sys.executable, "-c", COUNT, str(path)],
        input=json.dumps(TEXTS),
        capture_output=True,
        text=True,
        check=False,
    )
    results = [json.loads(line) for line in process.stdout.splitlines()]

    assert [name for name, _, _ in results] == list(TEXTS), process.stderr
    assert process.returncode == 0
    slow = [(name, seconds) for name, _, seconds in results if seconds > MOST_SECONDS]
    assert not slow
    assert all(count > 0 for _, count, _ in results)


@pytest.mark.parametrize("kind", ["smollm2", "spm", "user_defined", "gemma_like"])
def test_a_vocabulary_survives_every_text(model_file: ModelFile, kind: str) -> None:
    check_hazards(model_file(kind))


@pytest.mark.parametrize("splitter", SPLITTERS)
def test_a_word_splitter_survives_every_text(
    model_file: ModelFile, tmp_path: Path, splitter: str
) -> None:
    path = tmp_path / "model.gguf"

    check_hazards(write_vocabulary_model(path, model_file("bpe"), pre=splitter))


LONG_TEXTS = {
    "letters": "a" * 9000,
    "spaces": "x" + " " * 9000 + "x",
    "emoji": "😀" * 2500,
    "words": "the innkeeper was in that and you heard of it " * 230,
    "wide spaces": " \u3000" * 2000,
    "lines": "漢字!\n" * 1500,
}


@pytest.mark.parametrize("text", LONG_TEXTS.values(), ids=LONG_TEXTS)
def test_a_text_in_pieces_is_complete(
    engine: Engine, load: Load, reference: Reference, text: str
) -> None:
    kind = "smollm2_vocabulary"
    model = load(kind, chat_template="chatml")

    ask(engine, model, text, context_size=CONTEXT_SIZE)

    [request] = asked(engine, model)
    shown = reference(kind).text(request.prompt_tokens)
    assert shown == f"<|im_start|>user\n{text}<|im_end|>\n<|im_start|>assistant\n"


@pytest.mark.parametrize("kind", ["smollm2_vocabulary", "spm", "gemma_like"])
@pytest.mark.parametrize("size", [5_000, 12_000, 60_000])
def test_long_prose_is_tokenized_like_one_text(
    engine: Engine, load: Load, reference: Reference, kind: str, size: int
) -> None:
    """Pieces end where words do."""
    model = load(kind, chat_template="chatml")
    prose = "He said: \"It's late,\n\nfriend\"; we'd 3 rooms  left - not 4. "
    text = (prose * 2000)[:size]

    assert engine.count_tokens(model, text) == len(reference(kind).tokenize(text))


def test_ten_megabytes_are_refused(engine: Engine, load: Load) -> None:
    model = load("bpe")
    engine.load_scripted_model("summarizer", replies=["Some words."])
    fold = SummarizeParams(
        model_name="summarizer", trigger_turns=1, keep_recent_turns=0
    )
    graph = (
        GraphDescription()
        .add_node("talk", GenerateParams(default_exit="fold"))
        .add_node("fold", fold)
        .set_start_node("talk")
    )
    huge = "a" * 10_000_000
    with engine.create_agent(graph, default_model_name=model) as agent:
        agent.replay_turn(user="Hi", assistant="Aye.")
        start = time.monotonic()
        for refuse in (
            lambda: agent.send(huge),
            lambda: agent.append_interaction(user=huge),
            lambda: agent.append_interaction(user="Hi", assistant=huge),
            lambda: agent.edit_interaction(0, assistant=huge),
            lambda: agent.set_summary(huge),
            lambda: engine.count_tokens(model, huge),
        ):
            with raises_code(ErrorCode.MessageTooLarge):
                refuse()

        assert time.monotonic() - start < 2
        assert agent.dialog_size == 1


def test_the_longest_messages_are_refused_in_time(engine: Engine, load: Load) -> None:
    """They do not fit the context, which is found out by tokenizing them."""
    model = load("bpe")
    with open_talk(engine, model, context_size=512) as agent:
        for name, text in TEXTS.items():
            start = time.monotonic()
            with raises_code(ErrorCode.ContextOverflow):
                agent.send(text)
            assert time.monotonic() - start < MOST_SECONDS, name

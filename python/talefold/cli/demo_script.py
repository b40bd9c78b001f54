"""What the demo's player says, and the facts in it that are worth remembering."""

from __future__ import annotations

import re
from dataclasses import dataclass

__all__ = ["FACTS", "LINES", "PLAYER", "Fact"]

PLAYER = "Rowan"

LINES = (
    "Good evening! My name is Rowan. I have walked all day in the rain.",
    "Do you have a room for the night?",
    "I have no coins left, but I can pay with this silver ring.",
    "It was my mother's ring. Please keep it safe.",
    "I will come back and buy it again in spring.",
    "What is for supper?",
    "I never eat meat. Is there bread and cheese?",
    "Thank you. How long have you kept this inn?",
    "Does anybody else stay here tonight?",
    "I am looking for my brother. His name is Tam.",
    "You would know him: he has a scar on his left hand.",
    "Has anybody like that come by?",
    "Is the old bridge still standing?",
    "What lives in the forest?",
    "I carry a sword, but I am no fighter.",
    "Would anybody here go with me as a guide?",
    "What would a guide ask for?",
    "My shoulder hurts since I fell on the road.",
    "Do you have something for the pain?",
    "You are kind. I will not forget it.",
    "Tell me about your family.",
    "That must have been a hard winter.",
    "What do you do when the inn is empty?",
    "Could you play a song for me?",
    "That was lovely. Where did you learn it?",
    "Wake me before dawn, please. I must leave early.",
    "Should I take food along?",
    "How far is it to the next village?",
    "What are the people there like?",
    "Is the road safe at night?",
    "And what is the weather going to be?",
    "What is the best story you ever heard here?",
    "Ha! Do you believe it?",
    "I could listen to you for hours.",
    "By the way, do you remember my name?",
    "And whom am I looking for?",
    "What did I give you for the room?",
    "When will I buy it back?",
    "What do I never eat?",
    "Good night, Edric. Sleep well.",
)


@dataclass(frozen=True)
class Fact:
    """Something the player tells.

    Attributes:
        text: In words.
        word: Its telling word.
        turn: Index of the line that tells it.
    """

    text: str
    word: str
    turn: int

    def stands_in(self, text: str) -> bool:
        """Whether `text` has the telling word; not whether it gets the fact right."""
        return re.search(rf"\b{self.word}\b", text, re.IGNORECASE) is not None


FACTS = (
    Fact("the guest is called Rowan", "Rowan", 0),
    Fact("he pays with a ring", "ring", 2),
    Fact("it was his mother's", "mother", 3),
    Fact("he buys it back in spring", "spring", 4),
    Fact("he eats no meat", "meat", 6),
    Fact("he looks for Tam", "Tam", 9),
    Fact("Tam has a scar", "scar", 10),
    Fact("he carries a sword", "sword", 14),
    Fact("his shoulder hurts", "shoulder", 17),
    Fact("wake him before dawn", "dawn", 25),
)

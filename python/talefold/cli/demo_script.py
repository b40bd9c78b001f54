"""The demo's guests: what each says, and which facts of it are worth remembering."""

from __future__ import annotations

import re
from dataclasses import dataclass

__all__ = ["GUESTS", "Fact", "Guest"]


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


@dataclass(frozen=True)
class Guest:
    """A player that follows a script.

    Attributes:
        name: What the guest is called.
        lines: A line a turn. The last ones ask about facts, but never use a fact's
            telling word: a question must not bring it back into the prompt.
        facts: In the order of their lines.
    """

    name: str
    lines: tuple[str, ...]
    facts: tuple[Fact, ...]


# The demo's summarizer (its wording, its sampling, its sizes) was tuned on this guest.
_ROWAN = Guest(
    name="Rowan",
    lines=(
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
    ),
    facts=(
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
    ),
)

# The next two are held out: they were written before the first run with them, and
# neither they nor the summarizer were changed since. Leave them as they are, or the
# figures in the docs no longer measure anything.
_ISOLDE = Guest(
    name="Isolde",
    lines=(
        "Hello there! I am Isolde, and I sell cloth.",
        "It is good to be out of that wind.",
        "I have seven mules outside. Is there a stable for them?",
        "What do you ask for a bed?",
        "That is fair. Can I have a bath as well?",
        "I am on my way to Harrowgate, to the big market.",
        "Have you ever been there?",
        "My blue silk is for the duke's wife. Nobody else may touch it.",
        "It is heavy, so please put it upstairs.",
        "What smells so good in the kitchen?",
        "No honey for me, please. It makes me ill.",
        "Just a bowl of soup, then.",
        "Is your beer strong?",
        "My husband died two years ago. He was a sailor.",
        "Do you have a wife, Edric?",
        "How many people live in this village?",
        "I lost my purse at the crossing, with all my keys in it.",
        "If somebody finds it, would you keep it for me?",
        "What do people talk about these days?",
        "I hear there are robbers in the hills.",
        "My partner Godwin comes after me with two wagons.",
        "Give him the room next to mine.",
        "I will stay until Friday, then I must go on.",
        "Is there a good cobbler near here?",
        "I would like to open a shop of my own one day. A bakery!",
        "Do you think that is foolish?",
        "Have you lived here all your life?",
        "What was the place like when you were young?",
        "Who painted the picture over the fire?",
        "Do you get much snow in winter?",
        "And are the summers hot?",
        "Your cat is fat. Does it catch mice?",
        "I have never slept in such a quiet house.",
        "Tell me one more thing about this place.",
        "Now, let us see what you remember. Who am I?",
        "Where am I going?",
        "What must I not eat?",
        "Who comes after me?",
        "On which day do I leave?",
        "Thank you for everything. Until tomorrow!",
    ),
    facts=(
        Fact("the guest is called Isolde", "Isolde", 0),
        Fact("she has seven mules", "seven", 2),
        Fact("she goes to Harrowgate", "Harrowgate", 5),
        Fact("the silk is for a duke's wife", "duke", 7),
        Fact("honey makes her ill", "honey", 10),
        Fact("her husband was a sailor", "sailor", 13),
        Fact("she lost her purse", "purse", 16),
        Fact("Godwin comes after her", "Godwin", 20),
        Fact("she leaves on Friday", "Friday", 22),
        Fact("she wants a bakery", "bakery", 24),
    ),
)

_ANSELM = Guest(
    name="Anselm",
    lines=(
        "Peace be with you. They call me Brother Anselm.",
        "May I sit down near the fire?",
        "I have walked for nine days, and my feet are sore.",
        "Could I wash them somewhere?",
        "I come from the abbey at Whitmoor.",
        "It is a quiet house on a hill, full of books.",
        "I bring a letter for the bishop. Nobody may open it.",
        "Would you lock it away for the night?",
        "What is the oldest thing in this house?",
        "I am blind in one eye, so please sit on my right.",
        "An illness did it, long ago.",
        "Have you ever been ill yourself?",
        "A dog bit me when I was small, and I fear them all.",
        "What can you give me to eat?",
        "Only bread for me. It is a day of fasting.",
        "Is that a flute on the wall?",
        "I played the harp before I joined the brothers.",
        "Do you miss anything from your youth?",
        "I had a daughter once. She is called Linnet.",
        "If she ever comes by, tell her that I think of her.",
        "Do many families come through here?",
        "I left my spectacles at the mill. Could a boy fetch them?",
        "He would get a penny for it.",
        "What do you grow in your garden?",
        "When I am home again, I will plant an orchard.",
        "Do apples grow well here?",
        "Is there a church in the village?",
        "Who rings its bell?",
        "Has the harvest been good?",
        "What do the children here play?",
        "Do you know any riddles?",
        "I have to think about that one.",
        "Did you ever see the sea?",
        "It must be late by now.",
        "Before I sleep: do you still know who I am?",
        "Where do I come from?",
        "What did I ask you to lock away?",
        "What am I afraid of?",
        "What is the name of my child?",
        "Bless you, Edric, and good night.",
    ),
    facts=(
        Fact("the guest is called Anselm", "Anselm", 0),
        Fact("he has walked nine days", "nine", 2),
        Fact("he comes from Whitmoor", "Whitmoor", 4),
        Fact("a letter for the bishop", "bishop", 6),
        Fact("he is blind in one eye", "blind", 9),
        Fact("a dog bit him", "dog", 12),
        Fact("he played the harp", "harp", 16),
        Fact("his daughter is Linnet", "Linnet", 18),
        Fact("his spectacles are at the mill", "spectacles", 21),
        Fact("he will plant an orchard", "orchard", 24),
    ),
)

GUESTS = {guest.name.lower(): guest for guest in (_ROWAN, _ISOLDE, _ANSELM)}

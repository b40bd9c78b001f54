"""A prompt's tokens are those of the rendered template, tokenized as one text.

Exact for texts that hold nothing a vocabulary could take for structure. The exception:
where a template has no room for a system message, the engine adds its text to a message
of the user, with a blank line between. Special tokens of a template that a vocabulary
lacks are plain text there, in both.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from talefold import Engine

from .conftest import Load, Reference
from .reference import builtin_templates
from .talk import ask, asked

KINDS = (
    "smollm2_vocabulary",
    "bpe",
    "spm",
    "user_defined",
    "bpe_markup",
    "spm_markup",
    "gemma_like",
    "phi3_names",
    "phi3_names_spm",
)

TEXTS = (
    "Good evening. Any rooms?",
    "x",
    "  two before, one behind ",
    "    four before",
    "a   b\n\n\nc\tand\r\n",
    "\nfirst line empty",
    "ends in a line\n",
    "日本語 한국어 ไทย, and 😀👍🏽👩‍🚀",
    "e\u0301 ß ﬁ \u00a0no break\u3000wide",
    "123 4567 8.90 -1",
    '"quoted" *acts* (aside) - done!? #1 ~$%^&',
    "don't I'll WE'VE",
    "you hello the innkeeper was in that",
    "a > b, c < d; e [f] | g",
    "ørsted! Smørrebrød!!",
)
BLANK = (" ", "\n", " \n ")  # what a template that trims leaves nothing of
SYSTEM = "You are Edric, an innkeeper."

# Where a template has no room for a system message, the engine adds its text to a
# message of the user. Read off llama.cpp's renderings: these drop it ...
NO_SYSTEM = {"yandex"}
NO_SYSTEM_LATER = {"gigachat", "hunyuan-dense", "hunyuan-vl", "yandex"}
# ... and these do not open the reply after it as they do after one of the user: most
# lack their "[/INST]" there, gemma and orion keep the text for the user's next message.
NO_REPLY_AFTER_SYSTEM = NO_SYSTEM_LATER | {
    "deepseek",
    "gemma",
    "hunyuan-moe",
    "llama2",
    "llama2-sys",
    "llama2-sys-bos",
    "llama2-sys-strip",
    "minicpm",
    "mistral-v1",
    "mistral-v3",
    "mistral-v3-tekken",
    "mistral-v7",
    "mistral-v7-tekken",
    "orion",
    "rwkv-world",
    "smolvlm",
}


def conversations(seed: str) -> Iterator[list[str]]:
    """Texts of two whole turns and a message of the player."""
    source = random.Random(seed)
    for _ in range(6):
        yield source.choices(TEXTS, k=5)
    yield [*source.choices(TEXTS, k=4), source.choice(BLANK)]
    yield [*source.choices(BLANK, k=4), source.choice(TEXTS)]


def joined_to_next(
    messages: list[tuple[str, str]], *, keep_first: bool
) -> list[tuple[str, str]]:
    """With each system message at the head of the user's next one."""
    result: list[tuple[str, str]] = []
    waiting = ""
    for i, (role, text) in enumerate(messages):
        if role == "system" and not (keep_first and i == 0):
            waiting += f"{text}\n\n"
        else:
            result.append((role, waiting + text))
            waiting = ""
    return result


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("template", builtin_templates())
def test_a_prompt_is_tokenized_like_one_text(
    engine: Engine, load: Load, reference: Reference, kind: str, template: str
) -> None:
    model = load(kind, chat_template=template)

    for user_1, reply_1, user_2, reply_2, message in conversations(kind + template):
        past = [(user_1, reply_1), (user_2, reply_2)]
        ask(engine, model, message, past=past, system_prompt=SYSTEM)

    for request in asked(engine, model):
        messages = request.messages
        if template in NO_SYSTEM:
            messages = joined_to_next(messages, keep_first=False)
        joint = reference(kind).joint(template, messages)
        assert request.prompt_tokens == joint, request.messages


@pytest.mark.parametrize("template", builtin_templates())
def test_a_system_message_before_the_user_has_its_place(
    engine: Engine, load: Load, reference: Reference, template: str
) -> None:
    model = load("bpe", chat_template=template)

    past = [("Hi", "Aye.")]
    ask(engine, model, "Rooms?", past=past, system_prompt=SYSTEM, template="It rains.")

    [request] = asked(engine, model)
    messages = request.messages
    if template in NO_SYSTEM_LATER:
        keep_first = template not in NO_SYSTEM
        messages = joined_to_next(messages, keep_first=keep_first)
    assert request.prompt_tokens == reference("bpe").joint(template, messages)


@pytest.mark.parametrize("template", builtin_templates())
def test_a_system_message_after_the_user_has_its_place(
    engine: Engine, load: Load, reference: Reference, template: str
) -> None:
    model = load("bpe", chat_template=template)

    ask(engine, model, "Rooms?", template="It rains.", placement="after_user_as_system")

    [request] = asked(engine, model)
    messages = request.messages
    if template in NO_REPLY_AFTER_SYSTEM:
        messages = [("user", "Rooms?\n\nIt rains.")]
    assert request.prompt_tokens == reference("bpe").joint(template, messages)


@pytest.mark.parametrize("template", builtin_templates())
def test_a_character_can_speak_first(
    engine: Engine, load: Load, reference: Reference, template: str
) -> None:
    model = load("bpe", chat_template=template)

    ask(engine, model, None, system_prompt=SYSTEM)

    [request] = asked(engine, model)
    role = "user" if template in NO_REPLY_AFTER_SYSTEM else "system"
    assert request.prompt_tokens == reference("bpe").joint(template, [(role, SYSTEM)])


def test_white_space_after_special_tokens_is_stripped_where_llama_cpp_strips_it(
    engine: Engine, load: Load, reference: Reference
) -> None:
    # It does when the model's name holds "phi-3", as the model was trained.
    model = load("phi3_names", chat_template="phi3")

    ask(engine, model, "Rooms?", past=[("Hi", "Aye.")], system_prompt=SYSTEM)

    [request] = asked(engine, model)
    kept = reference("user_defined").joint("phi3", request.messages)
    assert request.prompt_tokens == reference("phi3_names").joint(
        "phi3", request.messages
    )
    assert len(request.prompt_tokens) < len(kept)

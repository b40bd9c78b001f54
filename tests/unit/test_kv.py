"""KV states as bytes, with the scripted model; see tests/llama/test_kv_files too."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support import raises_code
from talefold import Agent, Engine, ErrorCode

from .helpers import Chat, finish, make_graph, report

GRAPH = make_graph({"system_prompt": "Be Edric."})
TALKED = len("Be Edric.Hello.Aye.") + 4  # tokens, <|user|> of the next line too


def talked(engine: Engine, **model: object) -> Agent:
    chat = Chat(engine, GRAPH, **model)
    chat.say("Hello.")
    return chat.agent


def reused(agent: Agent) -> int:
    return report(finish(agent.start("Hm")), "generate")["input"]["reused_tokens"]


def going_on(engine: Engine, agent: Agent, **options: object) -> Agent:
    [model, *_] = engine.models()
    return engine.create_agent(
        GRAPH,
        default_model_name=model.name,
        enable_diagnostics=True,
        snapshot=agent.export_snapshot(),
        **options,
    )


def test_an_agent_is_made_with_the_states_of_another(engine: Engine) -> None:
    agent = talked(engine)

    kv = agent.export_kv()

    assert isinstance(kv, bytes)
    assert agent.kv_export_size == len(kv)
    other = going_on(engine, agent, kv=kv)
    assert other.kv_rejection is None
    assert reused(other) == TALKED


def test_without_states_the_first_turn_computes_its_prompt(engine: Engine) -> None:
    agent = talked(engine)

    for kv in (None, b""):
        other = going_on(engine, agent, kv=kv)
        assert other.kv_rejection is None
        assert reused(other) == 0


def test_states_are_imported_into_an_agent(engine: Engine) -> None:
    agent = talked(engine)
    other = going_on(engine, agent)

    other.import_kv(agent.export_kv())

    assert reused(other) == TALKED


def test_an_import_that_fails_changes_nothing(engine: Engine) -> None:
    agent = talked(engine)
    kv = agent.export_kv()

    with raises_code(ErrorCode.KvRejected) as caught:
        agent.import_kv(kv[:-1])

    assert "damaged" in caught.value.message
    assert caught.value.hint
    assert agent.export_kv() == kv


def test_a_rejection_at_creation_is_kept(engine: Engine) -> None:
    agent = talked(engine, default_sampling=None)

    other = going_on(engine, agent, kv=b"nonsense")

    assert other.kv_rejection is not None
    assert other.kv_rejection.code is ErrorCode.KvRejected
    assert reused(other) == 0


def test_states_of_another_tokenizer_are_rejected(engine: Engine) -> None:
    kv = talked(engine).export_kv()
    engine.load_scripted_model("words", replies=["Aye."], tokenizer="words")
    other = engine.create_agent(GRAPH, default_model_name="words")

    with raises_code(ErrorCode.KvRejected) as caught:
        other.import_kv(kv)

    assert "node 'generate', field 'tokenizer'" in caught.value.message
    assert "'chars'" in caught.value.message
    assert "'words'" in caught.value.message


@pytest.mark.parametrize("kv", ["text", bytearray(b"x"), 7, [1]])
def test_only_bytes_are_states(engine: Engine, kv: object) -> None:
    agent = talked(engine)

    with pytest.raises(TypeError):
        agent.import_kv(kv)
    with pytest.raises(TypeError):
        going_on(engine, agent, kv=kv)


@given(st.binary(max_size=200))
def test_any_bytes_are_rejected(noise: bytes) -> None:
    with Engine() as engine:
        agent = talked(engine)
        for kv in (noise, b"TFOLDKV\n" + noise, agent.export_kv() + b"\0" + noise):
            with raises_code(ErrorCode.KvRejected):
                agent.import_kv(kv)

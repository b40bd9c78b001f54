from __future__ import annotations

import pickle

import pytest

from talefold import Engine, ErrorCode, GraphDescription, TalefoldError, _core


def test_error_codes_are_those_of_the_core() -> None:
    table = {name: number for number, name, _ in _core.error_table()}

    assert {code.name: code.value for code in ErrorCode} == table


def test_text_has_code_name_message_and_hint() -> None:
    error = TalefoldError(3004, "the agent is busy", "wait for its turn")

    assert str(error) == "3004 AgentBusy: the agent is busy (wait for its turn)"


def test_text_without_a_hint_ends_after_the_message() -> None:
    assert str(TalefoldError(2003, "no")) == "2003 InvalidArgument: no"


def test_error_survives_pickling() -> None:
    error = pickle.loads(pickle.dumps(TalefoldError(3004, "busy", "wait")))

    assert (error.code, error.message, error.hint) == (
        ErrorCode.AgentBusy,
        "busy",
        "wait",
    )


def test_core_errors_have_their_three_parts(engine: Engine) -> None:
    with pytest.raises(TalefoldError) as caught:
        engine.count_tokens("nobody", "text")

    error = caught.value
    assert error.code is ErrorCode.ModelNotFound
    assert "nobody" in error.message
    assert error.message in str(error)
    assert error.result is None


@pytest.mark.parametrize(
    "text",
    ["\ud800", "word \udfff", "\ud83d alone"],
    ids=["lone", "low", "half_a_pair"],
)
def test_unpaired_surrogates_are_invalid_utf8(engine: Engine, text: str) -> None:
    engine.load_scripted_model("mock")

    with pytest.raises(TalefoldError) as caught:
        engine.count_tokens("mock", text)

    assert caught.value.code is ErrorCode.InvalidUtf8


def test_surrogates_in_names_are_invalid_utf8(engine: Engine) -> None:
    with pytest.raises(TalefoldError) as caught:
        engine.load_scripted_model("\ud800")

    assert caught.value.code is ErrorCode.InvalidUtf8


def test_surrogates_in_graphs_are_invalid_utf8() -> None:
    with pytest.raises(TalefoldError) as caught:
        GraphDescription.from_json('{"format": "\ud800"}')

    assert caught.value.code is ErrorCode.InvalidUtf8


def test_numbers_beyond_32_bits_are_invalid_arguments() -> None:
    with pytest.raises(TalefoldError) as caught:
        Engine(worker_threads=2**40)

    assert caught.value.code is ErrorCode.InvalidArgument
    assert "worker_threads" in caught.value.message

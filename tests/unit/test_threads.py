from __future__ import annotations

import json
import logging
import threading
import time
from concurrent.futures import ThreadPoolExecutor

from support import AgentMaker, wait_for_text
from talefold import Agent, Engine, ErrorCode, GraphDescription, TalefoldError


def test_eight_agents_talk_from_eight_threads(
    engine: Engine, reply_graph: GraphDescription
) -> None:
    engine.load_scripted_model("mock", replies=[f"Reply {i}." for i in range(20)])
    agents = [engine.create_agent(reply_graph) for _ in range(8)]

    def talk(number: int) -> list[str]:
        return [agents[number].send(f"{number} says {i}.").text for i in range(20)]

    with ThreadPoolExecutor(8) as pool:
        transcripts = list(pool.map(talk, range(8)))

    assert transcripts == [[f"Reply {i}." for i in range(20)]] * 8
    for number, agent in enumerate(agents):
        assert [each.user for each in agent.dialog()] == [
            f"{number} says {i}." for i in range(20)
        ]


def test_another_thread_counts_during_a_long_call(make_agent: AgentMaker) -> None:
    agent = make_agent("word " * 50, token_delay_us=10_000)
    counts: list[float] = []

    def count() -> None:
        while not stop.is_set():
            counts.append(time.monotonic())
            time.sleep(0.001)

    stop = threading.Event()
    counter = threading.Thread(target=count)
    counter.start()
    start = time.monotonic()
    agent.send("Hello.")
    end = time.monotonic()
    stop.set()
    counter.join()

    assert end - start >= 0.5
    assert sum(start < moment < end for moment in counts) > 50


def test_one_of_many_threads_gets_the_agent(make_agent: AgentMaker) -> None:
    agent = make_agent("Aye.", token_delay_us=200_000)

    def send(_: int) -> str:
        try:
            return agent.send("Hello.").text
        except TalefoldError as error:
            return error.code.name

    with ThreadPoolExecutor(8) as pool:
        outcomes = list(pool.map(send, range(8)))

    assert "Aye." in outcomes
    assert set(outcomes) <= {"Aye.", ErrorCode.AgentBusy.name}


def test_an_agent_can_be_read_while_its_turn_runs(stalled_agent: Agent) -> None:
    stalled_agent.append_interaction(user="Hello.", assistant="Welcome.")
    committed = visible_state(stalled_agent)
    turn = stalled_agent.start("Go on.")
    wait_for_text(turn, "now")

    seen = visible_state(stalled_agent)

    assert seen == committed
    turn.cancel()


def visible_state(agent: Agent) -> tuple[object, ...]:
    # Ids that a running turn took may be missing later; they are no state.
    snapshot = json.loads(agent.export_snapshot())
    return agent.dialog(), snapshot["dialog"], agent.get_summary()


def test_a_slow_log_handler_does_not_block_callers(
    engine: Engine, reply_graph: GraphDescription
) -> None:
    class Slow(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            time.sleep(0.001)

    logger = logging.getLogger("talefold")
    handler = Slow()
    logger.addHandler(handler)
    logger.setLevel(logging.DEBUG)
    try:
        engine.load_scripted_model("mock", replies=["Aye."])
        agents = [engine.create_agent(reply_graph) for _ in range(8)]
        with ThreadPoolExecutor(8) as pool:
            texts = list(pool.map(lambda agent: agent.send("Hello.").text, agents))
    finally:
        logger.setLevel(logging.NOTSET)
        logger.removeHandler(handler)

    assert texts == ["Aye."] * 8

from __future__ import annotations

import asyncio
import threading
from contextlib import aclosing

import pytest

from support import AgentMaker, raises_code
from talefold import Agent, AnswerText, ErrorCode, ScriptedReply, TurnComplete


def test_send_async_returns_the_result(agent: Agent) -> None:
    result = asyncio.run(agent.send_async("Hello."))

    assert result.text == "Aye, friend."
    assert result.status == "success"


def test_send_async_raises_the_error_of_its_turn(make_agent: AgentMaker) -> None:
    agent = make_agent(ScriptedReply("Well", outcome="fail"))

    with raises_code(ErrorCode.InferenceFailed) as caught:
        asyncio.run(agent.send_async("Hello."))

    assert caught.value.result is not None
    assert caught.value.result.text == "Well"


def test_send_async_times_out(stalled_agent: Agent) -> None:
    with raises_code(ErrorCode.InferenceTimeout):
        asyncio.run(stalled_agent.send_async("Hello.", timeout_ms=50))


def test_stream_async_ends_with_turn_complete(agent: Agent) -> None:
    async def collect() -> list[object]:
        return [event async for event in agent.stream_async("Hello.")]

    *answers, complete = asyncio.run(collect())

    assert [each.text for each in answers if isinstance(each, AnswerText)] == [
        "Aye,",
        " friend.",
        "Aye, friend.",
    ]
    assert isinstance(complete, TurnComplete)


def test_cancelling_the_task_cancels_the_turn(stalled_agent: Agent) -> None:
    async def cancel() -> None:
        task = asyncio.create_task(stalled_agent.send_async("Hello."))
        await asyncio.sleep(0.05)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(cancel())

    assert not stalled_agent.busy


def test_a_wait_with_a_limit_leaves_the_agent_idle(stalled_agent: Agent) -> None:
    async def wait() -> None:
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(stalled_agent.send_async("Hello."), 0.05)
        assert not stalled_agent.busy

    asyncio.run(wait())


def test_cancelling_a_stream_cancels_its_turn(stalled_agent: Agent) -> None:
    async def read() -> None:
        async for _ in stalled_agent.stream_async("Hello."):
            pass

    async def cancel() -> None:
        task = asyncio.create_task(read())
        await asyncio.sleep(0.05)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(cancel())

    assert not stalled_agent.busy


def test_closing_a_stream_cancels_its_turn(stalled_agent: Agent) -> None:
    async def close() -> None:
        async with aclosing(stalled_agent.stream_async("Hello.")) as stream:
            await anext(stream)
        assert not stalled_agent.busy

    asyncio.run(close())


def test_dropping_a_stream_cancels_its_turn(stalled_agent: Agent) -> None:
    async def drop() -> None:
        async for _ in stalled_agent.stream_async("Hello."):
            break
        while stalled_agent.busy:
            await asyncio.sleep(0.01)

    asyncio.run(asyncio.wait_for(drop(), 60))


def test_no_thread_waits_for_a_turn(make_agent: AgentMaker) -> None:
    agents = [make_agent(ScriptedReply(outcome="stall")) for _ in range(20)]

    async def wait_for_all() -> int:
        tasks = [asyncio.create_task(agent.send_async("Hello.")) for agent in agents]
        await asyncio.sleep(0.1)
        threads = threading.active_count()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        return threads

    before = threading.active_count()

    # A worker in a listener shows up for a moment, hence not exactly `before`.
    assert asyncio.run(wait_for_all()) < before + 20


def test_turns_run_side_by_side(make_agent: AgentMaker) -> None:
    agents = [make_agent("one two three", token_delay_us=100) for _ in range(20)]

    async def send_all() -> list[str]:
        results = await asyncio.gather(*(each.send_async("Hello.") for each in agents))
        return [result.text for result in results]

    assert asyncio.run(send_all()) == ["one two three"] * 20


def test_a_closed_loop_does_not_disturb_the_turn(stalled_agent: Agent) -> None:
    async def leave() -> None:
        stream = stalled_agent.stream_async("Hello.")
        await anext(stream)
        streams.append(stream)

    streams: list[object] = []
    asyncio.run(leave())

    streams.clear()

    stalled_agent.close()


def test_closing_a_stream_ends_the_task_that_reads_it(stalled_agent: Agent) -> None:
    async def main() -> list[object]:
        stream = stalled_agent.stream_async("Hello.")

        async def read() -> list[object]:
            return [event async for event in stream]

        reader = asyncio.create_task(read())
        await asyncio.sleep(0.05)
        await stream.aclose()
        return await asyncio.wait_for(reader, 10)

    asyncio.run(main())

    assert not stalled_agent.busy


def test_regenerate_does_not_block_the_loop(make_agent: AgentMaker) -> None:
    agent = make_agent("one", "two")

    async def main() -> str:
        await agent.send_async("Hello.")
        return (await agent.regenerate_async()).text

    assert asyncio.run(main()) == "two"

"""What an engine's inference does and holds."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["EngineStats", "KvPoolStats"]


@dataclass(frozen=True, kw_only=True)
class KvPoolStats:
    """The KV cells of one model, context size and set of context settings.

    Attributes:
        model: The file its weights came from.
        context_size: Tokens of each slot: a node's context_size, rounded up to a power
            of two.
        slots: Requests that fit at the same time; one of several is for background
            work. Fewer than asked for where kv_cache_bytes leaves no room.
        live_states: Slots in which a node of an agent has its tokens.
        running: Of these, in a request now.
        bytes: Allocated, whether used or not.
    """

    model: str
    context_size: int
    slots: int
    live_states: int
    running: int
    bytes: int


@dataclass(frozen=True, kw_only=True)
class EngineStats:
    """A reading of `Engine.stats`; counts are since the engine was made.

    Attributes:
        kv_cache_bytes: The cap.
        kv_used_bytes: Pools, parked states and copies under way; never above the cap.
        kv_peak_bytes: The most that were ever used.
        pools: The allocated pools.
        parked_states: Of nodes whose tokens wait in host memory, outside any slot.
        parked_bytes: What these take.
        running_requests: In a slot.
        waiting_requests: For a slot, or for a prefix that another one computes.
        requests: Begun.
        failed_requests: Of these, not cancelled ones.
        reused_tokens: Prompt tokens found in the node's own KV state.
        shared_tokens: Prompt tokens copied from the state of another node or agent.
        prefill_tokens: Prompt tokens computed.
        generated_tokens: Reply tokens computed.
        background_prefill_tokens: Of prefill_tokens, computed while no player waited.
        background_generated_tokens: Of generated_tokens, likewise.
        scheduled_folds: Of Summarize nodes with run_inline off. Each ends as one of the
            next three, or waits.
        committed_folds: The dialog has the summary.
        cancelled_folds: What they read was changed.
        failed_folds: The model failed, or wrote nothing of use.
        overdue_folds: Were waited for in a turn.
        decode_calls: Batches handed to llama.cpp.
        parks: States moved from a slot to host memory.
        restores: And back.
        dropped_states: Gone for lack of room; their next prompt is computed anew.
        moves: Of states between slots, which keep batches fast.
        repaired_states: Emptied because their cells were not what they should have
            been: 0, or a fault of the engine.
    """

    kv_cache_bytes: int
    kv_used_bytes: int
    kv_peak_bytes: int
    pools: list[KvPoolStats]
    parked_states: int
    parked_bytes: int
    running_requests: int
    waiting_requests: int
    requests: int
    failed_requests: int
    reused_tokens: int
    shared_tokens: int
    prefill_tokens: int
    generated_tokens: int
    background_prefill_tokens: int
    background_generated_tokens: int
    scheduled_folds: int
    committed_folds: int
    cancelled_folds: int
    failed_folds: int
    overdue_folds: int
    decode_calls: int
    parks: int
    restores: int
    dropped_states: int
    moves: int
    repaired_states: int

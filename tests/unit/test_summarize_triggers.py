"""When a fold happens and what it takes in, computed by hand.

One character is one token. Unless a row says otherwise the summarizer's system prompt
is "S" and its template shows nothing but the turns, so that

    cost of a turn   = user + assistant
    prompt of a fold = 1 ("S") + costs of its turns + 3 (2 messages + 1)
    a fold fits when prompt + max_summary_tokens <= context_size

and max_summary_tokens is 16.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest

from .helpers import WITH_PREVIOUS, Chat, fails, make_graph, report

Turns = list[tuple[int | str, int | str]]


@dataclass(frozen=True)
class Fold:
    """The turn folded."""

    covered_through: int
    folded_turns: int
    prompt_tokens: int
    input_tokens: int | None = None
    abridged: bool = False


@dataclass(frozen=True)
class Skip:
    """The turn did not fold."""

    reason: str
    pending_turns: int = 0
    pending_tokens: int = 0
    required_context_size: int | None = None


HOT = Skip("hot_window_covers_dialog")


def below(turns: int, tokens: int = 0) -> Skip:
    return Skip("below_threshold", turns, tokens)


def too_large(turns: int, tokens: int, required: int) -> Skip:
    return Skip("input_too_large", turns, tokens, required)


@dataclass(frozen=True)
class Case:
    """Turns of (user, assistant) lengths or texts, and what each of them reports."""

    id: str
    params: dict[str, Any]
    turns: Turns
    expected: list[Fold | Skip]
    imported: Turns = field(default_factory=list)
    summary: str = "sum"
    summarize_first: bool = False


def uniform(count: int, user: int = 3, assistant: int = 2) -> Turns:
    return [(user, assistant)] * count


CASES = [
    # 5 < 10; 5 + 5 = 10 fires; prompt 1 + 10 + 3 = 14. Then the same again.
    Case(
        "token_trigger_fires_at_exactly_the_threshold",
        {"trigger_tokens": 10},
        uniform(4),
        [below(1, 5), Fold(1, 2, 14, 10), below(1, 5), Fold(3, 2, 14, 10)],
    ),
    # 10 < 11; 15 fires; prompt 1 + 15 + 3 = 19.
    Case(
        "token_trigger_waits_one_token_below_the_threshold",
        {"trigger_tokens": 11},
        uniform(4),
        [below(1, 5), below(2, 10), Fold(2, 3, 19, 15), below(1, 5)],
    ),
    # Every turn costs 5: 1 + 5 + 3 = 9.
    Case(
        "token_trigger_as_small_as_one_turn_folds_every_turn",
        {"trigger_tokens": 5},
        uniform(3),
        [Fold(0, 1, 9, 5), Fold(1, 1, 9, 5), Fold(2, 1, 9, 5)],
    ),
    # 4 + 0 = 4; + 0 + 5 = 9; + 1 + 0 = 10 fires; an absent text costs nothing.
    Case(
        "a_silent_player_or_character_costs_nothing",
        {"trigger_tokens": 10},
        [(4, 0), (0, 5), (1, 0)],
        [below(1, 4), below(2, 9), Fold(2, 3, 14, 10)],
    ),
    # Four code points and two: 6, in eleven bytes.
    Case(
        "tokens_are_counted_not_bytes",
        {"trigger_tokens": 7},
        [("äöü€", "ßß"), (1, 0)],
        [below(1, 6), Fold(1, 2, 11, 7)],
    ),
    # Indices 0 to 9 have one digit: 10 * (1 + 5) = 60; turn 10 has two: + 7 = 67.
    Case(
        "the_index_in_the_template_is_the_absolute_one_and_counts",
        {
            "trigger_tokens": 67,
            "template": "{{#turns}}{{index}}{{user}}{{assistant}}{{/turns}}",
        },
        uniform(3),
        [below(9, 54), below(10, 60), Fold(10, 11, 71, 67)],
        imported=uniform(8),
    ),
    # 60 >= 14: 1 + 60 + 3. Then turns 10 and 11 cost 7 each: 14 fires; 1 + 14 + 3.
    Case(
        "the_index_goes_on_after_a_fold",
        {
            "trigger_tokens": 14,
            "template": "{{#turns}}{{index}}{{user}}{{assistant}}{{/turns}}",
        },
        uniform(3),
        [Fold(9, 10, 64, 60), below(1, 7), Fold(11, 2, 18, 14)],
        imported=uniform(9),
    ),
    # Tokens are not counted while trigger_tokens is off: pending_tokens 0.
    Case(
        "turn_trigger_fires_at_exactly_its_count",
        {"trigger_turns": 2},
        uniform(4),
        [below(1), Fold(1, 2, 14, 10), below(1), Fold(3, 2, 14, 10)],
    ),
    Case(
        "turn_trigger_of_one_folds_every_turn",
        {"trigger_turns": 1},
        uniform(3),
        [Fold(0, 1, 9), Fold(1, 1, 9), Fold(2, 1, 9)],
    ),
    # 15 tokens are far from 1000: the turns decide.
    Case(
        "the_turn_trigger_does_not_wait_for_tokens",
        {"trigger_turns": 3, "trigger_tokens": 1000},
        uniform(4),
        [below(1, 5), below(2, 10), Fold(2, 3, 19), below(1, 5)],
    ),
    Case(
        "the_token_trigger_does_not_wait_for_turns",
        {"trigger_turns": 3, "trigger_tokens": 10},
        uniform(4),
        [below(1, 5), Fold(1, 2, 14), below(1, 5), Fold(3, 2, 14)],
    ),
    # 1 + 70 + 3 + 16 = 90 > 80. The turn trigger fired first, so that tokens are not
    # reported although trigger_tokens is on.
    Case(
        "turns_are_checked_before_tokens",
        {"trigger_turns": 1, "trigger_tokens": 10, "context_size": 80},
        [(50, 20)],
        [too_large(1, 0, 90)],
    ),
    # The same turn by the token trigger alone: 70 tokens are reported.
    Case(
        "the_token_trigger_alone_reports_the_tokens",
        {"trigger_turns": 2, "trigger_tokens": 10, "context_size": 80},
        [(50, 20)],
        [too_large(1, 70, 90)],
    ),
    Case(
        "both_off_never_folds",
        {},
        uniform(3, 500, 500),
        [below(1), below(2), below(3)],
    ),
    # Interaction 0 leaves a window of 3 when the dialog has 4.
    Case(
        "a_hot_window_of_3_keeps_the_newest_3",
        {"trigger_turns": 1, "keep_recent_turns": 3},
        uniform(5),
        [HOT, HOT, HOT, Fold(0, 1, 9), Fold(1, 1, 9)],
    ),
    Case(
        "only_turns_outside_the_hot_window_count_as_turns",
        {"trigger_turns": 2, "keep_recent_turns": 3},
        uniform(7),
        [HOT, HOT, HOT, below(1), Fold(1, 2, 14), below(1), Fold(3, 2, 14)],
    ),
    # The long turn 2 is hot until the dialog has 4; then 5 + 5 + 40 = 50.
    Case(
        "only_turns_outside_the_hot_window_count_as_tokens",
        {"trigger_tokens": 11, "keep_recent_turns": 1},
        [(3, 2), (3, 2), (30, 10), (3, 2)],
        [HOT, below(1, 5), below(2, 10), Fold(2, 3, 54, 50)],
    ),
    Case(
        "a_hot_window_as_large_as_the_dialog_covers_it",
        {"trigger_turns": 1, "keep_recent_turns": 2},
        uniform(3),
        [HOT, HOT, Fold(0, 1, 9)],
    ),
    Case(
        "a_hot_window_larger_than_the_dialog_covers_it",
        {"trigger_turns": 1, "trigger_tokens": 1, "keep_recent_turns": 512},
        uniform(4),
        [HOT, HOT, HOT, HOT],
    ),
    Case(
        "without_a_hot_window_the_running_turn_is_folded_after_its_reply",
        {"trigger_turns": 1, "keep_recent_turns": 0},
        [(3, 2), (4, 4)],
        [Fold(0, 1, 9, 5), Fold(1, 1, 12, 8)],
    ),
    # Placed before the reply the running turn is hot; 0 is folded by turn 1, with its
    # reply: 1 + 5 + 3.
    Case(
        "before_the_reply_the_running_turn_is_hot_even_without_a_window",
        {"trigger_turns": 1, "keep_recent_turns": 0},
        [(3, 2), (4, 4), (1, 1)],
        [HOT, Fold(0, 1, 9, 5), Fold(1, 1, 12, 8)],
        summarize_first=True,
    ),
    Case(
        "before_the_reply_the_running_turn_counts_as_one_of_the_newest",
        {"trigger_turns": 1, "keep_recent_turns": 2},
        uniform(4),
        [HOT, HOT, Fold(0, 1, 9), Fold(1, 1, 9)],
        summarize_first=True,
    ),
    # Context 100: costs may be 100 - 16 - 4 = 80, four turns of 20; 4 + 80 = 84.
    Case(
        "the_largest_prefix_that_fits_is_folded_and_the_rest_later",
        {"trigger_turns": 1, "context_size": 100},
        uniform(3, 10, 10),
        # 7 wait: 0-3. 4 wait: 4-7. 1 waits: 8; 1 + 20 + 3.
        [Fold(3, 4, 84, 80), Fold(7, 4, 84, 80), Fold(8, 1, 24, 20)],
        imported=uniform(6, 10, 10),
    ),
    # 84 + 16 = 100 does not fit into 99: three turns, 4 + 60.
    Case(
        "one_token_less_of_context_folds_one_turn_less",
        {"trigger_turns": 1, "context_size": 99},
        uniform(1, 10, 10),
        [Fold(2, 3, 64, 60)],
        imported=uniform(6, 10, 10),
    ),
    # 100 - 36 - 4 = 60: three turns.
    Case(
        "the_longest_summary_is_kept_free",
        {"trigger_turns": 1, "context_size": 100, "max_summary_tokens": 36},
        uniform(1, 10, 10),
        [Fold(2, 3, 64, 60)],
        imported=uniform(6, 10, 10),
    ),
    # 21 + 3 of overhead: 100 - 16 - 24 = 60, three turns; 24 + 60 = 84.
    Case(
        "the_summarizers_own_system_prompt_counts",
        {"trigger_turns": 1, "context_size": 100, "system_prompt": "S" * 21},
        uniform(1, 10, 10),
        [Fold(2, 3, 84, 60)],
        imported=uniform(6, 10, 10),
    ),
    # First 80 free: 4 turns. Then 16 are the summary's: 64, three turns, 4 + 16 + 60.
    # The last two: 4 + 16 + 40.
    Case(
        "the_previous_summary_counts",
        {"trigger_turns": 1, "context_size": 100, "template": WITH_PREVIOUS},
        uniform(3, 10, 10),
        [Fold(3, 4, 84, 80), Fold(6, 3, 80, 60), Fold(8, 2, 60, 40)],
        imported=uniform(6, 10, 10),
        summary="s" * 16,
    ),
    # 20 + 70 > 80: only turn 0, although turn 2 would fit beside it. Then 70 + 5 = 75
    # fits, the live turn of 20 does not. Then 20 + 20.
    Case(
        "the_prefix_is_chronological",
        {"trigger_turns": 1, "context_size": 100},
        uniform(3, 10, 10),
        [Fold(0, 1, 24), Fold(2, 2, 79, 75), Fold(5, 3, 64, 60)],
        imported=[(10, 10), (60, 10), (3, 2)],
    ),
    # 4 + 200 + 16 = 220 needed. The live turns of 20 wait behind it.
    Case(
        "a_giant_turn_is_reported_at_every_turn",
        {"trigger_tokens": 10, "context_size": 100},
        uniform(3, 10, 10),
        [too_large(2, 220, 220), too_large(3, 240, 220), too_large(4, 260, 220)],
        imported=[(100, 100)],
    ),
    # Turn 0 is folded alone; then the giant is first.
    Case(
        "what_is_before_a_giant_turn_is_folded",
        {"trigger_turns": 1, "context_size": 100},
        uniform(2, 10, 10),
        [Fold(0, 1, 24), too_large(3, 0, 220)],
        imported=[(10, 10), (100, 100)],
    ),
    # 4 + 3 ("sum") + 200 + 16 = 223.
    Case(
        "the_required_context_size_counts_the_previous_summary",
        {"trigger_turns": 1, "context_size": 100, "template": WITH_PREVIOUS},
        uniform(2, 10, 10),
        [Fold(0, 1, 24), too_large(3, 0, 223)],
        imported=[(10, 10), (100, 100)],
    ),
    # Each text keeps k characters and " [...] " (7): 2 * (k + 7) <= 80, k = 33;
    # 4 + 2 * 40 = 84. The cost reported is that of the whole turn. Then the live ones.
    Case(
        "a_giant_turn_is_abridged_when_asked_for",
        {"trigger_turns": 1, "context_size": 100, "oversized_turn": "abridge"},
        uniform(2, 10, 10),
        [Fold(0, 1, 84, 200, abridged=True), Fold(2, 2, 44, 40)],
        imported=[(100, 100)],
    ),
    # A turn that just fits is not abridged: 4 + 80 + 16 = 100.
    Case(
        "a_turn_that_just_fits_is_not_abridged",
        {"trigger_turns": 1, "context_size": 100, "oversized_turn": "abridge"},
        [(40, 40)],
        [Fold(0, 1, 84, 80)],
    ),
    # Room for 3 of 20: 100 - 36 - 4 = 60. 10 wait, 8, 6, 4, 2: one fold a turn.
    Case(
        "a_backlog_drains_turn_by_turn",
        {"trigger_turns": 1, "context_size": 100, "max_summary_tokens": 36},
        uniform(6, 10, 10),
        [
            Fold(2, 3, 64),
            Fold(5, 3, 64),
            Fold(8, 3, 64),
            Fold(11, 3, 64),
            Fold(13, 2, 44),
            Fold(14, 1, 24),
        ],
        imported=uniform(9, 10, 10),
    ),
    # 9 imported and the live turn are 10; keep 4 leaves 6: the first 3, then 4 wait.
    Case(
        "a_backlog_drains_up_to_the_hot_window",
        {
            "trigger_turns": 1,
            "context_size": 100,
            "max_summary_tokens": 36,
            "keep_recent_turns": 4,
        },
        uniform(4, 10, 10),
        [Fold(2, 3, 64), Fold(5, 3, 64), Fold(7, 2, 44), Fold(8, 1, 24)],
        imported=uniform(9, 10, 10),
    ),
]


def text_of(given: int | str, letter: str) -> str:
    return letter * given if isinstance(given, int) else given


def outcome_of(node_report: dict[str, Any]) -> Fold | Skip:
    if skipped := node_report.get("skipped"):
        return Skip(**skipped)
    fold = node_report["last_fold"]
    return Fold(
        fold["covered_through"],
        fold["folded_turns"],
        fold["summarizer_prompt_tokens"],
        fold["folded_input_tokens"],
        fold.get("abridged", False),
    )


def same(expected: Fold | Skip, found: Fold | Skip) -> bool:
    if isinstance(expected, Fold) and expected.input_tokens is None:
        assert isinstance(found, Fold), found
        found = Fold(*[*vars(found).values()][:3], None, found.abridged)
    return expected == found


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_folds_happen_when_the_arithmetic_says_so(chat, case: Case) -> None:
    talk = chat(
        summarize=case.params,
        summarize_first=case.summarize_first,
        replies=[text_of(reply, "a") for _, reply in case.turns],
        summaries=[case.summary],
    )
    talk.append(*[(text_of(u, "u"), text_of(a, "a")) for u, a in case.imported])

    abridged = False  # stays true of every summary built on an abridged turn
    for turn, ((user, _), expected) in enumerate(
        zip(case.turns, case.expected, strict=True)
    ):
        result = talk.say(text_of(user, "u") or None)

        found = outcome_of(report(result))
        assert same(expected, found), f"turn {turn}: {found}, expected {expected}"
        if isinstance(found, Fold):
            request = talk.last_request("summarize")
            assert len(request.prompt_tokens) == found.prompt_tokens
            summary = talk.agent.get_summary()
            assert summary is not None
            assert summary.covered_through == found.covered_through
            assert summary.carrier == len(case.imported) + turn
            abridged = abridged or found.abridged
            assert summary.abridged == abridged
    folds = sum(isinstance(each, Fold) for each in case.expected)
    assert len(talk.requests("summarize")) == folds


def test_the_oldest_pending_turn_is_the_first_of_the_next_fold(chat) -> None:
    talk = chat(
        summarize={
            "trigger_turns": 2,
            "template": "{{#turns}}<{{index}}:{{user}}>{{/turns}}",
        }
    )

    for text in ("a", "b", "c", "d"):
        talk.say(text)

    prompts = [request.messages[1][1] for request in talk.requests("summarize")]
    assert prompts == ["<0:a><1:b>", "<2:c><3:d>"]


def test_a_backlog_loses_and_repeats_no_turn(chat) -> None:
    talk = chat(
        summarize={
            "trigger_turns": 1,
            "context_size": 100,
            "template": "{{#turns}}<{{index}}>{{user}}{{assistant}}{{/turns}}",
        },
        replies=["a" * 10],
    )
    talk.append(*[("u" * (5 + i % 7), "") for i in range(40)])

    for _ in range(20):
        talk.say("u" * 10)

    folded = "".join(request.messages[1][1] for request in talk.requests("summarize"))
    indices = [int(part.split(">")[0]) for part in folded.split("<")[1:]]
    assert indices == list(range(60))


def test_the_abridged_request_holds_head_and_tail_of_the_turn(chat) -> None:
    talk = chat(
        summarize={
            "trigger_turns": 1,
            "context_size": 100,
            "oversized_turn": "abridge",
            "template": "{{#turns}}{{user}}{{/turns}}",
        },
        replies=[""],
    )
    # 100 - 16 - 4 = 80 for k + 7: k = 73, 37 of the head and 36 of the tail.
    user = "h" * 37 + "x" * 200 + "t" * 36

    talk.say(user)

    body = talk.last_messages("summarize")[1][1]
    assert body == "h" * 37 + " [...] " + "t" * 36
    assert talk.agent.get_summary().abridged


def test_an_abridged_turn_stays_whole_in_the_dialog(chat) -> None:
    talk = chat(
        summarize={
            "trigger_turns": 1,
            "context_size": 100,
            "oversized_turn": "abridge",
        }
    )

    talk.say("u" * 300)

    assert talk.agent.dialog()[0].user == "u" * 300


def test_abridging_never_cuts_a_character_in_two(chat) -> None:
    talk = chat(
        summarize={
            "trigger_turns": 1,
            "context_size": 100,
            "oversized_turn": "abridge",
            "template": "{{#turns}}{{user}}{{/turns}}",
        }
    )

    talk.say("€" * 300)

    body = talk.last_messages("summarize")[1][1]
    assert body == "€" * 37 + " [...] " + "€" * 36


def test_a_summary_too_long_for_any_abridged_turn_is_input_too_large(chat) -> None:
    # 1 + 80 + 3 leaves 100 - 16 - 84 = 0 for the head, tail and " [...] " of a turn.
    talk = chat(
        summarize={
            "trigger_turns": 1,
            "context_size": 100,
            "oversized_turn": "abridge",
            "system_prompt": "S" * 81,
        }
    )

    result = talk.say("u" * 300)

    assert report(result)["skipped"]["reason"] == "input_too_large"
    assert talk.requests("summarize") == []


def test_nothing_new_outside_a_window_that_was_widened(chat) -> None:
    talk = chat(summarize={"trigger_turns": 2})
    talk.say()
    talk.say()  # folds 0 and 1
    talk.agent.change_params("summarize", {"keep_recent_turns": 1})

    result = talk.say()  # 2 is hot, 0 and 1 are folded

    assert outcome_of(report(result)) == Skip("nothing_new_outside_hot_window")


def test_a_window_widened_over_the_whole_dialog_covers_it(chat) -> None:
    talk = chat(summarize={"trigger_turns": 1})
    talk.say()
    talk.agent.change_params("summarize", {"keep_recent_turns": 9})

    assert outcome_of(report(talk.say())) == HOT
    assert talk.agent.get_summary().covered_through == 0


def test_a_second_summarizer_finds_nothing_new(engine) -> None:
    graph = make_graph(summarize={"trigger_turns": 1, "default_exit": "again"})
    graph.add_node("again", graph.nodes["summarize"])
    graph.nodes["again"].default_exit = ""
    talk = Chat(engine, graph)

    result = talk.say()

    assert "last_fold" in report(result, "summarize")
    assert report(result, "again")["skipped"]["reason"] == (
        "nothing_new_outside_hot_window"
    )


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        # 2 turns of 3 + 4 wait; with the third 21 tokens.
        ({"trigger_turns": 3}, Fold(2, 3, 25, 21)),
        ({"trigger_turns": 4}, below(3)),
        ({"trigger_tokens": 21}, Fold(2, 3, 25, 21)),
        ({"trigger_tokens": 22}, below(3, 21)),
        ({"trigger_turns": 1, "keep_recent_turns": 2}, Fold(0, 1, 11, 7)),
        ({"trigger_turns": 1, "system_prompt": "SSS"}, Fold(2, 3, 27, 21)),
        (
            {"trigger_turns": 1, "template": "{{#turns}}{{user}}{{/turns}}"},
            Fold(2, 3, 13, 9),
        ),
    ],
    ids=lambda value: str(value) if isinstance(value, dict) else "",
)
def test_changed_params_count_from_the_next_turn(chat, change, expected) -> None:
    talk = chat(summarize={"trigger_tokens": 1000})
    talk.say("abc")
    talk.say("abc")
    talk.agent.change_params("summarize", {"trigger_tokens": 0} | change)

    assert outcome_of(report(talk.say("abc"))) == expected


def test_a_changed_template_changes_the_cost_of_turns_already_counted(chat) -> None:
    talk = chat(summarize={"trigger_tokens": 1000}, replies=["12345"])
    assert report(talk.say("abc"))["skipped"]["pending_tokens"] == 8
    talk.agent.change_params("summarize", {"template": "{{#turns}}{{user}}{{/turns}}"})

    assert report(talk.say("abc"))["skipped"]["pending_tokens"] == 6


def test_undo_across_a_fold_makes_its_turns_pending_again(chat) -> None:
    talk = chat(summarize={"trigger_turns": 2}, summaries=["one", "two"])
    talk.say("a")
    talk.say("b")  # folds 0 and 1
    talk.agent.undo_last_turn()
    assert talk.agent.get_summary() is None
    assert talk.states() == ["replayed"]

    result = talk.say("c")

    assert report(result)["last_fold"]["covered_through"] == 1
    assert talk.last_messages("summarize")[1][1] == "aAye.cAye."
    assert talk.agent.get_summary().text == "two"


def test_undo_of_the_newest_fold_brings_the_one_before_back(chat) -> None:
    talk = chat(summarize={"trigger_turns": 1}, summaries=["one", "two"])
    talk.say("a")
    talk.say("b")

    talk.agent.undo_last_turn()

    assert talk.agent.get_summary().text == "one"
    assert talk.agent.get_summary().covered_through == 0


def test_undo_of_a_turn_without_a_fold_keeps_the_summary(chat) -> None:
    talk = chat(summarize={"trigger_turns": 2})
    for text in ("a", "b", "c"):
        talk.say(text)

    talk.agent.undo_last_turn()

    assert talk.agent.get_summary().covered_through == 1
    assert talk.states() == ["folded", "folded"]


def test_regenerating_the_carrier_folds_anew(chat) -> None:
    talk = chat(
        summarize={"trigger_turns": 1, "template": WITH_PREVIOUS},
        replies=["one", "two", "three"],
        summaries=["s1.", "s2.", "s3."],
    )
    talk.say("a")
    talk.say("b")

    result = talk.regenerate()

    # The summary of the replaced turn is not the previous one; that of turn 0 is.
    assert talk.last_messages("summarize")[1][1] == "s1.bthree"
    assert report(result)["last_fold"]["covered_through"] == 1
    assert [each.summary.text for each in talk.agent.dialog()] == ["s1.", "s3."]


def test_an_edit_outside_the_fold_changes_its_cost(chat) -> None:
    # 2 + 4 = 6, edited to 9 + 4 = 13; the next turn adds 6: 19.
    talk = chat(summarize={"trigger_tokens": 19})
    assert outcome_of(report(talk.say("Hi"))) == below(1, 6)
    talk.agent.edit_interaction(0, user="Hi Edric!")

    assert outcome_of(report(talk.say("Hi"))) == Fold(1, 2, 23, 19)


def test_an_edit_inside_the_fold_keeps_the_summary_and_marks_it_stale(chat) -> None:
    talk = chat(summarize={"trigger_turns": 2})
    talk.say("a")
    talk.say("b")

    talk.agent.edit_interaction(1, user="changed")

    summary = talk.agent.get_summary()
    assert (summary.text, summary.covered_through, summary.stale) == ("sum", 1, True)
    assert talk.states() == ["folded", "folded"]


def test_an_edit_after_the_fold_leaves_the_summary_alone(chat) -> None:
    talk = chat(summarize={"trigger_turns": 2})
    for text in ("a", "b", "c"):
        talk.say(text)

    talk.agent.edit_interaction(2, user="changed")

    assert not talk.agent.get_summary().stale


def test_a_stale_summary_is_what_the_next_fold_builds_on(chat) -> None:
    talk = chat(summarize={"trigger_turns": 1, "template": WITH_PREVIOUS})
    talk.say("a")
    talk.agent.edit_interaction(0, user="changed")

    result = talk.say("b")

    assert report(result)["last_fold"]["folded_turns"] == 1
    assert talk.last_messages("summarize")[1][1] == "sumbAye."


def test_an_appended_interaction_can_be_folded_like_any_other(chat) -> None:
    talk = chat(summarize={"trigger_turns": 2})
    talk.append(("imported", "log"))

    talk.say("a")

    assert talk.last_messages("summarize")[1][1] == "importedlogaAye."


def test_no_model_runs_for_an_appended_interaction(chat) -> None:
    talk = chat(summarize={"trigger_turns": 1})

    talk.append(*[("u", "a")] * 10)

    assert talk.requests("summarize") == []
    assert talk.agent.get_summary() is None


def test_failed_turns_do_not_count_as_pending(chat) -> None:
    talk = chat(summarize={"trigger_turns": 2}, replies=["Aye.", fails(), "Aye."])
    talk.say("a")
    assert talk.say("b").status == "error"

    result = talk.say("c")

    assert report(result)["last_fold"]["folded_turns"] == 2
    assert talk.last_messages("summarize")[1][1] == "aAye.cAye."

"""What a prompt leaves out when it would not fit, computed by hand.

One character is one token; a message costs its text and one token, a prompt one more.
Unless a test says otherwise:

    context_size 200, reply reserve 40 -> high water 160, low water 120
    allowance for the next turn        -> 200 / 16 = 12
    system message of 10               -> 11, with the prompt's own token 12
    turns of 8 + 8                     -> 18 each

so that n replayed turns and a message of m cost 12 + 18 n + m + 1.
"""

from __future__ import annotations

import json

import pytest

from talefold import ErrorCode, SamplingOverrides

from .helpers import (
    GUARD,
    Chat,
    overflows,
    report,
)

TIGHT = {
    "context_size": 200,
    "system_prompt": "S" * 10,
    "sampling": SamplingOverrides(max_tokens=40),
}
TURN = ("u" * 8, "a" * 8)


def tight_chat(chat, summarize: dict | None = None, **options: object) -> Chat:
    return chat(TIGHT, summarize, **({"replies": [TURN[1]]} | options))


def say_times(talk: Chat, count: int) -> None:
    for _ in range(count):
        talk.say(TURN[0])


def trimmed(talk: Chat) -> int:
    """How many interactions are trimmed; the rest must be replayed."""
    states = talk.states()
    count = states.count("trimmed")
    assert states == ["trimmed"] * count + ["replayed"] * (len(states) - count)
    return count


# At the end of a turn ------------------------------------------------------------


def test_nothing_is_trimmed_up_to_the_high_water_mark(chat) -> None:
    # 12 + 18 * 7 = 138, + 12 = 150 <= 160.
    talk = tight_chat(chat)

    say_times(talk, 7)

    assert trimmed(talk) == 0


def test_above_the_high_water_mark_the_oldest_go_down_to_the_low_one(chat) -> None:
    # 12 + 18 * 8 + 12 = 168 > 160; 150, 132, 114 <= 120: three go.
    talk = tight_chat(chat)

    say_times(talk, 8)

    assert trimmed(talk) == 3


def test_between_the_marks_nothing_moves(chat) -> None:
    # 5 are left: 114. The next turns: 132, 150, then 168 again: three more.
    talk = tight_chat(chat)
    windows = []

    for _ in range(15):
        say_times(talk, 1)
        windows.append(trimmed(talk))

    assert windows == [0] * 7 + [3] * 3 + [6] * 3 + [9] * 2


@pytest.mark.parametrize(("last_reply", "gone"), [(11, 0), (12, 3)])
def test_the_high_water_mark_itself_is_allowed(
    chat, last_reply: int, gone: int
) -> None:
    # Without a system message: 1 + 18 * 7 + (8 + r + 2) + 12 = 149 + r: 160 and 161.
    talk = chat(
        TIGHT | {"system_prompt": ""}, replies=[TURN[1]] * 7 + ["a" * last_reply]
    )

    say_times(talk, 8)

    assert trimmed(talk) == gone


@pytest.mark.parametrize(("last_reply", "gone"), [(30, 3), (31, 4)])
def test_trimming_stops_at_exactly_the_low_water_mark(
    chat, last_reply: int, gone: int
) -> None:
    # 12 + 18 * 6 + (10 + r + 2) + 12 = 144 + r: 174 and 175. Less 3 * 18: 120 and 121.
    talk = tight_chat(chat, replies=[TURN[1]] * 6 + ["a" * last_reply])
    say_times(talk, 6)

    talk.say("u" * 10)

    assert trimmed(talk) == gone


def test_the_turn_that_just_ended_stays_whatever_its_size(chat) -> None:
    # 12 + (100 + 40 + 2) + 12 = 166 > 160, and nothing older is left.
    talk = tight_chat(chat, replies=[TURN[1]] * 3 + ["a" * 40])
    say_times(talk, 3)

    talk.say("u" * 100)

    assert talk.states() == ["trimmed"] * 3 + ["replayed"]


def test_the_allowance_is_at_most_128_tokens(chat) -> None:
    # 4000 / 16 = 250, but 128; high water 3600. The turn before costs 3443, this one
    # m + 1 + 2: 12 + 3443 + m + 3 + 128 = 3586 + m: 3600 and 3601.
    params = {
        "context_size": 4000,
        "system_prompt": "S" * 10,
        "sampling": SamplingOverrides(max_tokens=400),
    }
    fits = chat(params, replies=["a"])
    fits.append(("u", "a" * 3440))
    fits.say("u" * 14)
    over = chat(params, replies=["a"])
    over.append(("u", "a" * 3440))
    over.say("u" * 15)

    assert fits.states() == ["replayed", "replayed"]
    assert over.states() == ["trimmed", "replayed"]


# At the start of a turn ----------------------------------------------------------


@pytest.mark.parametrize(
    ("message", "replayed_from", "prompt"),
    [
        (57, 0, 160),  # 12 + 18 * 5 + 58 = 160: the high water mark
        (58, 3, 107),  # 161: 143, 125, 107
        (75, 4, 106),  # 178: 160, 142, 124, 106
        (147, 5, 160),  # all five go: 12 + 148
    ],
)
def test_a_long_message_trims_at_once(
    chat, message: int, replayed_from: int, prompt: int
) -> None:
    talk = tight_chat(chat)
    say_times(talk, 5)

    result = talk.say("m" * message)

    history = report(result, "generate")["history"]
    assert history["replayed_from"] == replayed_from
    assert len(talk.last_request().prompt_tokens) == prompt
    assert talk.last_messages()[0] == ("system", "S" * 10)
    assert talk.last_messages()[-1] == ("user", "m" * message)


def test_the_template_counts_as_part_of_the_turn(chat) -> None:
    # 12 + 18 * 5 + (8 + 1) = 111; a frame of 49 costs 50: 161 > 160; 143, 125, 107.
    talk = tight_chat(chat)
    say_times(talk, 5)
    talk.agent.change_params("generate", {"template": "f" * 48})
    talk.say(TURN[0])
    fits = len(talk.last_request().prompt_tokens)
    talk.agent.undo_last_turn()
    talk.agent.change_params("generate", {"template": "f" * 49})
    talk.say(TURN[0])
    trims = len(talk.last_request().prompt_tokens)

    assert (fits, trims) == (160, 107)


@pytest.mark.parametrize("message", [1, 11, 57, 58, 147, 148, 171, 172])
@pytest.mark.parametrize("turns", [0, 1, 7, 8, 20])
def test_prompt_and_reply_always_fit(chat, turns: int, message: int) -> None:
    talk = tight_chat(chat)
    say_times(talk, turns)

    result = talk.say("m" * message)

    if message <= 171:  # 12 + 172 + 16 = 200
        assert result.status == "success"
    for request in talk.requests():
        assert len(request.prompt_tokens) + request.max_tokens <= 200


def test_a_prompt_above_the_high_water_mark_leaves_a_shorter_reply(chat) -> None:
    # Nothing is left to trim: 12 + 158 = 170; 30 remain of the reserve of 40.
    talk = tight_chat(chat, replies=["a" * 40])

    result = talk.say("m" * 157)

    assert talk.last_request().max_tokens == 30
    assert result.text == "a" * 30


# One way -------------------------------------------------------------------------


def test_trimmed_interactions_do_not_come_back_when_there_is_room_again(chat) -> None:
    talk = tight_chat(chat)
    say_times(talk, 8)
    for index in range(8):
        talk.agent.edit_interaction(index, user="u", assistant="a")

    talk.say("m")

    assert trimmed(talk) == 3
    assert len(talk.last_messages()) == 1 + 2 * 5 + 1


def test_trimmed_interactions_stay_in_the_dialog(chat) -> None:
    talk = tight_chat(chat)

    say_times(talk, 8)

    assert [(each.user, each.assistant) for each in talk.agent.dialog()] == [TURN] * 8


def test_undo_brings_the_window_of_the_turn_before_back(chat) -> None:
    talk = tight_chat(chat)
    say_times(talk, 8)

    talk.agent.undo_last_turn()

    assert trimmed(talk) == 0
    say_times(talk, 1)
    assert trimmed(talk) == 3


def test_undo_leaves_no_trace_of_a_trim(chat) -> None:
    talk = tight_chat(chat)
    say_times(talk, 7)
    before = json.loads(talk.agent.export_snapshot())
    say_times(talk, 1)
    assert trimmed(talk) == 3

    talk.agent.undo_last_turn()

    after = json.loads(talk.agent.export_snapshot())
    assert before == after
    talk.append(TURN)  # takes the place of the turn that was undone
    assert trimmed(talk) == 0


def test_a_failed_turn_does_not_move_the_window(chat) -> None:
    talk = tight_chat(chat, replies=[TURN[1]] * 5 + [overflows("")] * 9)
    say_times(talk, 5)

    result = talk.say("m" * 100)

    assert result.status == "error"
    assert trimmed(talk) == 0


def test_trimmed_interactions_can_still_be_folded(chat) -> None:
    talk = tight_chat(chat, {"template": "{{#turns}}<{{index}}>{{/turns}}"})
    talk.agent.change_params("generate", {"system_prompt": ""})
    talk.agent.change_params("generate", {"sampling": {"max_tokens": 20}})
    # High water 180, low 135: 1 + 18 * 10 + 12 = 193 > 180; 175, 157, 139, 121: four.
    say_times(talk, 10)
    assert trimmed(talk) == 4
    talk.agent.change_params("summarize", {"trigger_turns": 1, "keep_recent_turns": 9})

    say_times(talk, 1)  # 0 and 1 wait outside the window

    assert talk.last_messages("summarize")[1][1] == "<0><1>"


def test_a_fold_makes_the_window_be_planned_anew(chat) -> None:
    # context 400, reserve 40: high 360, low 270, allowance 25. Turns cost 40 + 40 + 2 =
    # 82: four end at 1 + 4 * 82 + 25 = 354. The fifth begins at 329 + 41 = 370: two go,
    # 288, 206.
    talk = chat(
        {"context_size": 400, "sampling": SamplingOverrides(max_tokens=40)},
        {"keep_recent_turns": 5},
        replies=["a" * 40],
    )
    for _ in range(5):
        talk.say("u" * 40)
    assert trimmed(talk) == 2
    # Short turns now, as a game would after an edit: each 1 + 1 + 2 = 4.
    for index in range(5):
        talk.agent.edit_interaction(index, user="u", assistant="a")
    talk.agent.change_params("summarize", {"trigger_turns": 1})

    talk.say("u" * 8)  # dialog of 6, hot window of 5: folds 0; 1 was trimmed as well

    assert talk.states() == ["folded"] + ["replayed"] * 5


def test_after_a_fold_what_still_does_not_fit_is_trimmed_again(chat) -> None:
    # As above, but the turns stay long: after the fold of 0 the system message has
    # len(GUARD) + 1 + 3 and the prompt 1 + that + 1 + 5 * 82 + 25.
    talk = chat(
        {"context_size": 400, "sampling": SamplingOverrides(max_tokens=40)},
        {"keep_recent_turns": 5, "trigger_turns": 1},
        replies=["a" * 40],
    )

    for _ in range(6):
        talk.say("u" * 40)

    fixed = 1 + len(GUARD) + 1 + 3 + 1
    assert fixed + 5 * 82 + 25 > 360
    keep = next(n for n in range(5, 0, -1) if fixed + n * 82 + 25 <= 270 or n == 1)
    assert talk.states() == ["folded"] + ["trimmed"] * (5 - keep) + ["replayed"] * keep


def test_the_summary_is_never_trimmed(chat) -> None:
    talk = chat(
        {"context_size": 300, "sampling": SamplingOverrides(max_tokens=40)},
        {"trigger_turns": 2, "keep_recent_turns": 1},
        replies=["a" * 30],
        summaries=["They met."],
    )

    for i in range(25):
        talk.say("u" * (10 + i * 3))
        if i > 2:
            assert talk.last_messages()[0] == ("system", f"{GUARD}\nThey met.")


# What is reported ----------------------------------------------------------------


def test_the_marks_are_reported(chat) -> None:
    talk = tight_chat(chat)

    generated = report(talk.say(TURN[0]), "generate")

    assert generated["history"] == {
        "replayed_from": 0,
        "high_water_tokens": 160,
        "low_water_tokens": 120,
    }
    assert generated["parameters"]["reply_reserve_tokens"] == 40


def test_the_trimmed_range_is_reported(chat) -> None:
    talk = tight_chat(chat)
    say_times(talk, 8)

    history = report(talk.say(TURN[0]), "generate")["history"]

    assert (history["trimmed_from"], history["replayed_from"]) == (0, 3)
    assert "covered_through" not in history


def test_a_trimmed_range_begins_after_what_is_folded(chat) -> None:
    talk = chat(
        {"context_size": 400, "sampling": SamplingOverrides(max_tokens=40)},
        {"keep_recent_turns": 5, "trigger_turns": 1},
        replies=["a" * 40],
    )
    for _ in range(6):
        talk.say("u" * 40)

    history = report(talk.say("u"), "generate")["history"]

    assert history["covered_through"] == 0
    assert history["trimmed_from"] == 1
    assert history["replayed_from"] == talk.states().index("replayed") - 1


# Too big for everything ----------------------------------------------------------


def test_a_message_too_big_for_the_context_fails_with_the_numbers(chat) -> None:
    talk = tight_chat(chat)
    say_times(talk, 3)

    result = talk.say("m" * 300)

    assert result.status == "error"
    assert result.error.code is ErrorCode.ContextOverflow
    assert "313" in result.error.message  # 12 + 300 + 1
    assert "200" in result.error.message
    assert "'generate'" in result.error.message


@pytest.mark.parametrize(("message", "status"), [(171, "success"), (172, "error")])
def test_a_reply_has_room_for_at_least_16_tokens(chat, message: int, status: str):
    # 12 + 172 = 184: 16 remain.
    talk = tight_chat(chat)

    assert talk.say("m" * message).status == status


def test_a_reserve_below_16_tokens_is_enough_room(chat) -> None:
    # 12 + 180 + 1 = 193: 7 remain, as many as a reply may have.
    talk = tight_chat(chat)
    talk.agent.change_params("generate", {"sampling": {"max_tokens": 7}})

    assert talk.say("m" * 180).status == "success"
    assert talk.say("m" * 181).status == "error"


def test_an_overflow_leaves_no_trace_and_the_next_turn_works(chat) -> None:
    talk = tight_chat(chat)
    say_times(talk, 3)
    before = json.loads(talk.agent.export_snapshot())

    assert talk.say("m" * 300).status == "error"

    after = json.loads(talk.agent.export_snapshot())
    assert before == after
    assert talk.say(TURN[0]).status == "success"
    assert len(talk.last_messages()) == 1 + 2 * 3 + 1


def test_a_message_of_ten_windows_does_not_stop_the_conversation(chat) -> None:
    talk = tight_chat(chat, {"trigger_turns": 1, "keep_recent_turns": 1})
    talk.agent.change_params("generate", {"sampling": {"max_tokens": 20}})

    for _ in range(3):
        assert talk.say("m" * 2000).status == "error"
        assert talk.say("hi").status == "success"

    assert talk.agent.dialog_size == 3


def test_a_giant_imported_turn_is_trimmed_and_the_character_answers(chat) -> None:
    talk = tight_chat(chat)
    talk.append(("u" * 2000, "a" * 2000))

    result = talk.say(TURN[0])

    assert result.status == "success"
    assert talk.states() == ["trimmed", "replayed"]


# The model itself runs out -------------------------------------------------------


def test_when_the_model_runs_out_of_context_older_turns_are_trimmed(chat) -> None:
    talk = tight_chat(chat, replies=[TURN[1]] * 5 + [overflows(), "Aye."])
    say_times(talk, 5)

    result = talk.say("m")

    assert (result.status, result.text) == ("success", "Aye.")
    first, second = talk.requests()[-2:]
    assert len(first.messages) == 1 + 2 * 5 + 1
    # Three of five go, the newest two stay.
    assert len(second.messages) == 1 + 2 * 2 + 1
    assert second.messages[0] == ("system", "S" * 10)
    assert second.messages[-1] == ("user", "m")
    assert trimmed(talk) == 3


def test_trimming_for_the_model_goes_on_until_it_answers(chat) -> None:
    talk = tight_chat(chat, replies=[TURN[1]] * 5 + [overflows()] * 3 + ["Aye."])
    say_times(talk, 5)

    result = talk.say("m")

    assert result.status == "success"
    assert [len(each.messages) for each in talk.requests()[-4:]] == [12, 6, 4, 2]


def test_a_model_without_room_for_the_message_alone_fails_the_turn(chat) -> None:
    talk = tight_chat(chat, replies=[TURN[1]] * 2 + [overflows()] * 3 + ["Aye."])
    say_times(talk, 2)

    result = talk.say("m")

    assert result.error.code is ErrorCode.ContextOverflow
    assert talk.agent.dialog_size == 2
    assert trimmed(talk) == 0
    assert talk.say("m").text == "Aye."


def test_a_streamed_reply_cut_by_the_context_is_kept(chat) -> None:
    talk = chat(TIGHT | {"stream": True}, replies=[overflows("Well no")])

    result = talk.say("m")

    assert (result.status, result.text) == ("success", "Well no")
    assert report(result, "generate")["output"]["stop_reason"] == "context_full"


# Many sizes ----------------------------------------------------------------------


def test_turns_of_every_size_never_fail(chat) -> None:
    sizes = [(i * 37) % 120 + 1 for i in range(300)]
    talk = tight_chat(chat, replies=["a" * (i % 41) for i in range(97)])

    for size in sizes:
        assert talk.say("u" * size).status == "success"

    assert talk.agent.dialog_size == 300
    for request in talk.requests():
        assert len(request.prompt_tokens) + request.max_tokens <= 200


def test_prompts_are_cut_between_turns_only(chat) -> None:
    talk = tight_chat(chat, replies=[f"reply {i:02}" for i in range(60)])

    for i in range(60):
        talk.say(f"user  {i:02}")
        system, *past, (_, message) = talk.last_messages()
        assert system == ("system", "S" * 10)
        assert message == f"user  {i:02}"
        first = i - len(past) // 2
        expected = [
            part
            for k in range(first, i)
            for part in (("user", f"user  {k:02}"), ("assistant", f"reply {k:02}"))
        ]
        assert past == expected


def test_a_dialog_of_repeated_texts_is_trimmed_at_the_right_place(chat) -> None:
    # The same words again and again; the texts alone do not tell the turns apart.
    same = tight_chat(chat)
    unlike = tight_chat(chat, replies=[f"reply {i:02}" for i in range(40)])

    for i in range(40):
        same.say("u" * 8)
        unlike.say(f"user  {i:02}")
        assert same.states() == unlike.states()
        assert len(same.last_request().prompt_tokens) == len(
            unlike.last_request().prompt_tokens
        )


# A long past that comes at once ---------------------------------------------------


@pytest.mark.parametrize("imported", [6, 63, 64, 65, 127, 128, 129, 500])
def test_an_import_is_trimmed_as_if_it_had_been_said(chat, imported: int) -> None:
    # 12 + 18 n + 9 <= 160 -> n up to 7 stay; else down to 12 + 18 n + 9 <= 120: 5.
    talk = tight_chat(chat)
    for _ in range(imported):
        talk.agent.append_interaction(user=TURN[0], assistant=TURN[1])

    talk.say(TURN[0])

    replayed = 6 if imported == 6 else 5
    assert talk.states().count("replayed") == replayed + 1
    assert trimmed(talk) == imported - replayed


@pytest.mark.parametrize("imported", [10, 63, 64, 65, 200, 700])
def test_an_import_that_fits_is_shown_whole(chat, imported: int) -> None:
    talk = chat({"context_size": 40_000}, replies=["a"])
    for _ in range(imported):
        talk.agent.append_interaction(user="u", assistant="a")

    talk.say("u")

    assert trimmed(talk) == 0

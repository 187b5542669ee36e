"""A review in words: which move decided the round, where it and the better move lead, and everybody's marks."""

from __future__ import annotations

from companion import games
from companion.coach.review import Review, deciding_move_text, review_lines, review_round
from companion.coach.verdicts import Mark, PlayedRound, Verdict

BEST = Verdict(
    0, 1, "+5D", Mark.BEST, False, 100, 100, "+5D", "2 times ahead", "2 times ahead", searched_nodes=9, plies=3
)
LOSING = Verdict(
    1, 2, "@x3", Mark.LOSING, False, -100, 58, "@-2", "2 times behind", "1.5 times ahead", searched_nodes=9, plies=3,
    short_move="→x3 now", short_best_move="→-2",
)  # fmt: skip
SLIP = Verdict(
    3,
    2,
    "@x2",
    Mark.SLIP,
    True,
    -4,
    -1,
    "@-1",
    "loses",
    "loses",
    searched_nodes=9,
    plies=3,
    short_move="→x2",
    short_best_move="→-1",
)


def test_the_deciding_move_is_named() -> None:
    """On the panel as in a hint, with how much better the other one was; in text as in a record, with both values.

    The panel adds how far ahead a likely verdict looked.
    """
    looked = Review((BEST, LOSING, SLIP), LOSING, 27, 1.0)
    assert review_lines(looked, ("Ann", "Ben")) == (
        "Move 2: Ben's →x3 now cost the most.",
        "→-2 was better.",
        "I looked 3 moves ahead.",
        "Ann's moves: 1 best.",
        "Ben's moves: 1 slip, 1 losing.",
    )
    worse = Review((BEST, LOSING), LOSING._replace(is_much_worse=True), 18, 1.0)
    assert review_lines(worse, ("Ann", "Ben"))[1] == "→-2 was much better."
    assert review_lines(looked, ("Ann", "Ben"), move_count=9)[0].startswith("Move 2/9: Ben's")
    assert deciding_move_text(looked, "Ben") == (
        "move 2, Ben, @x3 (2 times behind): it cost the most, likely; @-2 (1.5 times ahead) was better"
    )
    gave = LOSING._replace(is_certain=True, lost_the_round=True)
    for sure, last in ((True, "That is certain."), (False, "I looked 3 moves ahead.")):
        told = review_lines(Review((BEST, gave), gave, 18, 1.0, is_proven=sure), ("Ann", "Ben"))
        assert (told[0].endswith("gave the round away."), told[2]) == (True, last)


def test_equal_values_are_not_shown_twice() -> None:
    """If both moves have the same value in words, the words would not explain why one is better."""
    looked = Review((BEST, SLIP), SLIP, 18, 1.0)
    assert review_lines(looked, ("Ann", "Ben"))[:3] == (
        "Move 4: Ben's →x2 cost the most.",
        "→-1 was better.",
        "I looked 3 moves ahead.",  # The mark is proven, but not that no other move cost more.
    )
    assert deciding_move_text(looked, "Ben") == "move 4, Ben, @x2: it cost the most, likely; @-1 was better"
    assert deciding_move_text(Review((BEST,), None, 9, 1.0), "Ben") == ""


def test_a_player_with_a_sealed_hand_is_mentioned() -> None:
    """The review names a player without verdicts, so that silence is not taken for praise; draws do not count."""
    rules, entry = games.load_rules("coral-reef"), games.load_move_input("coral-reef")
    states = [rules.initial_state(2, {"form": "cards"}, {("deal", 1): tuple("A9346TT2")})]
    events = [(1, "2:9T"), (2, "1:45")]
    for seat, event in events:
        states.append(rules.play_move(states[-1], seat, rules.parse_move(event)))
    told = review_lines(review_round("coral-reef", PlayedRound(rules, entry, states, events), 50), ("Ann", "Ben"))
    assert told[0] == "None of the moves I can judge lost the round."
    assert told[-1] == "I can't judge Ben's moves: the pieces are hidden."
    assert told[-2].startswith("Ann's moves: 1 ")
    told = review_lines(
        review_round("coral-reef", PlayedRound(rules, entry, states[:2], events[:1]), 50), ("Ann", "Ben")
    )
    assert not any("Ben" in line for line in told)


def test_a_losing_move_of_the_winner_was_not_punished() -> None:
    """A winner who made a losing move reads that the others did not punish it."""
    won = Review((BEST, LOSING), None, 18, 1.0, winners=(2,))
    assert review_lines(won, ("Ann", "Ben"))[1:] == (
        "Ann's moves: 1 best.",
        "Ben's moves: 1 losing (not punished).",
    )
    lost = won._replace(winners=(1,))
    assert review_lines(lost, ("Ann", "Ben"))[-1] == "Ben's moves: 1 losing."

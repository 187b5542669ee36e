"""The coach of Coral Reef: exact odds, certain ends, and sampled hands that fit the claims."""

from __future__ import annotations

from random import Random

from companion.coach.advice import advise, seat_knowledge
from companion.coach.review import Review, review_lines
from companion.coach.search import Budget
from companion.coach.verdicts import PlayedRound, judge_moves
from companion.games.api.coach import PublicEvent, SeatKnowledge
from companion.games.coral_reef.coach import COACH, WIN_VALUE
from companion.games.coral_reef.move_input import MOVE_INPUT
from companion.games.coral_reef.moves import DRAW
from companion.games.coral_reef.rules import RULES
from companion.games.coral_reef.state import State
from companion.games.coral_reef.sums import bag_of, can_move
from companion.panel.fonts import TEXT, wrap_text


def opened(one: str, two: str, tops: tuple[int, ...] = (9, 9, 9, 9), pile: int = 0) -> State:
    """A position with both hands open; without a deck nothing else is unseen."""
    loose = 0 if not pile else RULES.initial_state(2, {}, {}).unseen - bag_of(one) - bag_of(two)
    return State("cards", tops, (len(one), len(two)), (bag_of(one), bag_of(two)), loose, pile)


def best(state: State, seat: int) -> int:
    """The value of a position for a seat under best play, by the rules and an exhaustive search."""
    turn = RULES.seat_to_move(state)
    if turn is None:
        winners = RULES.outcome(state).winners
        return 0 if len(winners) == 2 else WIN_VALUE if winners == (seat,) else -WIN_VALUE
    values = [best(RULES.play_move(state, turn, move), seat) for move in RULES.legal_moves(state)]
    return max(values) if turn == seat else min(values)


def test_an_empty_deck_makes_values_certain() -> None:
    """All unseen corals are in the other hand then, so the end is proven, and equal to that of an exhaustive search."""
    chance, checked = Random(1), 0
    while checked < 30:
        hands = ["".join(chance.choices("A23456789", k=chance.randint(2, 4))) for _ in range(2)]
        state = opened(*hands, tops=(chance.randint(2, 9), chance.randint(2, 9)))
        if not can_move(bag_of(hands[0]), state.tops):
            continue
        knowledge = seat_knowledge(RULES, MOVE_INPUT, [state], [], 1)
        assert COACH.is_exact(knowledge)
        ranked = advise(COACH, knowledge, Budget(20_000)).ranked_moves
        truth = max(best(RULES.play_move(state, 1, move), 1) for move in RULES.legal_moves(state))
        assert ranked[0].low == ranked[0].high == truth
        checked += 1


def test_only_the_last_coral_is_certain_while_there_is_a_deck() -> None:
    """A coral from the deck may change everything; only placing the last coral certainly wins."""
    knowledge = seat_knowledge(RULES, MOVE_INPUT, [opened("45", "A2", pile=60)], [], 1)
    ranked = advise(COACH, knowledge, Budget(500)).ranked_moves
    assert ranked[0].low == ranked[0].high == WIN_VALUE
    knowledge = seat_knowledge(RULES, MOVE_INPUT, [opened("452", "A2", pile=60)], [], 1)
    assert all(each.low < each.high for each in advise(COACH, knowledge, Budget(500)).ranked_moves)


def test_the_odds_of_a_draw_are_counted() -> None:
    """The number of unseen corals that would let the seat move, counted one by one."""
    state = opened("22", "3", tops=(7,), pile=60)
    knowledge = seat_knowledge(RULES, MOVE_INPUT, [state], [], 1)
    unseen = [coral for coral in "A23456789TJQK" for _ in range(8)]
    for coral in "999922":
        unseen.remove(coral)
    fitting = sum(can_move(bag_of("22") + bag_of(coral), (7,)) for coral in unseen)
    assert (
        COACH.move_reason(knowledge, DRAW)
        == f"Draw: {fitting} of the {len(unseen)} you haven't seen would let you move."
    )


def test_reasons_have_the_sum_and_what_is_left() -> None:
    """Long sums are a sentence; and the reason says whether the remaining corals can be played after the move."""
    told = {
        ("569JJQKA", "1:69JJQKA"): "6 9 J J Q K A on stack 1: they add up to 9; you keep 1 coral, which won't fit.",
        ("A2346", "2:234"): "2 3 4 on stack 2: 2+3+4 = 9; you keep 2 corals, and none fits.",
        ("A23458", "2:234"): "2 3 4 on stack 2: 2+3+4 = 9; you keep 3 corals and can play on.",
        ("9", "3:9"): "9 on stack 3: that is your last.",
        ("94", "seed"): "Start a stack with a nine: you keep 1 coral, which won't fit.",
    }
    for (hand, move), words in told.items():
        knowledge = seat_knowledge(RULES, MOVE_INPUT, [opened(hand, "33", pile=60)], [], 1)
        assert COACH.move_reason(knowledge, RULES.parse_move(move)) == words
        assert len(wrap_text(words, TEXT, 122)) <= 4


def test_where_to_look_counts_the_corals_that_can_go_there() -> None:
    """The most corals of one play on that stack, and how many are in hand; no coral is named."""
    knowledge = seat_knowledge(RULES, MOVE_INPUT, [opened("A2346", "33", tops=(9, 4, 3), pile=60)], [], 1)
    assert (
        COACH.look_here_text(knowledge, RULES.parse_move("1:36"))
        == "Look at stack 1: up to 3 of your 5 corals can go there."
    )
    knowledge = seat_knowledge(RULES, MOVE_INPUT, [opened("49", "33", tops=(4,), pile=60)], [], 1)
    assert (
        COACH.look_here_text(knowledge, RULES.parse_move("1:4")) == "Look at stack 1: 1 of your 2 corals can go there."
    )
    assert COACH.look_here_text(knowledge, RULES.parse_move("seed")) == "You can move, in 2 ways."
    assert COACH.look_here_text(knowledge, DRAW) == "Nothing fits: draw a coral, then play if you can."
    tiles = knowledge._replace(view=knowledge.view._replace(form="tiles"))
    assert COACH.look_here_text(tiles, DRAW) == "Nothing fits: draw a coral, then play if you can."


def test_a_look_back_on_tiles_writes_them_as_they_are_printed() -> None:
    """A verdict writes the ten as 0 and the ace as 1, as the panel shows the last move.

    The event keeps its written form.
    """
    state = RULES.initial_state(2, {"form": "tiles"}, {("deal", 1): tuple("A9346TT2"), ("deal", 2): tuple("33552288")})
    events = [(1, "2:9T")]
    states = [state, RULES.play_move(state, 1, RULES.parse_move("2:9T"))]
    played = PlayedRound(RULES, MOVE_INPUT, states, events)
    (verdict,) = judge_moves(COACH, played, lambda knowledge: Budget(50))
    assert (verdict.move, verdict.short_move) == ("2:9T", "9+0 on 2")
    assert not set("AT") & set(verdict.short_best_move)
    told = review_lines(Review((verdict,), verdict, 50, 1.0), ("Ann", "Ben"))
    assert told[0].startswith("Move 1: Ann's 9+0 on 2")


def test_a_sampled_hand_fits_the_claims() -> None:
    """A hand that claimed to have no move is sampled without a move; a hand without a claim may be any."""
    state = opened("2222", "3333333", tops=(9, 4), pile=60)
    knowledge = seat_knowledge(RULES, MOVE_INPUT, [state], [], 1)
    silent = [COACH.sample_world(knowledge, Random(seed).sample) for seed in range(40)]
    said = knowledge._replace(past_events=(PublicEvent(RULES.seat_view(state, None), 2, "draw"),))
    spoken = [COACH.sample_world(said, Random(seed).sample) for seed in range(40)]

    def movable(worlds: list[State]) -> int:
        return sum(can_move(world.hands[1] or 0, state.tops) for world in worlds)

    assert movable(silent) > 30
    assert movable(spoken) < movable(silent)


def test_a_claim_makes_nothing_certain() -> None:
    """A claim may be false, so it makes no value certain."""
    state = opened("25", "33", tops=(9, 4), pile=60)
    knowledge: SeatKnowledge[State] = seat_knowledge(RULES, MOVE_INPUT, [state], [], 1)
    said = knowledge._replace(past_events=(PublicEvent(RULES.seat_view(state, None), 2, "pass"),) * 3)
    assert COACH.is_exact(knowledge) is COACH.is_exact(said) is False
    assert all(each.low < each.high for each in advise(COACH, said, Budget(200)).ranked_moves)

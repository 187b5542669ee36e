"""Checks that hands stay secret: two hands that nobody else can tell apart give everybody the same words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.gamekit.contract.random_rounds import TRIED_TEXTS, RandomRound, random_picks, refusal_of_text
from companion.games.api import RefusedError
from companion.games.api.game_texts import is_draw

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

BUTTON_PRESSES = 12
"""The number of button presses that are tried in a position."""
MAX_DEALS = 8
"""How many times another hand is dealt, until one fits the events."""


def picks_reveal_nothing_hidden(played: RandomRound, chance: Random) -> None:
    """The picker is visible to everybody: it shows the same by the full position and by the public's view."""
    move_input = played.move_input
    for state, _ in played.sample_turns(6):
        view = played.rules.seat_view(state, None)
        if bool(move_input.claim_instructions(state)) != bool(move_input.claim_instructions(view)):
            continue  # An open hand makes it public whether its owner can move, and "I can't move" is one of the picks.
        for pick in random_picks(move_input, state, chance, BUTTON_PRESSES):
            shown, public = move_input.draft_from_pick(state, pick), move_input.draft_from_pick(view, pick)
            event = shown.event or shown.attempted_event
            # An open hand makes it public whether its owner can move.
            is_claim = event and (is_draw(event) or move_input.claim_text(event))
            assert is_claim or shown == public, (
                f"draft_from_pick tells a hidden piece: {shown}, by the public's view {public}"
            )
    for seat, state, other in _turns_with_two_hands(played, chance):
        initial_picks = [move_input.initial_pick(each) for each in (state, other)]
        alike = move_input.must_draw(state) == move_input.must_draw(other)  # The panel says who must draw.
        assert not alike or initial_picks[0] == initial_picks[1], (
            f"initial_pick tells what seat {seat} holds: it begins with {initial_picks}"
        )


def owners_see_their_own_hands(played: RandomRound, chance: Random) -> None:
    """`own_pieces_text` is about the owner's hand: it differs for other pieces."""
    for seat in range(1, played.header.seats + 1):
        if (pair := _two_hands(played, seat, 0, chance)) is not None:
            hand_texts = [played.move_input.own_pieces_text(played.rules.seat_view(each, seat), seat) for each in pair]
            assert hand_texts[0] != hand_texts[1], (
                f"own_pieces_text shows seat {seat} the same for two hands: {hand_texts[0]}"
            )


def refusals_reveal_nothing_hidden(played: RandomRound, chance: Random) -> None:
    """A refusal is on the panel for everybody: it is the same whichever pieces are in the open hand."""
    for seat, state, other in _turns_with_two_hands(played, chance):
        listed = [str(move) for each in (state, other) for move in played.rules.legal_moves(each)]
        for text in (*TRIED_TEXTS, *listed):
            refusals = [refusal_of_text(played.rules, each, seat, text) for each in (state, other)]
            reasons = {each.reason for each in refusals if each is not None}
            alike = len({each.code for each in refusals if each is not None}) == 1
            assert not alike or len(reasons) == 1, (
                f"refusing {text} tells what seat {seat} holds: {' / '.join(sorted(reasons))}"
            )


def _turns_with_two_hands(played: RandomRound, chance: Random) -> Iterator[tuple[int, Any, Any]]:
    """Each seat at its first turn, once with its open hand and once with another one, if there is one."""
    for seat in range(1, played.header.seats + 1):
        first = next((number for number, (who, _) in enumerate(played.events) if who == seat), None)
        if first is not None and (pair := _two_hands(played, seat, first, chance)) is not None:
            played.checked_position[:] = [first]
            yield seat, *pair
    played.checked_position.clear()


def _two_hands(played: RandomRound, seat: int, count: int, chance: Random) -> tuple[Any, Any] | None:
    """The position after `count` events with a seat's real open hand, and with another possible one.

    The seat must not have moved in these events. The hands of the other seats are sealed, so either hand is possible.
    None if this seat's hand is sealed, or if `MAX_DEALS` deals give no other hand that fits.
    """
    kinds = played.manifest.holdings.items()
    mine = {(str(kind), seat) for kind, words in kinds if not words.is_face_up}
    seen = {str(kind) for kind, words in kinds if words.is_face_up}
    if not mine or not mine <= played.deals.keys():
        return None
    public = {key: pieces for key, pieces in played.deals.items() if key[0] in seen}
    before = _position_with_hands(played, {**public, **{key: played.deals[key] for key in mine}}, count)
    for _ in range(MAX_DEALS):
        dealt = played.rules.deal_holdings(played.header.seats, played.header.options, chance.sample)
        after = _position_with_hands(played, {**public, **{key: dealt[key] for key in mine}}, count)
        if before is not None and after is not None and before != after:
            return before, after
    return None


def _position_with_hands(played: RandomRound, deals: dict[tuple[str, int], Any], count: int) -> Any:
    """The position after `count` events with these hands; None if they do not fit, or if somebody else is to move."""
    try:
        state = played.rules.initial_state(played.header.seats, played.header.options, deals)
        for who, move in played.events[:count]:
            state = played.rules.play_move(state, who, move)
    except RefusedError:
        return None
    return state if played.rules.seat_to_move(state) == played.rules.seat_to_move(played.states[count]) else None

"""Checks that hands stay secret: two hands that nobody else can tell apart give everybody the same words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.gamekit.contract.play import TEXTS, Played, random_picks, refusal
from companion.games.api import RefusedError
from companion.games.api.words import is_draw

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

STEPS = 12
"""The number of button presses that are tried in a position."""
DEALS = 8
"""How many times another hand is dealt, until one fits the events."""


def picks_tell_nothing_hidden(played: Played, chance: Random) -> None:
    """The picker is visible to everybody: it shows the same by the full position and by the public's view."""
    entry = played.entry
    for state, _ in played.turns(6):
        view = played.rules.seat_view(state, None)
        if bool(entry.claim_instructions(state)) != bool(entry.claim_instructions(view)):
            continue  # An open hand makes it public whether its owner can move, and "I can't move" is one of the picks.
        for pick in random_picks(entry, state, chance, STEPS):
            shown, public = entry.draft_from_pick(state, pick), entry.draft_from_pick(view, pick)
            told = shown.event or shown.attempted_event
            # An open hand makes it public whether its owner can move.
            claims = told and (is_draw(told) or entry.claim_text(told))
            assert claims or shown == public, f"picked tells a hidden piece: {shown}, by the public's view {public}"
    for seat, state, other in _turns_with_two_hands(played, chance):
        begun = [entry.initial_pick(each) for each in (state, other)]
        alike = entry.must_draw(state) == entry.must_draw(other)  # The panel says who must draw.
        assert not alike or begun[0] == begun[1], f"pick tells what seat {seat} holds: it begins with {begun}"


def hands_are_told_to_their_owners(played: Played, chance: Random) -> None:
    """`own_pieces_text` is about the owner's hand: it differs for other pieces."""
    for seat in range(1, played.header.seats + 1):
        if (pair := _two_hands(played, seat, 0, chance)) is not None:
            told = [played.entry.own_pieces_text(played.rules.seat_view(each, seat), seat) for each in pair]
            assert told[0] != told[1], f"own shows seat {seat} the same for two hands: {told[0]}"


def refusals_name_nothing_hidden(played: Played, chance: Random) -> None:
    """A refusal is on the panel for everybody: it is the same whichever pieces are in the open hand."""
    for seat, state, other in _turns_with_two_hands(played, chance):
        listed = [str(move) for each in (state, other) for move in played.rules.legal_moves(each)]
        for text in (*TEXTS, *listed):
            said = [refusal(played.rules, each, seat, text) for each in (state, other)]
            why = {each.reason for each in said if each is not None}
            alike = len({each.code for each in said if each is not None}) == 1
            assert not alike or len(why) == 1, (
                f"refusing {text} tells what seat {seat} holds: {' / '.join(sorted(why))}"
            )


def _turns_with_two_hands(played: Played, chance: Random) -> Iterator[tuple[int, Any, Any]]:
    """Each seat at its first turn, once with its open hand and once with another one, if there is one."""
    for seat in range(1, played.header.seats + 1):
        first = next((number for number, (who, _) in enumerate(played.events) if who == seat), None)
        if first is not None and (pair := _two_hands(played, seat, first, chance)) is not None:
            played.at[:] = [first]
            yield seat, *pair
    played.at.clear()


def _two_hands(played: Played, seat: int, count: int, chance: Random) -> tuple[Any, Any] | None:
    """Two positions after `count` events in which a seat took no part: with its open hand, and with another one.

    All other hands are sealed, so that any pieces may be in either. None if the seat's own hand is not open, or if no
    other one is found that fits.
    """
    kinds = played.manifest.holdings.items()
    mine = {(str(kind), seat) for kind, words in kinds if not words.is_face_up}
    seen = {str(kind) for kind, words in kinds if words.is_face_up}
    if not mine or not mine <= played.deals.keys():
        return None
    public = {key: pieces for key, pieces in played.deals.items() if key[0] in seen}
    before = _position(played, {**public, **{key: played.deals[key] for key in mine}}, count)
    for _ in range(DEALS):
        dealt = played.rules.deal_holdings(played.header.seats, played.header.options, chance.sample)
        after = _position(played, {**public, **{key: dealt[key] for key in mine}}, count)
        if before is not None and after is not None and before != after:
            return before, after
    return None


def _position(played: Played, deals: dict[tuple[str, int], Any], count: int) -> Any:
    """The position after `count` events with these hands; None if they do not fit, or if somebody else is to move."""
    try:
        state = played.rules.initial_state(played.header.seats, played.header.options, deals)
        for who, move in played.events[:count]:
            state = played.rules.play_move(state, who, move)
    except RefusedError:
        return None
    return state if played.rules.seat_to_move(state) == played.rules.seat_to_move(played.states[count]) else None

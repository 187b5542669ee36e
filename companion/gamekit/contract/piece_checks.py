"""Checks of pieces that are dealt: how many copies of each there are, and which a hand can have.

How many there are is seen from what `deal_holdings` samples. A check that deals hands of its own raises `GameError`,
and its message tells what was played in place of the random round's record.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

from companion.gamekit.contract.random_rounds import (
    GameError,
    RandomRound,
    choose_event,
    refusal_of_text,
    with_drawn_pieces,
)
from companion.games.api import Holding, RefusedError
from companion.games.api.game_texts import is_draw

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from random import Random

    from companion.games.api import Rules

MAX_EVENTS = 30
"""The largest number of events of a round with hands that a check has dealt."""
MAX_TURNS = 3
"""The turns of a sealed hand that are looked at in such a round."""


class _Dealer(NamedTuple):
    """Deals hands of a check's own choice, in a game whose pieces are dealt once, from one set, into hidden hands."""

    played: RandomRound
    kind: str
    set_of_pieces: Sequence[Any]
    hand_size: int

    def hands(self, chance: Random, copies: Sequence[Any] = ()) -> dict[int, list[Any]]:
        """The hands of all seats, with the given copies of a piece among them and no others of it."""
        others = [each for each in self.set_of_pieces if each not in copies]
        size, seats = self.hand_size, self.played.header.seats
        pieces = [*copies, *chance.sample(others, size * seats - len(copies))]
        chance.shuffle(pieces)
        return {seat: pieces[size * (seat - 1) : size * seat] for seat in range(1, seats + 1)}

    def first_position(self, hands: Mapping[int, Sequence[Any]]) -> Any:
        """The position with these hands open, and others sealed. Raises RefusedError as the game does."""
        rules, header = self.played.rules, self.played.header
        deals = {
            (self.kind, seat): rules.parse_deal(
                " ".join(rules.format_deal((each,)) for each in hand), self.kind, header.options
            )
            for seat, hand in hands.items()
        }
        return rules.initial_state(header.seats, header.options, deals)

    def position_after(
        self, events: Sequence[tuple[int, Any]], hands: Mapping[int, Sequence[Any]], to_move: int
    ) -> Any:
        """The position after these events, in which sealed hands draw unnamed; None if `to_move` can't be to move."""
        rules = self.played.rules
        try:
            state = self.first_position(hands)
            for seat, move in events:
                is_sealed_draw = seat not in hands and is_draw(str(move))
                state = rules.play_move(state, seat, rules.parse_move(str(move).split()[0]) if is_sealed_draw else move)
        except RefusedError:
            return None
        return state if rules.seat_to_move(state) == to_move else None


def _dealer(played: RandomRound, chance: Random) -> _Dealer | None:
    """What deals the hands of this game; None if its pieces are dealt in another way."""
    rules, header, holdings = played.rules, played.header, played.manifest.holdings
    sets: list[list[Any]] = []
    dealt = rules.deal_holdings(header.seats, header.options, _recording_sample(sets, chance))
    if len(holdings) != 1 or len(sets) != 1 or any(words.is_face_up for words in holdings.values()):
        return None
    if Counter(piece for hand in dealt.values() for piece in hand) - Counter(sets[0]):
        return None
    return _Dealer(played, str(*holdings), sets[0], rules.holding_size(str(*holdings), header.seats, header.options))


def _recording_sample(sets: list[list[Any]], chance: Random) -> Callable[[Sequence[Any], int], Sequence[Any]]:
    """What samples for the rules, and adds to `sets` what it sampled from."""

    def sample(population: Sequence[Any], count: int) -> Sequence[Any]:
        sets.append([*population])
        return chance.sample(population, count)

    return sample


def piece_counts_agree(played: RandomRound, chance: Random) -> None:
    """`available_pieces`, `initial_state` and `complete_draw` know as many copies of each piece as are dealt from."""
    if (dealer := _dealer(played, chance)) is None:
        return
    rules, write = played.rules, played.rules.format_deal
    counts = Counter(write((piece,)) for piece in dealer.set_of_pieces)
    public = rules.seat_view(dealer.first_position({}), None)
    offered = played.move_input.available_pieces(public, dealer.kind, 1)
    for name in counts if offered is not None else ():
        count = (offered or {}).get(name, 0)
        _check(
            count == counts[name],
            f"available_pieces offers {count} copies of {name} before any hand is known, but deal_holdings deals from "
            f"{counts[name]}",
        )
    piece = chance.choice(dealer.set_of_pieces)
    name, copies = write((piece,)), counts[write((piece,))]
    for count in (copies, copies + 1) if copies < dealer.hand_size * played.header.seats else ():
        refused = None
        try:
            dealer.first_position(dealer.hands(chance, [piece] * count))
        except RefusedError as error:
            refused = error
        _check(
            refused is None or count > copies,
            f"initial_state refuses hands with {count} copies of {name}, but deal_holdings deals from as many: "
            f"{refused}",
        )
        _check(
            refused is not None or count == copies,
            f"initial_state accepts hands with {count} copies of {name}, but deal_holdings deals from {copies}: "
            "pieces that cannot all exist are refused",
        )
    _check_draws(dealer, chance)


def _check_draws(dealer: _Dealer, chance: Random) -> None:
    """Check what `complete_draw` samples, while all hands are open and everybody draws who may."""
    rules = dealer.played.rules
    state = dealer.first_position(dealer.hands(chance))
    events: list[tuple[int, Any]] = []
    while (seat := rules.seat_to_move(state)) is not None and len(events) < MAX_EVENTS:
        listed = next((move for move in rules.legal_moves(state) if is_draw(str(move))), None)
        move = choose_event(rules, state, seat, chance, None) if listed is None else listed
        if move is None:
            return
        completed, sets = _with_drawn_pieces(rules, state, move, chance, events), list[list[Any]]()
        if listed is not None and len(str(listed).split()) == 1:
            rules.complete_draw(state, listed, _recording_sample(sets, chance))
        if len(sets) == 1 and {*sets[0]} <= {*dealer.set_of_pieces}:
            held = [piece for holding in _holdings_in(state) for piece in holding.pieces or ()]
            left = Counter(dealer.set_of_pieces) - Counter(held)
            for pieces, fault in ((Counter(sets[0]) - left, "too many"), (left - Counter(sets[0]), "too few")):
                # Later, what was played is in no hand and may be out of play.
                expected = not pieces or (fault == "too few" and any(not is_draw(str(each)) for _, each in events))
                name = rules.format_deal([*pieces][:1])
                _check(
                    expected or not held,
                    f"complete_draw samples {fault} copies of {name} for seat {seat}: deal_holdings deals from "
                    f"{dealer.set_of_pieces.count(next(iter(pieces), None))}, and hands hold {rules.format_deal(held)}",
                    events,
                )
            for name in {*map(rules.format_deal, ((piece,) for piece in {*dealer.set_of_pieces} - {*left}))}:
                event = f"{listed} {name}"
                _check(
                    not held or len(str(completed).split()) != 2 or bool(refusal_of_text(rules, state, seat, event)),
                    f"play_move accepts {event} of seat {seat}, but all copies of {name} are in hands",
                    events,
                )
        state = rules.play_move(state, seat, completed)
        events.append((seat, completed))


def sealed_hands_lack_pieces_seen_elsewhere(played: RandomRound, chance: Random) -> None:
    """A sealed hand can't play a piece of which all copies were seen, in open hands or when they were played.

    It is tried at some turns of a round in which all copies of a piece are dealt, and only one hand is sealed.
    """
    if (dealer := _dealer(played, chance)) is None:
        return
    piece, seat = chance.choice(dealer.set_of_pieces), chance.randint(1, played.header.seats)
    copies = [piece] * dealer.set_of_pieces.count(piece)
    if len(copies) > dealer.hand_size * (played.header.seats - 1):
        return
    hands = dealer.hands(chance, copies)
    if chance.random() < 0.5:  # The sealed hand has none at first, so that the others play them.
        rest = [(other, index) for other in hands for index in range(dealer.hand_size) if other != seat]
        for index in (index for index, each in enumerate(hands[seat]) if each == piece):
            other, at = next((other, at) for other, at in rest if hands[other][at] != piece)
            hands[seat][index], hands[other][at] = hands[other][at], piece
    name, open_hands = played.rules.format_deal((piece,)), {other: hands[other] for other in hands if other != seat}
    try:
        events, turns, plays = _open_round(dealer, hands, name, seat, chance)
    except RefusedError:
        return  # `piece_counts_agree` reports it.
    for count in sorted(chance.sample(turns, min(MAX_TURNS, len(turns)))):
        before = events[:count]
        without, sealed = (dealer.position_after(before, each, seat) for each in (hands, open_hands))
        if sealed is None or without is None or name in _held_pieces(played, without, seat):
            continue
        tried = {event for number, event in plays if number < count} | _plays_with(dealer, before, hands, piece, seat)
        for event in sorted(tried - {*map(str, played.rules.legal_moves(without))}):
            _check(
                refusal_of_text(played.rules, sealed, seat, event) is not None,
                f"play_move accepts {event} of the sealed hand of seat {seat}, but all copies of {name}, "
                f"{len(copies)} of them, are in open hands or were played",
                before,
            )


def _open_round(
    dealer: _Dealer, hands: Mapping[int, Sequence[Any]], name: str, seat: int, chance: Random
) -> tuple[list[tuple[int, Any]], list[int], list[tuple[int, str]]]:
    """A random round with these open hands, up to a draw of `seat` after a copy of the piece `name` was played.

    Returns its events, the numbers of those of `seat`, and those that took a copy from a hand.
    """
    played, rules = dealer.played, dealer.played.rules
    events, turns, plays = list[tuple[int, Any]](), list[int](), list[tuple[int, str]]()
    state = dealer.first_position(hands)
    while (to_move := rules.seat_to_move(state)) is not None and len(events) < MAX_EVENTS:
        if (move := choose_event(rules, state, to_move, chance, None)) is None or (
            is_draw(str(move)) and to_move == seat and any(name in str(each) for _, each in events)
        ):
            break  # What was played may have been shuffled, and drawn again.
        if to_move == seat and not rules.chance_outcomes(state):
            turns.append(len(events))
        move = _with_drawn_pieces(rules, state, move, chance, events)
        after = rules.play_move(state, to_move, move)
        held, kept = (Counter(_held_pieces(played, each, to_move)) for each in (state, after))
        if held[name] > kept[name]:
            plays.append((len(events), str(move)))
        events.append((to_move, move))
        state = after
    return events, turns, plays


def _plays_with(
    dealer: _Dealer, events: Sequence[tuple[int, Any]], hands: Mapping[int, Sequence[Any]], piece: Any, seat: int
) -> set[str]:
    """The legal plays of a piece after these events if `seat` had been dealt one in place of another seat."""
    name, rules = dealer.played.rules.format_deal((piece,)), dealer.played.rules
    for index, own in enumerate(hands[seat]):
        for other, hand in hands.items():
            if own != piece and other != seat and piece in hand:
                changed = {each: [*pieces] for each, pieces in hands.items()}
                changed[seat][index], changed[other][changed[other].index(piece)] = piece, own
                if (state := dealer.position_after(events, changed, seat)) is not None:
                    listed = map(str, rules.legal_moves(state))
                    return {event for event in listed if name in event and not is_draw(event)}
    return set()


def _held_pieces(played: RandomRound, state: Any, seat: int) -> Sequence[str]:
    return played.move_input.held_pieces(played.rules.seat_view(state, seat), seat) or ()


def _with_drawn_pieces(
    rules: Rules[Any, Any], state: Any, move: Any, chance: Random, events: Sequence[tuple[int, Any]]
) -> Any:
    try:
        return with_drawn_pieces(rules, state, move, chance)
    except AssertionError as error:
        raise GameError(f"{error}{_told_events(events)}") from error


def _check(is_right: bool, fault: str, events: Sequence[tuple[int, Any]] = ()) -> None:
    """Raise GameError unless `is_right`; it tells the events of the round that the check has played."""
    if not is_right:
        raise GameError(f"{fault}{_told_events(events)}")


def _told_events(events: Sequence[tuple[int, Any]]) -> str:
    told = ", ".join(f"{seat}: {move}" for seat, move in events)
    return f", after these events of a round of its own: {told}" if told else ""


def hands_hold_drawn_pieces(played: RandomRound, chance: Random) -> None:
    """An open holding has as many pieces as it counts, and after a draw or refill its owner holds the named pieces."""
    draws_are_named = any(str(move).startswith("draw ") for _, move in played.events)
    for state in played.sample_positions(8):
        for holding in _holdings_in(state):
            assert holding.pieces is None or len(holding.pieces) == holding.size, (
                f"a holding counts {holding.size} pieces, but has {' '.join(map(str, holding.pieces))}"
            )
            assert holding.pieces is None or [*holding.pieces] == sorted(holding.pieces), (
                f"the pieces of a holding are not sorted: {' '.join(map(str, holding.pieces))}: see play_move"
            )
        view = played.rules.seat_view(state, None)
        for holding, seen in zip(_holdings_in(state), _holdings_in(view), strict=False) if draws_are_named else ():
            assert holding.is_told == seen.is_told, (
                "seat_view loses whether the box knows a hand: seal it by Holding.sealed, which keeps is_told"
            )
    for number, (seat, move) in enumerate(played.events, 1):
        word, *drawn = str(move).split()
        if drawn and is_draw(word):
            held = played.move_input.held_pieces(played.rules.seat_view(played.position_to_check(number), seat), seat)
            missing_pieces = Counter(drawn) - Counter(drawn if held is None else held)
            assert not missing_pieces, (
                f"seat {seat} has drawn {' '.join(missing_pieces)} with {move}, but does not hold it in its own "
                "view: see play_move, seat_view and held_pieces"
            )
    played.checked_position.clear()
    for state, seat in played.sample_turns(8):
        for move in [move for _, move in played.events[:MAX_EVENTS]]:
            if refusal_of_text(played.rules, state, seat, str(move)) is None:
                sizes = [holding.size for holding in _holdings_in(played.rules.play_move(state, seat, move))]
                assert min(sizes, default=0) >= 0, (
                    f"play_move accepts {move} of seat {seat}, after which a hand counts {min(sizes)} pieces"
                )


def _holdings_in(state: Any) -> Iterator[Holding[Any]]:
    """All holdings anywhere in a position."""
    if isinstance(state, Holding):
        yield state
    elif isinstance(state, tuple):
        for each in state:
            yield from _holdings_in(each)

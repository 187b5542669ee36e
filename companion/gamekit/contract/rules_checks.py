"""Checks of a game's rules: the positions of a random round, its hands, and the records in the game's folder."""

from __future__ import annotations

from collections import Counter
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion import games
from companion.gamekit.contract.random_rounds import TRIED_TEXTS, GameError, RandomRound, refusal_of_text
from companion.games.api import Claim, Holding, Outcome, RefusedError
from companion.games.api.game_texts import is_draw
from companion.languages import Text
from companion.rounds import record

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from companion.games.api import Rules


RECORDS_FOLDER = "records"
"""The folder of a game's package with records that must be valid, files ending in ``.tcr``."""


def deals_are_complete(played: RandomRound, chance: Random) -> None:
    """A deal fills every holding of every seat with sorted pieces, and its written form can be read back."""
    rules, header, holdings = played.rules, played.header, played.manifest.holdings
    deals = rules.deal_holdings(header.seats, header.options, chance.sample)
    assert set(deals) == {(kind, seat) for kind in holdings for seat in range(1, header.seats + 1)}
    for (kind, seat), pieces in deals.items():
        assert len(pieces) == rules.holding_size(kind, header.seats, header.options), seat
        assert rules.parse_deal(rules.format_deal(pieces), kind, header.options) == pieces
    rules.initial_state(header.seats, header.options, deals)


def events_read_back(played: RandomRound, chance: Random) -> None:
    """`parse_move` is the inverse of `str`, for all events of the round and all legal moves of some positions."""
    rules = played.rules
    for state in played.sample_positions(8):
        for move in rules.legal_moves(state):
            assert rules.parse_move(str(move)) == move
    assert [rules.parse_move(str(move)) for _, move in played.events] == [move for _, move in played.events]


def listed_events_are_legal(played: RandomRound, chance: Random) -> None:
    """`play_move` accepts every move that `legal_moves` lists, after `complete_draw`, and that of `find_legal_move`.

    `find_legal_move` knows no play of a seat whose holdings are all sealed.
    """
    rules = played.rules
    for state in played.sample_positions(6):
        listed, seat = rules.legal_moves(state), rules.seat_to_move(state)
        assert len(set(map(str, listed))) == len(listed)
        assert listed == rules.legal_moves(state)
        found = rules.find_legal_move(state)
        if seat is None:
            assert not listed
            assert found is None
            continue
        for move in listed[:: len(listed) // 40 + 1]:
            rules.play_move(state, seat, rules.complete_draw(state, move, chance.sample))
        if found is not None:
            rules.play_move(state, seat, found)
            known = not played.manifest.holdings or any(owner == seat for _, owner in played.deals)
            assert known, f"find_legal_move gives {found} for a seat whose hand is sealed, and should give None"


def unlisted_events_are_refused(played: RandomRound, chance: Random) -> None:
    """`play_move` refuses what `legal_moves` does not list, if the rules know all that the seat to move holds.

    The events that are tried are moves of other positions, and texts with a typing error. Another spelling of a listed
    move is no other move, since it leads to the same position.
    """
    rules = played.rules
    everywhere = {str(move): move for state in played.sample_positions(5) for move in rules.legal_moves(state)}
    everywhere |= {str(move): move for _, move in played.events}
    texts = chance.sample(list(everywhere), min(20, len(everywhere)))
    texts += [*TRIED_TEXTS, *(_garbled_text(chance.choice(texts), chance) for _ in range(10 if texts else 0))]
    for state, seat in played.sample_turns(5):
        if not played.is_open(seat):
            continue
        listed = {_without_drawn_pieces(str(move)): move for move in rules.legal_moves(state)}
        for text in texts:
            if _without_drawn_pieces(text) not in listed and not refusal_of_text(rules, state, seat, text):
                after = rules.play_move(state, seat, rules.parse_move(text))
                known = after in (_state_after(rules, state, seat, move) for move in listed.values())
                others = ", ".join(listed)[:80]
                assert known, f"play_move accepts {text} of seat {seat}, which legal_moves does not list: {others}"


def _without_drawn_pieces(text: str) -> str:
    """The text of an event as `legal_moves` lists it: a draw without its pieces."""
    return text.split()[0] if text.strip() and is_draw(text) else text


def rounds_end(played: RandomRound, chance: Random) -> None:
    """A round ends after at most ``longest`` events, and until then there is something to play."""
    rules, state, count = played.rules, played.states[-1], len(played.events)
    seat = rules.seat_to_move(state)
    if seat is None:
        return
    assert count < played.longest, (
        f"after {count} events the round is not over: if that is right, give check more than longest={played.longest}"
    )
    assert not played.is_open(seat), f"seat {seat} is to move, but nothing is legal: legal_moves lists nothing"
    assert played.plays_guesses, (
        f"seat {seat} is to move, but no play of its sealed pieces is accepted, and legal_moves lists no pass either"
    )


def refusals_change_nothing(played: RandomRound, chance: Random) -> None:
    """A refused event leaves the position unchanged, and its reason is one line of less than 160 characters."""
    rules = played.rules
    own = [str(move) for _, move in played.events]
    texts = [*TRIED_TEXTS, *own, *(_garbled_text(text, chance) for text in own)]
    for state in played.sample_positions(6):
        before = hash(state), repr(state)
        for text in chance.sample(texts, 8):
            for seat in (0, rules.seat_to_move(state) or 1, 5):
                if refused := refusal_of_text(rules, state, seat, text):
                    assert refused.code
                    assert 0 < len(refused.reason) < 160
                    assert "\n" not in refused.reason
        assert (hash(state), repr(state)) == before


def _garbled_text(text: str, chance: Random) -> str:
    """The text of an event with one character left out, doubled, or replaced by another one of the text or a digit."""
    index = chance.randrange(len(text))
    replacement = chance.choice(("", 2 * text[index], chance.choice(text), chance.choice("0123456789")))
    return text[:index] + replacement + text[index + 1 :]


def other_seats_are_refused(played: RandomRound, chance: Random) -> None:
    """The code is `syntax` for a seat that does not exist, `over` after the end, `turn` if another seat is to move."""
    rules, seats = played.rules, played.header.seats
    for (_, move), state in list(zip(played.events, played.states[1:], strict=True))[-4:]:
        to_move = rules.seat_to_move(state)
        for seat in (0, *range(1, seats + 2)):
            expected = "syntax" if not 1 <= seat <= seats else "over" if to_move is None else "turn"
            if expected == "syntax" or seat != to_move:
                refused = refusal_of_text(rules, state, seat, str(move))
                assert refused is not None
                # A draw that wrongly names or omits its pieces is refused as `syntax` first.
                assert refused.code == expected or (refused.code == "syntax" and is_draw(str(move)))


def positions_cannot_change(played: RandomRound, chance: Random) -> None:
    """A position consists of immutable values (tuples, frozensets, ints, strings, None) and is hashable."""
    for state in played.sample_positions(8):
        assert _is_immutable(state)
        assert isinstance(hash(state), int)
        assert not hasattr(state, "__dict__")


def _is_immutable(value: object) -> bool:
    """Whether a value consists of immutable values only."""
    if isinstance(value, tuple | frozenset):
        return all(map(_is_immutable, value))
    return value is None or isinstance(value, int | str)


def views_are_consistent(played: RandomRound, chance: Random) -> None:
    """A view is a position of the same type, seat to move and outcome; the same view of a view is equal to it.

    The view of one seat, seen by another seat, is the public's view.
    """
    rules = played.rules
    for state in played.sample_positions(8):
        for seat in (None, *range(1, played.header.seats + 1)):
            view = rules.seat_view(state, seat)
            assert type(view) is type(state)
            assert rules.seat_view(view, seat) == view
            assert rules.seat_to_move(view) == rules.seat_to_move(state)
            assert rules.outcome(view) == rules.outcome(state)
        assert (
            rules.seat_view(rules.seat_view(state, 1), 2)
            == rules.seat_view(rules.seat_view(state, 2), 1)
            == rules.seat_view(state, None)
        )


def views_allow_played_events(played: RandomRound, chance: Random) -> None:
    """The rules accept each event by what its seat knows, too: a move from a phone is first judged that way."""
    rules = played.rules
    for state, (seat, move) in zip(played.states, played.events, strict=False):
        refused = refusal_of_text(rules, rules.seat_view(state, seat), seat, str(move))
        assert refused is None, f"{move} is legal, but not in the view of seat {seat}: {refused}"


def public_views_hide_pieces(played: RandomRound, chance: Random) -> None:
    """The public's view after the same events is the same, whether hidden holdings are open or sealed.

    The comparison ends when a seat is skipped: everybody sees that it cannot move, while a seat whose holding is sealed
    must say so itself.
    """
    rules, header = played.rules, played.header
    face_up = {str(kind) for kind, words in played.manifest.holdings.items() if words.is_face_up}
    face_up_deals = {key: pieces for key, pieces in played.deals.items() if key[0] in face_up}
    sealed = rules.initial_state(header.seats, header.options, face_up_deals)
    for number, (seat, move) in enumerate((*played.events, (0, None))):
        if played.move_input.due_refill(played.states[number]) is not None:
            break  # Only an open holding names a refill.
        if rules.skipped_seats(played.states[number]) != rules.skipped_seats(sealed):
            break
        open_view, sealed_view = rules.seat_view(played.states[number], None), rules.seat_view(sealed, None)
        assert open_view == sealed_view, (
            f"after {number} events the public's view is {open_view} with open hands, {sealed_view} with sealed ones"
        )
        if move is None or (after := _state_after(rules, sealed, seat, move)) is None:
            break  # This is a draw, for example, which names its piece only if the holding is open.
        sealed = after


def _state_after(rules: Rules[Any, Any], state: Any, seat: int, move: Any) -> Any:
    """The position after an event; None if the rules refuse it."""
    try:
        return rules.play_move(state, seat, move)
    except RefusedError:
        return None


def outcome_and_turn_agree(played: RandomRound, chance: Random) -> None:
    """Winners and a reason are given exactly when nobody is to move, and every seat always has a score.

    A reason with numbers must be one of the manifest's `endings`, or it could not be translated later.
    """
    seats = played.header.seats
    for number in range(len(played.states)):
        state = played.position_to_check(number)
        outcome = played.rules.outcome(state)
        over = played.rules.seat_to_move(state) is None
        assert isinstance(outcome, Outcome)
        assert len(outcome.scores) == seats
        assert (bool(outcome.winners), bool(outcome.reason)) == (over, over)
        assert all(1 <= seat <= seats for seat in played.rules.skipped_seats(state))
        if isinstance(reason := outcome.reason, Text):
            saved = played.manifest.format_ending(reason)
            assert not reason.values or saved != reason, f"{reason.message!r} is missing in the manifest's endings"
            assert played.manifest.parse_ending(saved) == reason, f"{saved!r} is not found again as {reason!r}"


def records_are_valid(played: RandomRound, chance: Random) -> None:
    """The record replays to the same first and last position, and writing what was read gives the same text."""
    report = record.check_record(played.record_text)
    assert report.fault is None, report.fault
    assert report.header is not None
    assert report.state == played.states[-1]
    assert report.start == played.states[0]
    assert list(report.events) == played.events
    assert report.header == played.header
    outcome = played.rules.outcome(report.state)
    assert record.format_record(report.header, report.deals, report.events, outcome) == played.record_text


def claims_belong_to_their_seat(played: RandomRound, chance: Random) -> None:
    """Each proven false claim belongs to the seat of its event, and has a `claim_text` and a legal example."""
    for claim in played.rules.false_claims(played.states[0], played.events):
        assert isinstance(claim, Claim)
        seat, move = played.events[claim.event]
        assert seat == claim.seat
        assert played.move_input.claim_text(str(move))
        refused = (
            refusal_of_text(played.rules, played.position_to_check(claim.event), seat, claim.example)
            if claim.is_certain
            else None
        )
        assert refused is None, (
            f"false_claims says that instead of {move} seat {seat} could have played {claim.example}: {refused}"
        )
    played.checked_position.clear()


def hands_hold_drawn_pieces(played: RandomRound, chance: Random) -> None:
    """An open holding has as many pieces as it counts, and after a draw or refill its owner holds the named pieces."""
    for state in played.sample_positions(8):
        for holding in _holdings_in(state):
            assert holding.pieces is None or len(holding.pieces) == holding.size, (
                f"a holding counts {holding.size} pieces, but has {' '.join(map(str, holding.pieces))}"
            )
    for number, (seat, move) in enumerate(played.events, 1):
        word, *drawn = str(move).split()
        if drawn and is_draw(word):
            held = played.move_input.held_pieces(played.rules.seat_view(played.position_to_check(number), seat), seat)
            missing_pieces = Counter(drawn) - Counter(drawn if held is None else held)
            assert not missing_pieces, (
                f"seat {seat} has drawn {' '.join(missing_pieces)} with {move}, but does not hold it afterwards"
            )
    played.checked_position.clear()


def _holdings_in(state: Any) -> Iterator[Holding[Any]]:
    """All holdings anywhere in a position."""
    if isinstance(state, Holding):
        yield state
    elif isinstance(state, tuple):
        for each in state:
            yield from _holdings_in(each)


def saved_records_are_valid(played: RandomRound, chance: Random) -> None:
    """Each record in the game's folder ``records`` is valid. That of a whole round has a result, which is compared."""
    game = played.manifest.id
    for file in sorted(Path(games.package_folder(game), RECORDS_FOLDER).glob("*.tcr")):
        if fault := _record_fault(game, file.read_text(encoding="utf-8")):
            raise GameError(f"{RECORDS_FOLDER}/{file.name}{fault}")


@cache
def _record_fault(game: str, text: str) -> str:
    """What is wrong with a record of a game, to be added to the name of its file; "" for nothing."""
    report = record.check_record(text)
    if report.fault is not None:
        line, code, message = report.fault
        return f", line {line}, is not valid any more: {code}: {message}"
    if report.header is None or report.header.game != game:
        return f" is not a record of {game}"
    if report.is_over and "\nresult:" not in text:
        outcome = report.rules.outcome(report.state)
        return f" has no result, so nobody would notice a change: add the line 'result: {outcome.result}'"
    return ""

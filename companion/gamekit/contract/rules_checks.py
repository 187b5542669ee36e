"""Checks of a game's rules: the positions of a random round, its hands, and the records in the game's folder."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion import games
from companion.gamekit.contract.random_rounds import (
    RECORDS_FOLDER,
    TRIED_TEXTS,
    GameError,
    RandomRound,
    check_unchanged,
    field_texts,
    play_listed_move,
    refusal_of_text,
)
from companion.games.api import Claim, Outcome, RefusedError
from companion.games.api.game_texts import DRAW_WORDS, is_draw
from companion.languages import Text
from companion.rounds import record

if TYPE_CHECKING:
    from collections.abc import Collection
    from random import Random

    from companion.games.api import Rules


DICE_FACES = (4, 6, 8, 10, 12, 20)


def positions_cannot_change(played: RandomRound, chance: Random) -> None:
    """A position is an immutable value, and the same events lead to the same positions.

    It consists of tuples, frozensets, ints, strings and None. No function of the rules changes it in place.
    """
    rules, header = played.rules, played.header
    states = [rules.initial_state(header.seats, header.options, played.deals)]
    for number, (seat, move) in enumerate(played.events):
        played.checked_position[:] = [number]
        state = states[-1]
        before = field_texts(state)
        if number % (len(played.events) // 10 + 1) == 0:
            for name, arguments in (("legal_moves", ()), ("outcome", ()), ("seat_view", (None,)), ("seat_view", (1,))):
                getattr(rules, name)(state, *arguments)
                check_unchanged(before, state, name)
        refused = _state_after(rules, state, seat, move) is None
        assert not refused, f"{move} is refused when the same events are played again: do the rules use chance?"
        states.append(rules.play_move(state, seat, move))
        check_unchanged(before, state, f"play_move of {move}")
    for number, (state, first) in enumerate(zip(states, played.states, strict=True)):
        played.checked_position[:] = [number]
        fault = _changeable_part(state, type(state).__name__)
        assert not fault, f"a position can be changed: {fault}; use tuples, frozensets, numbers and texts"
        assert state == first, (
            "the same events lead to another position, so the rules use chance or remember something: "
            f"{_first_difference(state, first)}"
        )
    played.checked_position.clear()


def _changeable_part(value: object, name: str) -> str:
    """The part of a value that can be changed, and what it is; "" for an immutable value."""
    if value is None or isinstance(value, int | str):
        return ""
    if not isinstance(value, tuple | frozenset):
        return f"{name} is a {type(value).__name__}"
    if hasattr(value, "__dict__"):
        return f"{name} has a __dict__"
    names = getattr(value, "_fields", range(len(value)))
    parts = (_changeable_part(part, f"{name}.{field}") for field, part in zip(names, value, strict=True))
    return next(filter(None, parts), "")


def _first_difference(value: object, other: object) -> str:
    """The first field in which two positions differ, with both values."""
    for field in getattr(value, "_fields", ()):
        if getattr(value, field) != getattr(other, field, None):
            return f"{field} is {getattr(value, field)!r}, and was {getattr(other, field, None)!r}"
    return "two equal ones are not ==" if repr(value) == repr(other) else f"{value!r} and {other!r}"


def deals_are_complete(played: RandomRound, chance: Random) -> None:
    """A deal fills every holding of every seat with sorted pieces, and its written form can be read back."""
    rules, header, holdings = played.rules, played.header, played.manifest.holdings
    deals = rules.deal_holdings(header.seats, header.options, chance.sample)
    expected = {(kind, seat) for kind in holdings for seat in range(1, header.seats + 1)}
    assert set(deals) == expected, (
        f"deal_holdings must deal {sorted(map(str, expected))}, but deals {sorted(map(str, deals))}"
    )
    for (kind, seat), pieces in deals.items():
        size = rules.holding_size(kind, header.seats, header.options)
        assert len(pieces) == size, (
            f"deal_holdings deals seat {seat} {len(pieces)} pieces of the {kind}, but holding_size says {size}"
        )
        read = rules.parse_deal(written := rules.format_deal(pieces), kind, header.options)
        assert read == pieces, (
            f"a deal is not read back: format_deal writes {pieces!r} as {written!r}, and parse_deal reads {read!r}; "
            "both must be sorted tuples"
        )
    rules.initial_state(header.seats, header.options, deals)


def events_read_back(played: RandomRound, chance: Random) -> None:
    """`parse_move` is the inverse of `str`, for all events of the round and all legal moves of some positions."""
    rules = played.rules
    for state in played.sample_positions(8):
        for move in rules.legal_moves(state):
            _check_read_back(rules, move)
    for _, move in played.events:
        _check_read_back(rules, move)


def _check_read_back(rules: Rules[Any, Any], move: Any) -> None:
    """Check that `parse_move` makes an equal move of the text of a move."""
    try:
        read = rules.parse_move(str(move))
    except RefusedError as refused:
        raise AssertionError(f"a move is not read back: parse_move refuses {str(move)!r}: {refused}") from None
    assert read == move, (
        f"a move is not read back: parse_move reads {str(move)!r} as {read!r}, which is not == {move!r}"
    )
    assert hash(read) == hash(move), f"two equal moves {str(move)!r} have different hashes: see __hash__ and __eq__"


def listed_events_are_legal(played: RandomRound, chance: Random) -> None:
    """`play_move` accepts every move that `legal_moves` lists, after `complete_draw`, and that of `find_legal_move`.

    `find_legal_move` knows no play of a seat whose holdings are all sealed.
    """
    rules = played.rules
    for state in played.sample_positions(6):
        listed, seat = rules.legal_moves(state), rules.seat_to_move(state)
        twice = [text for text, count in Counter(map(str, listed)).items() if count > 1]
        assert not twice, f"legal_moves lists {twice[0]} twice"
        assert listed == rules.legal_moves(state), (
            "legal_moves lists other moves, or in another order, when asked again: it must use no chance and no set"
        )
        found = rules.find_legal_move(state)
        if seat is None:
            assert not listed, f"the round is over, but legal_moves still lists {listed[0]}"
            assert found is None, f"the round is over, but find_legal_move still gives {found}"
            continue
        for move in listed[:: len(listed) // 40 + 1]:
            play_listed_move(rules, state, seat, move, chance)
        if found is not None:
            refused = rules.refusal(state, found)
            assert refused is None, f"find_legal_move gives {found}, but play_move refuses it: {refused}"
            known = not played.manifest.holdings or any(owner == seat for _, owner in played.deals)
            assert known, f"find_legal_move gives {found} for a seat whose hand is sealed, and should give None"


def chance_is_told(played: RandomRound, chance: Random) -> None:
    """Where chance decides, `chance_outcomes` has the events of `legal_moves`, each with a whole number above 0."""
    rules = played.rules
    for state in played.sample_positions(8):
        outcomes = rules.chance_outcomes(state)
        listed, told = {*map(str, rules.legal_moves(state))}, {*map(str, outcomes)}
        assert not outcomes or listed == told, (
            "legal_moves and chance_outcomes differ where chance decides: only one of them has "
            f"{', '.join(sorted(listed ^ told))[:80]}"
        )
        wrong = [f"{event}: {weight!r}" for event, weight in outcomes.items() if type(weight) is not int or weight < 1]
        assert not wrong, f"chance_outcomes has a weight that is no whole number above 0: {wrong[0]}"
        assert rules.chance_outcomes(rules.seat_view(state, None)) == outcomes, (
            "chance_outcomes differs in the public's view: what chance may give is known to everybody"
        )
        check_weights_of_dice({str(event): weight for event, weight in outcomes.items()})


def check_weights_of_dice(weights: dict[str, int]) -> None:
    """Check that throws of two or three dice are not all equally likely, as sums or as dice in order: ``roll 35``."""
    ways = fair_ways(weights)
    if len(set(ways.values())) < 2 or len(set(weights.values())) != 1:
        return
    likely, rare = max(ways, key=ways.__getitem__), min(ways, key=ways.__getitem__)
    raise AssertionError(
        f"chance_outcomes makes all throws of the dice equally likely, but of {ways.total()} throws {ways[likely]} "
        f"give {likely}, and {ways[rare]} gives {rare}"
    )


def fair_ways(weights: Collection[str], missing: int = 0) -> Counter[str]:
    """In how many ways one to three fair dice give each of these events, by what follows the word; empty for others.

    With `missing`, so many outcomes of two or three dice are not among them.
    """
    ends = {each.rpartition(" ")[2] for each in weights}
    if len(ends) != len(weights) or any(each.split()[0] in DRAW_WORDS for each in weights):
        return Counter()
    for count, faces in ((2, 6), (3, 6), *((1, faces) for faces in DICE_FACES)):
        throws = [*product(range(1, faces + 1), repeat=count)]
        for ways in (Counter(str(sum(dice)) for dice in throws), Counter("".join(map(str, sorted(d))) for d in throws)):
            if ends <= {*ways} and len(ends) + (missing if count > 1 else 0) == len(ways):
                return ways
    return Counter()


def unlisted_events_are_refused(played: RandomRound, chance: Random) -> None:
    """`play_move` refuses what `legal_moves` does not list, if the rules know all that the seat to move holds.

    The events that are tried are moves of other positions, and texts with a typing error. `parse_move` may read another
    spelling of a listed move if `str` gives the listed one back, and the parts of a move may come in another order.
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
                move = rules.parse_move(text)
                if _without_drawn_pieces(str(move)) in listed:
                    continue
                after, others = rules.play_move(state, seat, move), ", ".join(listed)[:80]
                same = next((each for each in listed.values() if _state_after(rules, state, seat, each) == after), "")
                if same and sorted(text) == sorted(str(same)):
                    continue
                assert not same, (
                    f"play_move accepts {text} of seat {seat}, which leads to the same position as {same}, but only "
                    f"{same} is listed: let parse_move refuse {text}, or read it as {same}"
                )
                raise AssertionError(
                    f"play_move accepts {text} of seat {seat}, which legal_moves does not list: {others}"
                )


def _without_drawn_pieces(text: str) -> str:
    """The text of an event as `legal_moves` lists it: a draw without its pieces."""
    return text.split()[0] if text.strip() and is_draw(text) else text


def refusals_change_nothing(played: RandomRound, chance: Random) -> None:
    """A refused event leaves the position unchanged, and its reason is one line of less than 160 characters."""
    rules = played.rules
    own = [str(move) for _, move in played.events]
    texts = [*TRIED_TEXTS, *own, *(_garbled_text(text, chance) for text in own)]
    for state in played.sample_positions(6):
        before = field_texts(state)
        for text in chance.sample(texts, 8):
            for seat in (0, rules.seat_to_move(state) or 1, 5):
                if refused := refusal_of_text(rules, state, seat, text):
                    assert refused.code, f"play_move refuses {text!r} with an empty row"
                    assert refused.reason, (
                        f"play_move refuses {text!r} with code {refused.code} and no reason: see SENTENCES"
                    )
                    assert len(refused.reason) < 160, f"the reason of a refusal is too long: {refused.reason!r}"
                    assert "\n" not in refused.reason, f"the reason of a refusal has two lines: {refused.reason!r}"
        check_unchanged(before, state, "a refused move")


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
                case = (
                    f"there is no seat {seat}" if expected == "syntax"
                    else "the round is over" if expected == "over"
                    else f"seat {to_move} is to move"
                )  # fmt: skip
                assert refused is not None, f"play_move accepts {move} of seat {seat}, but {case}"
                # A draw that wrongly names or omits its pieces is refused as `syntax` first.
                assert refused.code == expected or (refused.code == "syntax" and is_draw(str(move))), (
                    f"play_move refuses {move} of seat {seat} as {refused.code}, but {case}, which is {expected}: "
                    "call check_seat and check_turn first"
                )


def views_are_consistent(played: RandomRound, chance: Random) -> None:
    """A view is a position of the same type, seat to move and outcome; the same view of a view is equal to it.

    The view of one seat, seen by another seat, is the public's view.
    """
    rules = played.rules
    for state in played.sample_positions(8):
        for seat in (None, *range(1, played.header.seats + 1)):
            view = rules.seat_view(state, seat)
            whose = f"the view of seat {seat}" if seat else "the public's view"
            assert type(view) is type(state), f"{whose} is a {type(view).__name__}, and no {type(state).__name__}"
            again = rules.seat_view(view, seat)
            assert again == view, f"{whose}, seen again by the same, is another: {_first_difference(again, view)}"
            assert rules.seat_to_move(view) == rules.seat_to_move(state), f"in {whose} another seat is to move"
            assert rules.outcome(view) == rules.outcome(state), (
                f"in {whose} the outcome is {rules.outcome(view)}, and by the position {rules.outcome(state)}"
            )
            for other in range(1, played.header.seats + 1) if seat else ():
                through = rules.seat_view(view, other)
                assert other == seat or through == rules.seat_view(state, None), (
                    f"{whose}, seen by seat {other}, is not the public's view: "
                    f"{_first_difference(through, rules.seat_view(state, None))}"
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
            f"seat_view hides too little or too much: after {number} events the public's view differs with told hands "
            f"and with secret ones: {_first_difference(open_view, sealed_view)}"
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
        assert isinstance(outcome, Outcome), f"outcome gives {outcome!r}, which is no Outcome"
        assert len(outcome.scores) == seats, f"outcome has {len(outcome.scores)} scores for {seats} seats"
        assert bool(outcome.winners) is over, (
            "nobody is to move, but outcome names no winner" if over
            else f"seat {played.rules.seat_to_move(state)} is to move, but outcome names winners: {outcome.winners}"
        )  # fmt: skip
        assert bool(outcome.reason) is over, (
            "nobody is to move, but outcome gives no reason why" if over
            else f"the round goes on, but outcome gives a reason why it ended: {outcome.reason}"
        )  # fmt: skip
        assert set(outcome.winners) <= set(range(1, seats + 1)), f"there are no seats {outcome.winners}, who win"
        skipped = played.rules.skipped_seats(state)
        assert set(skipped) <= set(range(1, seats + 1)), f"skipped_seats has a seat that does not exist: {skipped}"
        _check_winners(played, outcome)
        if isinstance(reason := outcome.reason, Text):
            saved = played.manifest.format_ending(reason)
            assert not reason.values or saved != reason, f"{reason.message!r} is missing in the manifest's endings"
            assert played.manifest.parse_ending(saved) == reason, f"{saved!r} is not found again as {reason!r}"


def _check_winners(played: RandomRound, outcome: Outcome) -> None:
    """Check that nobody who has more points than a winner has lost; ties may be broken."""
    if not played.manifest.scores_are_points or not outcome.winners:
        return
    sign = -1 if played.manifest.lower_is_better else 1
    winner = min(outcome.winners, key=lambda seat: sign * outcome.scores[seat - 1])
    best = max(range(1, played.header.seats + 1), key=lambda seat: sign * outcome.scores[seat - 1])
    assert sign * outcome.scores[winner - 1] >= sign * outcome.scores[best - 1], (
        f"the wrong seat wins: outcome says that seat {winner} wins with {outcome.scores[winner - 1]}, but seat {best} "
        f"has {outcome.scores[best - 1]}: see lower_is_better and scores_are_points of the manifest if that is right"
    )


def all_seats_move(played: RandomRound, chance: Random) -> None:
    """In a round in which others move many times, each seat has a turn."""
    seats = range(1, played.header.seats + 1)
    moves = Counter(seat for seat, _ in played.events)
    idle = [seat for seat in seats if not moves[seat]]
    assert not idle or len(played.events) < 3 * len(seats), (
        f"seat {idle[0]} never has a turn, in {len(played.events)} events of {len(seats)} players: "
        "does play_move pass the turn to every seat?"
    )


def records_are_valid(played: RandomRound, chance: Random) -> None:
    """The record replays to the same first and last position, and writing what was read gives the same text."""
    report = record.check_record(played.record_text)
    assert report.fault is None, f"the record of this round is refused: line {report.fault}"
    assert report.header == played.header, f"the record's header is read as {report.header}"
    assert list(report.events) == played.events, "the record's events are read as others: see parse_move"
    for name, replayed, state in (
        ("start", report.start, played.states[0]),
        ("end", report.state, played.states[-1]),
    ):
        assert replayed == state, (
            f"the record replays to another position at its {name}: {_first_difference(replayed, state)}"
        )
    outcome = played.rules.outcome(report.state)
    written = record.format_record(report.header, report.deals, report.events, outcome)
    assert written == played.record_text, f"the record that was read is written otherwise:\n{written}"


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
    if report.is_over and not report.has_result:
        outcome = report.rules.outcome(report.state)
        return f" has no result, so nobody would notice a change: add the line 'result: {outcome.result}'"
    return ""

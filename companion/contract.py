"""What holds for every game, to be run by its tests: those of the games here, and those of other packages.

A test plays rounds at random and has each looked at by every check, which raises AssertionError:

    from random import Random
    from companion import contract

    def test_the_contract():
        for seed in range(50):
            contract.check("nim", Random(seed))
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple

from companion import games, record
from companion.game import Claim, Outcome, Refused
from companion.game.entry import ARROWS, Draft

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from random import Random

    from companion.game import Rules
    from companion.game.entry import Entry
    from companion.game.manifest import Manifest

NAMES = ("Ann", "Ben", "Cleo", "Dan")
TRIES = 200
"""A sealed hand is guessed at so often before its owner claims to have no move."""
KEYS = "0123456789ABCD"
TEXTS = ["", "x", "1x1", "9x9", "seed", "draw", "draw A", "pass", "1:9", "2:45", "3:A2J7", "x3", "@/3", "x7D", "@+2/3"]
TEXTS += ["/2D", "refill", "refill +5 D-", "-1", "6-3 d4e4", "0-0 d4d5", "12-12 g7g6", "1-2 a1c3", "3-3 d4d4"]
"""Texts that are an event in some game."""


class Played(NamedTuple):
    """A round: `states` are one longer than `events`, the last one being where it stands."""

    manifest: Manifest
    rules: Rules[Any, Any]
    entry: Entry
    header: record.Header
    deals: dict[tuple[str, int], tuple[Any, ...]]
    events: list[tuple[int, Any]]
    states: list[Any]

    @property
    def text(self) -> str:
        """Its record."""
        return record.write(self.header, self.deals, self.events, self.rules.outcome(self.states[-1]))

    def some(self, most: int) -> list[Any]:
        """At most so many positions of the round, from its start on."""
        return self.states[:: len(self.states) // most + 1]


def settings(game: str) -> Iterator[tuple[str, dict[str, str], int]]:
    """The game with every combination of its options and every number of players."""
    known = games.manifest(game)
    for chosen in product(*known.values.values()):
        for players in known.players:
            yield game, dict(zip(known.options, chosen, strict=True)), players


def play_round(
    game: str,
    options: dict[str, str],
    players: int,
    chance: Random,
    share: float = 0.5,
    longest: int = 400,
    guess: Callable[[Random], str] | None = None,
) -> Played:
    """A round at random, ended or broken off after `longest` events.

    Each holding is open with the probability `share`; `guess` gives some event's text, to be tried for a sealed one.
    """
    known, rules = games.manifest(game), games.load(game)
    dealt = rules.deal(players, options, chance.sample)
    deals = {key: pieces for key, pieces in dealt.items() if chance.random() < share}
    header = record.Header(game, options, NAMES[:players], (("note", "played at random"),))
    states = [rules.start(players, options, deals)]
    events: list[tuple[int, Any]] = []
    while (seat := rules.turn(states[-1])) is not None and len(events) < longest:
        move = _choose(rules, states[-1], seat, chance, guess if known.holdings else None)
        if move is None:
            break
        states.append(rules.play(states[-1], seat, move))
        events.append((seat, move))
    return Played(known, rules, games.load_entry(game), header, deals, events, states)


def _choose(
    rules: Rules[Any, Any], state: Any, seat: int, chance: Random, guess: Callable[[Random], str] | None
) -> Any:
    """A legal event, None if none is found: a listed one, or of a sealed holding mostly a guess that is let pass."""
    listed = list(rules.moves(state))
    if guess is not None and rules.find(state) is None and chance.random() < 0.8:
        for _ in range(TRIES):
            move = rules.read(guess(chance))
            if refusal(rules, state, seat, str(move)) is None:
                return move
    return rules.complete(state, chance.choice(listed), chance.sample) if listed else None


def refusal(rules: Rules[Any, Any], state: Any, seat: int, text: str) -> Refused | None:
    """Why the event is refused, None where it is not."""
    try:
        rules.play(state, seat, rules.read(text))
    except Refused as refused:
        return refused
    return None


def check(game: str, chance: Random, share: float = 0.5) -> None:
    """Play a round at random, with any of the game's options, and look at it with every check."""
    for holds in CHECKS:
        holds(play_round(*chance.choice(list(settings(game))), chance, share), chance)


# -- the rules --------------------------------------------------------------------------------------------------


def deals_are_complete(played: Played, chance: Random) -> None:
    """A deal fills every holding of every seat, sorted, and its written form reads back."""
    rules, header, holdings = played.rules, played.header, played.manifest.holdings
    deals = rules.deal(header.seats, header.options, chance.sample)
    assert set(deals) == {(kind, seat) for kind in holdings for seat in range(1, header.seats + 1)}
    for (kind, seat), pieces in deals.items():
        assert len(pieces) == rules.size(kind, header.seats, header.options), seat
        assert rules.read_deal(rules.write_deal(pieces), kind, header.options) == pieces
    rules.start(header.seats, header.options, deals)


def events_read_back(played: Played, chance: Random) -> None:
    """`read` is the inverse of `str`, for what was played and for all that could have been."""
    rules = played.rules
    for state in played.some(8):
        for move in rules.moves(state):
            assert rules.read(str(move)) == move
    assert [rules.read(str(move)) for _, move in played.events] == [move for _, move in played.events]


def listed_events_are_legal(played: Played, chance: Random) -> None:
    """Whatever `moves` lists is accepted once chance has completed it, and `find` is among it."""
    rules = played.rules
    for state in played.some(6):
        listed, seat = rules.moves(state), rules.turn(state)
        assert len(set(map(str, listed))) == len(listed)
        assert listed == rules.moves(state)
        found = rules.find(state)
        if seat is None:
            assert not listed
            assert found is None
            continue
        for move in listed[:: len(listed) // 40 + 1]:
            rules.play(state, seat, rules.complete(state, move, chance.sample))
        if found is not None:
            rules.play(state, seat, found)


def refusals_change_nothing(played: Played, chance: Random) -> None:
    """A refused event leaves the position as it was, and says why in one short sentence."""
    rules = played.rules
    texts = [*TEXTS, *(str(move) for _, move in played.events)]
    for state in played.some(6):
        before = hash(state), repr(state)
        for text in chance.sample(texts, 8):
            for seat in (0, rules.turn(state) or 1, 5):
                if refused := refusal(rules, state, seat, text):
                    assert refused.code
                    assert 0 < len(refused.why) < 160
                    assert "\n" not in refused.why
        assert (hash(state), repr(state)) == before


def other_seats_are_refused(played: Played, chance: Random) -> None:
    """`syntax` for a seat that does not exist, `over` when the round has ended, `turn` for another's turn."""
    rules, seats = played.rules, played.header.seats
    for (_, move), state in list(zip(played.events, played.states[1:], strict=True))[-4:]:
        to_move = rules.turn(state)
        for seat in (0, *range(1, seats + 2)):
            expected = "syntax" if not 1 <= seat <= seats else "over" if to_move is None else "turn"
            if expected == "syntax" or seat != to_move:
                refused = refusal(rules, state, seat, str(move))
                assert refused is not None
                # A draw of the wrong form for the hand it names is no event of that seat at all.
                assert refused.code == expected or (refused.code == "syntax" and str(move).startswith("draw"))


def positions_cannot_change(played: Played, chance: Random) -> None:
    """A position is made of tuples, ints and texts, and can be hashed."""
    for state in played.some(8):
        assert _frozen(state)
        assert isinstance(hash(state), int)
        assert not hasattr(state, "__dict__")


def _frozen(value: object) -> bool:
    """Whether a value is made of nothing but what cannot change."""
    if isinstance(value, tuple | frozenset):
        return all(map(_frozen, value))
    return value is None or isinstance(value, int | str)


def views_hide(played: Played, chance: Random) -> None:
    """A view has the type of the position, and a view of a view shows the same."""
    rules = played.rules
    for state in played.some(8):
        for seat in (None, *range(1, played.header.seats + 1)):
            seen = rules.view(state, seat)
            assert type(seen) is type(state)
            assert rules.view(seen, seat) == seen
            assert rules.turn(seen) == rules.turn(state)
            assert rules.outcome(seen) == rules.outcome(state)
        assert rules.view(rules.view(state, 1), 2) == rules.view(rules.view(state, 2), 1) == rules.view(state, None)


def outcome_and_turn_agree(played: Played, chance: Random) -> None:
    """There are winners and a reason exactly when nobody is to move, and a score for each seat always."""
    seats = played.header.seats
    for state in played.states:
        outcome = played.rules.outcome(state)
        over = played.rules.turn(state) is None
        assert isinstance(outcome, Outcome)
        assert len(outcome.scores) == seats
        assert (bool(outcome.winners), bool(outcome.reason)) == (over, over)
        assert all(1 <= seat <= seats for seat in played.rules.skipped(state))


def records_stand(played: Played, chance: Random) -> None:
    """What is written replays to the same position, and written again it is the same text."""
    report = record.check(played.text)
    assert report.fault is None, report.fault
    assert report.header is not None
    assert report.state == played.states[-1]
    assert report.start == played.states[0]
    assert list(report.events) == played.events
    assert report.header == played.header
    outcome = played.rules.outcome(report.state)
    assert record.write(report.header, report.deals, report.events, outcome) == played.text


def claims_are_of_their_seat(played: Played, chance: Random) -> None:
    """A proven false claim names a draw or pass of its seat and an event that had been possible."""
    for claim in played.rules.claims(played.states[0], played.events):
        assert isinstance(claim, Claim)
        seat, move = played.events[claim.event]
        assert seat == claim.seat
        assert str(move) in ("draw", "pass")


# -- the entry --------------------------------------------------------------------------------------------------


def drafts_are_judged(played: Played, chance: Random) -> None:
    """Whatever is typed or picked is a draft or nothing, and what a draft calls well is an event that is played."""
    for state in played.some(6):
        seat = played.rules.turn(state)
        if seat is None or played.entry.due(state) is not None:
            continue
        keys = ""
        for _ in range(6):
            longer = keys + chance.choice(KEYS)
            typed = played.entry.typed(state, longer)
            keys = longer if typed is not None else keys
            if typed is not None:
                _check_draft(played, state, seat, typed)
        pick = played.entry.pick(state)
        for _ in range(12):
            _check_draft(played, state, None, played.entry.picked(state, pick))
            pick = _stepped(played.entry, state, pick, chance)


def _stepped(entry: Entry, state: Any, pick: Any, chance: Random) -> Any:
    """The pick after some press of the six buttons."""
    step = chance.choice((*ARROWS, "ok", "back"))
    after = entry.entered(state, pick) if step == "ok" else entry.erased(state, pick) if step == "back" else None
    return (after or entry.pick(state)) if step in ("ok", "back") else entry.moved(state, pick, step)


def _check_draft(played: Played, state: Any, seat: int | None, draft: Draft) -> None:
    """`seat` where the draft is judged by the full position."""
    assert isinstance(draft, Draft)
    assert draft.verdict in ("more", "ok", "no")
    assert draft.text
    if draft.event is not None:
        played.rules.read(draft.event)
        if seat is not None and draft.verdict == "ok":
            played.rules.play(state, seat, played.rules.read(draft.event))


def words_are_short(played: Played, chance: Random) -> None:
    """What a game tells has the form and the length that screens and reports have room for."""
    entry, rules = played.entry, played.rules
    events = [(seat, str(move)) for seat, move in played.events]
    for state in played.some(8):
        view = rules.view(state, None)
        assert all(len(entry.cannot(state, buttons)) <= 26 for buttons in (False, True))
        assert bool(entry.cannot(state, True)) == bool(entry.cannot(state, False))
        assert len(entry.hint(state)) <= 80
        assert all(len(line) <= 40 for line in entry.table(view))
        counted = entry.counted(state, rules.outcome(state).scores)
        assert len(counted) == played.header.seats
        assert all(isinstance(count, int) for count in counted)
    if played.manifest.chart is not None:
        assert all(entry.piles(state) for state in played.states)
    for page in played.manifest.pages:
        assert all(isinstance(line, str) for line in entry.lines(page, played.states, events, 4))
    assert all(len(block) == played.header.seats for block in entry.sheet(played.states, events))


CHECKS: Sequence[Callable[[Played, Random], None]] = (
    deals_are_complete,
    events_read_back,
    listed_events_are_legal,
    refusals_change_nothing,
    other_seats_are_refused,
    positions_cannot_change,
    views_hide,
    outcome_and_turn_agree,
    records_stand,
    claims_are_of_their_seat,
    drafts_are_judged,
    words_are_short,
)

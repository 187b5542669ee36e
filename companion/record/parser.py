"""Parses a record line by line and replays each event at once."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from companion.game import Refused, parse_number
from companion.games import UnknownGame, load, manifest
from companion.record.values import (
    BLANKS,
    Fault,
    Header,
    Report,
    is_key,
    number_of_seats,
    read_holding,
    read_names,
    read_options,
    read_result,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from companion.game import Outcome, Rules
    from companion.game.manifest import HoldingKind, Manifest

VERSION = "1"
LONGEST_REASON = 300
"""The most characters of a message, since it may quote a line of any length."""
_SHORT = 24  # In characters: longer events are rare and are not cached.
_SEATS = {"1": 1, "2": 2, "3": 3, "4": 4}  # Nearly every line begins with one of these.
ONCE = ("companion-record", "game", "players", "options")


class Parser:
    """The state of parsing a record; after a refused line only `report` may be called."""

    def __init__(self) -> None:
        self.keys: set[str] = set()
        self.rules: Rules[Any, Any] | None = None
        self.id = ""
        self.manifest: Manifest | None = None
        self.options: Mapping[str, str] = {}
        self.players: tuple[str, ...] = ()
        self.other: list[tuple[str, str]] = []
        self.deals: dict[tuple[str, int], tuple[Any, ...]] = {}
        self.deal_lines: dict[tuple[str, int], int] = {}
        self.start: Any = None
        self.state: Any = None
        self.playing: Rules[Any, Any] | None = None  # The rules, once the first position is made.
        self.number = 0
        self.events: list[tuple[int, Any]] = []
        self.lines: list[int] = []
        self.result = False

    def read(self, lines: Iterable[str]) -> None:
        """Read all lines. Raises Refused; `number` is then that of the wrong line, from 1."""
        for self.number, whole in enumerate(lines, 1):
            line = whole.strip(BLANKS)
            before, colon, value = line.partition(":")
            text = value.lstrip(BLANKS)
            seat = _SEATS.get(before) if colon and self.playing else None
            if seat is None:
                if not line or line[0] == "#":
                    continue
                seat = self._other(before.rstrip(BLANKS) if colon else "", text)
            if seat is not None and (rules := self.playing):
                move = _read(self.id, text) if len(text) <= _SHORT else rules.read(text)
                self.state = rules.play(self.state, seat, move)
                self.events.append((seat, move))
                self.lines.append(self.number)

    def _other(self, head: str, value: str) -> int | None:
        """Read a line that is not an event, or begin the play and return the seat of one. Raises Refused.

        `head` is the part before the colon, "" without a colon.
        """
        rules, known = self.rules, self.manifest
        if rules is None or known is None:
            self._first_lines(head, value)
        elif (seat := parse_number(head)) is not None:
            if not self.playing:
                self._begin(rules)
            return seat
        elif head == "result":
            self._result(rules, value)
        elif holding := read_holding(head):
            self._deal(rules, known, holding, value)
        elif is_key(head):
            self._header(known, head, value)
        else:
            raise Refused("syntax", "this line", "no header, deal, event or result", "a line is like 'note: good game'")
        return None

    def finish(self) -> None:
        """End the parsing. Raises Refused ``header`` if one of the first two lines is missing, ``deal`` as `_begin`."""
        if self.rules is None:
            missing = "game: ID" if self.keys else f"companion-record: {VERSION}"
            raise Refused("header", "the record ends here", "", f"the line '{missing}' is missing")
        if not self.playing:
            self._begin(self.rules)

    def bad_deal(self) -> Fault | None:
        """The fault of the first impossible deal; None for none, or once an event has been played.

        Deals are checked together, so this finds the line of the deal that `_begin` refused.
        """
        if self.playing or self.rules is None:
            return None
        deals = {}
        for key, line in self.deal_lines.items():
            deals[key] = self.deals[key]
            try:
                self.rules.start(self.seats, self.options, deals)
            except Refused as refused:
                return fault_of(line, refused)
        return None

    def report(self, fault: Fault | None) -> Report:
        """The report. It has no position if the fault is before the first event or result."""
        header = Header(self.id, self.options, self.players, tuple(self.other)) if self.id else None
        if not self.playing:
            return Report(header, {}, None, None, (), (), fault)
        return Report(header, self.deals, self.start, self.state, tuple(self.events), tuple(self.lines), fault)

    @property
    def seats(self) -> int:
        """The number of players: as many as names so far, else 2."""
        return number_of_seats(self.players)

    def _first_lines(self, key: str, value: str) -> None:
        if not self.keys:
            if (key, value) != ("companion-record", VERSION):
                raise Refused("header", "", "", f"a record begins with 'companion-record: {VERSION}'")
        elif key != "game":
            raise Refused("header", "", "", "the second line of a record is 'game: ID'")
        else:
            self._choose(value)
        self.keys.add(key)

    def _choose(self, game: str) -> None:
        """Choose the game. Raises Refused ``header`` if it is not installed or has no records."""
        try:
            known = manifest(game)
            if not known.recorded:
                raise Refused("header", f"game {game}", "", f"there are no records of a {known.name.lower()}")
            self.rules = load(game)
        except UnknownGame as unknown:
            raise Refused("header", f"game {game[:22]}", "", str(unknown)) from None
        self.id, self.manifest, self.options = game, known, known.defaults

    def _header(self, known: Manifest, key: str, value: str) -> None:
        if self.deals or self.playing:
            raise Refused("syntax", f"'{key[:22]}'", "", "a header line comes before the deals and the events")
        if key in ONCE and key in self.keys:
            raise Refused("header", f"'{key}' again", "", "it can be given only once")
        if key == "options":
            self.options = read_options(value, known.options)
        elif key == "players":
            self.players = read_names(value, known.players)
        else:
            self.other.append((key, value))
        self.keys.add(key)

    def _deal(self, rules: Rules[Any, Any], known: Manifest, key: tuple[HoldingKind, int], text: str) -> None:
        kind, seat = key
        if self.playing:
            raise Refused("deal", f"{kind} {seat}", "", "what was dealt is said before the first event")
        if kind not in known.holdings:
            raise Refused("deal", f"{kind} {seat}", "", f"{known.name} has no such holding")
        if not 1 <= seat <= self.seats:
            raise Refused("deal", f"{kind} {seat}", f"the seats are 1 to {self.seats}", "there is no such seat")
        if key in self.deals:
            raise Refused("deal", f"{kind} {seat} again", "", "each holding is dealt once")
        self.deals[key] = rules.read_deal(text, kind, self.options)
        self.deal_lines[key] = self.number

    def _begin(self, rules: Rules[Any, Any]) -> None:
        """Make the first position from all deals. Raises Refused ``deal``; `bad_deal` then finds the line."""
        self.start = self.state = rules.start(self.seats, self.options, self.deals)
        self.playing = rules

    def _result(self, rules: Rules[Any, Any], text: str) -> None:
        if not self.playing:
            self._begin(rules)
        scores, winners = read_result(text)
        if self.result:
            raise Refused("result", "the result again", "", "it can be given only once")
        outcome = rules.outcome(self.state)
        if rules.turn(self.state) is not None:
            raise Refused("result", "too early", "the round is not over", "a result comes last")
        if scores != [str(score) for score in outcome.scores]:
            raise Refused("result", "wrong scores", _given_by(outcome), "a result agrees with the events")
        if sorted(winners) != sorted(outcome.winners):
            raise Refused("result", "wrong winners", _given_by(outcome), "all who share a win are named")
        self.result = True


def _given_by(outcome: Outcome) -> str:
    return f"the events give {outcome.result}"


# Records repeat the same few thousand texts; moves are immutable.
@lru_cache(maxsize=8192)
def _read(game: str, text: str) -> Any:
    return load(game).read(text)


def fault_of(line: int, refused: Refused) -> Fault:
    """A refusal as the fault of a line."""
    message = f"{refused.why} ({refused.needed})" if refused.needed else refused.why
    return Fault(line, refused.code, message if len(message) <= LONGEST_REASON else message[: LONGEST_REASON - 1] + "…")

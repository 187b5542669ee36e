"""The game record: one round as plain text, read line by line and replayed, and written again.

Pure: text in, `Report` out. The first line that is wrong ends the reading; what stood before it is kept.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from companion.game import Outcome, Refused
from companion.games import UnknownGame, failure, is_added, load, manifest
from companion.record.values import BLANKS, read_names, read_options, read_result, usable_name

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from companion.game import Rules
    from companion.game.manifest import Manifest

VERSION = "1"
LONGEST = 300
"""A message is cut after so many characters: it may quote a line of any length."""

_SHORT = 24  # longer texts of events are rare and are not kept
_SEATS = {"1": 1, "2": 2, "3": 3, "4": 4}  # nearly every line begins with one of these
_NUMBER = re.compile(r"0|[1-9][0-9]{0,2}")
_KEY = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")
_HOLDING = re.compile(r"(deal|rack)[ \t]*(0|[1-9][0-9]{0,2})")
_BREAK = re.compile(r"\n|^[ \t]|[ \t\r]$")
_ONCE = ("companion-record", "game", "players", "options")


class Header(NamedTuple):
    """What is said before the deals: game id, every option with its value, names (none given: empty), other lines."""

    game: str
    options: Mapping[str, str]
    players: tuple[str, ...]
    other: tuple[tuple[str, str], ...]

    @property
    def seats(self) -> int:
        """The number of players: that of the names, else 2."""
        return len(self.players) or 2


class Fault(NamedTuple):
    """Why a record does not stand: the line (from 1), the stable code, and a sentence for a player."""

    line: int
    code: str
    message: str


class FalseClaim(NamedTuple):
    """A proven false "I cannot": its line (from 1), the seat, and an event that had been possible."""

    line: int
    seat: int
    example: str


class Report(NamedTuple):
    """What a record says. `events` stood, on `lines`; they lead from `start` to `state`.

    `header` is None until a game is known; `start` and `state` are None where header or deals are broken.
    """

    header: Header | None
    deals: Mapping[tuple[str, int], tuple[Any, ...]]
    start: Any
    state: Any
    events: tuple[tuple[int, Any], ...]
    lines: tuple[int, ...]
    fault: Fault | None

    @property
    def rules(self) -> Rules[Any, Any]:
        """The rules of the record's game. Raises ValueError where it is not known."""
        if self.header is None:
            raise ValueError("the record names no game")
        return load(self.header.game)

    @property
    def name(self) -> str:
        """What players call the game; "" where it is not known."""
        return manifest(self.header.game).name if self.header else ""

    @property
    def claims(self) -> tuple[FalseClaim, ...]:
        """The false claims that the events prove, in order."""
        if self.state is None:
            return ()
        proven = self.rules.claims(self.start, self.events)
        return tuple(FalseClaim(self.lines[claim.event], claim.seat, claim.example) for claim in proven)


def check(text: str) -> Report:
    """Read and replay a record; whatever the text, the answer is a report and never an error."""
    reading = _Reading()
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
    if len(lines) > 1 and not lines[-1]:
        lines.pop()
    number = 0
    try:
        for number, whole in enumerate(lines, 1):
            line = whole.strip(BLANKS)
            if line and line[0] != "#":
                reading.take(number, line)
        reading.finish()
    except Refused as refused:
        return reading.report(reading.bad_deal() or _fault(number, refused))
    except Exception as error:
        if not is_added(reading.id):
            raise
        return reading.report(_fault(number, Refused("header", failure(reading.id, error))))
    return reading.report(None)


def write(
    header: Header,
    deals: Mapping[tuple[str, int], Sequence[Any]],
    events: Sequence[tuple[int, Any]],
    outcome: Outcome | None = None,
) -> str:
    """The canonical text of a round: every option, deals by seat, the short form of each event (a move or its text).

    A result is written for an outcome with winners. Raises ValueError for a name or value that a line cannot hold.
    """
    rules, game = load(header.game), manifest(header.game)
    options = " ".join(f"{name}={header.options.get(name, usual)}" for name, usual in game.defaults.items())
    lines = [f"companion-record: {VERSION}", f"game: {header.game}", f"options: {options}"]
    if header.players:
        if not all(usable_name(name) for name in header.players):
            raise ValueError(f"a name in a record has no comma and no control character: {header.players}")
        lines.append(f"players: {', '.join(header.players)}")
    for key, value in header.other:
        if key in (*_ONCE, "result") or _HOLDING.fullmatch(key) or not _KEY.fullmatch(key) or _BREAK.search(value):
            raise ValueError(f"not a header line of a record: {key!r}: {value!r}")
        lines.append(f"{key}: {value}".rstrip(" "))
    for seat in range(1, header.seats + 1):
        for kind in game.holdings:
            if (kind, seat) in deals:
                lines.append(f"{kind} {seat}: {rules.write_deal(deals[kind, seat])}")
    lines += [f"{seat}: {move}" for seat, move in events]
    if outcome is not None and outcome.winners:
        lines.append(f"result: {outcome.result}")
    return "\n".join(lines) + "\n"


class _Reading:
    """A record half read; once a line is refused it is only asked for its report."""

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
        self.playing = False
        self.events: list[tuple[int, Any]] = []
        self.lines: list[int] = []
        self.result = False

    def take(self, number: int, line: str) -> None:
        """Read one line that is neither empty nor a comment. Raises Refused."""
        before, colon, value = line.partition(":")
        rules, seat = self.rules, _SEATS.get(before)
        if not seat or not colon or rules is None:
            head = before.rstrip(BLANKS) if colon else ""
            if rules is None or not _NUMBER.fullmatch(head):
                return self._other(number, head, value.lstrip(BLANKS))
            seat = int(head)
        if not self.playing:
            self._begin(rules)
        text = value.lstrip(BLANKS)
        move = _read(self.id, text) if len(text) <= _SHORT else rules.read(text)
        self.state = rules.play(self.state, seat, move)
        self.events.append((seat, move))
        self.lines.append(number)

    def _other(self, number: int, head: str, value: str) -> None:
        """A line that is no event; `head` is empty where it has no colon."""
        rules, known = self.rules, self.manifest
        if rules is None or known is None:
            self._first_lines(head, value)
        elif head == "result":
            self._result(rules, value)
        elif holding := _HOLDING.fullmatch(head):
            self._deal(rules, known, number, (holding[1], int(holding[2])), value)
        elif _KEY.fullmatch(head):
            self._header(known, head, value)
        else:
            raise Refused("syntax", "this line", "no header, deal, event or result", "a line is like 'note: good game'")

    def finish(self) -> None:
        """The end of the text. Raises Refused ``header`` where the first two lines are not both there."""
        if self.rules is None:
            missing = "game: ID" if self.keys else f"companion-record: {VERSION}"
            raise Refused("header", "the record ends here", "", f"the line '{missing}' is missing")
        if not self.playing:
            self._begin(self.rules)

    def bad_deal(self) -> Fault | None:
        """The first deal that cannot be, if nothing has been played: deals are judged together and late."""
        if self.playing or self.rules is None:
            return None
        deals = {}
        for key, line in self.deal_lines.items():
            deals[key] = self.deals[key]
            try:
                self.rules.start(self.seats, self.options, deals)
            except Refused as refused:
                return _fault(line, refused)
        return None

    def report(self, fault: Fault | None) -> Report:
        """What has been read; a fault before the first event or result leaves no position."""
        header = Header(self.id, self.options, self.players, tuple(self.other)) if self.id else None
        if not self.playing:
            return Report(header, {}, None, None, (), (), fault)
        return Report(header, self.deals, self.start, self.state, tuple(self.events), tuple(self.lines), fault)

    @property
    def seats(self) -> int:
        return len(self.players) or 2

    def _first_lines(self, key: str, value: str) -> None:
        if not self.keys:
            if (key, value) != ("companion-record", VERSION):
                raise Refused("header", "this line", "", f"a record begins with 'companion-record: {VERSION}'")
        elif key != "game":
            raise Refused("header", "this line", "", "the second line of a record is 'game: ID'")
        else:
            self._choose(value)
        self.keys.add(key)

    def _choose(self, game: str) -> None:
        """The game of the record. Raises Refused ``header`` where it cannot be replayed here."""
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
        if key in _ONCE and key in self.keys:
            raise Refused("header", f"'{key}' again", "", "it can be given only once")
        if key == "options":
            self.options = read_options(value, known.values)
        elif key == "players":
            self.players = read_names(value, known.players)
        else:
            self.other.append((key, value))
        self.keys.add(key)

    def _deal(self, rules: Rules[Any, Any], known: Manifest, number: int, key: tuple[str, int], text: str) -> None:
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
        self.deal_lines[key] = number

    def _begin(self, rules: Rules[Any, Any]) -> None:
        """The first position, once nothing more can be dealt. Raises Refused ``deal``: see `bad_deal` for its line."""
        self.start = self.state = rules.start(self.seats, self.options, self.deals)
        self.playing = True

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
            raise Refused(
                "result", "wrong scores", f"the events give {outcome.result}", "a result agrees with the events"
            )
        if sorted(winners) != sorted(outcome.winners):
            raise Refused(
                "result", "wrong winners", f"the events give {outcome.result}", "all who share a win are named"
            )
        self.result = True


# Records say the same few thousand texts over and over; the moves that they are read as never change.
@lru_cache(maxsize=8192)
def _read(game: str, text: str) -> Any:
    return load(game).read(text)


def _fault(line: int, refused: Refused) -> Fault:
    message = f"{refused.why} ({refused.needed})" if refused.needed else refused.why
    return Fault(line, refused.code, message if len(message) <= LONGEST else message[: LONGEST - 1] + "…")

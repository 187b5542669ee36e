"""The game record, one round as plain text: reads and replays it line by line, and writes it.

Pure: text in, `Report` out. Parsing stops at the first wrong line; the report has everything before it.

    header lines  →  deals  →  events  →  result
                     │         │
                     │         each is replayed by the game's own rules
                     together they make the first position

docs/records.md describes the format for people.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from companion.games import UnknownGameError, failure_text, load_rules, manifest_of
from companion.games.api import Outcome, RefusedError, Rules, parse_number
from companion.games.api.manifest import HoldingKind, Manifest, Option, holding_kind

BLANKS = " \t"
_CONTROL_CHARACTERS = frozenset(map(chr, (*range(0x20), *range(0x7F, 0xA0))))
VERSION = "1"
MAX_REASON_LETTERS = 300
"""The most letters of a fault's message, since it may quote a line of any length."""
_CACHED_EVENT_LETTERS = 24  # Longer events are rare and are not cached.
_SEAT_NUMBERS = {"1": 1, "2": 2, "3": 3, "4": 4}  # Nearly every line begins with one of these.
SINGLE_KEYS = ("companion-record", "game", "players", "options")


class Header(NamedTuple):
    """The header lines: the game's id, all options with their values, the players (or none), and the other lines."""

    game: str
    options: Mapping[str, str]
    players: tuple[str, ...]
    other_lines: tuple[tuple[str, str], ...]

    @property
    def seats(self) -> int:
        """The number of players: that of the names, or 2 if there are none."""
        return len(self.players) or 2


class Fault(NamedTuple):
    """Why a record is refused: the line (from 1), the refusal's code, and a sentence for players."""

    line: int
    code: str
    message: str


class FalseClaim(NamedTuple):
    """A false "I can't move" that later events prove.

    Attributes:
        line: the line of the claim, from 1.
        seat: who claimed it.
        example: an event that was possible.
        is_sure: whether exactly this event was possible, whatever was drawn later.
    """

    line: int
    seat: int
    example: str
    is_sure: bool = True


class Report(NamedTuple):
    """The result of parsing a record.

    Attributes:
        header: None if the record names no known game.
        deals: the pieces of each holding, by kind and seat.
        start: the position before the first event; None if header or deals are wrong.
        state: the position after the last legal event; None if `start` is.
        events: the legal events: seat and move.
        lines: the line of each event, from 1.
        fault: None for a legal record.
        has_result: whether the record has a result line that matches the events.
    """

    header: Header | None
    deals: Mapping[tuple[str, int], tuple[Any, ...]]
    start: Any
    state: Any
    events: tuple[tuple[int, Any], ...]
    lines: tuple[int, ...]
    fault: Fault | None
    has_result: bool = False

    @property
    def stored_deals(self) -> tuple[tuple[HoldingKind, int, str], ...]:
        """The deals as the store saves them: kind, seat, and the pieces in short form."""
        return tuple(
            (kind, seat, self.rules.format_deal(pieces))
            for (word, seat), pieces in self.deals.items()
            if (kind := holding_kind(word))
        )

    @property
    def rules(self) -> Rules[Any, Any]:
        """The rules of the record's game. Raises ValueError if the record has no header."""
        if self.header is None:
            raise ValueError("the record names no game")
        return load_rules(self.header.game)

    @property
    def game_name(self) -> str:
        """The game's name; "" if no game is known."""
        return manifest_of(self.header.game).name if self.header else ""

    @property
    def is_over(self) -> bool:
        """Whether the events end the round; False if the record has no position."""
        return self.state is not None and self.rules.seat_to_move(self.state) is None

    @property
    def false_claims(self) -> tuple[FalseClaim, ...]:
        """The false claims that the events prove, in order."""
        if self.state is None:
            return ()
        proven = self.rules.false_claims(self.start, self.events)
        return tuple(
            FalseClaim(self.lines[claim.event], claim.seat, claim.example, claim.is_certain) for claim in proven
        )


def check_record(text: str) -> Report:
    """Read and replay a record. Any text gives a report; a wrong record gives one with a fault and never raises."""
    parser = Parser()
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
    if len(lines) > 1 and not lines[-1]:
        lines.pop()
    try:
        parser.read_lines(lines)
        parser.finish()
    except RefusedError as refused:
        return parser.make_report(parser.deal_fault() or make_fault(parser.line_number, refused))
    except Exception as error:
        return parser.make_report(
            make_fault(parser.line_number, RefusedError("header", failure_text(parser.game_id, error)))
        )
    return parser.make_report(None)


def format_record(
    header: Header,
    deals: Mapping[tuple[str, int], Sequence[Any]],
    events: Sequence[tuple[int, Any]],
    outcome: Outcome | None = None,
) -> str:
    """Format a round as a record in canonical form: all options, deals by seat, each event in its short form.

    Events are moves or their texts. The result line is written if `outcome` has winners. Raises ValueError for a name
    or value that a line cannot contain, and UnknownGameError for a game that is not installed.
    """
    rules, game = load_rules(header.game), manifest_of(header.game)
    options = " ".join(f"{name}={header.options.get(name, default)}" for name, default in game.option_defaults.items())
    lines = [f"companion-record: {VERSION}", f"game: {header.game}", f"options: {options}"]
    if header.players:
        if not all(is_usable_name(name) for name in header.players):
            raise ValueError(f"a name in a record has no comma and no control character: {header.players}")
        lines.append(f"players: {', '.join(header.players)}")
    for key, value in header.other_lines:
        reserved = key in (*SINGLE_KEYS, "result") or parse_holding(key)
        breaks = "\n" in value or value != value.lstrip(BLANKS).rstrip(BLANKS + "\r")
        if reserved or breaks or not is_key(key):
            raise ValueError(f"not a header line of a record: {key!r}: {value!r}")
        lines.append(f"{key}: {value}".rstrip(" "))
    for seat in range(1, header.seats + 1):
        for kind in game.holdings:
            if (kind, seat) in deals:
                lines.append(f"{kind} {seat}: {rules.format_deal(deals[kind, seat])}")
    lines += [f"{seat}: {move}" for seat, move in events]
    if outcome is not None and outcome.winners:
        lines.append(f"result: {outcome.result}")
    return "\n".join(lines) + "\n"


# -- the lines --------------------------------------------------------------------------------------------------------


class Parser:
    """The state while a record is parsed. After a refused line, only `deal_fault` and `make_report` may be called."""

    def __init__(self) -> None:
        self.seen_keys: set[str] = set()
        self.rules: Rules[Any, Any] | None = None
        self.game_id = ""
        self.manifest: Manifest | None = None
        self.options: Mapping[str, str] = {}
        self.players: tuple[str, ...] = ()
        self.other_lines: list[tuple[str, str]] = []
        self.deals: dict[tuple[str, int], tuple[Any, ...]] = {}
        self.deal_lines: dict[tuple[str, int], int] = {}
        self.start: Any = None
        self.state: Any = None
        self.playing_rules: Rules[Any, Any] | None = None  # the rules, once the first position is made; None before
        self.line_number = 0
        self.events: list[tuple[int, Any]] = []
        self.event_lines: list[int] = []
        self.has_result = False

    def read_lines(self, lines: Iterable[str]) -> None:
        """Read all lines. Raises RefusedError; `line_number` is then the wrong line, from 1."""
        for self.line_number, raw_line in enumerate(lines, 1):
            line = raw_line.strip(BLANKS)
            head, colon, value = line.partition(":")
            text = value.lstrip(BLANKS)
            seat = _SEAT_NUMBERS.get(head) if colon and self.playing_rules else None
            if seat is None:
                if not line or line[0] == "#":
                    continue
                seat = self._read_other_line(head.rstrip(BLANKS) if colon else "", text)
            if seat is not None and (rules := self.playing_rules):
                move = parse_move(self.game_id, text) if len(text) <= _CACHED_EVENT_LETTERS else rules.parse_move(text)
                self.state = rules.play_move(self.state, seat, move)
                self.events.append((seat, move))
                self.event_lines.append(self.line_number)

    def _read_other_line(self, head: str, value: str) -> int | None:
        """Read a line that is not an event yet. Raises RefusedError.

        If the line is the first event, the play begins, and its seat is returned. `head` is the part before the colon,
        "" if the line has none.
        """
        rules, manifest = self.rules, self.manifest
        if rules is None or manifest is None:
            self._read_first_line(head, value)
        elif (seat := parse_number(head)) is not None:
            if not self.playing_rules:
                self._begin_play(rules)
            return seat
        elif head == "result":
            self._check_result(rules, value)
        elif holding := parse_holding(head):
            self._read_deal(rules, manifest, holding, value)
        elif is_key(head):
            self._read_header_line(manifest, head, value)
        else:
            reason = "it is not a header, deal, event or result"
            raise RefusedError("syntax", "this line", reason, "a line looks like 'note: good game'")
        return None

    def finish(self) -> None:
        """End the parsing.

        Raises RefusedError ``header`` if one of the first two lines is missing, ``deal`` if the deals do not fit.
        """
        if self.rules is None:
            missing = "game: ID" if self.seen_keys else f"companion-record: {VERSION}"
            raise RefusedError("header", "the record ends here", "", f"the line '{missing}' is missing")
        if not self.playing_rules:
            self._begin_play(self.rules)

    def deal_fault(self) -> Fault | None:
        """The fault of the first impossible deal; None if there is none, or once an event has been played.

        The rules check all deals together. This finds the line of the one to blame, by adding one deal after the other.
        """
        if self.playing_rules or self.rules is None:
            return None
        deals = {}
        for key, line in self.deal_lines.items():
            deals[key] = self.deals[key]
            try:
                self.rules.initial_state(self.seats, self.options, deals)
            except RefusedError as refused:
                return make_fault(line, refused)
        return None

    def make_report(self, fault: Fault | None) -> Report:
        """Make the report; it has no position if the fault is before the first event or result."""
        header = Header(self.game_id, self.options, self.players, tuple(self.other_lines)) if self.game_id else None
        if not self.playing_rules:
            return Report(header, {}, None, None, (), (), fault)
        events, lines = tuple(self.events), tuple(self.event_lines)
        return Report(header, self.deals, self.start, self.state, events, lines, fault, self.has_result)

    @property
    def seats(self) -> int:
        """The number of players: that of the names so far, or 2 if there are none."""
        return len(self.players) or 2

    def _read_first_line(self, key: str, value: str) -> None:
        if not self.seen_keys:
            if (key, value) != ("companion-record", VERSION):
                raise RefusedError("header", "", "", f"line 1 must be 'companion-record: {VERSION}'")
        elif key != "game":
            raise RefusedError("header", "", "", "line 2 must be 'game: ID'")
        else:
            self._choose_game(value)
        self.seen_keys.add(key)

    def _choose_game(self, game: str) -> None:
        """Choose the game. Raises RefusedError ``header`` if it is not installed, or has no records."""
        try:
            manifest = manifest_of(game)
            if not manifest.has_records:
                raise RefusedError("header", f"game {game}", "", f"there are no records of a {manifest.name.lower()}")
            self.rules = load_rules(game)
        except UnknownGameError as unknown:
            raise RefusedError("header", f"game {game[:22]}", "", str(unknown)) from None
        self.game_id, self.manifest, self.options = game, manifest, manifest.option_defaults

    def _read_header_line(self, manifest: Manifest, key: str, value: str) -> None:
        if self.deals or self.playing_rules:
            raise RefusedError("syntax", f"'{key[:22]}'", "", "header lines must come before the deals and the events")
        if key in SINGLE_KEYS and key in self.seen_keys:
            raise RefusedError("header", f"'{key}' again", "", "it can be given only once")
        if key == "options":
            self.options = parse_options(value, manifest.options)
        elif key == "players":
            self.players = parse_names(value, manifest.players)
        else:
            self.other_lines.append((key, value))
        self.seen_keys.add(key)

    def _read_deal(self, rules: Rules[Any, Any], manifest: Manifest, key: tuple[HoldingKind, int], text: str) -> None:
        kind, seat = key
        if self.playing_rules:
            raise RefusedError("deal", f"{kind} {seat}", "", "deals must come before the first event")
        if kind not in manifest.holdings:
            raise RefusedError("deal", f"{kind} {seat}", "", f"{manifest.name} has no such holding")
        if not 1 <= seat <= self.seats:
            raise RefusedError("deal", f"{kind} {seat}", f"the seats are 1 to {self.seats}", "there is no such seat")
        if key in self.deals:
            raise RefusedError("deal", f"{kind} {seat} again", "", "each holding is dealt once")
        self.deals[key] = rules.parse_deal(text, kind, self.options)
        self.deal_lines[key] = self.line_number

    def _begin_play(self, rules: Rules[Any, Any]) -> None:
        """Make the first position of all deals. Raises RefusedError ``deal``; `deal_fault` then finds the line."""
        self.start = self.state = rules.initial_state(self.seats, self.options, self.deals)
        self.playing_rules = rules

    def _check_result(self, rules: Rules[Any, Any], text: str) -> None:
        if not self.playing_rules:
            self._begin_play(rules)
        scores, winners = parse_result(text)
        if self.has_result:
            raise RefusedError("result", "the result again", "", "it can be given only once")
        outcome = rules.outcome(self.state)
        expected = f"the moves give {outcome.result}"
        if rules.seat_to_move(self.state) is not None:
            raise RefusedError("result", "too early", "the round is not over", "the result must come last")
        if scores != [str(score) for score in outcome.scores]:
            raise RefusedError("result", "wrong scores", expected, "the result must match the moves")
        if sorted(winners) != sorted(outcome.winners):
            raise RefusedError("result", "wrong winners", expected, "the result must name everybody who shares the win")
        self.has_result = True


@lru_cache(maxsize=8192)
def parse_move(game: str, text: str) -> Any:
    """Parse a move. It is cached, since records and the moves of one round repeat the same few thousand texts."""
    return load_rules(game).parse_move(text)


def make_fault(line: int, refused: RefusedError) -> Fault:
    """Make a refusal the fault of a line, with a message of at most `MAX_REASON_LETTERS`."""
    message = f"{refused.reason} ({refused.needed})" if refused.needed else refused.reason
    return Fault(
        line, refused.code, message if len(message) <= MAX_REASON_LETTERS else message[: MAX_REASON_LETTERS - 1] + "…"
    )


# -- the values in them -----------------------------------------------------------------------------------------------


def is_key(head: str) -> bool:
    """Whether a header line can begin with this word: an ASCII letter, then letters, digits, ``_`` and ``-``."""
    return head.isascii() and head[:1].isalpha() and head.replace("-", "_").isidentifier()


def parse_holding(head: str) -> tuple[HoldingKind, int] | None:
    """Parse the beginning of a deal line, such as ``deal 1``: the kind and the seat. None for any other line."""
    kind, seat = holding_kind(head[:4]), parse_number(head[4:].lstrip(BLANKS))
    return None if kind is None or seat is None else (kind, seat)


def is_usable_name(name: str) -> bool:
    """Whether a ``players`` line can contain the name.

    A name is not empty, does not begin or end with a space or tab, and contains no comma, no control character and no
    lone surrogate (which JSON and command lines may contain, but UTF-8 cannot).
    """
    has_surrogate = any("\ud800" <= char <= "\udfff" for char in name)
    is_unusable = "," in name or has_surrogate or not _CONTROL_CHARACTERS.isdisjoint(name)
    return bool(name) and not is_unusable and name == name.strip(BLANKS)


def parse_options(text: str, options: Mapping[str, Option]) -> dict[str, str]:
    """Parse an ``options`` line; options that are not given have their default. Raises RefusedError ``option``."""
    tokens = _split_at_blanks(text.replace("=", " = "))
    if len(tokens) % 3 or tokens[1::3].count("=") * 3 != len(tokens):
        raise RefusedError("option", "options", "", "write options as NAME=VALUE")
    chosen: dict[str, str] = {}
    for name, value in zip(tokens[::3], tokens[2::3], strict=True):
        if name not in options:
            raise RefusedError("option", f"option {name[:22]}", "", f"the options are {', '.join(options)}")
        if value not in options[name].values:
            raise RefusedError("option", f"{name}={value[:22]}", "", f"{name} is {' or '.join(options[name].values)}")
        if name in chosen:
            raise RefusedError("option", f"{name} again", "", "each option is given once")
        chosen[name] = value
    return {name: chosen.get(name) or option.default for name, option in options.items()}


def parse_names(text: str, players: Sequence[int]) -> tuple[str, ...]:
    """Parse a ``players`` line; `players` are the numbers of players that the game allows.

    Raises RefusedError ``header``.
    """
    count = text.count(",") + 1
    if count not in players:
        raise RefusedError("header", f"{count} names", "", f"this game is for {' or '.join(map(str, players))} players")
    names = tuple([name.strip(BLANKS) for name in text.split(",")])
    if not all(names) or not all(map(_CONTROL_CHARACTERS.isdisjoint, names)):
        raise RefusedError("header", "a name", "", "a name must not be empty or have control characters")
    return names


def parse_result(text: str) -> tuple[list[str], list[int]]:
    """Parse a ``result`` line: the scores as written, and the winning seats. Raises RefusedError ``result``."""
    words = _split_at_blanks(text)
    end = words.index("winners") if "winners" in words else 0
    winners = [seat for word in words[end + 1 :] if (seat := parse_number(word)) is not None]
    if not end or not winners or len(winners) < len(words) - end - 1:
        raise RefusedError("result", "the result", "", "a result looks like '12 6 winners 1'")
    return words[:end], winners


def _split_at_blanks(text: str) -> list[str]:
    """Split at spaces and tabs only; `str.split` would split at other characters too."""
    return [word for word in text.replace("\t", " ").split(" ") if word]

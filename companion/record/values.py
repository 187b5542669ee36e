"""What a record is made of: the values in its lines, and the report of all that was read."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from companion.game import Refused, Rules, parse_number
from companion.game.manifest import HoldingKind, Option, holding_kind
from companion.games import load, manifest

BLANKS = " \t"
_CONTROL = frozenset(map(chr, (*range(0x20), *range(0x7F, 0xA0))))


def is_key(head: str) -> bool:
    """Whether a header line can begin with this: an ASCII letter, then letters, digits, ``_`` and ``-``."""
    return head.isascii() and head[:1].isalpha() and head.replace("-", "_").isidentifier()


def read_holding(head: str) -> tuple[HoldingKind, int] | None:
    """The holding and the seat that a deal line begins with, such as ``deal 1``; None for any other line."""
    kind, seat = holding_kind(head[:4]), parse_number(head[4:].lstrip(BLANKS))
    return None if kind is None or seat is None else (kind, seat)


def usable_name(name: str) -> bool:
    """Whether a `players` line can contain the name.

    It must not be empty, begin or end with a space or tab, or contain a comma, a control character, or a lone surrogate
    (which JSON and command lines may contain but UTF-8 cannot).
    """
    surrogate = any("\ud800" <= char <= "\udfff" for char in name)
    wrong = "," in name or surrogate or not _CONTROL.isdisjoint(name)
    return bool(name) and not wrong and name == name.strip(BLANKS)


def read_options(text: str, known: Mapping[str, Option]) -> dict[str, str]:
    """Parse an `options` line; missing options have their default. Raises Refused ``option``."""
    tokens = _words(text.replace("=", " = "))
    if len(tokens) % 3 or tokens[1::3].count("=") * 3 != len(tokens):
        raise Refused("option", "options", "", "options are given as NAME=VALUE")
    chosen: dict[str, str] = {}
    for name, value in zip(tokens[::3], tokens[2::3], strict=True):
        if name not in known:
            raise Refused("option", f"option {name[:22]}", "", f"the options are {', '.join(known)}")
        if value not in known[name].values:
            raise Refused("option", f"{name}={value[:22]}", "", f"{name} is {' or '.join(known[name].values)}")
        if name in chosen:
            raise Refused("option", f"{name} again", "", "each option is given once")
        chosen[name] = value
    return {name: chosen.get(name) or option.default for name, option in known.items()}


def read_names(text: str, players: Sequence[int]) -> tuple[str, ...]:
    """Parse a `players` line; `players` are the possible numbers of names. Raises Refused ``header``."""
    count = text.count(",") + 1
    if count not in players:
        raise Refused("header", f"{count} names", "", f"this game is for {' or '.join(map(str, players))} players")
    names = tuple([name.strip(BLANKS) for name in text.split(",")])
    if not all(names) or not all(map(_CONTROL.isdisjoint, names)):
        raise Refused("header", "a name", "", "a name is not empty and has no control character")
    return names


def read_result(text: str) -> tuple[list[str], list[int]]:
    """Parse a `result` line: the scores, as they are written, and the winning seats. Raises Refused ``result``."""
    words = _words(text)
    end = words.index("winners") if "winners" in words else 0
    winners = [seat for word in words[end + 1 :] if (seat := parse_number(word)) is not None]
    if not end or not winners or len(winners) < len(words) - end - 1:
        raise Refused("result", "the result", "", "a result is like '12 6 winners 1'")
    return words[:end], winners


def _words(text: str) -> list[str]:
    """What blanks set apart; `str.split` would take other characters for blanks too."""
    return [word for word in text.replace("\t", " ").split(" ") if word]


# -- the report ----------------------------------------------------------------------------------------------------


def number_of_seats(names: tuple[str, ...]) -> int:
    """The number of players of a record with these names: as many as names, else 2."""
    return len(names) or 2


class Header(NamedTuple):
    """The header lines: the game's id, all options with their values, players (may be empty), other lines."""

    game: str
    options: Mapping[str, str]
    players: tuple[str, ...]
    other: tuple[tuple[str, str], ...]

    @property
    def seats(self) -> int:
        """The number of players."""
        return number_of_seats(self.players)


class Fault(NamedTuple):
    """Why a record is refused: the line (from 1), the refusal's code, and a sentence for players."""

    line: int
    code: str
    message: str


class FalseClaim(NamedTuple):
    """A proven false "I cannot": its line (from 1), the seat, an event that was possible, and whether that is sure."""

    line: int
    seat: int
    example: str
    sure: bool = True


class Report(NamedTuple):
    """The result of parsing a record: the legal `events`, with the number of each one's line (from 1) in `lines`.

    The events lead from the position `start` to `state`; both are None if header or deals are wrong. `header` is None
    if no game is known. `fault` is None for a legal record.
    """

    header: Header | None
    deals: Mapping[tuple[str, int], tuple[Any, ...]]
    start: Any
    state: Any
    events: tuple[tuple[int, Any], ...]
    lines: tuple[int, ...]
    fault: Fault | None

    @property
    def dealt(self) -> tuple[tuple[HoldingKind, int, str], ...]:
        """The deals as the store keeps them: kind, seat, and the pieces in short form."""
        return tuple(
            (kind, seat, self.rules.write_deal(pieces))
            for (word, seat), pieces in self.deals.items()
            if (kind := holding_kind(word))
        )

    @property
    def rules(self) -> Rules[Any, Any]:
        """The rules of the record's game. Raises ValueError if the record has no header."""
        if self.header is None:
            raise ValueError("the record names no game")
        return load(self.header.game)

    @property
    def name(self) -> str:
        """The game's name; "" if no game is known."""
        return manifest(self.header.game).name if self.header else ""

    @property
    def over(self) -> bool:
        """Whether the events end the round; False if the record has no position."""
        return self.state is not None and self.rules.turn(self.state) is None

    @property
    def claims(self) -> tuple[FalseClaim, ...]:
        """The false claims that the events prove, in order."""
        if self.state is None:
            return ()
        proven = self.rules.claims(self.start, self.events)
        return tuple(FalseClaim(self.lines[claim.event], claim.seat, claim.example, claim.sure) for claim in proven)

"""The values of a record's lines: options, names, and the result."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from companion.game import Refused

BLANKS = " \t"

# `re` compiles a pattern at its first use and keeps it: most records need few of them.
_OPTION = r"=|[^ \t=]+"
# Possessive quantifiers: no backtracking, so the time is linear in the line's length.
_RESULT = r"[ \t]*+((?:(?:0|-?+[1-9][0-9]*+)[ \t]++)++)winners((?:[ \t]++(?:0|[1-9][0-9]{0,2}+))++)"
_CONTROL = r"[\x00-\x1f\x7f-\x9f]"
_HALF = r"[\ud800-\udfff]"


def usable_name(name: str) -> bool:
    """Whether a `players` line can contain the name.

    It must not be empty, begin or end with a space or tab, or contain a comma, a control character, or a lone surrogate
    (which JSON and command lines may contain but UTF-8 cannot).
    """
    wrong = "," in name or re.search(_CONTROL, name) or re.search(_HALF, name)
    return bool(name) and not wrong and name == name.strip(BLANKS)


def read_options(text: str, known: Mapping[str, tuple[str, ...]]) -> dict[str, str]:
    """Parse an `options` line; `known` has the values of each option, the default first. Raises Refused ``option``.

    Missing options have their default.
    """
    tokens = re.findall(_OPTION, text)
    if len(tokens) % 3 or tokens[1::3].count("=") * 3 != len(tokens):
        raise Refused("option", "options", "", "options are given as NAME=VALUE")
    chosen: dict[str, str] = {}
    for name, value in zip(tokens[::3], tokens[2::3], strict=True):
        if name not in known:
            raise Refused("option", f"option {name[:22]}", "", f"the options are {', '.join(known)}")
        if value not in known[name]:
            raise Refused("option", f"{name}={value[:22]}", "", f"{name} is {' or '.join(known[name])}")
        if name in chosen:
            raise Refused("option", f"{name} again", "", "each option is given once")
        chosen[name] = value
    return {name: chosen.get(name, values[0]) for name, values in known.items()}


def read_names(text: str, players: Sequence[int]) -> tuple[str, ...]:
    """Parse a `players` line; `players` are the possible numbers of names. Raises Refused ``header``."""
    count = text.count(",") + 1
    if count not in players:
        raise Refused("header", f"{count} names", "", f"this game is for {' or '.join(map(str, players))} players")
    names = tuple([name.strip(BLANKS) for name in text.split(",")])
    if not all(names) or any(re.search(_CONTROL, name) for name in names):
        raise Refused("header", "a name", "", "a name is not empty and has no control character")
    return names


def read_result(text: str) -> tuple[list[str], list[int]]:
    """Parse a `result` line: the scores, as numbers of any length, and the winning seats. Raises Refused ``result``."""
    match = re.fullmatch(_RESULT, text)
    if match is None:
        raise Refused("result", "the result", "", "a result is like '12 6 winners 1'")
    return match[1].split(), [int(seat) for seat in match[2].split()]

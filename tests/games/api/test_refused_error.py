"""Refusals: a code and values, with one table of sentences for each game."""

from __future__ import annotations

import ast
from importlib import import_module
from pathlib import Path
from string import Formatter

import pytest

import companion
from companion import games
from companion.games import api
from companion.games.api import RefusedError, check_seat, check_turn
from companion.games.api.text import Text


class NimRefused(RefusedError):
    sentences = {"heap": ("heap {heap}", "there are {heaps}", "no such heap"), "heap none": ("no heap",)}  # noqa: RUF012


def test_sentences_come_from_the_table() -> None:
    """Each sentence is a text with its message and values; what the row leaves out is empty."""
    refused = NimRefused("heap", heap=4, heaps=3)
    assert (refused.code, refused.figure, refused.conflict, refused.rule, refused.needed) == (
        "heap", "heap 4", "there are 3", "no such heap", "",
    )  # fmt: skip
    assert isinstance(refused.figure, Text)
    assert (refused.figure.message, refused.figure.values) == ("heap {heap}", {"heap": 4, "heaps": 3})
    assert str(refused) == "heap: heap 4, there are 3: no such heap"
    other = NimRefused("heap none")
    assert (other.code, other.figure, other.reason) == ("heap", "no heap", "no heap")


def test_a_plain_sentence_is_accepted() -> None:
    """A game of another package needs no table. Braces in a plain sentence are no fields."""
    refused = RefusedError("pass", "{3}", "no", "nobody passes")
    assert (refused.code, refused.reason) == ("pass", "{3}, no: nobody passes")


def test_what_every_game_refuses() -> None:
    """Seats and turns are refused in the same words by all games."""
    with pytest.raises(RefusedError, match=r"^syntax: seat 3, the seats are 1 to 2: there is no such seat$"):
        check_seat(3, 2)
    with pytest.raises(RefusedError, match=r"^over: the round is over: no more moves can be made$"):
        check_turn(1, None)
    with pytest.raises(RefusedError, match=r"^turn: seat 1, seat 2 is to move: wait for your turn$"):
        check_turn(1, 2)


def rows(node: ast.expr) -> list[str]:
    """The rows that an expression can name: none for a variable, the beginning for an f-string."""
    match node:
        case ast.Constant(value=str(row)):
            return [row]
        case ast.IfExp(body=body, orelse=orelse):
            return [*rows(body), *rows(orelse)]
        case ast.JoinedStr(values=[first, *_]):
            return rows(first)
    return []


def raised(path: Path) -> list[tuple[str, set[str] | None]]:
    """The rows that a module raises, each with the names of its values; None for values that are made elsewhere."""
    found: list[tuple[str, set[str] | None]] = []
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "RefusedError":
            assert len(node.args) == 1, f"{path.name}, line {node.lineno}: sentences are in the game's table"
            named = {each.arg or "" for each in node.keywords}
            found += [(row, None if "" in named else named) for row in rows(node.args[0])]
    return found


@pytest.mark.parametrize("id_", games.built_in_game_ids())
def test_every_refusal_has_its_row_and_every_field_its_value(id_: str) -> None:
    """A sentence is only made when it is shown, so a missing row or value would go unnoticed until then.

    No row is unused.
    """
    folder = Path(companion.__file__).parent.joinpath(*games.package_name(id_).split(".")[1:])
    kind = import_module(type(games.load_rules(id_)).__module__).RefusedError
    assert issubclass(kind, api.RefusedError)
    calls = [each for path in sorted(folder.glob("*.py")) for each in raised(path)]
    assert calls or not kind.sentences, "the rules refuse by another name"
    for row, values in calls:
        sentences = [
            text for each, text in kind.sentences.items() if each == row or (row[-1] == " " and each.startswith(row))
        ]
        assert sentences, row
        fields = {name for text in sentences for said in text for _, name, _, _ in Formatter().parse(said) if name}
        assert values is None or fields <= values, (row, fields - values)
    code = "".join(path.read_text("utf-8") for path in folder.glob("*.py") if path.name != "refusals.py")
    made = tuple(row for row, _ in calls if row[-1] == " ")
    assert not [row for row in kind.sentences if f'"{row}"' not in code and not row.startswith(made)]
    assert all(1 <= len(sentences) <= 4 for sentences in kind.sentences.values())

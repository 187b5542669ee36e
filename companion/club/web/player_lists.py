"""The list of players that an organiser pastes in or uploads: names, a spreadsheet's cells, or "Smith, John".

Every line that is not blank is a player, the heading, or refused with a reason. Such lists are easily misread, so a
list is shown as it was understood, and saved only once the organiser has confirmed that.
"""

from __future__ import annotations

import codecs
import csv
import hashlib
import re
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from starlette.datastructures import FormData, UploadFile

from companion.club.tournament import TournamentError
from companion.games.api.computer_players import computer_strength
from companion.languages import format_list, text, translate
from companion.rounds.player_names import (
    MAX_NAME_LETTERS,
    is_valid_name,
    name_normalization_text,
    normalize_name,
    similar_name,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

NAME_HEADINGS = (
    "name", "names", "player", "players", "spieler", "spielerin", "teilnehmer", "joueur", "joueuse", "joueurs",
    "jugador", "jugadora", "jugadores", "nombres", "nom", "nombre",
)  # fmt: skip
FAMILY_NAME_HEADINGS = (
    "family name", "last name", "lastname", "surname", "nachname", "familienname", "zuname", "nom de famille",
    "apellido", "apellidos",
)  # fmt: skip
FIRST_NAME_HEADINGS = ("first name", "firstname", "given name", "forename", "vorname", "prénom", "prenom", "nombre")
"""Cells of a heading, in the languages of the box. Beside a family name "nombre" means the first name."""
TITLES = ("gm", "im", "fm", "cm", "nm", "wgm", "wim", "wfm", "wcm", "wnm", "dr", "dr.", "prof", "prof.", "mr", "mr.",
          "mrs", "mrs.", "ms", "ms.", "herr", "frau")  # fmt: skip
"""Cells before a name that are titles and not names."""
SWAP_AT_COMMA, FIRST_CELL_ONLY = "turned", "first"
"""How "Smith, John" is read: as John Smith, or only the first cell."""
MAX_LINES = 1_000
"""The most lines of a list that are not blank, many more than a tournament has players."""
MAX_FILE_BYTES = 2**20
"""The longest list that is uploaded, in bytes."""
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f]")


class ListLine(NamedTuple):
    """A line of a list as it was understood.

    Attributes:
        text: the line as it was pasted.
        name: the player's name, "" for a heading and for a line that is refused.
        reason: why the line is refused, "" for a player and for a heading.
        left_out: the cells of a player's line that are no part of the name.
        changes: what was changed in the name so that the box can show it, "" for nothing.
    """

    text: str
    name: str = ""
    reason: str = ""
    left_out: tuple[str, ...] = ()
    changes: str = ""

    @property
    def is_heading(self) -> bool:
        """Whether the line names the columns."""
        return not self.name and not self.reason

    @property
    def is_plain(self) -> bool:
        """Whether the line is a name and nothing else."""
        return bool(self.name) and self.name == self.text.strip(" \t")

    @property
    def notes(self) -> list[str]:
        """What the page says beside the line, in the reader's language."""
        if self.is_heading:
            return [text("a heading, not a player")]
        if self.reason:
            return [text("not a player: {why}", why=translate(self.reason))]
        if not self.left_out and not self.changes and not self.is_plain:
            return [text("read from: {line}", line=self.text)]
        notes: list[str] = [text("left out: {cells}", cells="; ".join(self.left_out))] if self.left_out else []
        return [*notes, translate(self.changes)] if self.changes else notes


class ListNotConfirmedError(TournamentError):
    """A list that has to be shown before it is saved.

    Attributes:
        lines: each line as it was understood.
        question: a line like "Smith, John", if it is not known how it is meant; else "".
        digest: what the form sends back once the organiser has seen these lines.
    """

    def __init__(self, lines: Sequence[ListLine], question: str, digest: str) -> None:
        super().__init__("")
        self.lines = tuple(lines)
        self.question = question
        self.digest = digest


class _Columns(NamedTuple):
    """The columns of the name (or the family name) and of the first name; -1 for none."""

    name: int = -1
    first: int = -1


def parse_players(
    pasted: str, comma_rule: str = "", confirmed_digest: str = "", existing_names: Sequence[str] = ()
) -> list[str]:
    """Parse a list of players into names. Raises ListNotConfirmedError until the organiser has confirmed it.

    `comma_rule` says how lines like "Smith, John" are read: SWAP_AT_COMMA, FIRST_CELL_ONLY, or "" if that is not known.
    `confirmed_digest` is the digest of the list that the organiser has seen and confirmed, and `existing_names` are the
    players of the tournament so far. Raises TournamentError if the list is too long.
    """
    lines, question = parse_lines(pasted, comma_rule, existing_names)
    digest = hashlib.sha256(
        "\n".join((comma_rule, *(line.text for line in lines))).encode("utf-8", "replace")
    ).hexdigest()
    if lines and (question or confirmed_digest != digest):
        raise ListNotConfirmedError(lines, question, digest)
    return [line.name for line in lines if line.name]


def parse_lines(pasted: str, comma_rule: str = "", existing_names: Sequence[str] = ()) -> tuple[list[ListLine], str]:
    """Parse each line that is not blank; and find the first that can be meant in two ways, "" for none.

    Raises TournamentError if there are too many lines.
    """
    lines = [line for line in re.split(r"\r\n|\r|\n", pasted) if line.strip()]
    if len(lines) > MAX_LINES:
        raise TournamentError(text("this list is too long: it may have at most {most} lines", most=MAX_LINES))
    separator = next((separator for separator in ";\t," if any(separator in line for line in lines)), ",")
    columns = _heading_columns(_normal_names(_split_cells(lines[0], separator))) if lines else None
    list_lines = [ListLine(lines[0])] if columns is not None else []
    names: list[str] = []
    question = ""
    for line in lines[len(list_lines) :]:
        cells = _split_cells(line, separator)
        name, left_out, line_question = _find_name(_normal_names(cells), columns, comma_rule)
        question = question or line_question
        reason = _name_refusal(name, names, existing_names)
        if reason:
            list_lines.append(ListLine(line, reason=reason))
            continue
        names.append(name)
        changes = (name_normalization_text(cell) for cell in cells if normalize_name(cell) not in left_out)
        list_lines.append(
            ListLine(line, name, left_out=left_out, changes=format_list(dict.fromkeys(filter(None, changes))))
        )
    return list_lines, question


def _split_cells(line: str, separator: str) -> list[str]:
    """Split a line into cells. A quote without its second one is left out, so that it does not join lines."""
    if line.count('"') % 2:
        line = line.replace('"', "")
    return next(csv.reader([line], delimiter=separator, skipinitialspace=True), [])


def _normal_names(cells: Sequence[str]) -> list[str]:
    return [normalize_name(cell) for cell in cells]


def _heading_columns(cells: Sequence[str]) -> _Columns | None:
    """The columns of the names, if these cells are a heading; else None."""
    folded = [cell.casefold() for cell in cells]
    family_name_column, first_name_column, name_column = (
        next((index for index, cell in enumerate(folded) if cell in headings), -1)
        for headings in (FAMILY_NAME_HEADINGS, FIRST_NAME_HEADINGS, NAME_HEADINGS)
    )
    if family_name_column >= 0:
        return _Columns(family_name_column, first_name_column)
    if name_column < 0:
        return None
    return _Columns(name_column, first_name_column if first_name_column != name_column else -1)


def _find_name(cells: list[str], columns: _Columns | None, comma_rule: str) -> tuple[str, tuple[str, ...], str]:
    """The name in a line's cells, the cells beside the name, and a question about the line, "" for none."""
    if columns is not None:
        columns_used = [index for index in (columns.first, columns.name) if 0 <= index < len(cells)]
        if columns.name not in columns_used or not cells[columns.name]:
            return "", (), ""
        name = " ".join(cells[index] for index in columns_used if cells[index])
        rest = [cell for index, cell in enumerate(cells) if index not in columns_used]
        has_first_name = columns.first >= 0
    else:
        start = next((index for index, cell in enumerate(cells) if _is_name(cell)), len(cells))
        name = re.sub(r"^[0-9]+[.)] +", "", cells[start]) if start < len(cells) else ""
        rest = cells[:start] + cells[start + 1 :]
        has_first_name = False
    second = ""
    if "," in name and not has_first_name:
        name, second = map(normalize_name, name.split(",", 1))
        rest = [second, *rest]
    elif columns is None and start + 1 < len(cells) and _is_name(cells[start + 1]):
        second = cells[start + 1]
    question = f"{name}, {second}" if second and comma_rule not in (SWAP_AT_COMMA, FIRST_CELL_ONLY) else ""
    if second and comma_rule == SWAP_AT_COMMA:
        name = f"{second} {name}"
        rest.remove(second)
    return name, tuple(filter(None, rest)), question


def _is_name(cell: str) -> bool:
    """Whether a cell can be a name: not blank, no number, rating or date, and no title."""
    return not re.fullmatch("[0-9 .,()+#/:-]*", cell) and cell.casefold() not in TITLES


def _name_refusal(name: str, names: Sequence[str], existing_names: Sequence[str]) -> str:
    """Why a name cannot be one more player of a list, "" if it can."""
    if not name:
        return text("there is no name in this line")
    if computer_strength(name):
        return text("{who} is one of the names that the computer plays under: choose another", who=name)
    if "\N{REPLACEMENT CHARACTER}" in name:
        return text("a letter of this name is damaged: save the list as UTF-8 and copy it again")
    if not is_valid_name(name):
        message = "to fit on the box, a name has 1 to {most} letters and no comma: {name}"
        return text(message, most=MAX_NAME_LETTERS, name=name[:30])
    if name in names:
        return text("two players are named {who}: change one of the names", who=name)
    if name in existing_names:
        return text("{who} is already in the tournament", who=name)
    if other := similar_name(name, [*existing_names, *names]):
        message = "{one} and {other} differ only in capital letters: change one of them"
        return text(message, one=other, other=name)
    return ""


async def form_with_file(form: FormData) -> FormData:
    """Return the form with the text of its file, if one was chosen, in place of the pasted list.

    Raises TournamentError if the file is too large or no text.
    """
    file = form.get("file")
    if not isinstance(file, UploadFile) or not file.filename:
        return form
    data = await file.read(MAX_FILE_BYTES + 1)
    await file.close()
    if len(data) > MAX_FILE_BYTES:
        raise TournamentError(text("this file is larger than 1 MB: save only the players as CSV, and choose that file"))
    other_fields = [(key, value) for key, value in form.multi_items() if key not in ("file", "names", "seen")]
    return FormData([*other_fields, ("names", decode_text(data))])


def decode_text(data: bytes) -> str:
    """Decode a file in UTF-8, UTF-16 with a byte order mark, or Windows-1252. Raises TournamentError."""
    utf_16 = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    for encoding in ("utf-16",) if utf_16 else ("utf-8-sig", "cp1252"):
        with suppress(UnicodeDecodeError):
            content = data.decode(encoding)
            if not content.strip():
                raise TournamentError(text("this file is empty"))
            if not _CONTROL.search(content):
                return content
    raise TournamentError(text("this is not a text file: save the list as CSV, and choose that file"))

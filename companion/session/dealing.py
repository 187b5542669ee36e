"""Entering pieces, typed or picked: the open holdings of a deal, seat by seat, and the refills of a round."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.game import Refused
from companion.game.manifest import holding_kind
from companion.session import guard, mending_pages, rounds, table_menu
from companion.session.model import Dealing, Refusing, Session

if TYPE_CHECKING:
    from companion.session.model import Round

LONGEST = 2
"""How many pieces too many can be entered, so that a mistake is shown as a wrong count."""


def press(session: Session, mode: Dealing, key: str) -> Session:
    """A key while pieces are named."""
    round_ = session.round
    if round_ is None:
        return session
    if key == "#":
        return _entered(session, mode._replace(stray=""))
    mode = mode._replace(wrong=None, stray="")
    if key == "*":
        return _erased(session, mode)
    if key in ("up", "down", "left", "right"):
        return session._replace(mode=_walked(mode._replace(keys=""), offered(round_, mode), key))
    return session._replace(mode=_typed(session, mode, key))


def _typed(session: Session, mode: Dealing, key: str) -> Dealing:
    round_ = session.round
    assert round_ is not None
    read = round_.entry.pieces(mode.keys + key, mode.kind, round_.options)
    if read is None:
        return mode._replace(cursor=None, stray=key)
    if len(mode.pieces) >= mode.size + LONGEST:
        return mode._replace(cursor=None)
    whole, begun = read
    if any(_unknown(round_, mode, piece) for piece in whole):
        return mode._replace(cursor=None, stray=key)
    return mode._replace(pieces=(*mode.pieces, *whole), keys=begun, cursor=None)


def _unknown(round_: Round, mode: Dealing, piece: str) -> bool:
    """Whether a face-up piece does not exist in the game; hidden pieces are only judged as a whole holding."""
    grid = round_.entry.grid(mode.grid or mode.kind, round_.options)
    return not round_.entry.masked(mode.kind, piece) and not any(piece in row for row in grid)


def offered(round_: Round, mode: Dealing) -> list[tuple[int, int]]:
    """The places of the grid, in reading order, whose pieces can still be named.

    That depends on public knowledge and on what is entered; once all pieces are named, the last one can be replaced.
    """
    rows = round_.entry.grid(mode.grid or mode.kind, round_.options)
    view = round_.game.view(round_.state, None)
    spare = round_.entry.spare(view, mode.grid or mode.kind, mode.seat)
    named = mode.pieces[: mode.size - 1]
    return [
        (row, column)
        for row, pieces in enumerate(rows)
        for column, piece in enumerate(pieces)
        if spare is None or spare.get(piece, 0) > named.count(piece)
    ]


def _walked(mode: Dealing, places: list[tuple[int, int]], key: str) -> Dealing:
    """The picker after an arrow key; the first arrow only shows it."""
    if not places:
        return mode
    if mode.cursor is None:
        return mode._replace(cursor=places[0], moved=True)
    cursor = walked(places, mode.cursor, key)
    return mode._replace(cursor=cursor, moved=True) if cursor != mode.cursor or key in ("left", "right") else mode


def walked(places: list[tuple[int, int]], cursor: tuple[int, int], key: str) -> tuple[int, int]:
    """The place after an arrow key: right and left in reading order, up and down to the nearest in another row."""
    if not places:
        return cursor
    if key in ("right", "left"):
        return _next(places, cursor, forward=key == "right")
    row, column = cursor
    others = sorted({line for line, _ in places} - {row}, reverse=key == "up")
    if not others:
        return cursor
    other = next((line for line in others if (line > row) == (key == "down")), others[0])
    return other, min((place for line, place in places if line == other), key=lambda place: abs(place - column))


def _next(places: list[tuple[int, int]], cursor: tuple[int, int], *, forward: bool) -> tuple[int, int]:
    """The next place in reading order, which wraps around; `cursor` need not be one of the places."""
    if forward:
        return next((place for place in places if place > cursor), places[0])
    return next((place for place in reversed(places) if place < cursor), places[-1])


def _erased(session: Session, mode: Dealing) -> Session:
    if mode.keys:
        return session._replace(mode=mode._replace(keys=mode.keys[:-1]), erased=session.clock)
    if mode.pieces:
        return session._replace(mode=_without_last(session, mode), erased=session.clock)
    if session.clock - session.erased < guard.ERASE_SECONDS:
        return guard.waiting(session, session.erased + guard.ERASE_SECONDS)
    return table_menu.open_menu(session)


def _without_last(session: Session, mode: Dealing) -> Dealing:
    """The entry without its last piece, with the picker on it."""
    round_ = session.round
    if mode.cursor is None or round_ is None:
        return mode._replace(pieces=mode.pieces[:-1])
    rows = round_.entry.grid(mode.grid or mode.kind, round_.options)
    places = ((row, pieces.index(mode.pieces[-1])) for row, pieces in enumerate(rows) if mode.pieces[-1] in pieces)
    return mode._replace(pieces=mode.pieces[:-1], cursor=next(places, mode.cursor), moved=True)


def _picked(round_: Round, mode: Dealing, cursor: tuple[int, int]) -> Dealing:
    """The entry with the piece under the picker, which goes on to the next; once all are named it replaces the last."""
    piece = round_.entry.grid(mode.grid or mode.kind, round_.options)[cursor[0]][cursor[1]]
    mode = mode._replace(pieces=(*mode.pieces[: mode.size - 1], piece), moved=False, wrong=None)
    places = offered(round_, mode)
    # The last one stays under the picker: OK hands the pieces in, an arrow goes on from it.
    return mode._replace(
        cursor=_next(places, cursor, forward=True) if places and len(mode.pieces) < mode.size else cursor
    )


def _entered(session: Session, mode: Dealing) -> Session:
    """OK adds the picked piece while some are missing, or replaces the last; else the holding is checked and taken."""
    round_ = session.round
    assert round_ is not None
    if mode.cursor is not None and (len(mode.pieces) < mode.size or (mode.moved and len(mode.pieces) == mode.size)):
        return session._replace(mode=_picked(round_, mode, mode.cursor))
    if mode.keys or not mode.pieces:
        return session  # The screen shows what is missing.
    if mode.wrong is not None:
        return mending_pages.entry_opened(session, mode)
    text = " ".join(mode.pieces)
    try:
        kind = holding_kind(mode.kind)
        if kind in round_.manifest.holdings and kind is not None:
            return rounds.deal(session, kind, mode.seat, text)
        return rounds.commit(session, f"{mode.kind} {text}")
    except Refused as refused:
        refused = _unnamed(round_, mode, refused, text)
        kept = mode._replace(wrong=refused)
        return session._replace(mode=Refusing(refused, kept), sounds=(*session.sounds, "refused"))


def _unnamed(round_: Round, mode: Dealing, refused: Refused, text: str) -> Refused:
    """A refusal of pieces without those that are hidden, which its owner alone knows; `text` is what was handed in."""
    figure = refused.figure
    if figure in mode.pieces and round_.entry.masked(mode.kind, figure):
        # The others are not to learn of what kind the slip was.
        figure = f"piece {len(mode.pieces) - mode.pieces[::-1].index(figure)}"
    elif figure and text.startswith(figure) and any(round_.entry.masked(mode.kind, piece) for piece in mode.pieces):
        # Rules that cannot read a text say how it begins.
        figure = "these pieces"
    return refused if figure == refused.figure else Refused(refused.code, figure, refused.against, refused.rule)

"""What everybody may see of a session, as plain data for the big screen and for other programs.

Only `view(state, None)` and what the panel shows to everybody is used, so nothing here contains a hidden piece. While
the panel shows one player's pieces, only "look away" is told.
"""

from __future__ import annotations

import base64
import io
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from companion import games, screens
from companion.game.entry import without_hidden
from companion.session import clock, countdown, evening, hooks, mending_pages, opponent
from companion.session.model import (
    Hint,
    LookAway,
    Mending,
    Notice,
    PadRound,
    Peek,
    Playing,
    Refusing,
    Round,
    RoundOver,
    Scoring,
    Session,
)

if TYPE_CHECKING:
    from PIL import Image

    from companion.game import Refused
    from companion.session.model import Mode

LAST_MOVES = 6
"""The most moves that are listed, the newest last."""


def public(session: Session) -> dict[str, Any]:
    """The session for everybody.

    Keys: ``moment`` (the class of the session's mode, in lower case), ``game``, ``players`` (a list of name, score,
    turn), ``sheet`` (see `sheet`; null without a score pad), ``board`` (SVG, "" where the game has none or no round is
    on the table), ``panel`` (the panel's picture as a base64 PNG), ``moves`` (seat, text), ``refusal``, ``notice``,
    ``result``, ``clock``, ``evening`` (standings).
    """
    round_ = session.round
    mode = session.mode
    return {
        "moment": type(mode).__name__.lower(),
        "game": round_.manifest.name if round_ is not None else session.pad.pad.title if session.pad else "",
        "players": _players(round_) if session.pad is None else _pad_players(session.pad, session.mode),
        "sheet": sheet(session.pad) if session.pad is not None else None,
        "board": board(round_) if round_ is not None and _at_board(session) else "",
        "panel": _panel(session),
        "moves": moves(round_) if round_ is not None else [],
        "refusal": _refusal(mode.refused, round_) if isinstance(mode, Refusing) else None,
        "notice": _notice(mode) or _box_move(session),
        "result": _result(round_) if round_ is not None and isinstance(mode, RoundOver) else None,
        "clock": (" : ".join(countdown.times(session)) or clock.line(session)) if round_ is not None else "",
        "evening": _evening(session),
    }


def _at_board(session: Session) -> bool:
    """Whether the board is to be shown and not the panel: in play, also during a refusal or notice, and at the end."""
    round_ = session.round
    return (
        round_ is not None
        and not round_.waiting
        and isinstance(session.mode, Playing | Refusing | Notice | RoundOver | Peek | LookAway | Hint | Mending)
    )


def _players(round_: Round | None) -> list[dict[str, Any]]:
    if round_ is None:
        return []
    label, numbers = (round_.manifest.counts, round_.counted) if not round_.waiting else ("", ())
    return [
        {
            "name": name,
            "turn": round_.turn == seat,
            "score": numbers[seat - 1] if numbers else None,
            "unit": label,
        }
        for seat, name in enumerate(round_.header.names, 1)
    ]


def _pad_players(sheet: PadRound, mode: Mode) -> list[dict[str, Any]]:
    """The players of a score pad; the one whose points are entered next is the one to move."""
    at = mode.seat if isinstance(mode, Scoring) else 0
    return [
        {"name": name, "turn": seat == at, "score": total, "unit": "points"}
        for seat, (name, total) in enumerate(zip(sheet.header.names, sheet.pad.totals, strict=True), 1)
    ]


def sheet(pad: PadRound) -> dict[str, Any]:
    """A score pad's running sheet: ``names``, ``rows`` (turn by turn, each player's points, "" for none), ``totals``.

    Beside them ``title``, ``lowest`` (the fewest points win), ``target`` and ``turns`` (0 for none).
    """
    columns: list[list[str]] = [[] for _ in pad.header.names]
    for seat, points in pad.pad.entries:
        columns[seat - 1].append(f"{points:+d}")
    rows = [list(row) for row in zip_longest(*columns, fillvalue="")]
    rules = {"lowest": pad.pad.lowest, "target": pad.pad.target, "turns": pad.pad.turns}
    found = {"names": list(pad.header.names), "rows": rows, "totals": list(pad.pad.totals)}
    return {"title": pad.pad.title, "over": pad.over} | found | rules


def board(round_: Round) -> str:
    """The board as SVG, "" where the game has none."""
    board = games.load_board(round_.header.game)
    if board is None:
        return ""
    last = None
    if round_.events:
        seat, text = round_.events[-1]
        last = (seat, round_.game.read(without_hidden(round_.entry, text)))
    try:
        return str(board.draw(round_.game.view(round_.state, None), round_.header.names, last))
    except Exception:  # A game of another package may fail here: then the panel is shown, and the table plays on.
        return ""


def _panel(session: Session) -> str:
    """The panel's picture; while a player's own pieces are on it, that of the question before."""
    session = session._replace(mode=mending_pages.covered(session.mode))
    if isinstance(session.mode, Peek):
        session = session._replace(mode=LookAway(session.mode.seat))
    return png(screens.draw(session))


def png(picture: Image.Image) -> str:
    """A picture as PNG in base64."""
    file = io.BytesIO()
    picture.save(file, "PNG")
    return base64.b64encode(file.getvalue()).decode("ascii")


def moves(round_: Round) -> list[dict[str, str]]:
    """The last events, the newest last: player, the event as in a record, and in words."""
    first = max(0, len(round_.events) - LAST_MOVES)
    return [
        {"name": round_.name(seat), "text": without_hidden(round_.entry, text), "told": _in_words(round_, index)}
        for index, (seat, text) in enumerate(round_.events[first:], first)
    ]


def _in_words(round_: Round, index: int) -> str:
    """An event in words that follow its player's name, or as in a record if the game has no words."""
    seat, text = round_.events[index]
    text = without_hidden(round_.entry, text)
    board = games.load_board(round_.header.game)
    if board is None:
        return text
    before, after = (round_.game.view(state, None) for state in round_.states[index : index + 2])
    try:
        return str(board.describe_move(before, seat, round_.game.read(text), after, round_.header.names))
    except Exception:  # A game of another package may have no words, or fail at them.
        return text


def _refusal(refused: Refused, round_: Round | None) -> dict[str, str]:
    return {
        "code": refused.code,
        "figure": hooks.with_names(refused.figure, round_),
        "against": hooks.with_names(refused.against, round_),
        "rule": refused.rule,
        "needed": refused.needed,
    }


def _notice(mode: Mode) -> list[str] | None:
    """What the panel tells until a press, a heading first: a notice, or a hint that rests on no hidden piece."""
    match mode:
        case Notice():
            return [mode.heading, *mode.lines, mode.after]
        case Hint(hidden=False, parts=parts, number=number) if parts:
            return parts[number].said
    return None


def _box_move(session: Session) -> list[str] | None:
    """What the box does whose turn it is, None in a person's."""
    said = opponent.announced(session) if isinstance(session.mode, Playing) else ()
    return list(said) or None


def _result(round_: Round) -> dict[str, Any]:
    outcome = round_.outcome
    return {"winners": [round_.name(seat) for seat in outcome.winners], "reason": outcome.reason}


def _evening(session: Session) -> list[dict[str, Any]]:
    """Rounds won and played this evening, the most won first."""
    day = evening.standings(evening.results(session.past))
    return [{"name": each.name, "won": each.won, "played": each.played} for each in day]

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
from companion.contents import kinds
from companion.contents.data import data
from companion.game.entry import without_hidden
from companion.rounds import standings
from companion.rounds.on_table import PadRound, Round
from companion.session import clock, countdown
from companion.session.model import Session

if TYPE_CHECKING:
    from collections.abc import Callable

    from PIL import Image

    from companion.contents.kinds import Content

LAST_MOVES = 6
"""The most moves that are listed, the newest last."""


def public(session: Session) -> dict[str, Any]:
    """The session for everybody.

    Keys: ``moment`` (the family of the session's moment, in lower case), ``game``, ``players`` (a list of name, score,
    turn), ``sheet`` (see `sheet`; null without a score pad), ``board`` (SVG, "" where the game has none or no round is
    on the table), ``panel`` (the panel's picture as a base64 PNG), ``content`` (what it shows, in words and numbers;
    see `companion.contents`), ``moves`` (seat, text), ``refusal``, ``notice``, ``result``, ``clock``, ``evening``
    (standings).
    """
    round_ = session.round
    mode = session.mode
    by_all = seen(session)
    content = _content(by_all)
    faults: list[str] = []
    shown = mode.round_shown(session)
    drawing = board(shown, faults) if shown is not None and not shown.waiting else ""
    told = moves(round_, faults) if round_ is not None else []
    return {
        "moment": mode.family.lower(),
        "game": round_.manifest.name if round_ is not None else session.pad.pad.title if session.pad else "",
        "players": _players(round_) if session.pad is None else _pad_players(session.pad, content),
        "sheet": sheet(session.pad) if session.pad is not None else None,
        "board": drawing,
        "panel": png(screens.draw(by_all)),
        "content": data(content) if content is not None else None,
        "moves": told,
        "refusal": _refusal(content) if isinstance(content, kinds.Refusal) else None,
        "notice": list(mode.announces(session)) or faults[:1] or None,
        "result": _result(content) if round_ is not None and isinstance(content, kinds.Result) else None,
        "clock": (" : ".join(countdown.times(session)) or clock.line(session)) if round_ is not None else "",
        "evening": _evening(session),
    }


def _content(session: Session) -> Content | None:
    """What the moment says, None where the game of another package fails; the panel's picture says so."""
    try:
        return session.mode.says(session)
    except Exception:
        if not games.is_added(session.game):
            raise
        return None


def _players(round_: Round | None) -> list[dict[str, Any]]:
    if round_ is None:
        return []
    label, numbers = (round_.manifest.result_counts, round_.result_counts) if not round_.waiting else ("", ())
    return [
        {
            "name": name,
            "turn": round_.turn == seat,
            "score": numbers[seat - 1] if numbers else None,
            "unit": label,
        }
        for seat, name in enumerate(round_.header.names, 1)
    ]


def _pad_players(sheet: PadRound, content: Content | None) -> list[dict[str, Any]]:
    """The players of a score pad; the one whose points are entered next is the one to move."""
    at = content.seat if isinstance(content, kinds.Scores) else 0
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


def _asked(round_: Round, faults: list[str], ask: Callable[[], object], otherwise: str) -> str:
    """What the game's own code answers; where one of another package fails `otherwise`, and a sentence in `faults`.

    What a game of ours raises is an error in the program: it is raised here too.
    """
    try:
        return str(ask())
    except Exception as error:
        if not games.is_added(round_.header.game):
            raise
        faults.append(f"{games.failure(round_.header.game, error)}.")
        return otherwise


def board(round_: Round, faults: list[str]) -> str:
    """The board as SVG, "" where the game has none, or (told in `faults`) one of another package cannot draw it."""
    found = games.load_board(round_.header.game)
    if found is None:
        return ""
    last = None
    if round_.events:
        seat, text = round_.events[-1]
        last = (seat, round_.game.read(without_hidden(round_.entry, text)))

    def drawing() -> object:
        return found.draw(round_.game.view(round_.state, None), round_.header.names, last)

    return _asked(round_, faults, drawing, "")


def seen(session: Session) -> Session:
    """The session without what lets a phone in; while a player's own pieces are shown, with what stands before them."""
    return session._replace(mode=session.mode.in_public, code=None)


def png(picture: Image.Image) -> str:
    """A picture as PNG in base64."""
    file = io.BytesIO()
    picture.save(file, "PNG")
    return base64.b64encode(file.getvalue()).decode("ascii")


def moves(round_: Round, faults: list[str]) -> list[dict[str, str]]:
    """The last events, the newest last: player, the event as in a record, and in words.

    Where a game of another package fails at the words, that is told in `faults`.
    """
    first = max(0, len(round_.events) - LAST_MOVES)
    return [
        {
            "name": round_.name(seat),
            "text": without_hidden(round_.entry, text),
            "told": _in_words(round_, index, faults),
        }
        for index, (seat, text) in enumerate(round_.events[first:], first)
    ]


def _in_words(round_: Round, index: int, faults: list[str]) -> str:
    """An event in words that follow its player's name."""
    seat, text = round_.events[index]
    text = without_hidden(round_.entry, text)

    def words() -> object:
        game, after = round_.game, round_.states[index + 1]
        before, again = game.view(round_.states[index], None), game.turn(after) == seat
        return round_.entry.move_words(before, seat, game.read(text), round_.header.names, again=again).said

    return _asked(round_, faults, words, text)


def _refusal(refusal: kinds.Refusal) -> dict[str, str]:
    return {
        "code": refusal.code,
        "figure": refusal.figure,
        "against": refusal.against,
        "rule": refusal.rule,
        "needed": refusal.needed,
    }


def _result(result: kinds.Result) -> dict[str, Any]:
    return {"winners": list(result.winners), "reason": result.reason}


def _evening(session: Session) -> list[dict[str, Any]]:
    """Rounds won and played this evening, the most won first."""
    day = standings.of_rounds(standings.of_day(session.past))
    return [{"name": each.name, "won": each.won, "played": each.played} for each in day]

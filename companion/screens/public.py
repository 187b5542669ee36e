"""Session → what everybody may see of it, as plain data: for the big screen, which is not 128×64 pixels.

Only `view(state, None)` and what the panel shows to all is used, so nothing here can tell a hidden piece. A moment in
which the panel shows one player's pieces is told as "look away" alone.
"""

from __future__ import annotations

import base64
import io
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from companion import games, screens
from companion.screens.scene import public as public_text
from companion.session import clock, countdown, evening, hooks, mending, mending_pages, opponent, phone_requests, phones
from companion.session.model import (
    Dealing,
    Hint,
    Letting,
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

KEYS = "123456789ABCD0"
"""The keypad's keys, in the order in which a phone offers them."""
LAST_MOVES = 6
"""So many moves are listed, the newest last."""


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
    """Whether the board says more than the panel: in play, with a refusal or notice over it, and at the end."""
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
    """The players of a score pad, whose points are entered next as the one to move."""
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
        last = (seat, round_.game.read(public_text(round_, text)))
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
    """The last events, the newest last: who, what as in a record, and what it did in words."""
    first = max(0, len(round_.events) - LAST_MOVES)
    return [
        {"name": round_.name(seat), "text": public_text(round_, text), "told": _told(round_, index)}
        for index, (seat, text) in enumerate(round_.events[first:], first)
    ]


def _told(round_: Round, index: int) -> str:
    """What an event did in words that follow its player's name; as in a record where the game has none."""
    seat, text = round_.events[index]
    text = public_text(round_, text)
    board = games.load_board(round_.header.game)
    if board is None:
        return text
    before, after = (round_.game.view(state, None) for state in round_.states[index : index + 2])
    try:
        return str(board.told(before, seat, round_.game.read(text), after, round_.header.names))
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
    """Rounds won and played today, the most won first."""
    day = evening.standings(evening.results(session.past))
    return [{"name": each.name, "won": each.won, "played": each.played} for each in day]


def for_guests(session: Session) -> dict[str, Any]:
    """Everything that the table's guests are told.

    What is public, whose each phone is, what the phone of each player may see, whose a phone may be, which phone is the
    host's, about which one the box asks, and the names that the box offers first.
    """
    seats = {name: seat(session, name) for _, name in session.paired}
    names = list(phones.players(session))
    asks = session.mode.phone if isinstance(session.mode, Letting) else ""
    told = {"public": public(session), "phones": dict(session.paired), "seats": seats, "names": names}
    return told | {"host": session.host, "asks": asks, "favourites": list(session.past.favourites)}


def seat(session: Session, name: str) -> dict[str, Any]:
    """What a player's own phone may see beside what is public: the player's pieces, and what there is to do now.

    Built from the position as that player knows it. Keys: ``name``, ``plays`` (false where others play),
    ``pieces`` (the hidden pieces in words), ``turn``, ``deal`` (pieces that must be named, with a grid of those there
    are; null where none), ``asked`` (the question to which consent is awaited), ``named`` (the pieces that this
    player has named, where they can be mended), ``back`` (it may ask to take back).
    """
    round_ = session.round
    number = phones.seat_of(session, name)
    if round_ is None or not number:
        nothing = {"pieces": "", "turn": False, "deal": None, "asked": "", "named": [], "hints": False, "back": False}
        return {"name": name, "plays": name in phones.players(session)} | nothing
    mode = session.mode.then if isinstance(session.mode, Notice) else session.mode
    question = phone_requests.asked_of(session, number)
    return {
        "name": name,
        "plays": True,
        "pieces": _own(round_, number),
        "turn": isinstance(mode, Playing) and round_.turn == number,
        "deal": _deal(round_, number),
        "asked": " ".join((question.title, *question.lines)) if question is not None else "",
        "named": _namings(round_, number),
        "hints": session.hints,
        "back": isinstance(mode, Playing | Dealing | RoundOver) and bool(round_.events),
    }


def _namings(round_: Round, number: int) -> list[dict[str, Any]]:
    """What a seat has named, in its deals and refills: a place each, the pieces, and a grid of those there are."""
    if round_.over:
        return []
    found = []
    for named in mending.namings(round_, number):
        held = round_.manifest.holdings.get(named.word)
        says = held.noun.capitalize() if held and not named.move else f"Move {named.move}"
        found.append({"place": named.place, "says": says, "pieces": named.pieces, "grid": _grid(round_, named.word)})
    return found


def _own(round_: Round, number: int) -> str:
    if round_.waiting or not any(held == number for _, held, _ in round_.deals):
        return ""
    return round_.entry.own(round_.game.view(round_.state, number), number)


def _deal(round_: Round, number: int) -> dict[str, Any] | None:
    """The pieces that a seat has to name now: one of its holdings before the round, or what it drew."""
    kind = next((kind for kind, seat_ in round_.waiting if seat_ == number), None)
    if kind is not None:
        size = round_.game.size(kind, len(round_.header.names), round_.options)
        words = games.manifest(round_.header.game).holdings[kind]
        noun = f"{words.noun.capitalize()}, {words.pieces}"
        return {"word": kind, "says": noun, "size": size, "grid": _grid(round_, kind), "play": False}
    if round_.waiting or round_.turn != number:
        return None
    due = round_.entry.due(round_.state)
    if due is None:
        return None
    return {"word": due.word, "says": due.says, "size": due.wanted, "grid": _grid(round_, due.grid), "play": True}


def _grid(round_: Round, kind: str) -> list[list[str]]:
    return [list(row) for row in round_.entry.grid(kind, round_.options)]


def judged(session: Session, number: int, keys: str) -> dict[str, Any]:
    """A seat's half-made move, judged as the panel judges it, by what that seat knows; nothing on the table changes.

    `keys` are those of the keypad. Keys: ``keys`` (as far as they mean something), ``text``, ``verdict``, ``working``,
    ``says``, ``event`` (what would be played, null while incomplete), ``next`` (each key that goes on, with its word,
    and where hints are on whether nothing forbids it so far).
    """
    round_ = session.round
    if round_ is None or round_.waiting or round_.turn != number:
        return {"keys": "", "text": "", "verdict": "more", "working": "", "says": "", "event": None, "next": []}
    view = round_.game.view(round_.state, number)
    while keys and round_.entry.typed(view, keys) is None:
        keys = keys[:-1]
    draft = round_.entry.typed(view, keys) if keys else None
    words = _key_words(round_, view, keys)
    following = [(key, round_.entry.typed(view, keys + key)) for key in KEYS]
    return {
        "keys": keys,
        "text": draft.text if draft else "",
        "verdict": draft.verdict if draft else "more",
        "working": draft.working if draft else "",
        "says": draft.says if draft else "",
        "event": draft.event if draft else None,
        "next": [
            {"key": key, "word": words.get(key, key), "fits": session.hints and after.verdict != "no"}
            for key, after in following
            if after is not None and words.get(key, key)
        ],
    }


def _key_words(round_: Round, view: Any, keys: str) -> dict[str, str]:
    """What the keypad's keys mean next, in a word each; a game without such words has the keys themselves."""
    board = games.load_board(round_.header.game)
    return dict(board.key_words(view, keys)) if board is not None else {}

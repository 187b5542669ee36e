"""What each player's own phone may see: the player's pieces, what there is to do now, and a half-entered move judged.

Only `view(state, seat)` is used, so nothing here depends on what other players hide.
"""

from __future__ import annotations

from itertools import groupby
from typing import Any

from companion import games
from companion.contents.data import data
from companion.game.entry import Draft
from companion.moments.notice import Notice
from companion.moments.phones import phone_requests, phones
from companion.moments.phones.phones_page import Letting, digits
from companion.moments.play.dealing import Dealing
from companion.moments.play.playing import Playing
from companion.moments.play.round_over import RoundOver
from companion.rounds import namings
from companion.rounds.on_table import Round
from companion.screens.public import public
from companion.session.model import Session

KEYS = "123456789ABCD0"
"""The keypad's keys, in the order in which a phone offers them."""


def for_guests(session: Session) -> dict[str, Any]:
    """Everything that the table's socket tells (docs/socket.md).

    Keys: ``public``, ``phones`` (paired phones and their players), ``seats`` (what each player may see), ``names``
    (players that a phone may be paired with), ``host``, ``asks`` (phones), ``shows`` (the digits of the one that asks),
    ``favourites`` (names).
    """
    seats = {name: seat(session, name) for _, name in session.paired}
    names = list(phones.players(session))
    asks = session.mode.phone if isinstance(session.mode, Letting) else ""
    told = {"public": public(session), "phones": dict(session.paired), "seats": seats, "names": names}
    shows = digits(asks) if asks else ""
    return told | {"host": session.host, "asks": asks, "shows": shows, "favourites": list(session.past.favourites)}


def seat(session: Session, name: str) -> dict[str, Any]:
    """What a player's phone may see besides what is public: the player's pieces, and what there is to do now.

    Made from the position as that player knows it. Keys: ``name``, ``plays`` (whether the player takes part),
    ``pieces`` (the hidden pieces in words), ``turn``, ``deal`` (pieces that must be named now, with a grid to pick
    from; None for none), ``asked`` (the question that the player has to agree to, as content; None for none), ``named``
    (the pieces that the player has named and still holds, which can be mended), ``hints`` (whether hints are on),
    ``back`` (whether it may ask to take back).
    """
    round_ = session.round
    number = phones.seat_of(session, name)
    if round_ is None or not number:
        nothing = {"pieces": "", "turn": False, "deal": None, "asked": None, "named": [], "hints": False, "back": False}
        return {"name": name, "plays": name in phones.players(session)} | nothing
    mode = session.mode.then if isinstance(session.mode, Notice) else session.mode
    question = phone_requests.asked_of(session, number)
    return {
        "name": name,
        "plays": True,
        "pieces": _own(round_, number),
        "turn": isinstance(mode, Playing) and round_.turn == number,
        "deal": _deal(round_, number),
        "asked": data(question.says(session)) if question is not None else None,
        "named": _namings(round_, number),
        "hints": session.hints,
        "back": isinstance(mode, Playing | Dealing | RoundOver) and bool(round_.events),
    }


def _namings(round_: Round, number: int) -> list[dict[str, Any]]:
    """What a seat has named in deals and refills and still holds, as the panel offers it.

    For each naming its place, the pieces, which of its pieces they are (from 0), and a grid to pick from.
    """
    if round_.over:
        return []
    found = []
    for named, those in groupby(namings.mendable(round_, number), lambda each: each[0]):
        which = [index for _, index in those]
        held = round_.manifest.holding(named.word)
        says = held.noun.capitalize() if held and not named.move else f"Move {named.move}"
        pieces = [named.pieces[index] for index in which]
        grid = _grid(round_, named.word)
        found.append({"place": named.place, "says": says, "pieces": pieces, "which": which, "grid": grid})
    return found


def _own(round_: Round, number: int) -> str:
    if round_.waiting or not any(held == number for _, held, _ in round_.deals):
        return ""
    return round_.entry.own(round_.game.view(round_.state, number), number)


def _deal(round_: Round, number: int) -> dict[str, Any] | None:
    """The pieces that a seat has to name now: a holding before the round, or what it drew; None for none."""
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
    """Judge a seat's half-entered move like the panel, by what that seat knows; the table is not changed.

    `keys` are keypad keys. Keys of the answer: ``keys`` (up to the last that means something), ``text``, ``verdict``,
    ``working``, ``says``, ``event`` (what would be played, None while incomplete), ``cannot`` (the event of "I cannot
    move" if that is what may be said now, else None), ``next`` (each key that may follow, with its label and, while
    hints are on, whether the rules allow it so far).
    """
    round_ = session.round
    if round_ is None or round_.waiting or round_.turn != number:
        nothing = {"keys": "", "text": "", "verdict": "more", "working": "", "says": ""}
        return nothing | {"event": None, "cannot": None, "next": []}
    view = round_.game.view(round_.state, number)
    while keys and round_.entry.typed(view, keys) is None:
        keys = keys[:-1]
    draft = (round_.entry.typed(view, keys) if keys else None) or Draft("")
    words = _key_words(round_, view, keys)
    following = [(key, round_.entry.typed(view, keys + key)) for key in KEYS]
    return {
        "keys": keys,
        "text": draft.text,
        "verdict": draft.verdict,
        "working": draft.working,
        "says": draft.says,
        "event": draft.event if draft.verdict != "more" else None,
        "cannot": draft.attempt if draft.attempt and round_.entry.claimed(draft.attempt) else None,
        "next": [
            {"key": key, "word": words.get(key, key), "fits": session.hints and after.verdict != "no"}
            for key, after in following
            if after is not None and words.get(key, key)
        ],
    }


def _key_words(round_: Round, view: Any, keys: str) -> dict[str, str]:
    """Labels of the keypad's keys after `keys`; none for a game without a board."""
    board = games.load_board(round_.header.game)
    return dict(board.key_words(view, keys)) if board is not None else {}

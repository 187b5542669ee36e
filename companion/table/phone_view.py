"""What each player's own phone may see: the player's pieces, what there is to do now, and the verdict on a draft.

A phone must not learn what other players hide. Everything here is made from `view(state, seat)`, the position as that
seat knows it, so a mistake in this file cannot reveal a hidden piece of somebody else.
"""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any

from companion import games
from companion.evening.contents.data import content_data
from companion.evening.model import Session
from companion.evening.screens.phones import pairing, remote, requests
from companion.evening.screens.phones.phones_page import Letting, check_digits
from companion.games.api.board import BoardScene
from companion.games.api.entry import Draft
from companion.languages import text
from companion.rounds import on_table, referee
from companion.rounds.on_table import Round
from companion.rounds.published import public_events
from companion.table.public import public

if TYPE_CHECKING:
    from companion.evening.contents.kinds import Content
    from companion.games.api.board import Svg, Tap

KEYS = "123456789ABCD0"
"""The keypad's keys, in the order in which a phone offers them."""


def for_guests(session: Session) -> dict[str, Any]:
    """The snapshot for the clients of the table's socket (docs/socket.md).

    Keys: ``public``, ``phones`` (paired phones and their players), ``seats`` (what each player may see), ``names``
    (players that a phone may be paired with), ``host``, ``asks`` (phones), ``shows`` (the digits of the phone that the
    box asks about), ``favourites`` (names), ``news`` (a message for a phone), ``remote`` (which of the box's keys
    phones may press, and whether all ``players``' phones may).
    """
    shown = remote.content_or_none(remote.public_session(session))
    seats = {name: seat(session, name, shown) for name in session.phones.players}
    names = list(pairing.offered_players(session))
    asks = session.screen.phone_hash if isinstance(session.screen, Letting) else ""
    told = {"public": public(session), "phones": dict(session.phones.player_phones), "seats": seats, "names": names}
    shows = check_digits(asks) if asks else ""
    told |= {"host": session.phones.host, "asks": asks, "shows": shows, "favourites": list(session.history.favourites)}
    box = remote.remote_keys(session, shown)._asdict() | {"players": session.settings.players_may_press}
    return told | {"news": dict(session.phones.phone_messages), "remote": box}


def seat(session: Session, name: str, shown: Content | None) -> dict[str, Any]:
    """What a player's phone may see besides what is public: the player's pieces, and what there is to do now.

    Keys: ``name``, ``plays`` (whether the player takes part), ``pieces`` (the hidden pieces in words), ``turn``,
    ``deal`` (pieces that must be named now, with a grid to pick from; None for none), ``asked`` (the question that the
    player has to agree to, as content; None for none), ``named`` (the pieces that the player has named and still holds,
    which can be corrected), ``hints`` (whether hints are on), ``back`` (whether the player may ask for a takeback),
    ``seat`` (its number while the round has a board, else 0), ``holds`` (what at the box keeps the player from a move,
    ``says``, and whether the phone may ``close`` that; None for nothing). `public_content` is what the box shows to
    everybody.
    """
    round_ = session.round
    number = pairing.player_seat(session, name)
    if round_ is None or not number:
        nothing = {"pieces": "", "turn": False, "deal": None, "asked": None, "named": [], "hints": False, "back": False}
        return {"name": name, "plays": name in pairing.offered_players(session), "seat": 0, "holds": None} | nothing
    question = requests.confirmation_for(session, number)
    held = remote.hold_up_reason(session, number, shown)
    return {
        "name": name,
        "plays": True,
        "pieces": _own_pieces(round_, number),
        "turn": round_.turn == number and not round_.missing_holdings,
        "holds": {"says": held, "close": remote.may_close(session, shown)} if held else None,
        "deal": _deal(round_, number),
        "asked": content_data(question.content(session)) if question is not None else None,
        "named": _namings(round_, number),
        "hints": session.switches.hints,
        "back": requests.can_ask_takeback(session),
        "seat": number if not round_.missing_holdings and games.load_board(round_.header.game) is not None else 0,
    }


def _namings(round_: Round, number: int) -> list[dict[str, Any]]:
    """What a seat has named in deals and refills and still holds, as the panel offers it for correction.

    Each has its place, the pieces, which of the named pieces they are (from 0), and a grid to pick from.
    """
    if round_.is_over:
        return []
    found = []
    for named, those in groupby(on_table.correctable_pieces(round_, number), lambda each: each[0]):
        which = [index for _, index in those]
        held = round_.manifest.holding_words(named.word)
        says = text("Move {number}", number=named.event_number)
        if held and not named.event_number:
            says = text("{noun:capital}", noun=text(held.noun))
        pieces = [named.pieces[index] for index in which]
        grid = _grid(round_, named.word)
        words = _words(round_, pieces, *grid)
        told = {"place": named.number, "says": says, "pieces": pieces, "which": which, "grid": grid, "words": words}
        found.append(told)
    return found


def _own_pieces(round_: Round, number: int) -> str:
    """A seat's own pieces in words, also while others still name theirs; "" where the box knows none."""
    if round_.missing_holdings:
        named = [piece for each in on_table.find_namings(round_, number) for piece in each.pieces]
        return " ".join(map(round_.move_input.with_printed_names, named))
    if not any(held == number for _, held, _ in round_.deals):
        return ""
    return round_.move_input.own_pieces_text(round_.game.seat_view(round_.state, number), number)


def _deal(round_: Round, number: int) -> dict[str, Any] | None:
    """The pieces that a seat has to name now: a holding before the round, or what it drew; None for none.

    ``spare`` is how many of each there may be, by what that seat knows; None for no limit.
    """
    kind = next((kind for kind, seat_ in round_.missing_holdings if seat_ == number), None)
    if kind is not None:
        size = round_.game.holding_size(kind, len(round_.header.names), round_.options)
        words = games.manifest_of(round_.header.game).holdings[kind]
        noun = text("{noun:capital}, {pieces}", noun=text(words.noun), pieces=words.pieces)
        told: dict[str, Any] = {"word": kind, "says": noun, "size": size, "play": False}
        return told | _to_name(round_, number, kind)
    if round_.missing_holdings or round_.turn != number:
        return None
    due = round_.move_input.due_refill(round_.state)
    if due is None:
        return None
    told = {"word": due.event_word, "says": due.prompt, "size": due.piece_count, "play": True}
    return told | _to_name(round_, number, due.piece_kind)


def _to_name(round_: Round, number: int, kind: str) -> dict[str, Any]:
    """The pieces to pick from, what they are called, and how many of each there may be."""
    grid, view = _grid(round_, kind), round_.game.seat_view(round_.state, number)
    spare = round_.move_input.available_pieces(view, kind, number)
    return {"grid": grid, "words": _words(round_, *grid), "spare": None if spare is None else dict(spare)}


def _words(round_: Round, *rows: list[str]) -> dict[str, str]:
    """What pieces are called on cards and tiles, by their names in records."""
    return {piece: round_.move_input.printed_piece(piece, round_.options) for row in rows for piece in row}


def _grid(round_: Round, kind: str) -> list[list[str]]:
    return [list(row) for row in round_.move_input.piece_rows(kind, round_.options)]


def judged(session: Session, number: int, keys: str) -> dict[str, Any]:
    """Judge a seat's draft as the panel does, by what that seat knows; the table is not changed.

    `keys` are keypad keys. Keys of the answer: ``keys`` (up to the last that means something), ``misfits`` (labels of
    the keys behind those), ``text``, ``verdict``, ``working``, ``says``, ``event`` (what would be played, None while
    the draft is incomplete), ``plays`` (the label of the button that plays it; "" for ``Play`` and the text),
    ``cannot`` (the event of "I can't move" if that may be said now, else None), ``next`` (each key that may follow,
    with its label and whether the rules allow it so far), ``board`` (see `own_board`; None where there is none).
    """
    round_ = session.round
    if round_ is None or round_.missing_holdings or round_.turn != number or round_.move_input.due_refill(round_.state) is not None:
        nothing = {"keys": "", "text": "", "verdict": "more", "working": "", "says": "", "event": None, "cannot": None}
        nothing["plays"] = ""
        shown = round_ and not round_.missing_holdings and own_board(round_, number, "", due=False)
        return nothing | {"misfits": [], "next": [], "board": shown or None}
    view, typed = round_.game.seat_view(round_.state, number), keys
    while keys and round_.move_input.draft_from_keys(view, keys) is None:
        keys = keys[:-1]
    draft = (round_.move_input.draft_from_keys(view, keys) if keys else None) or Draft("")
    words = _key_words(round_, view, keys)
    following = [(key, after) for key in KEYS if (after := round_.move_input.draft_from_keys(view, keys + key)) is not None]
    return {
        "keys": keys,
        "misfits": [words.get(key) or key for key in typed[len(keys) :]],
        "text": _unmasked(round_, draft),
        "verdict": draft.verdict,
        "working": draft.working,
        "says": referee.with_seat_names(draft.message, round_),
        "event": draft.event if draft.verdict != "more" else None,
        "plays": _plays(round_, view, draft),
        "cannot": _cannot(round_, draft, *(after for _, after in following if not keys and round_.move_input.claim_instructions(view))),
        "next": [
            {"key": key, "word": words.get(key, key), "fits": after.verdict != "no"}
            for key, after in following
            if words.get(key, key)
        ],
        "board": own_board(round_, number, keys, due=True),
    }


def _plays(round_: Round, view: Any, draft: Draft) -> str:
    """The label of the button that plays a complete move; "" where the draft's own text does."""
    if draft.event is None or draft.verdict != "ok":
        return ""
    try:
        move = round_.game.parse_move(draft.event)
        return round_.move_input.move_texts(view, round_.turn or 1, move, round_.header.names).button_label
    except Exception:  # A game of another package may fail to word a move.
        if not games.is_added_game(round_.header.game):
            raise
        return ""


def _cannot(round_: Round, *drafts: Draft) -> str | None:
    """The event of "I can't move", which one of the drafts is; None where that may not be said."""
    events = [draft.attempted_event or (draft.event if draft.verdict == "ok" else "") for draft in drafts]
    return next((event for event in events if event and round_.move_input.claim_text(event)), None)


def _unmasked(round_: Round, draft: Draft) -> str:
    """The draft's text with the pieces that the panel shows as dots; the phone belongs to their owner."""
    said = draft.text
    if draft.event is not None and round_.move_input.revealed_piece_text(draft.event):
        for piece in draft.event.split()[1:]:
            said = said.replace("•", round_.move_input.with_printed_names(piece), 1)
    return said


def _key_words(round_: Round, view: Any, keys: str) -> dict[str, str]:
    """Labels of the keypad's keys after `keys`; none for a game without a board."""
    board = games.load_board(round_.header.game)
    return dict(board.key_labels(view, keys)) if board is not None else {}


def own_board(round_: Round, number: int, keys: str, *, due: bool) -> dict[str, Any] | None:
    """A seat's board with its draft drawn in; None for a game without a board, or whose board fails.

    `is_due` is whether the seat is to move. Keys of the answer: ``svg``, ``box`` (its view box), ``tall`` (whether it
    is much higher than wide), ``asks`` (what to tap next), ``words`` (the position in sentences), ``taps``: each place
    to tap as a `companion.games.api.board.Tap`, and whether the rules may allow the draft after that tap (``fits``).
    """
    board = games.load_board(round_.header.game)
    if board is None:
        return None
    view = round_.game.seat_view(round_.state, number)
    names = round_.header.names
    try:
        drawing = board.draw_scene(BoardScene(view, names, public_events(round_), number, keys, due))
        return _board_data(drawing) | {
            "words": list(board.position_sentences(view, names) or round_.move_input.position_lines(view)),
            "taps": [_tap(tap, round_.move_input.draft_from_keys(view, tap.keys) if tap.keys else None) for tap in drawing.taps],
        }
    except Exception:
        if not games.is_added_game(round_.header.game):
            raise
        return None  # The public snapshot says that the board has failed.


def _board_data(drawing: Svg) -> dict[str, Any]:
    wide, high = drawing.size
    return {"svg": str(drawing), "box": f"0 0 {wide:g} {high:g}", "tall": high > 1.3 * wide, "asks": drawing.prompt}


def _tap(tap: Tap, after: Draft | None) -> dict[str, Any]:
    """A place to tap as data; `draft` is the draft after that tap, None for none."""
    return tap._asdict() | {"fits": tap.leads and (after is None or after.verdict != "no")}

"""What each player's own phone may see: the player's pieces, what there is to do now, and the verdict on a draft.

A phone must not learn what other players hide. Everything here is made from `Rules.seat_view(state, seat)`, the
position as that seat knows it, so a mistake in this file cannot reveal a hidden piece of somebody else.
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import groupby
from typing import TYPE_CHECKING, Any

from companion import games
from companion.evening.contents.plain_data import content_data
from companion.evening.model import Session
from companion.evening.screens.box_settings import items_for_phone
from companion.evening.screens.phones import pairing, remote_keys, requests
from companion.evening.screens.phones.phones_page import PhoneAdmission, phone_check_digits, shown_code
from companion.games.api import is_inherited
from companion.games.api.board import Board, BoardScene, panel_sentences
from companion.games.api.move_input import Draft
from companion.languages import text
from companion.rounds import on_table, referee, standings
from companion.rounds.on_table import Round
from companion.rounds.public_view import board_svg, last_moves, public_events
from companion.table.public_state import public_state, seat_colours

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.evening.contents.kinds import Content
    from companion.games.api.board import Svg, Tap

KEYPAD_KEYS = "123456789ABCD0"
"""The keypad's keys, in the order in which a phone offers them."""


def client_snapshot(session: Session) -> dict[str, Any]:
    """The snapshot for the clients of the table's socket (docs/socket.md).

    Keys: ``public``, ``phones`` (paired phones and their players), ``seats`` (what each player may see), ``names``
    (players that a phone may be paired with), ``host``, ``asks`` (phones), ``shows`` (the digits of the phone that the
    box asks about), ``screen`` (the big screen that was let in), ``code`` (for that one alone, while the panel
    shows it), ``favourites`` (names), ``news`` (a message for a phone), ``remote`` (which of the box's keys phones may
    press, and whether all ``players``' phones may), ``settings`` (the name of the box, whether its settings are
    ``locked``, ``rows``, the word and label of each, and ``networks`` in sight, see `Network`; None if that is off),
    ``played`` (finished rounds of this evening by game).
    """
    public_content = remote_keys.topmost_content_or_none(remote_keys.public_session(session))
    seats = {name: seat_snapshot(session, name, public_content) for name in session.phones.players}
    names = list(pairing.possible_phone_owners(session))
    asks = session.screen.phone_hash if isinstance(session.screen, PhoneAdmission) else ""
    remote = remote_keys.remote_keys(session, public_content)._asdict()
    left_text = session.left_text if session.round is None and session.pad is None else ""
    news = dict.fromkeys(dict(session.phones.player_phones), left_text) if left_text else {}
    return {
        "public": public_state(session),
        "phones": dict(session.phones.player_phones),
        "seats": seats,
        "names": names,
        "host": session.phones.host,
        "asks": asks,
        "shows": phone_check_digits(asks) if asks else "",
        "screen": session.phones.screen,
        "code": shown_code(session) if session.phones.screen else "",
        "favourites": list(session.history.favourites),
        "news": news | dict(session.phones.phone_messages),
        "settings": {
            "name": session.box.name,
            "locked": bool(session.box.lock),
            "networks": [[*each] for each in session.networks] if session.settings.has_network else None,
            "rows": [[each.word, each.label] for each in items_for_phone(session)],
        },
        "remote": remote | {"players": session.settings.players_may_press},
        "played": Counter(each.game for each in standings.day_rounds(session.history)),
    }


def seat_snapshot(session: Session, name: str, public_content: Content | None) -> dict[str, Any]:
    """What a player's phone may see besides what is public: the player's pieces, and what there is to do now.

    Keys: ``name``, ``plays`` (whether the player takes part), ``pieces`` (the hidden pieces in words), ``hands``
    (whether players hold pieces in this game), ``turn``, ``deal`` (pieces that must be named now, with a grid to pick
    from; None for none), ``asked`` (the question that the player has to agree to, as content; None for none), ``named``
    (the pieces that the player has named and still holds, which can be corrected), ``hints`` (whether hints are on),
    ``could`` (whether the question "Could I have moved?" is about this seat now), ``back`` (whether the player may
    ask for a takeback), ``seat`` (its number while the round has a board, else 0), ``begun`` (which turn this is:
    the round and how many events there were when it began; "" if it is another's), ``holds`` (what at the box keeps
    the player from a move, ``says``, and whether the phone may ``close`` that; None for nothing). `public_content`
    is what the box shows to everybody.
    """
    round_ = session.round
    seat_number = pairing.player_seat(session, name)
    if round_ is None or not seat_number:
        return {
            "name": name, "plays": name in pairing.possible_phone_owners(session), "pieces": "", "turn": False,
            "holds": None, "deal": None, "asked": None, "named": [], "hints": False, "back": False, "seat": 0,
            "begun": "", "hands": False, "could": False,
        }  # fmt: skip
    question = requests.pending_question_for(session, seat_number)
    hold_reason = remote_keys.move_blocked_by_box_reason(session, seat_number, public_content)
    return {
        "name": name,
        "plays": True,
        "pieces": _own_pieces_text(round_, seat_number),
        "hands": bool(round_.manifest.holdings),
        "turn": round_.turn == seat_number and not round_.missing_holdings,
        "holds": {"says": hold_reason, "close": remote_keys.may_close_box_screen(session, public_content)}
        if hold_reason
        else None,
        "deal": _pieces_to_name(round_, seat_number),
        "asked": content_data(question.content(session)) if question is not None else None,
        "named": _named_holdings(round_, seat_number),
        "hints": session.switches.hints,
        "could": not round_.is_over
        and not round_.missing_holdings
        and (round_.turn == seat_number or bool(referee.last_claim_lines(round_, seat_number))),
        "back": requests.can_ask_takeback(session),
        "begun": f"{round_.id}.{_turn_start(round_)}" if round_.turn == seat_number else "",
        "seat": seat_number if not round_.missing_holdings and games.load_board(round_.header.game) is not None else 0,
    }


def _turn_start(round_: Round) -> int:
    """How many events there were before this turn, to which a drawn piece belongs as well as a move."""
    return next((at for at in range(len(round_.events), 0, -1) if round_.events[at - 1][0] != round_.turn), 0)


def _named_holdings(round_: Round, seat_number: int) -> list[dict[str, Any]]:
    """What a seat has named in deals and refills and still holds, as the panel offers it for correction.

    Each has its place, the pieces, which of the named pieces they are (from 0), and a grid to pick from.
    """
    if round_.is_over:
        return []
    holdings = []
    for named, group in groupby(on_table.correctable_pieces(round_, seat_number), lambda each: each[0]):
        indexes = [index for _, index in group]
        held = round_.manifest.holding_words(named.word)
        heading = text("Move {number}", number=named.event_number)
        if held and not named.event_number:
            heading = text("{noun:capital}", noun=text(held.noun))
        pieces = [named.pieces[index] for index in indexes]
        grid = _piece_grid(round_, named.word)
        piece_names = _piece_names(round_, pieces, *grid)
        holding = {
            "place": named.number,
            "says": heading,
            "pieces": pieces,
            "which": indexes,
            "grid": grid,
            "words": piece_names,
            "classes": _piece_classes(round_, pieces, *grid),
        }
        holdings.append(holding)
    return holdings


def _own_pieces_text(round_: Round, seat_number: int) -> str:
    """A seat's own pieces in words, also while others still name theirs; "" where the box knows none."""
    if round_.missing_holdings:
        pieces = [piece for each in on_table.find_namings(round_, seat_number) for piece in each.pieces]
        names = _piece_names(round_, pieces)
        return " ".join(names[piece] for piece in pieces)
    if not any(held == seat_number for _, held, _ in round_.deals):
        return ""
    return round_.move_input.own_pieces_text(round_.game.seat_view(round_.state, seat_number), seat_number)


def _pieces_to_name(round_: Round, seat_number: int) -> dict[str, Any] | None:
    """The pieces that a seat has to name now: a holding before the round, or what it drew; None for none.

    ``spare`` is how many of each there may be, by what that seat knows; None for no limit.
    """
    holding = next((holding for holding, seat_ in round_.missing_holdings if seat_ == seat_number), None)
    if holding is not None:
        size = round_.game.holding_size(holding, len(round_.header.names), round_.options)
        holding_words = games.manifest_of(round_.header.game).holdings[holding]
        noun = text("{noun:capital}, {pieces}", noun=text(holding_words.noun), pieces=holding_words.pieces)
        deal: dict[str, Any] = {"word": holding, "says": noun, "size": size, "play": False}
        return deal | _piece_choices(round_, seat_number, holding)
    if round_.missing_holdings or round_.turn != seat_number:
        return None
    due = round_.move_input.due_refill(round_.state)
    if due is None:
        return None
    deal = {"word": due.event_word, "says": due.prompt, "size": due.piece_count, "play": True}
    return deal | _piece_choices(round_, seat_number, due.piece_kind)


def _piece_choices(round_: Round, seat_number: int, holding: str) -> dict[str, Any]:
    """The pieces to pick from, what they are called, and how many of each there may be."""
    grid, view = _piece_grid(round_, holding), round_.game.seat_view(round_.state, seat_number)
    spare = round_.move_input.available_pieces(view, holding, seat_number)
    return {
        "grid": grid,
        "words": _piece_names(round_, *grid),
        "classes": _piece_classes(round_, *grid),
        "spare": None if spare is None else dict(spare),
    }


def _piece_names(round_: Round, *rows: list[str]) -> dict[str, str]:
    """What pieces are called on cards and tiles, by their names in records; a hyphen at an end is a minus."""
    names = {piece: round_.move_input.printed_piece(piece, round_.options) for row in rows for piece in row}
    return {piece: re.sub("^-|-$", "\N{MINUS SIGN}", name) for piece, name in names.items()}


def _piece_classes(round_: Round, *rows: list[str]) -> dict[str, str]:
    board = games.load_board(round_.header.game)
    return {piece: board.piece_class(piece) if board is not None else "" for row in rows for piece in row}


def _piece_grid(round_: Round, holding: str) -> list[list[str]]:
    return [list(row) for row in round_.move_input.piece_rows(holding, round_.options)]


def past_moves(session: Session, number: str) -> dict[str, Any]:
    """All events of the round, and the board after one of them, as everybody may know them.

    `number` is that of the event, 0 for the start, "" for no board. Keys of the answer: ``moves`` (each with
    ``number``, ``seat``, ``name``, ``text``, ``told``), ``at`` (the number of the event; None for no board), ``board``
    (SVG).
    """
    round_ = session.round
    if round_ is None or round_.missing_holdings:
        return {"moves": [], "at": None, "board": ""}
    moves = [
        {"number": at, "seat": seat} | told
        for at, ((seat, _), told) in enumerate(zip(round_.events, last_moves(round_, [], None), strict=True), 1)
    ]
    if not (number.isascii() and number.isdigit()):
        return {"moves": moves, "at": None, "board": ""}
    at = min(int(number[:6]), len(moves))
    return {
        "moves": moves,
        "at": at,
        "board": board_svg(round_.after_event(at), [], colours=seat_colours(session, round_)),
    }


def judge_draft(session: Session, seat_number: int, keys: str) -> dict[str, Any]:
    """Judge a seat's draft as the panel does, by what that seat knows; the table is not changed.

    `keys` are keypad keys. Keys of the answer: ``keys`` (up to the last that means something), ``misfits`` (labels of
    the keys behind those), ``text``, ``verdict``, ``working``, ``says``, ``event`` (what would be played, None while
    the draft is incomplete), ``plays`` (the label of the button that plays it; "" for ``Play`` and the text),
    ``cannot`` (the event of "I can't move" if that may be said now, else None), ``cannot_plays`` (the label of its
    button; "" for "I can't move"), ``next`` (each key that may follow, with its label and whether the rules allow it so
    far), ``board`` (see `own_board`; None where there is none).
    """
    round_ = session.round
    if (
        round_ is None
        or round_.missing_holdings
        or round_.turn != seat_number
        or round_.move_input.due_refill(round_.state) is not None
    ):
        board = round_ and not round_.missing_holdings and own_board(session, seat_number, "", is_due=False)
        return {
            "keys": "", "misfits": [], "text": "", "verdict": "more", "working": "", "says": "", "event": None,
            "plays": "", "cannot": None, "cannot_plays": "", "next": [], "board": board or None,
        }  # fmt: skip
    view, typed_keys = round_.game.seat_view(round_.state, seat_number), keys
    keys, meant_draft = _meaningful_draft(round_, view, keys)
    draft = meant_draft or Draft("")
    next_drafts = [
        (key, next_draft)
        for key in KEYPAD_KEYS
        if (next_draft := round_.move_input.draft_from_keys(view, keys + key)) is not None
    ]
    key_labels = _key_labels(round_, view, keys, next_drafts)
    working, says = _draft_sentences(round_, seat_number, keys, draft)
    cannot = _cannot_move_event(
        round_,
        draft,
        *(next_draft for _, next_draft in next_drafts if not keys and round_.move_input.claim_instructions(view)),
    )
    return {
        "keys": keys,
        "misfits": [key_labels.get(key) or key for key in typed_keys[len(keys) :]],
        "text": _unmasked_text(round_, draft),
        "verdict": draft.verdict,
        "working": referee.with_seat_names(working, round_),
        "says": referee.with_seat_names(says, round_),
        "event": draft.event if draft.verdict != "more" else None,
        "plays": _play_button_text(round_, view, draft.event if draft.verdict == "ok" else None),
        "cannot": cannot,
        "cannot_plays": _play_button_text(round_, view, cannot),
        "next": [
            {"key": key, "word": key_labels.get(key, key), "fits": next_draft.verdict != "no"}
            for key, next_draft in next_drafts
            if key_labels.get(key, key)
        ],
        "board": own_board(session, seat_number, keys, is_due=True),
    }


def _draft_sentences(round_: Round, seat_number: int, keys: str, draft: Draft) -> tuple[str, str]:
    """What a phone says of a draft: in the words of the game's board, or in the panel's."""
    board = games.load_board(round_.header.game)
    if board is None or not keys:
        return panel_sentences(draft)
    view = round_.game.seat_view(round_.state, seat_number)
    try:
        return board.draft_sentences(BoardScene(view, round_.header.names, (), seat_number, keys, True), draft)
    except Exception:
        if not games.is_added_game(round_.header.game):
            raise
        return panel_sentences(draft)


def _play_button_text(round_: Round, view: Any, event: str | None) -> str:
    """The label of the button that plays a complete move; "" where the draft's own text does, and for no move."""
    if event is None:
        return ""
    try:
        move = round_.game.parse_move(event)
        return round_.move_input.move_texts(view, round_.turn or 1, move, round_.header.names).button_label
    except Exception:  # A game of another package may fail to word a move.
        if not games.is_added_game(round_.header.game):
            raise
        return ""


def _cannot_move_event(round_: Round, *drafts: Draft) -> str | None:
    """The event of "I can't move", which one of the drafts is; None where that may not be said."""
    events = [draft.attempted_event or (draft.event if draft.verdict == "ok" else "") for draft in drafts]
    return next((event for event in events if event and round_.move_input.claim_text(event)), None)


def _unmasked_text(round_: Round, draft: Draft) -> str:
    """The draft's text with the pieces that the panel shows as dots; the phone belongs to their owner."""
    unmasked = draft.text
    if draft.event is not None and round_.move_input.revealed_piece_text(draft.event):
        for piece in draft.event.split()[1:]:
            unmasked = unmasked.replace("•", round_.move_input.with_printed_names(piece), 1)
    return unmasked


def _key_labels(round_: Round, view: Any, keys: str, next_drafts: Sequence[tuple[str, Draft]]) -> dict[str, str]:
    """Labels of the keypad's keys after `keys`: those of the game's board, or what each key enters."""
    board = games.load_board(round_.header.game)
    if board is not None and not is_inherited(board.key_labels, Board.key_labels):
        return dict(board.key_labels(view, keys))
    return {key: _unmasked_text(round_, draft).strip("_ ") or key for key, draft in next_drafts}


def own_board(session: Session, seat_number: int, keys: str, *, is_due: bool) -> dict[str, Any] | None:
    """A seat's board with its draft drawn in; None for a game without a board, or whose board fails.

    `is_due` is whether the seat is to move. Keys of the answer: ``svg``, ``box`` (its view box), ``tall`` (whether it
    is much higher than wide), ``asks`` (what to tap next), ``verb`` and ``undo`` (see `Svg`), ``words`` (the position
    in sentences), ``taps``: each place to tap as a `companion.games.api.board.Tap`, and whether the rules may allow the
    draft after that tap (``fits``), ``tray``: the drawing of the player's own pieces with ``svg``, ``box`` and
    ``taps``; None for none.
    """
    round_ = session.round
    board = games.load_board(round_.header.game) if round_ is not None else None
    if round_ is None or board is None:
        return None
    view = round_.game.seat_view(round_.state, seat_number)
    names = round_.header.names
    try:
        drawing = board.draw_scene(BoardScene(view, names, public_events(round_), seat_number, keys, is_due))
        drawing.set_colours(seat_colours(session, round_))
        return _drawing_data(round_, view, drawing) | {
            "undo": keys[:-1] if drawing.undo is None else drawing.undo,
            "words": list(board.position_sentences(view, names) or round_.move_input.position_lines(view)),
            "tray": _drawing_data(round_, view, drawing.tray) if drawing.tray is not None else None,
        }
    except Exception:
        if not games.is_added_game(round_.header.game):
            raise
        return None  # The public snapshot says that the board has failed.


def _drawing_data(round_: Round, view: Any, drawing: Svg) -> dict[str, Any]:
    width, height = drawing.size
    return {
        "svg": str(drawing),
        "box": f"0 0 {width:g} {height:g}",
        "tall": height > 1.3 * width,
        "asks": drawing.prompt,
        "verb": drawing.verb,
        "taps": [_tap_data(tap, *_meaningful_draft(round_, view, tap.keys)) for tap in drawing.taps],
    }


def _meaningful_draft(round_: Round, view: Any, keys: str) -> tuple[str, Draft | None]:
    """The keys up to the last that means something, and their draft; None for no keys."""
    while keys and (draft := round_.move_input.draft_from_keys(view, keys)) is None:
        keys = keys[:-1]
    return keys, draft if keys else None


def _tap_data(tap: Tap, keys: str, draft: Draft | None) -> dict[str, Any]:
    """A place to tap as data; the tap makes the `draft` of these keys, None for none."""
    return tap._asdict() | {"keys": keys, "fits": tap.leads and (draft is None or draft.verdict != "no")}

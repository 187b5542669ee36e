"""What everybody may see of a session, as plain data for the big screen and for other programs.

A hidden piece must never get here. Only `Rules.seat_view(state, None)`, the position as everybody knows it, and what
the panel shows to everybody are used. While the panel shows one player's pieces, the privacy screen takes their place.
"""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from companion import display, games
from companion.evening import countdown, thinking_time
from companion.evening.contents import kinds
from companion.evening.contents.plain_data import content_data
from companion.evening.model import Session
from companion.evening.screen_kinds import TableScreen
from companion.evening.screens.messages import RefusalScreen
from companion.evening.screens.phones import remote_keys
from companion.evening.screens.play import round_over
from companion.evening.screens.play.playing import PlayScreen
from companion.languages import text
from companion.panel.canvas import base64_png
from companion.rounds import public_view, referee, standings
from companion.rounds.on_table import PadRound, Round

if TYPE_CHECKING:
    from companion.evening.contents.kinds import Choice, Content

MAX_LAST_ROUNDS = 6
"""The most finished rounds that are listed."""


def public_state(session: Session) -> dict[str, Any]:
    """The public snapshot of a session.

    Keys: ``moment`` (`Screen.public_name`, in lower case), ``game``, ``players`` (a list of name, score, turn, and
    ``naming``, see `_naming`),
    ``colours`` (by name, those of all players of the evening), ``sheet`` (see `public_view.pad_sheet`; null without a
    score pad), ``board`` (SVG, "" where the game has none or no round is on the table), ``panel`` (the panel's picture
    as a base64 PNG), ``content`` (what the panel shows, in words and numbers; see `evening.contents`), ``picks`` (see
    `_pick_keys`), ``moves`` (seat, text), ``refusal``, ``notice``, ``result``, ``rematch`` (see `round_over.Rematch`;
    null before the result), ``clock``, ``evening`` (standings), ``rounds`` (the last ones of the evening), ``aim`` (how
    a round is won, "" for unknown), ``box`` (what is open at the box instead of the table, "" for nothing).
    """
    round_ = session.round
    screen = session.screen
    session_for_all = remote_keys.public_session(session)
    content = remote_keys.topmost_content_or_none(session_for_all)
    faults: list[str] = []
    table = screen if isinstance(screen, TableScreen) else None
    board_round = table.board(session) if table is not None else round_  # A menu does not take the board away.
    board_svg = (
        public_view.board_svg(board_round, faults, _refused_keys(session), seat_colours(session, board_round))
        if board_round is not None and not board_round.missing_holdings
        else ""
    )
    moves = public_view.last_moves(round_, faults) if round_ is not None else []
    return {
        "moment": screen.public_name.lower(),
        "game": round_.manifest.name if round_ is not None else session.pad.pad.title if session.pad else "",
        "players": _player_rows(round_) if session.pad is None else _pad_player_rows(session.pad, content),
        "colours": session.player_colours,
        "sheet": public_view.pad_sheet(session.pad) if session.pad is not None else None,
        "board": board_svg,
        "panel": base64_png(display.session_picture(session_for_all)),
        "content": content_data(content) if content is not None else None,
        "picks": _pick_keys(content) if isinstance(content, kinds.Choice) and not session.uses_buttons else [],
        "moves": moves,
        "refusal": _refusal_data(content) if isinstance(content, kinds.Refusal) else None,
        "notice": (list(table.announcement(session)) if table is not None else []) or faults[:1] or None,
        "result": _result_data(round_) if round_ is not None and round_.is_over else None,
        "rematch": rematch._asdict() if (rematch := round_over.next_rematch(session)) is not None else None,
        "clock": (" : ".join(countdown.displayed_times(session)) or thinking_time.clock_line(session))
        if round_ is not None
        else "",
        "evening": _evening_standings(session),
        "rounds": _last_rounds(session),
        "aim": round_.manifest.aim if round_ is not None else "",
        "box": remote_keys.open_box_page_text(session, content),
    }


def seat_colours(session: Session, round_: Round) -> list[int]:
    """The colours and shapes of a round's players by seat."""
    colours = standings.player_colours(session.history, round_.header.names)  # A round that is replayed has others.
    return [colours[name] for name in round_.header.names]


def _refused_keys(session: Session) -> str:
    """The keys of the move that was refused at the box, which the board marks; "" in a game with hidden pieces."""
    below = session.close_screen().screen if isinstance(session.screen, RefusalScreen) else None
    if session.round is None or session.round.manifest.holdings or not isinstance(below, PlayScreen):
        return ""
    draft = below.draft(session.round)
    return below.typed_keys or (session.round.move_input.keys_for_event(draft.event) if draft and draft.event else "")


def _pick_keys(content: Choice) -> list[str]:
    """The keypad's keys that pick each entry of a list.

    That is the entry's digit, after one `0` for each page to turn from the cursor's page. To an entry without a digit
    the cursor is moved by `C` or `A`.
    """
    line_pages = [*map(content.page_of, content.lines)]
    page_order = list(dict.fromkeys(line_pages))
    cursor_position = page_order.index(line_pages[content.cursor])
    page_turns = [(page_order.index(page) - cursor_position) % len(page_order) for page in line_pages]
    return [
        "0 " * turn + digit if (digit := content.digit_of(line)) else _walk_keys(index - content.cursor)
        for index, (turn, line) in enumerate(zip(page_turns, content.lines, strict=True))
    ]


def _walk_keys(steps: int) -> str:
    """The keypad's keys that move the cursor so many entries down, or up if negative, and pick that one."""
    return " ".join([*"C" * steps, *"A" * -steps, "#"])


def _player_rows(round_: Round | None) -> list[dict[str, Any]]:
    if round_ is None:
        return []
    unit, scores = (round_.manifest.result_counts, round_.result_counts) if not round_.missing_holdings else ("", ())
    return [
        {
            "name": name,
            "turn": round_.turn == seat,
            "naming": _naming(round_, seat),
            "score": scores[seat - 1] if scores else None,
            "unit": unit,
        }
        for seat, name in enumerate(round_.header.names, 1)
    ]


def _naming(round_: Round, seat: int) -> str:
    """What a seat has to name now: ``hidden`` if the others must not see the pieces, ``open``, or "" for nothing."""
    kinds_to_name: list[str] = [kind for kind, each in round_.missing_holdings if each == seat]
    if round_.turn == seat and (due := round_.move_input.due_refill(round_.state)) is not None:
        kinds_to_name = [due.piece_kind]
    is_hidden = any(
        round_.move_input.is_piece_hidden(kind, piece)
        for kind in kinds_to_name
        for row in round_.move_input.piece_rows(kind, round_.options)
        for piece in row
    )
    return "hidden" if is_hidden else "open" if kinds_to_name else ""


def _pad_player_rows(pad_round: PadRound, content: Content | None) -> list[dict[str, Any]]:
    """The players of a score pad; the one whose points are entered next counts as the one to move."""
    seat_to_enter = content.seat if isinstance(content, kinds.Scores) else 0
    return [
        {"name": name, "turn": seat == seat_to_enter, "score": total, "unit": text("points")}
        for seat, (name, total) in enumerate(zip(pad_round.header.names, pad_round.pad.totals, strict=True), 1)
    ]


def _refusal_data(refusal: kinds.Refusal) -> dict[str, str]:
    return {
        "code": refusal.code,
        "figure": refusal.figure,
        "against": refusal.against,
        "rule": refusal.rule,
        "needed": refusal.needed,
    }


def _result_data(round_: Round) -> dict[str, Any]:
    outcome = round_.outcome
    winners = [round_.player_name(seat) for seat in outcome.winners]
    return {
        "winners": winners,
        "reason": outcome.reason,
        "claims": referee.false_claim_rows(round_),
        "void": round_.is_void,
    }


def _evening_standings(session: Session) -> list[dict[str, Any]]:
    """Rounds won and played this evening, the most won first."""
    day_standings = standings.compute_standings(standings.day_rounds(session.history))
    return [{"name": each.name, "won": each.won, "played": each.played} for each in day_standings]


def _last_rounds(session: Session) -> list[dict[str, Any]]:
    """The last finished rounds of this evening, the newest first: the game, and by seat name, score and who won.

    Scores that only say who has won are left out.
    """
    rounds = standings.day_rounds(session.history)[: -MAX_LAST_ROUNDS - 1 : -1]
    return [
        {
            "game": manifest.name,
            "players": [
                {"name": name, "score": score, "won": seat in each.winners}
                for seat, (name, score) in enumerate(
                    zip_longest(each.names, each.scores if manifest.scores_are_points else ()), 1
                )
            ],
        }
        for each in rounds
        for manifest in [games.manifest_or_placeholder(each.game)]
    ]

"""What everybody may see of a round or score pad: its scene, its board, its last moves, its sheet.

Phones, the big screen, reports and the club server show rounds, and none of them may see a hidden piece. So everything
here is made of `Rules.seat_view(state, None)`, the position without secrets. Reports and pages know no panel: whoever
wants pictures of it passes in the functions that draw them (`PanelPictures`).
"""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING, Any, NamedTuple

from companion import games
from companion.games.api.board import BoardScene
from companion.games.api.game_texts import is_draw
from companion.games.api.move_input import without_hidden_pieces
from companion.games.api.screen import Scene
from companion.languages import join_texts
from companion.rounds import referee
from companion.rounds.record import parse_move

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PIL import Image

    from companion.games.api.game_texts import MoveTexts
    from companion.games.api.move_input import Draft
    from companion.rounds.on_table import AnyRound, PadRound, Round
    from companion.rounds.stored import FinishedRound

MAX_LAST_MOVES = 6
"""The most moves that are listed, the newest last."""


def public_scene(round_: Round, draft: Draft | None = None, line: str = "") -> Scene:
    """A round for its game's screen, with a draft, and a line of text about it."""
    count = 2 if round_.events and is_draw(round_.events[-1][1]) else 1  # Naming a drawn piece is an event of its own.
    events = public_events(round_, -count)
    views_before = [round_.game.seat_view(state, None) for state in round_.states[-1 - len(events) : -1]]
    view = round_.game.seat_view(round_.state, None)
    moves_again = bool(events) and round_.turn == events[-1][0]
    if draft is not None:
        event = None if draft.event is None else without_hidden_pieces(round_.move_input, draft.event)
        draft = draft._replace(event=event, message=referee.with_seat_names(draft.message, round_))
    return Scene(
        view=view,
        view_before=views_before[-1] if events else None,
        last_move=events[-1] if events else None,
        last_move_texts=_move_words(round_, views_before[-1], events[-1], moves_again=moves_again) if events else None,
        options=round_.options,
        names=round_.header.names,
        seat_to_move=round_.turn,
        draft=draft,
        bottom_line=line,
        uses_buttons=False,
        recent_events=tuple((view, *event) for view, event in zip(views_before, events, strict=True)),
        must_draw=round_.turn is not None and round_.move_input.must_draw(round_.state),
        result_counts=round_.result_counts,
        is_after_takeback=round_.was_taken_back,
        position_lines=round_.move_input.position_lines(view),
    )


def board_svg(round_: Round, faults: list[str], keys: str = "", colours: Sequence[int] = ()) -> str:
    """The board as SVG, with the half-made move of `keys`; "" if the game has none.

    With `colours` each seat has the one with this number. If a game of another package cannot draw it, that adds to
    `faults`.
    """
    game_board = games.load_board(round_.header.game)
    if game_board is None:
        return ""

    def drawing() -> object:
        view = round_.game.seat_view(round_.state, None)
        svg = game_board.draw_scene(BoardScene(view, round_.header.names, public_events(round_), keys=keys))
        if colours:
            svg.set_colours(colours)
        return svg

    return _ask_game(round_, faults, drawing, "")


def public_events(round_: Round, first: int = 0) -> list[tuple[int, Any]]:
    """The events of a round from index `first` on, each with its seat, without hidden pieces."""
    game, move_input = round_.header.game, round_.move_input
    return [(seat, parse_move(game, without_hidden_pieces(move_input, text))) for seat, text in round_.events[first:]]


def last_moves(round_: Round, faults: list[str], most: int | None = MAX_LAST_MOVES) -> list[dict[str, str]]:
    """The last events, the newest last: the player, the event as in a record, and in words that follow the name.

    `most` is how many; None for all of them. Unless these are all, a draw is told together with the play before it.

    If a game of another package fails to find the words, that adds to `faults`.
    """
    if most is None:
        return moves_since(round_, 0, faults)
    moves: list[dict[str, str]] = []
    for move in moves_since(round_, max(0, len(round_.events) - 2 * most), faults):
        if moves and is_draw(move["text"]) and moves[-1]["name"] == move["name"]:
            move["told"] = join_texts((moves.pop()["told"], move["told"]), ", ")
        moves.append(move)
    return moves[-most:]


def moves_since(round_: Round, first: int, faults: list[str]) -> list[dict[str, str]]:
    """The events from the index `first` on, each as `last_moves` says."""
    return [_last_move(round_, number, faults) for number in range(first, len(round_.events))]


def _last_move(round_: Round, number: int, faults: list[str]) -> dict[str, str]:
    game, (seat, event) = round_.game, round_.events[number]
    before, after = round_.states[number : number + 2]
    text = without_hidden_pieces(round_.move_input, event)

    def said() -> object:
        move, moves_again = game.parse_move(text), game.seat_to_move(after) == seat
        return _move_words(round_, game.seat_view(before, None), (seat, move), moves_again=moves_again).sentence

    return {"name": round_.player_name(seat), "text": text, "told": _ask_game(round_, faults, said, text)}


def _move_words(round_: Round, view_before: Any, event: tuple[int, Any], *, moves_again: bool) -> MoveTexts:
    """An event in words, as everybody may know it. `moves_again` is whether its seat moves once more."""
    return round_.move_input.move_texts(view_before, *event, round_.header.names, moves_again=moves_again)


def _ask_game(round_: Round, faults: list[str], ask: Callable[[], object], otherwise: str) -> str:
    """Ask the game's own code. If a game of another package fails, add a sentence to `faults` and return `otherwise`.

    An error in a game of this package is an error of the program, and is raised.
    """
    try:
        answer = ask()
        return answer if isinstance(answer, str) else str(answer)
    except Exception as error:
        faults.append(f"{games.failure_text(round_.header.game, error)}.")
        return otherwise


def pad_sheet(pad: PadRound) -> dict[str, Any]:
    """The running sheet of a score pad as plain data.

    ``names``, ``rows`` (for each turn every player's points, "" for none) and ``totals``; ``title`` and ``over``; and
    the rules ``lowest`` (the fewest points win), ``target`` and ``turns`` (0 for none).
    """
    columns: list[list[str]] = [[] for _ in pad.header.names]
    for seat, points in pad.pad.entries:
        columns[seat - 1].append(f"{points:+d}")
    rows = [list(row) for row in zip_longest(*columns, fillvalue="")]
    rules = {"lowest": pad.pad.lowest_wins, "target": pad.pad.target, "turns": pad.pad.turn_limit}
    columns_and_totals = {"names": list(pad.header.names), "rows": rows, "totals": list(pad.pad.totals)}
    return {"title": pad.pad.title, "over": pad.is_over} | columns_and_totals | rules


class PanelPictures(NamedTuple):
    """Functions that draw the panel. Each picture has one bit a pixel, 128×64, lit pixels white.

    Attributes:
        round_picture: draws a round after a number of its events, as everybody saw it.
        standings_picture: draws the standings of finished rounds.
    """

    round_picture: Callable[[AnyRound, int], Image.Image]
    standings_picture: Callable[[tuple[FinishedRound, ...]], Image.Image]

"""The screen of Prime Attactics: both scores, below them the tiles of the seat to move or arithmetic."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.api.move_input import Draft
from companion.games.api.screen import Scene
from companion.games.api.text import keys_text, text
from companion.games.plain_screen import draw_last_line
from companion.games.prime_attactics.game_texts import DOUBLE_KEY_TEXT
from companion.games.prime_attactics.holding_screens import HoldingScreen, draw_tile_row
from companion.games.prime_attactics.move_input import MOVE_INPUT
from companion.games.prime_attactics.picker import (
    LOWERING_SIGNS,
    SIGN_KEYS_TEXT,
    Marks,
    example_slam_dunk,
    possible_second_tiles,
    printed_signs,
    printed_tile,
)
from companion.games.prime_attactics.state import State
from companion.games.prime_attactics.tiles import Play, Refill, tile_text
from companion.languages import translate
from companion.panel import seat_tabs, widgets
from companion.panel.canvas import LINE_COLUMNS, Canvas
from companion.panel.fonts import BIG, CONDENSED, MIDDLE, fits_width, fitting_face, short_number

SCORE_ROW = 17
"""The top row of a score that is 20 pixels high."""
HALVES = ((31, 61), (97, 59))
"""The middle column of each half, and its columns."""
REFUSAL_COLUMNS = LINE_COLUMNS - 12
"""The columns of the reason of a refusal, which is behind a cross."""
EXPLAINED_TURNS = 4
"""The turns at the start, two of each player, in which the letters of the signs are shown with a keypad."""


class Screen(HoldingScreen):
    """Draws both scores, what the draft makes of one of them, the tiles of the seat to move, and the arithmetic."""

    def draw(self, canvas: Canvas, scene: Scene) -> None:
        view, draft = scene.view, scene.draft
        marks = draft.marks if draft is not None and isinstance(draft.marks, Marks) else None
        seat_tabs.draw_tabs(canvas, [seat_tabs.SeatTab(name) for name in scene.names], scene.seat_to_move)
        results = _results(scene, marks)
        for seat, side in enumerate(view.sides, 1):
            _draw_score(canvas, seat, str(side.score), results.get(seat, ""))
        canvas.dotted_line(64, SCORE_ROW, 64, SCORE_ROW + BIG.capital_rows - 1)
        tiles, picked = _shown_tiles(scene, marks)
        detail = "" if tiles or view.end_reason else _detail_words(scene, marks)
        is_refused = draft is not None and draft.verdict == "no"
        if tiles:
            draw_tile_row(canvas, tiles, picked)
        elif detail:
            widgets.draw_detail(canvas, detail, "cross" if is_refused else "")
        at_rest = _words_at_rest(scene, detail)
        is_explaining = scene.bottom_line == MOVE_INPUT.input_instructions(view, scene.uses_buttons)
        if draft is None and not detail and is_explaining and _request_to_draw_text(scene):
            # Whoever has played draws first; how a tile is played was on the start page, too.
            scene = scene._replace(bottom_line="")
        double_key = None
        if draft is not None:
            words = _verdict_words(scene, draft, marks)
            # Words need the room of a long verb.
            verb = "" if draft.verdict == "ok" and words else draft.next_step
            if words == DOUBLE_KEY_TEXT and draft.verdict == "ok":
                words, double_key = "", ("0", text("double it"))
            scene = scene._replace(draft=draft._replace(message=words, next_step=verb))
        draw_last_line(canvas, scene, at_rest, says_why=bool(tiles) or not is_refused, other_key=double_key)


SCREEN = Screen()


# -- the scores ---------------------------------------------------------------------------------------------------


def _results(scene: Scene, marks: Marks | None) -> dict[int, str]:
    """The seat whose score the draft is for, and what becomes of it; ``?`` while that is open or if it is refused."""
    draft = scene.draft
    # The draft may still become a pass.
    may_pass = draft is not None and (
        "pass" in (draft.event, draft.text) or bool(draft.attempted_event and draft.next_step)
    )
    if draft is None or marks is None or may_pass:
        return {}
    own = scene.seat_to_move or 1
    return {3 - own if marks.at_other_score else own: "?" if marks.score is None else str(marks.score)}


def _draw_score(canvas: Canvas, seat: int, score: str, result: str) -> None:
    """Draw a seat's score, and with a draft ``154→77``, as large as the half allows; in two lines if it is long."""
    middle, columns = HALVES[seat - 1]
    whole = f"{score}→{result}" if result else score
    if face := fitting_face(whole, (BIG, MIDDLE, CONDENSED), columns):
        canvas.text(middle, SCORE_ROW + (BIG.capital_rows - face.capital_rows) // 2, whole, face, "c")
        return
    lines = (score, f"→{result}") if result else (score[: -(-len(score) // 2)], score[-(-len(score) // 2) :])
    if not all(fits_width(line, CONDENSED, columns) for line in lines):
        lines = (short_number(score), f"→{short_number(result)}" if result else "")
    for index, line in enumerate(lines):
        canvas.text(middle, SCORE_ROW + 11 * index, line, anchor="c")


# -- the line below -----------------------------------------------------------------------------------------------


def _shown_tiles(scene: Scene, marks: Marks | None) -> tuple[list[str], list[int]]:
    """The tiles below the scores, as printed, and the indices of those on a plate; [] where words stand there.

    They are the choices of the picker, or the open display. A draft with a tile that is not on it is told in words, and
    so are the letters of the signs, while a sign is typed at the start.
    """
    view: State = scene.view
    if marks is not None and marks.choices:
        return list(marks.choices), [marks.chosen_index]
    display = view.sides[view.to_move - 1].display.pieces
    if display is None or view.end_reason:
        return [], []
    tiles, used, picked = list(map(tile_text, display)), list(marks.used_tiles) if marks else [], []
    if marks is not None and not used and view.turns < EXPLAINED_TURNS and not scene.uses_buttons:
        return [], []
    for index, tile in enumerate(tiles):
        if tile in used:
            used.remove(tile)
            picked.append(index)
    return ([], []) if used else (list(map(printed_tile, tiles)), picked)


def _detail_words(scene: Scene, marks: Marks | None) -> str | Sequence[str]:
    """The words below the scores, or several of which the first that fit are shown.

    They are the arithmetic of a draft or why it is refused, else what a player needs to know: how to pass, what must be
    drawn, the letters of the signs, or the slam dunk.
    """
    view, draft = scene.view, scene.draft
    if draft is not None and draft.verdict == "no":
        tiles = draft.text.strip("→_").replace("-", "\N{MINUS SIGN}")
        longer = text("{tiles}: {reason}", tiles=tiles, reason=draft.message)
        return longer if fits_width(translate(longer), CONDENSED, REFUSAL_COLUMNS) else draft.message
    if draft is not None and draft.verdict == "ok" and marks is not None and marks.score is not None:
        whole = f"{draft.working} = {marks.score}".replace("-", "\N{MINUS SIGN}")
        return whole, f"= {marks.score}", ""
    is_explaining = scene.bottom_line == MOVE_INPUT.input_instructions(view, scene.uses_buttons)
    if draft is None and scene.claim_instructions and is_explaining:
        return scene.claim_instructions
    if request := _request_to_draw_text(scene):
        return request
    if view.turns < EXPLAINED_TURNS and not scene.uses_buttons:
        if (is_explaining and draft is None) or _may_mean_other_score(scene, marks):
            return text("0 first: on {who}'s score", who=_other_name(scene))
        return SIGN_KEYS_TEXT
    if _offers_slam_dunk(view) and (offer := _slam_dunk_offer(scene)):
        return offer
    side = view.sides[view.to_move - 1]
    return text("{display} on display, {rack} in rack", display=side.display.size, rack=side.rack.size)


def _request_to_draw_text(scene: Scene) -> str:
    """What the player who has just played must draw, without naming it; "" if the box asks for all of it.

    The message that nothing is left to draw disappears with the first key of the next move.
    """
    if not scene.recent_events or scene.is_after_takeback or not isinstance(scene.recent_events[0][2], Play):
        return ""
    (view_before, seat, _), *refill = scene.recent_events
    before, now = view_before.sides[seat - 1], scene.view.sides[seat - 1]
    # Of a slam dunk the open display's tile was named, but not the one for a sealed rack.
    named_coloured, named_black = refill[0][0].due_refill if refill else (0, 0)
    coloured = len(before.unseen_coloured) - len(now.unseen_coloured) + now.display.size - before.display.size
    black = len(before.unseen_black) - len(now.unseen_black) + now.rack.size - before.rack.size
    coloured, black = coloured - named_coloured, black - named_black
    who = scene.player_name(seat)
    if coloured > 0 and black > 0:
        return text("{who} draws {number}, {black} black", who=who, number=coloured + black, black=black)
    if coloured > 0 or black > 0:
        message = "{who} draws {number} coloured" if coloured > 0 else "{who} draws {number} black"
        return text(message, who=who, number=max(coloured, black))
    are_sealed = before.display.pieces is None and before.rack.pieces is None
    return text("{who}: none left to draw", who=who) if are_sealed and scene.draft is None else ""


# -- the last line ------------------------------------------------------------------------------------------------


def _words_at_rest(scene: Scene, detail: str | Sequence[str]) -> list[str]:
    """What the last line says before a key is pressed, the best first: the last play, and what nobody would find out.

    Where the line above says something else, these are the letters of the signs at the start, if the play and who
    made it leave room for them, and later the slam dunk. Where tiles stand above, what must be drawn comes first.
    """
    view: State = scene.view
    if not detail and (request := _request_to_draw_text(scene)):
        return [request]
    more = ""
    who, did = last_play(scene)
    shorter = [text("{who}: {did}", who=who, did=did), did] if who else [did]
    is_start = view.turns < EXPLAINED_TURNS and not scene.uses_buttons and not view.end_reason
    if is_start and detail != SIGN_KEYS_TEXT:
        # Beside the letters a play without a name would look like one of them.
        return [f"{translate(shorter[0])}  {translate(SIGN_KEYS_TEXT)}", *shorter]
    if not is_start and view.sides[view.to_move - 1].display.pieces is not None and _offers_slam_dunk(view):
        more = text("slam dunk?")
    return [f"{translate(said)}  {translate(more)}" for said in shorter if more] + shorter


def last_play(scene: Scene) -> tuple[str, str]:
    """Who made the last play, and what it was: ``÷3 on Ann``; before the first one "" and who starts.

    Refills are passed over.
    """
    plays = [event for event in scene.recent_events if not isinstance(event[2], Refill)]
    if not plays:
        return "", text("{who} starts", who=scene.player_name(scene.seat_to_move or 1))
    before, seat, move = plays[-1]
    return scene.player_name(seat), MOVE_INPUT.move_texts(before, seat, move, scene.names).brief


def _verdict_words(scene: Scene, draft: Draft, marks: Marks | None) -> str:
    """What stands behind the verb: who wins, ``doubled``, or what can be added to the tile."""
    if draft.verdict != "ok" or marks is None or (marks.score is None and draft.message != draft.next_step):
        return _with_other_aim(scene, printed_signs(draft.message), draft, marks)
    if not marks.used_tiles:
        return ""
    if "=" not in draft.message or not marks.score:  # The message is about a key, or about who wins.
        return draft.message
    sign, *second = marks.used_tiles[0][0], *marks.used_tiles[1:]
    other = _other_name(scene)
    own = scene.seat_to_move or 1
    gain = marks.score - scene.view.sides[(3 - own if marks.at_other_score else own) - 1].score
    adding = possible_second_tiles(scene.view, sign)
    may_slam = marks.at_other_score and "/" in adding and not second
    if gain and marks.at_other_score == (gain > 0) and not may_slam:  # That helps the other: the higher score wins.
        return text("on {who}!", who=other) if marks.at_other_score else text("on yourself!")
    if second:
        return text("doubled") if second[0].startswith("D") else ""
    if "/" in adding:
        if scene.uses_buttons or marks.at_other_score:
            return text("▾ slam dunk") if scene.uses_buttons else text("D: slam dunk")
        return text("slam: {keys}", keys=keys_text(f"{MOVE_INPUT.keys_for_event(f'@{draft.event}')}D"))
    if "D" in adding and not marks.at_other_score:
        return text("▾ doubles it") if scene.uses_buttons else DOUBLE_KEY_TEXT
    return ""


def _with_other_aim(scene: Scene, words: str, draft: Draft, marks: Marks | None) -> str:
    """The question for a sign or number, with whose score a typed play is for, or with the key that aims at the other.

    That key is named after a sign that lowers a score, unless the line above names it.
    """
    if draft.verdict != "more" or scene.uses_buttons or draft.next_step or marks is None or marks.used_tiles:
        return words
    if marks.at_other_score:
        longer = text("on {who}: {question}", question=words, who=_other_name(scene))
        return longer if fits_width(translate(longer), CONDENSED, LINE_COLUMNS) else words
    if _may_mean_other_score(scene, marks) and scene.view.turns >= EXPLAINED_TURNS:
        return text("number, or 0: on {who}", who=_other_name(scene))
    return words


def _may_mean_other_score(scene: Scene, marks: Marks | None) -> bool:
    """Whether a sign that lowers a score is typed for the own one, which is hardly ever meant."""
    draft = scene.draft
    if draft is None or marks is None or marks.at_other_score or marks.used_tiles:
        return False
    return draft.verdict == "more" and draft.text[:1] in printed_signs(LOWERING_SIGNS)


def _other_name(scene: Scene) -> str:
    return scene.player_name(3 - (scene.seat_to_move or 1))


def _offers_slam_dunk(view: State) -> bool:
    return not view.end_reason and any("/" in possible_second_tiles(view, sign) for sign in "+-")


def _slam_dunk_offer(scene: Scene) -> str:
    """How a slam dunk is entered, by an example of its keys only with tiles that are not played; "" for none."""
    if scene.uses_buttons:
        return text("Slam dunk: ▾ on + or −")
    event = example_slam_dunk(scene.view)
    return text("Slam dunk: {keys} #", keys=keys_text(MOVE_INPUT.keys_for_event(event))) if event else ""

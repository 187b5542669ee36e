"""The picker of Prime Attactics, and the keys that type a play.

| button | does |
| --- | --- |
| left, right | choose a tile |
| up | changes the score that the play is for |
| down | adds a second tile |
| OK | goes on, or plays |

With an open display the choices are its tiles, then the black tiles that may be in the rack. With a sealed display the
sign is picked first and then the number, as when typing. Everything here uses the public's view only, so that moving
over black tiles reveals nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from companion.games.api import RefusedError, move_input
from companion.games.api.text import text
from companion.games.prime_attactics import rules
from companion.games.prime_attactics.rules import RULES
from companion.games.prime_attactics.state import Side, State
from companion.games.prime_attactics.tiles import SIGNS, Play, tile_text

SIGN_OF_KEY = {"A": "+", "B": "-", "C": "x", "D": "/"}
"""Letter of the keypad → the sign of a tile in written form."""
TYPED_PLAY_PATTERN = re.compile(r"(0?)(?:([A-D][0A-D]{0,3})(?:([1-9])(0)?(?:(D)([1-9]?))?)?)?")
"""The key pattern of a play. Its groups, in order:

1. ``0`` for the other score;
2. the letter of the sign, after which a letter may replace it and 0 may change the score;
3. the number of the tile;
4. ``0`` for a double;
5. ``D`` for the ÷ of a slam dunk, which has no double;
6. the number of that ÷.
"""


def without_overridden_keys(keys: str) -> str:
    """Typed keys with only the sign and the score that count: ``0B`` for ``A0B``."""
    match = TYPED_PLAY_PATTERN.fullmatch(keys)
    if not (match and match[2]):
        return keys
    at_other_score, _ = typed_score_and_sign(keys)
    sign = match[2].replace("0", "")[-1]
    return f"{'0' if at_other_score else ''}{sign}{keys[match.end(2) :]}"


def typed_score_and_sign(keys: str) -> tuple[bool, str]:
    """Whether typed keys are for the other score, and the sign of their first tile ("" if there is none yet)."""
    match = TYPED_PLAY_PATTERN.fullmatch(keys)
    score_key, letters = (match[1], match[2] or "") if match else ("", "")
    sign = next((SIGN_OF_KEY[letter] for letter in reversed(letters) if letter != "0"), "")
    return bool(score_key) != bool(letters.count("0") % 2), sign


KEY_OF_SIGN = {sign: letter for letter, sign in SIGN_OF_KEY.items()}
SIGN_KEYS_TEXT = text("A+ B− C× D÷")
"""The letters of a keypad and the signs that they stand for."""
LIKELY_SIGNS = "x+/-"
"""With a sealed display, the first of these signs that is available is offered first."""
LOWERING_SIGNS = "-/"
"""The signs that make a score smaller. Tiles with these are for the opponent's score until `up` is pressed."""


class Marks(NamedTuple):
    """What the screen highlights for a draft.

    Args:
        at_other_score: whether the play is for the opponent's score.
        used_tiles: the tiles that are played, in written form.
        score: the score that results; None for none.
        choices: the picker's choices that replace the display on the screen, as printed; () for none.
        chosen_index: the index of the chosen one among these.
    """

    at_other_score: bool = False
    used_tiles: tuple[str, ...] = ()
    score: int | None = None
    choices: tuple[str, ...] = ()
    chosen_index: int = 0


class Pick(NamedTuple):
    """What is picked so far.

    Args:
        step: ``sign``; ``tile``; ``black`` for the second tile of a slam dunk; or ``sure``, which asks for OK again
            before a pass, since ``pass`` is beside tiles that are picked every turn.
        tile: a sign in the first step, later a tile in written form; or ``pass``.
        at_other_score: whether the play is for the opponent's score.
        second_tile: "" for none, ``D``, ``/``, or in the step ``black`` a black tile in written form.
        was_at_other_score: `at_other_score` before a slam dunk, which is always for the other score.
    """

    step: str
    tile: str
    at_other_score: bool = False
    second_tile: str = ""
    was_at_other_score: bool = False


def printed_signs(written: str) -> str:
    """Written plays, tiles and sums with the signs that are printed on tiles: ``×7D``; ``→÷3`` for ``@/3``."""
    return written.replace("x", "×").replace("/", "÷").replace("@", "→")


def printed_tile(written: str) -> str:
    """A tile in written form as pages show it: ``−4``, ``D×``."""
    return printed_signs(written).replace("-", "\N{MINUS SIGN}")


def may_claim_pass(state: State) -> bool:
    """Whether a pass may be legal by public knowledge: some tiles are sealed, and no open tile can be played."""
    side = state.sides[state.to_move - 1]
    has_sealed_tiles = any(held.pieces is None and held.size for held in (side.display, side.rack))
    return has_sealed_tiles and not state.end_reason and RULES.find_legal_move(RULES.seat_view(state, None)) is None


def face_up_tiles(view: State) -> tuple[str, ...]:
    """The different tiles on the open display of the seat to move, in written form; () for a sealed display."""
    return _written_tiles(view.sides[view.to_move - 1].display.pieces or ())


def tile_choices(state: State, pick: Pick) -> tuple[tuple[str, ...], int]:
    """The choices of left and right at the step of `pick`, and the index of the current one."""
    if pick.step == "sure":
        return ("pass",), 0
    side, has_single_row = _side_to_move(state), _has_single_row(state)
    if pick.step == "black":
        choices, current = _possible_black_tiles(side), pick.second_tile
    else:
        tiles = (*(tile for tile in _possible_display_tiles(side) if tile[0] != "D"), *_possible_black_tiles(side))
        if pick.step == "sign":
            tiles = tuple(sign for sign in SIGNS if any(tile[0] == sign for tile in tiles))
        elif not has_single_row:
            tiles = tuple(tile for tile in tiles if tile[0] == pick.tile[0])
        claim = ("pass",) if may_claim_pass(state) and (pick.step == "sign" or has_single_row) else ()
        choices, current = tiles + claim or ("pass",), pick.tile
    return choices, choices.index(current) if current in choices else 0


class Picker(move_input.MoveInput):
    """How a play is picked with six buttons; a pick is a `Pick`."""

    def initial_pick(self, state: State) -> Pick:
        """The best play of the display; with a sealed display the sign that usually raises a score most."""
        if not _has_single_row(state):
            signs, _ = tile_choices(state, Pick("sign", ""))
            return _pick_tile("sign", next((sign for sign in LIKELY_SIGNS if sign in signs), signs[0]))
        view = RULES.seat_view(state, None)
        if play := best_face_up_play(view):
            return Pick("tile", tile_text(play.tile), play.at_other_score)
        tiles, _ = tile_choices(state, Pick("tile", ""))
        return _pick_tile("tile", _last_playable(view, tiles) or tiles[-1])

    def pick_at_first_arrow(self, state: State, arrow: str) -> Pick:
        """Up offers a tile for the other score, down adds to the initial pick, left leads to a pass if one is possible.

        Whoever begins with up asks for the other score, not for the initial tile on it.
        """
        pick = self.initial_pick(state)
        if arrow == "left" and may_claim_pass(state):
            return _pick_tile(pick.step, "pass")
        if arrow == "up" and (tile := _lowering_tile(state, pick.step)):
            return _pick_tile(pick.step, tile)
        return self.pick_after_arrow(state, pick, arrow) if arrow in ("up", "down") else pick

    def pick_after_arrow(self, state: State, pick: Pick, arrow: str) -> Pick:
        if arrow in ("left", "right"):
            choices, index = tile_choices(state, pick)
            chosen = choices[(index + (1 if arrow == "right" else -1)) % len(choices)]
            if pick.step == "black":
                return pick._replace(second_tile=chosen)
            if chosen[0] == pick.tile[0]:
                return pick._replace(tile=chosen)
            return _pick_tile(pick.step, chosen)
        if pick.tile == "pass":
            return pick
        if arrow == "up":
            return pick._replace(at_other_score=not pick.at_other_score)
        if pick.step == "black":
            return pick
        choices_of_second = possible_second_tiles(state, pick.tile[0])
        second_tile = choices_of_second[(choices_of_second.index(pick.second_tile) + 1) % len(choices_of_second)]
        if second_tile == "/":
            return pick._replace(second_tile=second_tile, at_other_score=True, was_at_other_score=pick.at_other_score)
        return pick._replace(
            second_tile=second_tile,
            at_other_score=pick.was_at_other_score if pick.second_tile == "/" else pick.at_other_score,
        )

    def blocked_arrow_text(self, state: State, pick: Pick | None, arrow: str) -> str:
        """Down: no double can be added to a tile of that sign, and none to a slam dunk."""
        if pick is not None and pick.tile == "pass":
            return ""  # Beside "sure?" this would read as if one could not pass.
        if arrow != "down" or pick is None:
            return super().blocked_arrow_text(state, pick, arrow)
        if pick.second_tile.startswith("/"):
            return text("no double")
        return text("no {sign} double", sign=printed_tile(pick.tile[0]))

    def pick_after_ok(self, state: State, pick: Pick) -> Pick | None:
        """From a sign to its numbers, from a slam dunk's first tile to its second, from a pass to ``sure``."""
        view = RULES.seat_view(state, None)
        if pick.tile == "pass":
            return pick._replace(step="sure") if pick.step != "sure" and may_claim_pass(state) else None
        if pick.step == "sign":
            numbers, _ = tile_choices(state, pick._replace(step="tile"))
            fitting = _last_playable(view, numbers, pick.at_other_score) or numbers[-1]
            return pick._replace(step="tile", tile=fitting)
        if pick.step == "tile" and pick.second_tile == "/":
            blacks, _ = tile_choices(state, pick._replace(step="black"))
            slams = [black for black in blacks if _score_after(view, f"@{pick.tile}{black}") is not None]
            return pick._replace(step="black", second_tile=(slams or list(blacks))[-1])
        return None

    def pick_after_back(self, state: State, pick: Pick) -> Pick | None:
        if pick.step == "sure":
            return pick._replace(step="tile" if _has_single_row(state) else "sign")
        if pick.step == "black":
            return pick._replace(step="tile", second_tile="/")
        if pick.step == "tile" and not _has_single_row(state):
            return pick._replace(step="sign", tile=pick.tile[0])
        return None


def best_face_up_play(view: State) -> Play | None:
    """The likeliest play of an open display: a winning one, else the largest own score, else the lowest other score.

    None if no open tile can be played.
    """
    tiles = [tile for tile in face_up_tiles(view) if tile[0] != "D"]
    winning = [f"@{tile}" for tile in tiles if _score_after(view, f"@{tile}") == 0]
    raising = [(score, tile) for tile in tiles if tile[0] in "+x" and (score := _score_after(view, tile)) is not None]
    lowering = [(-score, f"@{tile}") for tile in tiles if (score := _score_after(view, f"@{tile}")) is not None]
    event = winning[0] if winning else max(raising or lowering, default=(0, ""))[1]
    play = RULES.parse_move(event) if event else RULES.find_legal_move(view)
    return play if isinstance(play, Play) else None


def _pick_tile(step: str, tile: str) -> Pick:
    """The pick after moving to a tile of another colour, for the score that it is usually played on."""
    return Pick(step, tile, tile[0] in LOWERING_SIGNS)


def _lowering_tile(state: State, step: str) -> str:
    """The tile or sign that is offered for the other score: one that wins, else the one that lowers it most."""
    choices = [tile for tile in tile_choices(state, Pick(step, ""))[0] if tile[0] in LOWERING_SIGNS]
    if step == "sign":
        return choices[0] if choices else ""
    view = RULES.seat_view(state, None)
    open_tiles = face_up_tiles(view)
    scores = {tile: _score_after(view, f"@{tile}") for tile in choices if tile in open_tiles}
    playable = {tile: score for tile, score in scores.items() if score is not None}
    return min(playable, key=playable.__getitem__) if playable else _last_playable(view, choices)


def _last_playable(view: State, tiles: Sequence[str], at_other_score: bool | None = None) -> str:
    """The last of `tiles` that can be played, or one that wins; "" if none can be played without losing.

    With None as `at_other_score` each tile is played on its usual score.
    """
    signs_at_other = LOWERING_SIGNS if at_other_score is None else SIGNS * at_other_score
    scores = {tile: _score_after(view, "@" * (tile[0] in signs_at_other) + tile) for tile in tiles if tile != "pass"}
    winning = [tile for tile, score in scores.items() if score == 0 and tile[0] in signs_at_other]
    playable = winning or [tile for tile, score in scores.items() if score]
    return playable[-1] if playable else ""


def _score_after(view: State, event: str) -> int | None:
    """The score that a written play results in; None if the arithmetic forbids the play."""
    move = RULES.parse_move(event)
    assert isinstance(move, Play), "what begins with a tile is a play"
    try:
        return rules.working_of_play(view, view.to_move, move)[1]
    except RefusedError:
        return None


def _side_to_move(state: State) -> Side:
    """What everybody knows of the seat to move."""
    return RULES.seat_view(state, None).sides[state.to_move - 1]


def _has_single_row(state: State) -> bool:
    """Whether all tiles are picked from one row, because the display is open or empty."""
    display = state.sides[state.to_move - 1].display
    return display.pieces is not None or not display.size


def _written_tiles(tiles: Sequence[int]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(tile_text(tile) for tile in tiles))


def _possible_display_tiles(side: Side) -> tuple[str, ...]:
    """The tiles that are on the display, or that may be on a sealed one, including doubles."""
    if side.display.pieces is not None:
        return _written_tiles(side.display.pieces)
    return _written_tiles(side.unseen_coloured) if side.display.size else ()


def _possible_black_tiles(side: Side) -> tuple[str, ...]:
    """The black tiles that may be in the rack by public knowledge: all that are not played."""
    return _written_tiles(side.unseen_black) if side.rack.size else ()


def example_tile(state: State) -> str:
    """A tile for an example of keys: one that multiplies, else any that may be on the display; "" for none."""
    tiles = [tile for tile in _possible_display_tiles(_side_to_move(state)) if tile[0] in "+-x"]
    return next((tile for tile in tiles if tile[0] == "x"), next(iter(tiles), ""))


def example_slam_dunk(state: State) -> str:
    """A slam dunk for an example of keys, of tiles that may be in hand; "" if there are none."""
    side = _side_to_move(state)
    first = next((tile for tile in _possible_display_tiles(side) if tile[0] in "+-"), "")
    blacks = _possible_black_tiles(side)
    return f"@{first}{blacks[-1]}" if first and blacks else ""


def possible_second_tiles(state: State, sign: str) -> list[str]:
    """The possible values of `Pick.second_tile` for a tile of this sign: ``""``, ``D``, ``/``."""
    side = _side_to_move(state)
    slam = sign in "+-" and rules.may_slam_dunk(state) and bool(_possible_black_tiles(side))
    return ["", *(["D"] if f"D{sign}" in _possible_display_tiles(side) else []), *(["/"] if slam else [])]

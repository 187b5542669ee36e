"""The texts of Prime Attactics apart from its drafts: moves, hints, own tiles, and the score sheet."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import ClassVar

from companion.games.api import game_texts
from companion.games.api.board import written_sum
from companion.games.api.game_texts import MoveTexts
from companion.games.api.text import keys_text, plural_text, text
from companion.games.prime_attactics import rules
from companion.games.prime_attactics.picker import (
    LOWERING_SIGNS,
    example_tile,
    may_claim_pass,
    possible_second_tiles,
    printed_signs,
    printed_tile,
    typed_score_and_sign,
)
from companion.games.prime_attactics.rules import RULES
from companion.games.prime_attactics.state import State
from companion.games.prime_attactics.tiles import DOUBLE_BIT, Move, Pass, Play, Refill, tile_text

DOUBLE_KEY_TEXT, SLAM_SIGNS_TEXT = text("0: double it"), text("slam dunk: + or −")
"""What the panel shows for the key D after a tile: how to type a double, which is typed as 0, or a slam dunk's signs.
"""


class GameTexts(game_texts.GameTexts):
    """What Prime Attactics says apart from its drafts."""

    spoken_forms: ClassVar = {
        r"(?<=[,:] )(?P<least>[1-9])-(?P<most>[1-9])(?=\.|$)": "{least} to {most}",
        r"\((?P<sum>[^()]*)\)": "{sum},",
        r"(?<=[0-9D×+−-]) (?=D[-−+×]|[+×÷−/-][0-9D])": ",",
        r"[x×] D(?!\w)": "doubled",
        r"→(?!\s)": "on the other score,",
        r"(?<![\wÀ-ÿ])D(?=[-−+×])|(?<=[0-9])D(?!\w)": "double",
        r"(?<=[0-9 )])x(?=[0-9 D])": "times",
    }

    def move_texts(
        self, state_before: State, seat: int, move: Move, names: Sequence[str] = (), *, moves_again: bool = False
    ) -> MoveTexts:
        """``×7D``; in a sentence with its arithmetic: ``played ×7 doubled: 33 × 7 × 2 = 462``.

        The notation is that of the score sheet.
        """
        if isinstance(move, Pass):
            return MoveTexts("pass", text("could not play"), notation="pass")
        if isinstance(move, Refill):
            if not move.tiles:
                return MoveTexts(str(move), text("drew tiles"))
            written = RULES.format_deal(move.tiles)
            panel_and_page = (text("drew {tiles}", tiles=printed(written)) for printed in (printed_signs, printed_tile))
            return MoveTexts(str(move), *panel_and_page)
        sum_, score = rules.working_of_play(state_before, seat, move)
        brief: str = tiles_text(move)
        if move.is_slam_dunk:
            brief = text("slam dunk {tiles}", tiles=brief)
        values = {"tiles": brief, "sum": written_sum(printed_signs(sum_)), "score": score}
        sentence = text("played {tiles}: {sum} = {score}", **values)
        button_label = text("Play {move}", move=brief)
        if move.at_other_score:
            other = names[2 - seat] if names else text("the other")
            sentence = text("played {tiles} on {other}'s score: {sum} = {score}", other=other, **values)
            button_label = text("Play {tiles} on {other}", tiles=brief, other=other)
            if not move.second_tile or move.second_tile & DOUBLE_BIT:  # A slam dunk is always on the other score.
                brief = text("{tiles} on {other}", tiles=brief, other=other)
        return MoveTexts(
            printed_signs(str(move)),
            brief,
            sentence,
            rules.score_sheet_line(state_before, seat, move),
            button_label=button_label,
        )

    def revealed_piece_text(self, event: str) -> str:
        word, *tiles = event.split()
        if word != "refill":
            return ""
        if not any(tile.startswith("/") for tile in tiles):  # A division is hidden in its rack.
            return " ".join(map(printed_tile, tiles))
        return plural_text(len(tiles), "a new tile", "{number} new tiles")

    def extra_key_text(self, state: State, keys: str, key: str) -> str:
        """What the key D might have been meant for; it is the key of a ÷."""
        _, sign = typed_score_and_sign(keys)
        if key != "D" or not set(keys) & set("123456789"):
            return ""
        return DOUBLE_KEY_TEXT if "D" in possible_second_tiles(state, sign) else ""

    def claim_text(self, event: str) -> str:
        return text("passed") if event == "pass" else ""

    def claim_instructions(self, state: State, uses_buttons: bool = False) -> str:
        """How to pass; "" unless the seat has sealed tiles and no open tile can be played."""
        if not may_claim_pass(state):
            return ""
        if state.missed_turns:  # The other player has just passed, so a second pass ends the round.
            return text("Can't move? ◂ ends it") if uses_buttons else text("No move? 0 # ends it")
        return text("Can't move? ◂ to pass") if uses_buttons else text("No move? 0 # passes")

    def input_instructions(self, view: State, uses_buttons: bool = False) -> str:
        """An example of a play's keys; with buttons, which arrows choose a tile and whose score it is for.

        Nobody knows whether a sealed display has the tile of the example.
        """
        if uses_buttons:
            return text("◂▸ tile, ▴ whose score")
        if not (tile := example_tile(view)):
            return ""
        lowers = tile[0] in LOWERING_SIGNS
        keys, printed = keys_text(self.keys_for_event("@" * lowers + tile)), printed_signs(tile)
        if view.sides[view.to_move - 1].display.pieces is None:
            return text("{keys} # would be {tile}", keys=keys, tile=printed_tile(tile))
        example = "{keys} # = theirs {sign} {number}" if lowers else "{keys} # = yours {sign} {number}"
        return text(example, keys=keys, sign=printed[0], number=printed[1:])

    def suggested_move_text(self, state: State) -> str:
        """The play of the open display that gains the most now, with its arithmetic."""
        from companion.games.api.hint import append_while_fits  # Neither module is needed before somebody asks.
        from companion.games.prime_attactics.coach import gain_of_play

        view = RULES.seat_view(state, None)
        own, other = (view.sides[at].score for at in (view.to_move - 1, 2 - view.to_move))
        plays = [move for move in RULES.legal_moves(view) if isinstance(move, Play)]
        if not plays:
            return ""
        play = max(plays, key=lambda each: gain_of_play(each, own, other))
        sum_, score = rules.working_of_play(view, view.to_move, play)
        message = "Of the open tiles {play} gains most: your {sum} = {score}."
        if play.at_other_score:
            message = "Of the open tiles {play} gains most: the other's {sum} = {score}."
        rack_note = text("This leaves out the rack.") if view.sides[view.to_move - 1].rack.size else ""
        return append_while_fits(text(message, play=tiles_text(play), sum=printed_signs(sum_), score=score), rack_note)

    def own_pieces_text(self, view: State, seat: int) -> str:
        """The rack in words. The display is public, so it is left out."""
        tiles = view.sides[seat - 1].rack.pieces
        if tiles is None:
            return text("The rack is secret: I only know how many.")
        if not tiles:
            return text("In the rack: nothing")
        return text("In the rack: {tiles}", tiles=printed_signs(RULES.format_deal(tiles)))

    def held_pieces(self, view: State, seat: int) -> list[str]:
        side = view.sides[seat - 1]
        return [tile_text(tile) for holding in (side.display, side.rack) for tile in holding.pieces or ()]

    def with_printed_names(self, refusal_text: str) -> str:
        """The signs that are printed on tiles: ``x3`` becomes ``×3``, ``/3`` ``÷3``, ``@`` ``→``."""
        return re.sub(r"/(?=\d)", "÷", re.sub(r"(?<![a-z])x(?=\d)", "×", refusal_text)).replace("@", "→")

    def printed_piece(self, piece: str, options: Mapping[str, str]) -> str:
        return printed_signs(piece)

    def piece_keys_text(self, kind: str, options: Mapping[str, str]) -> str:
        return "" if kind == "rack" else text("number, or 0: double")

    def event_gain(self, event: str, seat: int, counts_before: tuple[int, ...], counts_after: tuple[int, ...]) -> int:
        gained = [then - now for now, then in zip(counts_before, counts_after, strict=True)]
        return gained[seat - 1] - gained[2 - seat]

    def page_lines(
        self, page: str, states: Sequence[State], events: Sequence[tuple[int, str]], visible_lines: int
    ) -> Sequence[str]:
        """The lines of the score sheet, or the tiles played in one line: two columns with a tab between them."""
        if page != "sheet":
            plays = [(seat, move) for seat, event in events if isinstance(move := RULES.parse_move(event), Play)]
            played = (" ".join(printed_play(move) for mover, move in plays if mover == seat) for seat in (1, 2))
            return ("\t".join(tiles or "0" for tiles in played),)
        scores = [str(side.score) for side in states[0].sides]
        return tuple(map("\t".join, sheet_columns(self.score_sheet(states, events), visible_lines) or [scores]))

    def score_sheet(self, states: Sequence[State], events: Sequence[tuple[int, str]]) -> list[tuple[list[str], ...]]:
        """The sheet as written by hand.

        A play is in the column of the score that it changed, as on the rules' sample sheet.
        """
        blocks: dict[int, tuple[list[str], ...]] = {}
        for before, (seat, event) in zip(states, events, strict=False):
            move = RULES.parse_move(event)
            if isinstance(move, Play):
                block = blocks.setdefault(before.turns // 2, ([], []))
                block[2 - seat if move.at_other_score else seat - 1].append(rules.score_sheet_line(before, seat, move))
        return list(blocks.values())


def tiles_text(move: Play) -> str:
    """The tiles of a play in words: ``−4``, ``×7 doubled``, ``+2 ÷3``."""
    if move.second_tile & DOUBLE_BIT:
        return text("{tile} doubled", tile=printed_tile(tile_text(move.tile)))
    return printed_play(move)


def printed_play(move: Play) -> str:
    """The tiles of a play as they are printed: ``×7 D×``, ``−4``."""
    return " ".join(printed_tile(tile_text(tile)) for tile in (move.tile, move.second_tile) if tile)


COLUMN_PIXELS = 59
"""The width of a column of the sheet, in pixels."""

SheetLine = tuple[str, str]


def sheet_columns(sheet: Sequence[tuple[list[str], ...]], page_lines: int) -> tuple[SheetLine, ...]:
    """Both columns of a sheet, line by line: ``("33 x 7 x D", "")``, ``("= 462", "")``.

    A line that begins with ``=`` continues the one above. A round that fits on a page of `page_lines` lines is not
    split: empty lines fill the page before it.
    """
    lines: list[SheetLine] = []
    for block in sheet:
        first, second = ([part for line in column for part in _fitting_lines(line)] for column in block)
        height = max(len(first), len(second))
        if len(lines) % page_lines + height > page_lines >= height:
            lines += [("", "")] * (-len(lines) % page_lines)
        lines += zip_longest(first, second, fillvalue="")
    return tuple(lines)


def _fitting_lines(full_line: str) -> list[str]:
    """A line of the sheet in the first form that fits: one line, one without spaces, two (three for a huge result).

    If the first of two lines does not fit, it loses its spaces, and then the score that it starts from.
    """
    left, _, result = full_line.partition(" = ")
    for line in (full_line, full_line.replace(" ", "")):
        if _widest_pixels(line) <= COLUMN_PIXELS:
            return [line]
    close_left = left.replace(" ", "")
    without_score = left.lstrip("(0123456789").replace(")", "").strip()
    left = next((form for form in (left, close_left) if _widest_pixels(form) <= COLUMN_PIXELS), without_score)
    if _widest_pixels(f"= {result}") <= COLUMN_PIXELS:
        return [left, f"= {result}"]
    return [left, f"={result[:-9]}", result[-9:]] if len(result) > 9 else [left, f"={result}"]


def _widest_pixels(line: str) -> int:
    """The greatest width of a text in the text font, in pixels: six for each character, four for a space."""
    return sum(4 if mark == " " else 6 for mark in line) - 1

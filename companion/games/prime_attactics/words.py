"""The texts of Prime Attactics apart from its drafts: moves, hints, own tiles, and the score sheet."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import zip_longest

from companion.games.api import words
from companion.games.api.text import plural_text, text
from companion.games.api.words import MoveWords
from companion.games.prime_attactics import rules
from companion.games.prime_attactics.pick import SIGN_KEYS, begun_by, claimable, face_up, second_tiles, shown
from companion.games.prime_attactics.rules import RULES
from companion.games.prime_attactics.state import State
from companion.games.prime_attactics.tiles import Move, Pass, Play, Refill, tile_text

NO_DOUBLE, NO_SLAM = text("0 doubles it"), text("slam: + or -")
"""What the panel shows for the key D after a tile: how to type a double, which is typed as 0, or a slam dunk's signs.
"""


class Words(words.Words):
    """What Prime Attactics says apart from its drafts."""

    def move_words(
        self, before: State, seat: int, move: Move, names: Sequence[str] = (), *, again: bool = False
    ) -> MoveWords:
        """``×7D``; in a sentence with its arithmetic: ``played ×7D: 33×7×2 = 462``.

        The notation is that of the score sheet.
        """
        if isinstance(move, Pass):
            return MoveWords("pass", text("could not play"), written="pass")
        if isinstance(move, Refill):
            drawn = shown(RULES.write_deal(move.tiles))
            return MoveWords(str(move), text("drew {tiles}", tiles=drawn) if drawn else text("drew tiles"))
        sum_, score = rules.working(before, seat, move)
        values = {"tiles": shown(str(move).lstrip("@")), "sum": shown(sum_), "score": score}
        said = text("played {tiles}: {sum} = {score}", **values)
        plays = text("Play {move}", move=_laid(move))
        if move.aimed:
            other = names[2 - seat] if names else text("the other")
            said = text("played {tiles} on {other}'s score: {sum} = {score}", other=other, **values)
            plays = text("Play {tiles} on {other}'s score", tiles=_laid(move), other=other)
        return MoveWords(shown(str(move)), "", said, rules.sheet_line(before, seat, move), plays=plays)

    def reveals(self, event: str) -> str:
        word, *tiles = event.split()
        if word != "refill":
            return ""
        return plural_text(len(tiles), "a new tile", "{number} new tiles")

    def no_more(self, state: State, keys: str, key: str) -> str:
        """What the key D might have been meant for; it is the key of a ÷."""
        _, sign = begun_by(keys)
        if key != "D" or not set(keys) & set("123456789"):
            return ""
        return NO_DOUBLE if "D" in second_tiles(state, sign) else ""

    def claimed(self, event: str) -> str:
        return text("passed") if event == "pass" else ""

    def cannot(self, state: State, buttons: bool = False) -> str:
        """How to pass; "" unless the seat has sealed tiles and no open tile can be played."""
        if not claimable(state):
            return ""
        if state.missed:  # The other player has just passed, so a second pass ends the round.
            return text("no move? ◂ ends it") if buttons else text("no move? 0 # ends it")
        return text("no move? ◂ to pass") if buttons else text("no move? 0 # passes")

    def how_to_enter(self, view: State, buttons: bool = False) -> str:
        """The keys of the signs, and 0 for the other score.

        With buttons: left and right choose a tile, or a sign if none is face up; up changes the score, down adds a
        second tile.
        """
        if not buttons:
            return f"{SIGN_KEYS} 0→, {'2-5' if view.level == 'easy' else '1-7'}, #"
        if rules.may_slam(view):
            return text("◂▸ tile ▴ whose ▾ D, slam") if face_up(view) else text("◂▸ sign ▴ whose ▾ D, slam")
        return text("◂▸ tile ▴ whose ▾ double") if face_up(view) else text("◂▸ sign ▴ whose ▾ double")

    def suggestion(self, state: State) -> str:
        """The play of the open display that gains the most now, with its arithmetic."""
        from companion.games.api.hint import as_much_as_fits  # Neither module is needed before somebody asks.
        from companion.games.prime_attactics.coach import gain

        view = RULES.view(state, None)
        own, other = (view.sides[at].score for at in (view.to_move - 1, 2 - view.to_move))
        plays = [move for move in RULES.moves(view) if isinstance(move, Play)]
        if not plays:
            return ""
        play = max(plays, key=lambda each: gain(each, own, other))
        sum_, score = rules.working(view, view.to_move, play)
        message = "Of the open tiles {play} gains most: your {sum} = {score}."
        if play.aimed:
            message = "Of the open tiles {play} gains most: the other's {sum} = {score}."
        without = text("This leaves out the rack.") if view.sides[view.to_move - 1].rack.size else ""
        return as_much_as_fits(text(message, play=shown(str(play)), sum=shown(sum_), score=score), without)

    def own(self, view: State, seat: int) -> str:
        """The rack in words. The display is public, so it is left out."""
        tiles = view.sides[seat - 1].rack.pieces
        if tiles is None:
            return text("The rack is secret: I only know how many.")
        if not tiles:
            return text("In the rack: nothing")
        return text("In the rack: {tiles}", tiles=shown(RULES.write_deal(tiles)))

    def held(self, view: State, seat: int) -> list[str]:
        side = view.sides[seat - 1]
        return [tile_text(tile) for holding in (side.display, side.rack) for tile in holding.pieces or ()]

    def printed(self, words: str) -> str:
        """The signs that are printed on tiles: ``x3`` becomes ``×3``, ``/3`` ``÷3``, ``@`` ``→``."""
        return re.sub(r"/(?=\d)", "÷", re.sub(r"(?<![a-z])x(?=\d)", "×", words)).replace("@", "→")

    def piece_words(self, piece: str, options: Mapping[str, str]) -> str:
        return shown(piece)

    def gain(self, event: str, seat: int, before: tuple[int, ...], after: tuple[int, ...]) -> int:
        gained = [then - now for now, then in zip(before, after, strict=True)]
        return gained[seat - 1] - gained[2 - seat]

    def lines(self, page: str, states: Sequence[State], events: Sequence[tuple[int, str]], high: int) -> Sequence[str]:
        """The lines of the score sheet: two columns with a tab between them; () for the page of tiles."""
        if page != "sheet":
            return ()
        scores = [str(side.score) for side in states[0].sides]
        return tuple(map("\t".join, columns(self.sheet(states, events), high) or [scores]))

    def sheet(self, states: Sequence[State], events: Sequence[tuple[int, str]]) -> list[tuple[list[str], ...]]:
        """The sheet as written by hand.

        A play is in the column of the score that it changed, as on the rules' sample sheet.
        """
        blocks: dict[int, tuple[list[str], ...]] = {}
        for before, (seat, event) in zip(states, events, strict=False):
            move = RULES.read(event)
            if isinstance(move, Play):
                block = blocks.setdefault(before.turns // 2, ([], []))
                block[2 - seat if move.aimed else seat - 1].append(rules.sheet_line(before, seat, move))
        return list(blocks.values())


def _laid(move: Play) -> str:
    """The tiles of a play as they are printed: ``×7 D×``."""
    return " ".join(shown(tile_text(tile)) for tile in (move.tile, move.then) if tile)


ROOM = 59
"""The width of a column of the sheet, in pixels."""

Line = tuple[str, str]


def columns(sheet: Sequence[tuple[list[str], ...]], page: int) -> tuple[Line, ...]:
    """Both columns of a sheet, line by line: ``("33 x 7 x D", "")``, ``("= 462", "")``.

    A line that begins with ``=`` continues the one above. A round that fits on a page of `page_lines` lines is not
    split: empty lines fill the page before it.
    """
    lines: list[Line] = []
    for block in sheet:
        first, second = ([part for line in column for part in _written(line)] for column in block)
        high = max(len(first), len(second))
        if len(lines) % page + high > page >= high:
            lines += [("", "")] * (-len(lines) % page)
        lines += zip_longest(first, second, fillvalue="")
    return tuple(lines)


def _written(whole: str) -> list[str]:
    """A line of the sheet in the first form that fits: one line, one without spaces, two (three for a huge result).

    If the first of two lines does not fit, it loses its spaces, and then the score that it starts from.
    """
    left, _, result = whole.partition(" = ")
    for line in (whole, whole.replace(" ", "")):
        if _wide(line) <= ROOM:
            return [line]
    close = left.replace(" ", "")
    step = left.lstrip("(0123456789").replace(")", "").strip()
    left = next((form for form in (left, close) if _wide(form) <= ROOM), step)
    if _wide(f"= {result}") <= ROOM:
        return [left, f"= {result}"]
    return [left, f"={result[:-9]}", result[-9:]] if len(result) > 9 else [left, f"={result}"]


def _wide(text: str) -> int:
    """The greatest width of a text in the text font, in pixels: six for each character, four for a space."""
    return sum(4 if mark == " " else 6 for mark in text) - 1

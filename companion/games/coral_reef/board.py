"""The board of Coral Reef: the tops as cards, the deck, the hands by number; on a phone the own hand too.

On a phone a stack is tapped first, then the corals for it in placing order; the deck means "I can't move". For a sealed
hand every kind of coral can be tapped, and so can the coral that was drawn into an open hand.
"""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.api import board
from companion.games.api.board import Seen, Svg
from companion.games.api.text import Text, plural_text, text
from companion.games.coral_reef.drafts import left_over, ranks, shown
from companion.games.coral_reef.entry import ENTRY
from companion.games.coral_reef.moves import Move, total
from companion.games.coral_reef.state import State
from companion.games.coral_reef.sums import completes, pack
from companion.games.coral_reef.words import KEYS, is_open

WIDTH, HEIGHT = 1000, 560
CARD = (104, 150)
"""The width and height of the card on top of a stack, in units of the drawing."""
WIDE, HEAD = 600, 350
"""The width of a phone's drawing, and its height above the own corals."""
IN_ROW = 8
CORAL = (67, 76)
"""The width and height of a coral of the hand, in units of the drawing."""
KEY = {coral: key for key, coral in KEYS.items() if key != "A"}
"""Coral → its key."""


class Board(board.Board):
    """The board of Coral Reef."""

    def draw(self, view: State, names: Sequence[str], last: tuple[int, Move] | None) -> Svg:
        drawing = Svg(WIDTH, HEIGHT, _title(view))
        pitch = WIDTH / max(len(view.tops), 5)
        left = (WIDTH - pitch * len(view.tops)) / 2
        touched = _touched(view, last)
        for index, top in enumerate(view.tops):
            middle = left + (index + 0.5) * pitch
            drawing.rect(middle - CARD[0] / 2, 60, *CARD, css="card", round_=12)
            drawing.text(middle, 170, str(top), 96 if top < 10 else 62, "ink")
            drawing.text(middle, 270, str(index + 1), 44, "mark" if index + 1 == touched else "faint")
        for seat, (name, size) in enumerate(zip(names, view.sizes, strict=True), 1):
            _hand(drawing, 330 + (seat - 1) * 80, name, size, f"seat{seat}")
        drawing.text(WIDTH - 20, 540, text("{pile} in the deck", pile=view.pile), 40, "faint", anchor="end")
        return drawing

    def on_phone(self, seen: Seen) -> Svg:
        view, keys = seen.view, seen.keys
        held = view.holdings[seen.seat - 1].pieces
        names_drawn = seen.due and keys[:1] == "0" and ENTRY.forced(view)
        open_ = held is not None and not names_drawn
        corals = list(held or ()) if open_ else list(ranks(view.form)) if seen.due else []
        rows = -(-len(corals) // IN_ROW)
        drawing = Svg(WIDE, HEAD + rows * (CORAL[1] + 8), _title(view))
        drawing.asks = _asks(seen)
        _stacks(drawing, seen)
        _placed(drawing, seen)
        _others(drawing, seen)
        _corals(drawing, seen, corals, open_=open_)
        return drawing

    def in_words(self, view: State, names: Sequence[str]) -> Sequence[str]:
        stacks = [text("Stack {stack}: {top} on top", stack=stack, top=top) for stack, top in enumerate(view.tops, 1)]
        hands = [
            plural_text(size, "{name} has {number} coral", "{name} has {number} corals", name=name)
            for name, size in zip(names, view.sizes, strict=True)
        ]
        return [*stacks, *hands, text("{pile} in the deck", pile=view.pile)]

    def key_words(self, view: State, keys: str) -> dict[str, str]:
        if not keys:
            tops = dict(enumerate(view.tops, 1))
            stacks = {str(stack): text("stack {stack}: {top}", stack=stack, top=top) for stack, top in tops.items()}
            vacant = {str(stack): "" for stack in range(1, 9) if stack not in tops}
            return vacant | {"9": text("new stack: 9"), "0": text("I can't move")} | stacks
        return {"1": "A", "A": "", "0": "10", "B": "J", "C": "Q", "D": "K"}


BOARD = Board()


def _hand(drawing: Svg, top: float, name: str, size: int, css: str) -> None:
    """Draw a player's name, and the corals as backs of cards and as a number; `top` is the upper edge."""
    drawing.text(20, top + 44, name, min(40.0, 480 / len(name)), "ink", anchor="start")
    pitch = min(44.0, 560 / max(size, 1))
    for index in range(size):
        drawing.rect(330 + index * pitch, top, 36, 54, f"{css} back", round_=6)
    drawing.text(WIDTH - 20, top + 44, str(size), 52, "ink", anchor="end")


def _title(view: State) -> Text:
    return text("Coral Reef: stacks {tops}", tops=", ".join(map(str, view.tops)))


def _touched(view: State, last: tuple[int, Move] | None) -> int:
    """The stack that the last move changed, 0 for none."""
    if last is None:
        return 0
    return len(view.tops) if last[1].kind == "seed" else last[1].stack


def _asks(seen: Seen) -> str:
    """What to tap next; "" if the draft says it: how much is missing, or what is refused."""
    view, keys = seen.view, seen.keys
    if not keys:
        if seen.due and ENTRY.forced(view):
            return text("None of your corals fits: tap the deck to draw.")
        if seen.due and view.drew and not is_open(view):
            return text("You have drawn: tap a stack, or tap the deck to pass.")
        return text("Tap a stack, then corals for it.")
    if seen.due and keys == "0" and ENTRY.forced(view):
        return text("Draw a coral, then tap the one you drew.")
    if keys[0] in "09" or int(keys[0]) > len(view.tops):
        return ""
    if not _leads(seen, keys):
        return text("None of your corals completes this: take one back, or tap another stack.")
    return "" if keys[1:] else text("Tap corals that add up to {top}.", top=view.tops[int(keys[0]) - 1])


def _leads(seen: Seen, keys: str) -> bool:
    """Whether a move can come of a stack and corals, as far as the player knows: an open hand has all that may follow.

    Whether corals are a move as they are is the draft's to say.
    """
    view, held = seen.view, seen.view.holdings[seen.seat - 1].pieces
    if held is None or keys[:1] in ("", "0", "9") or int(keys[0]) > len(view.tops):
        return True
    left, placed = list(held), [KEYS[key] for key in keys[1:]]
    for coral in placed:
        if coral not in left:
            return True
        left.remove(coral)
    missing = view.tops[int(keys[0]) - 1] - total("".join(placed))
    ends = missing == 0 and placed != [] and (placed[-1] not in "JQK" or "T" in left)
    return ends or completes(pack(left), missing)


def _columns(seen: Seen) -> tuple[int, float]:
    """The number of columns for stacks, and the distance between two of them.

    The seat to move also sees a column for a new stack.
    """
    slots = len(seen.view.tops) + seen.due
    return slots, WIDE / max(slots, 5)


def _stacks(drawing: Svg, seen: Seen) -> None:
    """Draw the stacks with their numbers, and after them the rectangle for a new reef."""
    view, keys = seen.view, seen.keys
    slots, pitch = _columns(seen)
    wide = min(104.0, pitch - 8)
    last = _touched(view, seen.last)
    for index in range(slots):
        x, number = index * pitch + (pitch - wide) / 2, index + 1
        new = index == len(view.tops)
        drawing.rect(x, 10, wide, 126, "ghost" if new else "card", round_=12)
        if new:
            drawing.text(x + wide / 2, 72, text("new"), min(26, wide * 0.27), "faint")
            drawing.text(x + wide / 2, 104, "9", 30, "faint")
            drawing.tap("9", text("new stack, with a nine"), (x, 10, wide, 164), chosen=keys == "9")
            continue
        top = view.tops[index]
        drawing.text(x + wide / 2, 102, str(top), 80 if top < 10 else min(62, wide * 0.6))
        drawing.text(x + wide / 2, 164, str(number), 30, "mark" if number == last else "faint")
        if seen.due:
            words = text("stack {stack}: {top} on top", stack=number, top=top)
            corals = keys[1:] if keys[:1] not in ("0", "9") else ""
            after, chosen = f"{number}{corals}", keys[:1] == str(number)
            drawing.tap(after, words, (x, 10, wide, 164), chosen=chosen, leads=_leads(seen, after))


def _placed(drawing: Svg, seen: Seen) -> None:
    """Draw the corals that are entered so far, in order, below their stack."""
    corals = seen.keys[1:]
    if not corals or seen.keys[0] not in "12345678":
        return
    pitch = min(62.0, (WIDE - 20) / len(corals))
    wide = min(54.0, pitch - 4)
    row = (len(corals) - 1) * pitch + wide
    middle = (int(seen.keys[0]) - 0.5) * _columns(seen)[1]
    left = min(max(10.0, middle - row / 2), WIDE - 10 - row)
    for index, key in enumerate(corals):
        x = left + index * pitch
        drawing.rect(x, 184, wide, 58, "ghost", round_=8)
        drawing.text(x + wide / 2, 226, shown(KEYS[key], seen.view.form), 34, "mark")


def _others(drawing: Svg, seen: Seen) -> None:
    """Draw the number of each player's corals, and the deck, which a player taps who can't move."""
    view = seen.view
    for index, (name, size) in enumerate(zip(seen.names, view.sizes, strict=True)):
        y = 288 + index * 42
        drawing.rect(10, y - 30, 12, 36, f"seat{index + 1}", round_=5)
        drawing.text(34, y, text("{name}: {size}", name=name, size=size), min(30.0, 460 / len(name)), anchor="start")
    drawing.rect(384, 256, 206, 80, "card", round_=10)
    drawing.text(487, 292, text("deck {pile}", pile=view.pile), 28)
    if seen.due:
        passes = not is_open(view) and (view.drew or not view.pile)  # Where nothing can be drawn.
        drawing.text(487, 322, text("pass") if passes else text("I can't move"), 22, "faint")
        words = text("I can't move: draw or pass; {pile} in the deck", pile=view.pile)
        drawing.tap("0", words, (384, 256, 206, 80), chosen=seen.keys[:1] == "0")


def _corals(drawing: Svg, seen: Seen, corals: Sequence[str], *, open_: bool) -> None:
    """Draw the own corals, or all kinds of a sealed hand. A tap on a coral that is entered takes it out again."""
    view, keys = seen.view, seen.keys
    placed = [KEYS[key] for key in keys[1:]] if keys[:1] != "0" else []
    for index, coral in enumerate(corals):
        x, y = 6 + index % IN_ROW * 74, HEAD + index // IN_ROW * (CORAL[1] + 8)
        said = shown(coral, view.form)
        used = open_ and coral in placed
        drawing.rect(x, y, *CORAL, "card", round_=10)
        drawing.text(x + CORAL[0] / 2, y + 54, said, 46 if len(said) < 2 else 38, "faint" if used else "ink")
        if used:
            placed.remove(coral)
        if (after := _after(seen, coral, open_=open_, used=used)) is not None:
            words = text("take {coral} back", coral=said) if used else said
            drawing.tap(after, words, (x, y, *CORAL), chosen=used, leads=_leads(seen, after))


def _after(seen: Seen, coral: str, *, open_: bool, used: bool) -> str | None:
    """All keys after a tap on a coral; None if it cannot be tapped because no stack has been tapped."""
    view, keys = seen.view, seen.keys
    if not seen.due or keys[:1] in ("", "9"):
        return None
    key = KEY[coral]
    if keys[0] == "0":
        return None if open_ or view.hands[seen.seat - 1] is None else f"0{key}"
    if used:
        at = keys.rindex(key, 1)
        return keys[:at] + keys[at + 1 :]
    return keys + key if len(keys) <= view.sizes[seen.seat - 1] and coral in left_over(view, "") else None

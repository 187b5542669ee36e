"""The board of Coral Reef: the tops as cards, the deck, the hands by number; on a phone the own hand too.

On a phone a stack is tapped first, then the corals for it in placing order; the deck means "I can't move". For a sealed
hand every kind of coral can be tapped, and so can the coral that was drawn into an open hand.
"""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.api import board
from companion.games.api.board import BoardScene, Svg
from companion.games.api.text import Text, plural_text, text
from companion.games.coral_reef.drafts import available_corals, corals_of_form, printed_corals
from companion.games.coral_reef.game_texts import CORAL_OF_KEY, is_hand_open
from companion.games.coral_reef.move_input import MOVE_INPUT
from companion.games.coral_reef.moves import Move, corals_sum
from companion.games.coral_reef.state import State
from companion.games.coral_reef.sums import bag_of, can_complete_sum

SCREEN_WIDTH, SCREEN_HEIGHT = 1000, 560
CARD_SIZE = (104, 150)
"""The width and height of the card on top of a stack, in units of the drawing."""
PHONE_WIDTH, PHONE_HEAD_HEIGHT = 600, 350
"""The width of a phone's drawing, and its height above the own corals."""
CORALS_IN_ROW = 8
CORAL_SIZE = (67, 76)
"""The width and height of a coral of the hand, in units of the drawing."""
KEY_OF_CORAL = {coral: key for key, coral in CORAL_OF_KEY.items() if key != "A"}
"""Coral → its key."""


class Board(board.Board):
    """Draws the tops as cards, the deck, and how many corals each player holds."""

    def draw(self, view: State, names: Sequence[str], last_move: tuple[int, Move] | None) -> Svg:
        drawing = Svg(SCREEN_WIDTH, SCREEN_HEIGHT, _title(view))
        pitch = SCREEN_WIDTH / max(len(view.tops), 5)
        left = (SCREEN_WIDTH - pitch * len(view.tops)) / 2
        touched = _changed_stack(view, last_move)
        for index, top in enumerate(view.tops):
            middle = left + (index + 0.5) * pitch
            drawing.add_rect(middle - CARD_SIZE[0] / 2, 60, *CARD_SIZE, css="card", corner_radius=12)
            drawing.add_text(middle, 170, str(top), 96 if top < 10 else 62, "ink")
            drawing.add_text(middle, 270, str(index + 1), 44, "mark" if index + 1 == touched else "faint")
        for seat, (name, size) in enumerate(zip(names, view.sizes, strict=True), 1):
            _draw_hand(drawing, 330 + (seat - 1) * 80, name, size, f"seat{seat}")
        drawing.add_text(SCREEN_WIDTH - 20, 540, text("{pile} in the deck", pile=view.deck), 40, "faint", anchor="end")
        return drawing

    def draw_for_phone(self, scene: BoardScene) -> Svg:
        view, keys = scene.view, scene.keys
        own_corals = view.holdings[scene.seat - 1].pieces
        names_drawn = scene.is_to_move and keys[:1] == "0" and MOVE_INPUT.must_draw(view)
        is_open = own_corals is not None and not names_drawn
        corals = list(own_corals or ()) if is_open else list(corals_of_form(view.form)) if scene.is_to_move else []
        rows = -(-len(corals) // CORALS_IN_ROW)
        drawing = Svg(PHONE_WIDTH, PHONE_HEAD_HEIGHT + rows * (CORAL_SIZE[1] + 8), _title(view))
        drawing.prompt = _prompt(scene)
        _draw_stacks(drawing, scene)
        _draw_placed_corals(drawing, scene)
        _draw_players_and_deck(drawing, scene)
        _draw_own_corals(drawing, scene, corals, is_open=is_open)
        return drawing

    def position_sentences(self, view: State, names: Sequence[str]) -> Sequence[str]:
        stacks = [text("Stack {stack}: {top} on top", stack=stack, top=top) for stack, top in enumerate(view.tops, 1)]
        hands = [
            plural_text(size, "{name} has {number} coral", "{name} has {number} corals", name=name)
            for name, size in zip(names, view.sizes, strict=True)
        ]
        return [*stacks, *hands, text("{pile} in the deck", pile=view.deck)]

    def key_labels(self, view: State, keys: str) -> dict[str, str]:
        if not keys:
            tops = dict(enumerate(view.tops, 1))
            stacks = {str(stack): text("stack {stack}: {top}", stack=stack, top=top) for stack, top in tops.items()}
            vacant = {str(stack): "" for stack in range(1, 9) if stack not in tops}
            return vacant | {"9": text("new stack: 9"), "0": text("I can't move")} | stacks
        return {"1": "A", "A": "", "0": "10", "B": "J", "C": "Q", "D": "K"}


BOARD = Board()


def _draw_hand(drawing: Svg, top: float, name: str, size: int, css: str) -> None:
    """Draw a player's name, and the corals as backs of cards and as a number; `top` is the upper edge."""
    drawing.add_text(20, top + 44, name, min(40.0, 480 / len(name)), "ink", anchor="start")
    pitch = min(44.0, 560 / max(size, 1))
    for index in range(size):
        drawing.add_rect(330 + index * pitch, top, 36, 54, f"{css} back", corner_radius=6)
    drawing.add_text(SCREEN_WIDTH - 20, top + 44, str(size), 52, "ink", anchor="end")


def _title(view: State) -> Text:
    return text("Coral Reef: stacks {tops}", tops=", ".join(map(str, view.tops)))


def _changed_stack(view: State, last: tuple[int, Move] | None) -> int:
    """The stack that the last move changed, 0 for none."""
    if last is None:
        return 0
    return len(view.tops) if last[1].kind == "seed" else last[1].stack


def _prompt(scene: BoardScene) -> str:
    """What to tap next; "" if the draft says it: how much is missing, or what is refused."""
    view, keys = scene.view, scene.keys
    if not keys:
        if scene.is_to_move and MOVE_INPUT.must_draw(view):
            return text("None of your corals fits: tap the deck to draw.")
        if scene.is_to_move and view.has_drawn and not is_hand_open(view):
            return text("You have drawn: tap a stack, or tap the deck to pass.")
        return text("Tap a stack, then corals for it.")
    if scene.is_to_move and keys == "0" and MOVE_INPUT.must_draw(view):
        return text("Draw a coral, then tap the one you drew.")
    if keys[0] in "09" or int(keys[0]) > len(view.tops):
        return ""
    if not _can_become_move(scene, keys):
        return text("None of your corals completes this: take one back, or tap another stack.")
    return "" if keys[1:] else text("Tap corals that add up to {top}.", top=view.tops[int(keys[0]) - 1])


def _can_become_move(scene: BoardScene, keys: str) -> bool:
    """Whether a move can come of a stack and corals, as far as the player knows: an open hand has all that may follow.

    Whether corals are a move as they are is the draft's to say.
    """
    view, held = scene.view, scene.view.holdings[scene.seat - 1].pieces
    if held is None or keys[:1] in ("", "0", "9") or int(keys[0]) > len(view.tops):
        return True
    left, placed = list(held), [CORAL_OF_KEY[key] for key in keys[1:]]
    for coral in placed:
        if coral not in left:
            return True
        left.remove(coral)
    missing = view.tops[int(keys[0]) - 1] - corals_sum("".join(placed))
    ends = missing == 0 and placed != [] and (placed[-1] not in "JQK" or "T" in left)
    return ends or can_complete_sum(bag_of(left), missing)


def _columns(scene: BoardScene) -> tuple[int, float]:
    """The number of columns for stacks, and the distance between two of them.

    The seat to move also sees a column for a new stack.
    """
    slots = len(scene.view.tops) + scene.is_to_move
    return slots, PHONE_WIDTH / max(slots, 5)


def _draw_stacks(drawing: Svg, scene: BoardScene) -> None:
    """Draw the stacks with their numbers, and after them the rectangle for a new stack."""
    view, keys = scene.view, scene.keys
    slots, pitch = _columns(scene)
    width = min(104.0, pitch - 8)
    changed_stack = _changed_stack(view, scene.last_move)
    for index in range(slots):
        x, number = index * pitch + (pitch - width) / 2, index + 1
        is_new = index == len(view.tops)
        drawing.add_rect(x, 10, width, 126, "ghost" if is_new else "card", corner_radius=12)
        if is_new:
            drawing.add_text(x + width / 2, 72, text("new", "stack"), min(26, width * 0.27), "faint")
            drawing.add_text(x + width / 2, 104, "9", 30, "faint")
            drawing.add_tap("9", text("new stack, with a nine"), (x, 10, width, 164), chosen=keys == "9")
            continue
        top = view.tops[index]
        drawing.add_text(x + width / 2, 102, str(top), 80 if top < 10 else min(62, width * 0.6))
        drawing.add_text(x + width / 2, 164, str(number), 30, "mark" if number == changed_stack else "faint")
        if scene.is_to_move:
            words = text("stack {stack}: {top} on top", stack=number, top=top)
            corals = keys[1:] if keys[:1] not in ("0", "9") else ""
            after, chosen = f"{number}{corals}", keys[:1] == str(number)
            drawing.add_tap(after, words, (x, 10, width, 164), chosen=chosen, leads=_can_become_move(scene, after))


def _draw_placed_corals(drawing: Svg, scene: BoardScene) -> None:
    """Draw the corals that are entered so far, in order, below their stack."""
    corals = scene.keys[1:]
    if not corals or scene.keys[0] not in "12345678":
        return
    pitch = min(62.0, (PHONE_WIDTH - 20) / len(corals))
    width = min(54.0, pitch - 4)
    row = (len(corals) - 1) * pitch + width
    middle = (int(scene.keys[0]) - 0.5) * _columns(scene)[1]
    left = min(max(10.0, middle - row / 2), PHONE_WIDTH - 10 - row)
    for index, key in enumerate(corals):
        x = left + index * pitch
        drawing.add_rect(x, 184, width, 58, "ghost", corner_radius=8)
        drawing.add_text(x + width / 2, 226, printed_corals(CORAL_OF_KEY[key], scene.view.form), 34, "mark")


def _draw_players_and_deck(drawing: Svg, scene: BoardScene) -> None:
    """Draw the number of each player's corals, and the deck, which a player taps who can't move."""
    view = scene.view
    for index, (name, size) in enumerate(zip(scene.names, view.sizes, strict=True)):
        y = 288 + index * 42
        drawing.add_rect(10, y - 30, 12, 36, f"seat{index + 1}", corner_radius=5)
        drawing.add_text(
            34, y, text("{name}: {size}", name=name, size=size), min(30.0, 460 / len(name)), anchor="start"
        )
    drawing.add_rect(384, 256, 206, 80, "card", corner_radius=10)
    drawing.add_text(487, 292, text("deck {pile}", pile=view.deck), 28)
    if scene.is_to_move:
        passes = not is_hand_open(view) and (view.has_drawn or not view.deck)  # Where nothing can be drawn.
        drawing.add_text(487, 322, text("pass") if passes else text("I can't move"), 22, "faint")
        words = text("I can't move: draw or pass; {pile} in the deck", pile=view.deck)
        drawing.add_tap("0", words, (384, 256, 206, 80), chosen=scene.keys[:1] == "0")


def _draw_own_corals(drawing: Svg, scene: BoardScene, corals: Sequence[str], *, is_open: bool) -> None:
    """Draw the own corals, or all kinds of a sealed hand. A tap on a coral that is entered takes it out again."""
    view, keys = scene.view, scene.keys
    placed = [CORAL_OF_KEY[key] for key in keys[1:]] if keys[:1] != "0" else []
    for index, coral in enumerate(corals):
        x, y = 6 + index % CORALS_IN_ROW * 74, PHONE_HEAD_HEIGHT + index // CORALS_IN_ROW * (CORAL_SIZE[1] + 8)
        label = printed_corals(coral, view.form)
        used = is_open and coral in placed
        drawing.add_rect(x, y, *CORAL_SIZE, "card", corner_radius=10)
        drawing.add_text(x + CORAL_SIZE[0] / 2, y + 54, label, 46 if len(label) < 2 else 38, "faint" if used else "ink")
        if used:
            placed.remove(coral)
        if (after := _keys_after_tap(scene, coral, is_open=is_open, is_used=used)) is not None:
            words = text("take {coral} back", coral=label) if used else label
            drawing.add_tap(after, words, (x, y, *CORAL_SIZE), chosen=used, leads=_can_become_move(scene, after))


def _keys_after_tap(scene: BoardScene, coral: str, *, is_open: bool, is_used: bool) -> str | None:
    """All keys after a tap on a coral; None if it cannot be tapped because no stack has been tapped."""
    view, keys = scene.view, scene.keys
    if not scene.is_to_move or keys[:1] in ("", "9"):
        return None
    key = KEY_OF_CORAL[coral]
    if keys[0] == "0":
        return None if is_open or view.hands[scene.seat - 1] is None else f"0{key}"
    if is_used:
        index = keys.rindex(key, 1)
        return keys[:index] + keys[index + 1 :]
    return keys + key if len(keys) <= view.sizes[scene.seat - 1] and coral in available_corals(view, "") else None

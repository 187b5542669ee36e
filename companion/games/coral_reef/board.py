"""The board of Coral Reef: the stacks as cards, the deck, the other hands; on a phone a tray with the own hand.

On a phone a stack is tapped first, then the corals for it in placing order; the deck means "I can't move". For a sealed
hand every kind of coral can be tapped, and so can the coral that was drawn into an open hand. Corals fan down from the
stack that they lie on, with its former top above them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from companion.games.api import board
from companion.games.api.board import BoardScene, Svg, written_sum
from companion.games.api.move_input import Draft
from companion.games.api.text import Text, plural_text, text
from companion.games.coral_reef.drafts import available_corals, corals_of_form, printed_corals
from companion.games.coral_reef.game_texts import CORAL_OF_KEY, is_hand_open
from companion.games.coral_reef.move_input import MOVE_INPUT
from companion.games.coral_reef.moves import Move, coral_name, corals_sum, full_sum_text
from companion.games.coral_reef.rules import RULES
from companion.games.coral_reef.state import State
from companion.games.coral_reef.sums import CORAL_VALUES, bag_of, can_complete_sum

MAX_STACKS = 8
"""The most stacks: there are eight nines."""
MIN_TAP_WIDTH = 64
"""Eight stacks are narrower, but on a phone on its side a finger needs as much."""
CORALS_IN_ROW, MOST_CORALS_IN_ROW = 8, 10
"""How many corals are in a row of the tray; if they are more, they become narrower, and then there are more rows."""
CORAL_HEIGHT, ROW_HEIGHT = 98, 110
"""The height of a coral of the hand, and the distance between two rows, in units of the drawing."""
KEY_OF_CORAL = {coral: key for key, coral in CORAL_OF_KEY.items() if key != "A"}
"""Coral → its key."""


class Layout(NamedTuple):
    """The measures of a drawing, in its units.

    Attributes:
        size: the width and the height of the drawing.
        card_size: the largest width and the height of a card on a stack.
        deck_size: the width and the height of the deck.
    """

    size: tuple[float, float]
    card_size: tuple[float, float]
    deck_size: tuple[float, float]

    @property
    def foot(self) -> float:
        """The upper edge of the hands and of the deck."""
        return self.size[1] - 12 - self.deck_size[1]

    def place_of_stack(self, stack: int, stacks: int) -> board.Rectangle:
        """Where the card of a stack lies, counted from 1. There is a place for a new stack, if one can be started."""
        slots = min(stacks + 1, MAX_STACKS)
        pitch = self.size[0] / max(slots, 5)
        width = min(self.card_size[0], pitch - 16)
        left = (self.size[0] - pitch * slots) / 2
        return left + (stack - 0.5) * pitch - width / 2, STACKS_TOP, width, self.card_size[1]

    def step_of_fan(self, corals: int) -> float:
        """How much is seen of each covered card where so many corals lie on a stack."""
        room = self.foot - STACKS_TOP - self.card_size[1] - LABEL_HEIGHT - 20
        return min(MAX_STEP, room / max(corals, 1))

    def reach_of_fan(self, corals: str) -> float:
        """How far down the last coral lies."""
        return self.step_of_fan(len(corals)) * len(corals)


STACKS_TOP, LABEL_HEIGHT = 26, 40
MAX_STEP = 64
"""How much is seen of a card that the next one covers, where there is room."""
SCREEN_LAYOUT = Layout((1000, 582), (124, 174), (150, 104))
PHONE_LAYOUT = Layout((600, 580), (100, 140), (246, 88))


class Fan(NamedTuple):
    """Corals that lie on a stack one by one: those of the last move, or of a half-made one.

    Attributes:
        stack: the stack; 0 for none.
        corals: the corals in placing order; "" if the stack itself is new.
        seat: whose move it is; 0 for none.
        is_drafted: whether it is half-made.
        is_refused: whether the rules forbid it.
    """

    stack: int = 0
    corals: str = ""
    seat: int = 0
    is_drafted: bool = False
    is_refused: bool = False


class Board(board.Board):
    """Draws the stacks as cards, the deck, and the hands as backs of cards."""

    def draw(self, view: State, names: Sequence[str], last_move: tuple[int, Move] | None) -> Svg:
        return _draw_board(SCREEN_LAYOUT, BoardScene(view, names, (last_move,) if last_move else ()))

    def draw_for_phone(self, scene: BoardScene) -> Svg:
        drawing = _draw_board(PHONE_LAYOUT, scene)
        drawing.prompt = _prompt(scene)
        drawing.verb = text("Draw", "button") if _is_drawing(scene) else text("Lay", "button")
        drawing.tray = _draw_tray(scene)
        return drawing

    def draft_sentences(self, scene: BoardScene, draft: Draft) -> tuple[str, str]:
        """A sum that is not yet right is what is said first; why it is not, or that nothing completes it, comes second.

        For ``ok`` the page shows the first one first, otherwise the second one.
        """
        view, keys = scene.view, scene.keys
        if _names_no_stack(view, keys):
            return "", _sentence_without_stack(view, keys, draft)
        if not keys[1:]:
            return "", ""
        stack, corals = int(keys[0]), _placed_corals(keys)
        top, total = view.tops[stack - 1], corals_sum(corals)
        sum_ = written_sum(full_sum_text(corals) if corals[1:] else str(total))
        refused = RULES.refusal(view, Move("play", stack, corals))
        if refused is None:
            number = CORAL_VALUES[corals[-1]] or 10
            return sum_ if corals[1:] else "", text(
                "{number} is the new top of stack {stack}.", number=number, stack=stack
            )
        ten = coral_name("T", view.form)
        if refused.code == "ten-last":
            return text("Take corals back as far as the {ten}.", ten=ten), text(
                "A {ten} must be the last coral.", ten=ten
            )
        if draft.verdict != "more" and refused.code != "sum":
            return draft.message, draft.working
        if total < top:
            sum_ = plural_text(
                top - total, "{sum}: {number} more makes {top}.", "{sum}: {number} more make {top}.", sum=sum_, top=top
            )
        elif total > top:
            sum_ = text("{sum}: {number} too many for {top}.", sum=sum_, number=total - top, top=top)
        if draft.verdict == "more" and not _can_become_move(scene, keys):
            return text("None of your corals completes this: take one back, or tap another stack."), sum_
        if corals[-1] in "JQK":
            values = {"coral": corals[-1], "number": -CORAL_VALUES[corals[-1]]}
            return text("{coral} takes {number} away and is never last.", **values), sum_
        return text("A {ten} adds 0: it is 10 only as the new top.", ten=ten) if corals[-1] == "T" else "", sum_

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


def _title(view: State) -> Text:
    return text("Coral Reef: stacks {tops}", tops=", ".join(map(str, view.tops)))


def _prompt(scene: BoardScene) -> str:
    """What to tap next; "" if the draft says it: how much is missing, or what is refused."""
    view, keys = scene.view, scene.keys
    if not keys:
        if _is_drawing(scene):
            return text("None of your corals fits: tap the deck to draw.")
        if scene.is_to_move and view.has_drawn and not is_hand_open(view):
            return text("You have drawn: tap a stack, or tap the deck to pass.")
        return text("Tap a stack, then corals for it.")
    if keys == "0" and _is_drawing(scene):
        return text("Draw a coral, then tap the one you drew.")
    if _names_no_stack(view, keys):
        return ""
    if keys[1:]:
        return ""
    if not _can_become_move(scene, keys):
        return text("None of your corals add up to {top}: tap another stack.", top=view.tops[int(keys[0]) - 1])
    return text("Tap corals that add up to {top}.", top=view.tops[int(keys[0]) - 1])


def _sentence_without_stack(view: State, keys: str, draft: Draft) -> str:
    """What is said of a draw, a pass or a new stack: what was drawn, or why it is refused."""
    hand = view.holdings[(view.to_move or 1) - 1].pieces
    if keys[:1] == "0" and keys[1:] and draft.verdict == "ok":
        return text("You drew {coral}.", coral=printed_corals(CORAL_OF_KEY[keys[1]], view.form))
    if hand is None or draft.verdict != "no":
        return draft.message
    if keys == "9" and "9" not in hand:
        return text("You have no 9.")
    if keys != "0":
        return draft.message
    *others, last = [str(stack) for stack, top in enumerate(view.tops, 1) if can_complete_sum(bag_of(hand), top)] or [
        ""
    ]
    if not last:
        return text("You can still start a new stack with your 9.")
    stacks = text("{some} or {last}", some=", ".join(others), last=last) if others else last
    return text("You can still lay: stack {stacks}.", stacks=stacks)


def _is_drawing(scene: BoardScene) -> bool:
    """Whether the player has to draw now: the coral that was drawn is named."""
    return scene.is_to_move and scene.keys[:1] in ("", "0") and MOVE_INPUT.must_draw(scene.view)


def _can_become_move(scene: BoardScene, keys: str) -> bool:
    """Whether a stack and corals can become a move as far as the player knows: an open hand has all that may follow."""
    view, held = scene.view, scene.view.holdings[scene.seat - 1].pieces
    if held is None or _names_no_stack(view, keys):
        return True
    left, placed = list(held), _placed_corals(keys)
    for coral in placed:
        if coral not in left:
            return True
        left.remove(coral)
    missing = view.tops[int(keys[0]) - 1] - corals_sum(placed)
    is_move = missing == 0 and placed != "" and placed[-1] not in "JQK"
    return is_move or can_complete_sum(bag_of(left), missing)


def _draw_board(layout: Layout, scene: BoardScene) -> Svg:
    """Draw what everybody sees; for a phone with the player's half-made move, and with the taps of who is to move."""
    view = scene.view
    drawing = Svg(*layout.size, _title(view))
    fans = (_drafted_fan(scene), _last_fan(scene))
    for stack in range(1, min(len(view.tops) + 1, MAX_STACKS) + 1):
        fan = next((fan for fan in fans if fan.stack == stack), Fan())
        _draw_stack(drawing, layout, scene, stack, fan)
        if scene.is_to_move:
            _add_stack_taps(drawing, layout, scene, stack, fan)
    seats = [seat for seat in range(1, len(scene.names) + 1) if seat != scene.seat]
    width = (layout.size[0] - layout.deck_size[0] - 32) / len(seats)
    for index, seat in enumerate(seats):
        _draw_hand(drawing, (16 + index * width, layout.foot, width - 24), scene, seat)
    _draw_deck(drawing, layout, scene)
    return drawing


def _names_no_stack(view: State, keys: str) -> bool:
    """Whether a half-made move is for no stack on the table: a draw, a pass, or a new stack."""
    return keys[:1] in ("", "0", "9") or int(keys[0]) > len(view.tops)


def _placed_corals(keys: str) -> str:
    """The corals of a half-made move, in placing order."""
    return "".join(CORAL_OF_KEY[key] for key in keys[1:]) if keys[:1] not in ("", "0", "9") else ""


def _drafted_fan(scene: BoardScene) -> Fan:
    keys = scene.keys
    draft = MOVE_INPUT.draft_from_keys(scene.view, keys) if keys else None
    if draft is None or (_names_no_stack(scene.view, keys) and keys[0] != "9"):
        return Fan()
    stack = len(scene.view.tops) + 1 if keys[0] == "9" else int(keys[0])
    is_shown = keys[0] == "9" or bool(keys[1:])
    return Fan(stack, _placed_corals(keys), scene.seat, True, draft.verdict == "no") if is_shown else Fan()


def _last_fan(scene: BoardScene) -> Fan:
    if scene.last_move is None or scene.last_move[1].kind not in ("play", "seed"):
        return Fan()
    seat, move = scene.last_move
    return Fan(move.stack or len(scene.view.tops), move.corals, seat)


def _draw_stack(drawing: Svg, layout: Layout, scene: BoardScene, stack: int, fan: Fan) -> None:
    """Draw a stack with its number, or the place for a new one, and the corals of `fan` that lie on it."""
    view = scene.view
    place = left, top, width, height = layout.place_of_stack(stack, len(view.tops))
    middle, is_new = left + width / 2, stack > len(view.tops)
    step, reach = layout.step_of_fan(len(fan.corals)), layout.reach_of_fan(fan.corals)
    if is_new and not fan.seat:
        drawing.add_rect(*place, "slot", corner_radius=width * 0.13)
        drawing.add_text(middle, top + height * 0.46, "9", 40, "faint")
        drawing.add_text(middle, top + height * 0.74, text("new", "stack"), min(28, width * 0.29), "faint")
    elif is_new:
        _draw_card(drawing, place, "9", "9")
    else:
        for inset in (8, 4):
            drawing.add_rect(left + inset, top - inset, width - 2 * inset, height, "under", corner_radius=width * 0.13)
        number = view.tops[stack - 1] if fan.is_drafted or not fan.corals else corals_sum(fan.corals)
        label = "A" if number == 1 and view.form == "cards" else str(number)
        _draw_card(drawing, place, label, str(number), strip=step if fan.corals else 0)
    for index, coral in enumerate(fan.corals, 1):
        strip = step if index < len(fan.corals) else 0
        number_text = written_sum(str(CORAL_VALUES[coral] or 10))
        y = top + index * step
        with drawing.travelling_from(0, 0 if fan.is_drafted else layout.foot - y):
            _draw_card(drawing, (left, y, width, height), printed_corals(coral, view.form), number_text, strip=strip)
    bottom = top + reach + height
    if fan.seat:
        ring_top = top + min(step, reach) - 6
        ring_place = (left - 6, ring_top, width + 12, bottom - ring_top + 6)
        css = board.ring_class(fan.seat, is_drafted=fan.is_drafted, is_refused=fan.is_refused)
        drawing.add_ring(ring_place, css)
    if not is_new:
        drawing.add_text(middle, bottom + 34, str(stack), 28, "faint")
    if not scene.seat and len(fan.corals) > 1:  # Beside the fan there is room below the other stacks.
        sum_ = written_sum(full_sum_text(fan.corals))
        away = width / 2 + 24 + board.pill_width(sum_, 30) / 2
        drawing.add_pill(middle + (away if middle < layout.size[0] / 2 else -away), bottom - 28, sum_, 30)


def _add_stack_taps(drawing: Svg, layout: Layout, scene: BoardScene, stack: int, fan: Fan) -> None:
    """Make a stack, or the place for a new one, a place to tap; a tap on the last coral placed takes it back."""
    view, keys = scene.view, scene.keys
    left, top, width, height = layout.place_of_stack(stack, len(view.tops))
    if width < MIN_TAP_WIDTH:
        left, width = left - (MIN_TAP_WIDTH - width) / 2, MIN_TAP_WIDTH
    place = (left, top, width, height if fan.is_drafted else height + layout.reach_of_fan(fan.corals))
    if stack > len(view.tops):
        drawing.add_tap("9", text("new stack, with a nine"), place, chosen=keys == "9", drawn=keys == "9")
        return
    corals, is_chosen = _placed_corals(keys), keys[:1] == str(stack)
    if is_chosen and corals:
        reach = layout.reach_of_fan(corals)
        words = text("take {piece} back", piece=printed_corals(corals[-1], view.form))
        drawing.add_tap(keys[:-1], words, (left, top + reach, width, height), chosen=True, drawn=True)
        place = (left, top, width, reach)
    after = f"{stack}{keys[1:] if keys[:1] not in ('0', '9') else ''}"
    words = text("stack {stack}: {top} on top", stack=stack, top=view.tops[stack - 1])
    drawing.add_tap(
        after, words, place, chosen=is_chosen, leads=_can_become_move(scene, after), drawn=is_chosen and bool(corals)
    )


def _draw_card(drawing: Svg, place: board.Rectangle, label: str, number: str = "", *, strip: float = 0) -> None:
    """Draw a card with its label, and what it counts in a corner; of a covered one only a strip can be seen."""
    left, top, width, height = place
    drawing.add_piece(place, edge=4, corner_radius=width * 0.13)
    if strip:
        drawing.add_text(left + width / 2, top + strip * 0.76, label, min(strip * 0.7, 38), "piece-ink")
        return
    size = min(width * 0.64, height * 0.5) * (0.86 if len(label) > 1 else 1)
    drawing.add_centred_text(place, label, size, "piece-ink")
    if number:
        drawing.add_text(left + width * 0.09, top + 29, number, 28, "piece-faint", anchor="start")


def _draw_hand(drawing: Svg, place: tuple[float, float, float], scene: BoardScene, seat: int) -> None:
    """Draw a player's name, and the corals as backs of cards and as a number. A ring is around one just drawn.

    The place is the left edge, the upper edge and the width.
    """
    left, top, width = place
    name, size = scene.names[seat - 1], scene.view.sizes[seat - 1]
    drawing.add_name(seat, left, top + 25, name, board.fitting_size(name, 32, width - 34))
    pitch = min(36.0, (width - 50) / max(size, 1))
    for index in range(size):
        x, back = left + index * pitch, max(pitch - 6, 2)
        drawing.add_rect(x, top + 40, back, 46, f"seat{seat}", corner_radius=min(5, back / 3))
        if back > 15:
            drawing.add_shape(seat, x + back / 2, top + 63, 7, f"on-seat{seat}")
    if size and scene.last_move and scene.last_move[0] == seat and scene.last_move[1].kind == "draw":
        drawing.add_ring((x - 4, top + 36, back + 8, 54), f"ring-seat{seat}", corner_radius=8)
    drawing.add_text(left + size * pitch + 8, top + 74, str(size), 32, anchor="start")


def _draw_deck(drawing: Svg, layout: Layout, scene: BoardScene) -> None:
    """Draw the deck, which a player taps who can't move; what the tap does is written on it."""
    view = scene.view
    width, height = layout.deck_size
    place = left, top, width, height = layout.size[0] - width - 16, layout.foot, width, height
    drawing.add_rect(left + 4, top + 8, width, height, "under", corner_radius=14)
    drawing.add_piece(place, edge=4, corner_radius=14)
    label = text("deck {pile}", pile=view.deck) if scene.seat else str(view.deck)
    does = text("to draw") if not scene.seat else _deck_words(view) if scene.is_to_move else ""
    drawing.add_text(left + width / 2, top + height * (0.44 if does else 0.62), label, 32, "piece-ink")
    if does:
        drawing.add_text(left + width / 2, top + height * 0.8, does, 28, "piece-faint")
    if scene.is_to_move:
        words = text("I can't move: draw or pass; {pile} in the deck", pile=view.deck)
        drawing.add_tap("0", words, place, chosen=scene.keys[:1] == "0")


def _deck_words(view: State) -> str:
    """What a tap on the deck does for the seat to move; "" for an open hand that can move, where it only says so."""
    if is_hand_open(view):
        return text("draw") if MOVE_INPUT.must_draw(view) else ""
    return text("pass") if view.has_drawn or not view.deck else text("I can't move")


def _draw_tray(scene: BoardScene) -> Svg:
    """Draw the own corals, or all kinds of a sealed hand. A tap on a coral that is placed takes it back.

    A sealed hand that waits is drawn as backs in as much room, so that the board stays where it is.
    """
    view, keys, seat = scene.view, scene.keys, scene.seat
    own_corals = view.holdings[seat - 1].pieces
    names_drawn = keys[:1] == "0" and _is_drawing(scene)
    is_open = own_corals is not None and not names_drawn
    corals = tuple(own_corals or ()) if is_open else tuple(corals_of_form(view.form))
    rows = max(-(-len(corals) // MOST_CORALS_IN_ROW), 1)
    in_row = -(-len(corals) // rows)
    pitch = 600 / max(in_row, CORALS_IN_ROW)
    all_rows = max(rows, 2) if _is_drawing(scene) else rows  # What is drawn needs both: nothing moves under the finger.
    tray = Svg(600, all_rows * ROW_HEIGHT, text("Which one did you draw?") if names_drawn else text("Your corals"))
    if not is_open and not scene.is_to_move:
        _draw_hand(tray, (3, 0, 594), scene, seat)
        return tray
    placed = list(_placed_corals(keys))
    for index, coral in enumerate(corals):
        down, across = divmod(index, in_row)
        place = (4 + across * pitch, 4 + down * ROW_HEIGHT, max(pitch - 8, board.MIN_TAP_UNITS), CORAL_HEIGHT)
        label = printed_corals(coral, view.form)
        if used := is_open and coral in placed:
            placed.remove(coral)
            tray.add_rect(*place, "slot", corner_radius=9)
            tray.add_centred_text(place, label, 36, "faint")
        else:
            _draw_card(tray, place, label)
        if is_drawn := names_drawn and keys[1:] == KEY_OF_CORAL[coral]:
            tray.add_ring(place, board.ring_class(seat), corner_radius=9)
        if (after := _keys_after_tap(scene, coral, is_open=is_open, is_used=used)) is not None:
            used = used or is_drawn
            words = text("take {piece} back", piece=label) if used else label
            tray.add_tap(after, words, place, chosen=used, leads=_can_become_move(scene, after), drawn=used)
    return tray


def _keys_after_tap(scene: BoardScene, coral: str, *, is_open: bool, is_used: bool) -> str | None:
    """All keys after a tap on a coral; None if it cannot be tapped because no stack has been tapped."""
    view, keys = scene.view, scene.keys
    if not scene.is_to_move or keys[:1] in ("", "9"):
        return None
    key = KEY_OF_CORAL[coral]
    if keys[0] == "0":
        return None if is_open or view.hands[scene.seat - 1] is None else "0" if keys[1:] == key else f"0{key}"
    if is_used:
        index = keys.rindex(key, 1)
        return keys[:index] + keys[index + 1 :]
    return keys + key if len(keys) <= view.sizes[scene.seat - 1] and coral in available_corals(view, "") else None

"""What a game says apart from its rules: moves in words, messages about keys, and the numbers that a result counts.

Every method has a default, so a game writes only those that it needs. All of them are pure.
"""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

from companion.languages import text

DRAW_WORDS = ("draw", "refill")
"""The first words of events that name the pieces that were drawn. No other event of a game may begin with one of them.
"""
CHANCE_WORDS = (*DRAW_WORDS, "roll")
"""The first words of events that chance decides: drawn pieces, and thrown dice."""
SHORT_MOVE_LETTERS = 4
"""With a move of at most this many letters, the last line of the panel has room for "moves again" instead of "again".
"""


NO_FURTHER_TEXT = text("no further")
"""The message for an arrow that leads nowhere."""


class _MoveTextFields(NamedTuple):
    short: str
    brief: str
    sentence: str
    notation: str
    button_label: str


class MoveTexts(_MoveTextFields):
    """A move in words, in each form that some part of the program shows.

    A form that is "" is the same as the form before it; only an empty `button_label` stays empty.

    Args:
        short: the move alone, in about 9 characters: ``3x2 to 5``. Hints list it like this.
        brief: what follows the player's name in the panel's last line, in about 14 characters: ``drew``.
        sentence: what follows the player's name in a sentence, on phones and the big screen: ``moved 2 from 3 to 5``.
        notation: how players write the move down, for reports; "" for `short`.
        button_label: the label of the button on a phone that plays the move, in about 25 characters:
            ``Move 2 from 3 to 5``. The panel asks with it, too. With "" it is ``Play`` and the text of the draft.
    """

    def __new__(
        cls, short: str, brief: str = "", sentence: str = "", notation: str = "", *, button_label: str = ""
    ) -> "MoveTexts":
        """Fill in each form that is left out, as the class says."""
        return super().__new__(cls, short, brief or short, sentence or brief or short, notation or short, button_label)


class GameTexts:
    """What a game says apart from its rules; each method has a default.

    `state` is the full position and `view` the public's view. A list `states` begins with the initial position, so it
    has one more element than `events`.
    """

    spoken_forms: ClassVar[Mapping[str, str]] = {}
    """How players say what the game writes: a pattern of `re` → the words, with the pattern's named groups as fields.

    ``{r"(?P<domino>[0-9]+)-(?P<other>[0-9]+)": "{domino} {other}"}``. They apply in this order to everything that the
    voice says, but not to names.
    """

    def spoken_draft(self, draft_text: str) -> str:
        """How players say the text of a draft, where `spoken_forms` are not enough; by default the text itself."""
        return draft_text

    def move_texts(
        self, state_before: Any, seat: int, move: Any, names: Sequence[str] = (), *, moves_again: bool = False
    ) -> MoveTexts:
        """A move in words. The default uses its text.

        `state_before` is the position before the move, as the reader of the words knows it. `names` are the players by
        seat, or () where the words name nobody. With `moves_again` the same seat is to move after it.
        """
        notation = str(move)
        if moves_again and not is_draw(notation):
            brief = "{move}, moves again" if len(notation) <= SHORT_MOVE_LETTERS else "{move}, again"
            return MoveTexts(notation, text(brief, move=notation), notation=notation)
        return MoveTexts(notation)

    def revealed_piece_text(self, event: str) -> str:
        """What the player has seen through this event, for the question before it is taken back; "" for nothing."""
        return ""

    def stray_key_text(self, state: Any, keys: str, key: str) -> str:
        """What is expected instead of `key`, which means nothing after `keys`; about 20 characters.

        This is asked only while `keys` are incomplete; see `draft_after_stray_key`.
        """
        return text("{key} does nothing here", key=key)

    def blocked_arrow_text(self, state: Any, pick: Any, arrow: str) -> str:
        """The message for an arrow that does not change `pick`, in about 20 characters.

        A draft with a tick does not show the default, `NO_FURTHER_TEXT`.
        """
        return NO_FURTHER_TEXT

    def incomplete_text(self, state: Any, keys: str) -> str:
        """What must still be typed, for an OK that comes too early; about 20 characters."""
        return text("not complete yet")

    def stray_piece_key_text(self, keys: str, kind: str, options: Mapping[str, str]) -> str:
        """What is expected instead of a key that means nothing while pieces are named; about 20 characters.

        The text must not contain the key, since the piece may be hidden.
        """
        return text("no such piece")

    def extra_key_text(self, state: Any, keys: str, key: str) -> str:
        """Why `key` adds nothing to `keys`, which are a complete move already.

        In about 12 characters; "" to show nothing.
        """
        return ""

    def piece_keys_text(self, kind: str, options: Mapping[str, str]) -> str:
        """How pieces are typed whose keys differ from what is printed on them; "" where no explanation is needed."""
        return ""

    def move_marks(self, view: Any, event: str) -> Any:
        """What the screen highlights (`Draft.marks`) to show where a move is; None for nothing.

        The move itself must not be visible.
        """
        return None

    def partial_piece_text(self, keys: str) -> str:
        """The keys of a piece that is not complete yet, as its owner reads them while correcting it."""
        return keys

    def claim_instructions(self, state: Any, uses_buttons: bool = False) -> str:
        """How to enter "I can't move", in about 22 characters; "" if that is not needed.

        With `uses_buttons` the players have the six buttons, so no digits can be typed.
        """
        return ""

    def claim_text(self, event: str) -> str:
        """What a player did who claimed "I can't move", after the name: ``drew``, ``passed``; "" for other events."""
        return ""

    def input_instructions(self, view: Any, uses_buttons: bool = False) -> str:
        """What to enter and in which order, in about 22 characters: ``heap, pieces, #``; "" for nothing.

        With `uses_buttons` the text says what the arrows do: ``◂▸ heap  ▴▾ pieces``. The panel shows it until somebody
        has played, and later to each player who has not played yet.
        """
        return text("◂▴▾▸ choose, OK plays") if uses_buttons else text("type a move, then #")

    def example_event(self, view: Any) -> str:
        """An event that may be possible now, for the example of keys at the start of a round.

        With "" it is a legal move by public knowledge, or there is no example.
        """
        return ""

    def suggested_move_text(self, state: Any) -> str:
        """A legal move in words, in at most four lines of the panel, without a hidden piece; "" if none is known."""
        return ""

    def own_pieces_text(self, view: Any, seat: int) -> str:
        """The pieces of a seat in words, for their owner; `view` is the position as that seat knows it."""
        return ""

    def held_pieces(self, view: Any, seat: int) -> Sequence[str] | None:
        """The pieces in a seat's open holdings, in written form; None if the game does not list them.

        `view` is the position as that seat knows it.
        """
        return None

    def available_pieces(self, view: Any, kind: str, seat: int) -> Mapping[str, int] | None:
        """How many of each piece a deal or refill of a seat may name, as far as `view` shows; None for no limit.

        Only these pieces are offered. `view` is the public's view for the picker on the box, and the seat's own view
        for its phone. `kind` is one that `MoveInput.piece_rows` accepts.
        """
        return None

    def position_lines(self, view: Any) -> Sequence[str]:
        """The position in up to three short lines, for a game without a screen of its own."""
        return ()

    def must_draw(self, state: Any) -> bool:
        """Whether the seat to move must draw, because its hand is open and has no legal move."""
        return False

    def turn_end_reason(self, state_before: Any, state_after: Any) -> str:
        """Why the turn ended by itself, after the player's name; "" if it did not."""
        return ""

    def skip_reason(self, state: Any, seat: int) -> str:
        """Why a seat has no move, in about 15 characters; "" if everybody knows the reason, or if nobody does."""
        return ""

    def blocked_reason(self, state: Any) -> str:
        """Why the round ended although nobody finished it; "" if it did not."""
        return ""

    def possible_move_text(self, example: str, options: Mapping[str, str]) -> str:
        """What the player could have done instead of a false claim, after "could have": ``played 2:54``."""
        return text("played {move}", move=example)

    def keys_for_event(self, event: str) -> str:
        """The keypad keys that type an event, without ``#``: ``32`` for ``3x2``; "" if none are known."""
        return ""

    def with_printed_names(self, refusal_text: str) -> str:
        """The words of a refusal with the pieces as they are printed, if records write them differently."""
        return refusal_text

    def turn_text(self, view: Any, names: Sequence[str]) -> str:
        """What the voice says after whose turn it is: what this turn is about; "" for nothing."""
        return ""

    def keypad_text(self, written: str) -> str:
        """A text as players with a keypad read it on the panel: with the squares that they type.

        This is for a game whose records write letters that a keypad doesn't have: ``d4`` is ``4/4``, column and row.
        """
        return written

    def printed_piece(self, piece: str, options: Mapping[str, str]) -> str:
        """A piece in its written form → the same piece as it is printed."""
        return self.with_printed_names(piece)

    def result_counts(self, state: Any, scores: tuple[int, ...]) -> tuple[int, ...]:
        """What the result screen counts by seat (`Manifest.result_counts`); `scores` are those of the rules."""
        return scores

    def event_gain(self, event: str, seat: int, counts_before: tuple[int, ...], counts_after: tuple[int, ...]) -> int:
        """What an event gained for its seat, to find the best move of a round for its report.

        `counts_before` and `counts_after` are the `result_counts` before and after the event.
        """
        return counts_after[seat - 1] - counts_before[seat - 1]

    def page_lines(
        self, page: str, states: Sequence[Any], events: Sequence[tuple[int, str]], visible_lines: int
    ) -> Sequence[str]:
        """The lines of one of the manifest's pages; the panel shows `visible_lines` of them at a time."""
        return ()

    def score_sheet(self, states: Sequence[Any], events: Sequence[tuple[int, str]]) -> list[tuple[list[str], ...]]:
        """The score sheet of a report: for each round of turns a tuple with the lines of each seat."""
        return []

    def chart_rows(self, state: Any) -> Sequence[tuple[int, int]]:
        """The height and the owner (a seat, 0 for nobody) of each row of the chart `Manifest.chart`."""
        return ()


def is_draw(event: str) -> bool:
    """Whether an event is a draw or refill, which names the pieces that were drawn."""
    return event.split()[0] in DRAW_WORDS


def is_chance(event: str) -> bool:
    """Whether chance decides what an event brings: a draw, a refill, or a throw of dice (``roll 466``)."""
    return event.split()[0] in CHANCE_WORDS


def chosen_part(event: str) -> str:
    """The part of an event that the player decides: ``draw`` of ``draw 5``; the whole text if there is no chance."""
    return event.split()[0] if is_chance(event) else event

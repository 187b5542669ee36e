"""A game's texts and numbers besides its rules: moves in words, what is told of a key, what a result counts. Pure."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from companion.languages import text

DRAWING = ("draw", "refill")
"""The first words of events that name the pieces that were drawn; no other event of a game begins with them."""
CHANCE = (*DRAWING, "roll")
"""The first words of events that chance decides: drawn pieces, and thrown dice."""
SHORT = 4
"""Behind a move of so many letters the last line of the panel has room for "moves again", else for "again"."""


NOWHERE = text("no further")
"""What an arrow tells that leads nowhere."""


class _Forms(NamedTuple):
    short: str
    brief: str
    said: str
    written: str
    plays: str


class MoveWords(_Forms):
    """A move in words, in as many forms as it is shown in; a form that is "" is the one before it, but for `plays`.

    Args:
        short: the move alone, in about 9 characters: ``3x2 to 5``. Hints list it so.
        brief: what stands after the player's name in the panel's last line, in about 14 characters: ``drew``.
        said: what follows the player's name in a sentence, on phones and the big screen: ``moved 2 pieces from …``.
        written: how players write it down, for reports; "" for `short`.
        plays: what stands on a phone's button that plays it, in about 25 characters: ``Move 2: 3 → 5``; "" for
            ``Play`` and the entry's text.
    """

    def __new__(cls, short: str, brief: str = "", said: str = "", written: str = "", *, plays: str = "") -> "MoveWords":
        """Each form that is left out is as said above."""
        return super().__new__(cls, short, brief or short, said or brief or short, written or short, plays)


class Words:
    """A game's texts and numbers besides its rules; each function has a default.

    `state` is the full position, `view` the public's view; `states` begins with the start, so it has one more than
    `events`.
    """

    def move_words(
        self, before: Any, seat: int, move: Any, names: Sequence[str] = (), *, again: bool = False
    ) -> MoveWords:
        """A move in words. The default is its text.

        `before` is the position before it, as whoever reads the words knows it; `names` are the players by seat, ()
        where nobody is named. `again` is whether the same seat is to move after it.
        """
        written = str(move)
        if again and not draws(written):
            brief = "{move}, moves again" if len(written) <= SHORT else "{move}, again"
            return MoveWords(written, text(brief, move=written), written=written)
        return MoveWords(written)

    def reveals(self, event: str) -> str:
        """What a player has seen through this event, for the question before it is taken back; "" for nothing."""
        return ""

    def stray(self, state: Any, keys: str, key: str) -> str:
        """What is expected instead of `key`, which means nothing after `keys`; about 20 characters.

        It is asked only while `keys` are incomplete; see `after_stray`.
        """
        return text("{key} does nothing here", key=key)

    def nowhere(self, state: Any, pick: Any, arrow: str) -> str:
        """What is told of an arrow that changes nothing of `pick`, in about 20 characters; beside a tick `NOWHERE` is
        not said."""
        return NOWHERE

    def missing(self, state: Any, keys: str) -> str:
        """What is told of an OK that comes too early for `keys`: what is still to be typed; about 20 characters."""
        return text("not complete yet")

    def stray_piece(self, keys: str, kind: str, options: Mapping[str, str]) -> str:
        """What is expected instead of a key that means nothing while pieces are named; about 20 characters.

        It must not contain the key, since the piece may be hidden.
        """
        return text("no such piece")

    def no_more(self, state: Any, keys: str, key: str) -> str:
        """Why `key` adds nothing to `keys`, which are a move already, in about 12 characters; "" for nothing to say."""
        return ""

    def piece_keys(self, kind: str, options: Mapping[str, str]) -> str:
        """How pieces are typed whose keys are not what is printed on them; "" where that needs no telling."""
        return ""

    def place(self, view: Any, event: str) -> Any:
        """What the screen marks (`Draft.marks`) of where a move is, without the move; None where that is nowhere."""
        return None

    def begun(self, keys: str) -> str:
        """The keys of a piece that is not whole yet, as its owner reads them while it is mended."""
        return keys

    def cannot(self, state: Any, buttons: bool = False) -> str:
        """How to enter "I cannot move" (about 22 characters), "" if that is not needed.

        `buttons`: the players use the six buttons, so no digits can be typed.
        """
        return ""

    def claimed(self, event: str) -> str:
        """What a player did who entered "I cannot move", after the name: ``drew``, ``passed``; "" for other events."""
        return ""

    def how_to_enter(self, view: Any, buttons: bool = False) -> str:
        """What to enter and in which order, in about 22 characters: ``heap, pieces, #``; "" for nothing.

        `buttons`: the players use the six buttons, so it is what the arrows do: ``◂▸ heap  ▴▾ pieces``. The panel says
        it as long as nobody has played, and later to a player who has not.
        """
        return text("◂▴▾▸ choose, OK plays") if buttons else text("type a move, then #")

    def suggestion(self, state: Any) -> str:
        """A legal move in words (at most four lines of the panel), without a hidden piece; "" if none is known."""
        return ""

    def own(self, view: Any, seat: int) -> str:
        """A seat's own pieces in words, for its owner; `view` is the position as that seat knows it."""
        return ""

    def held(self, view: Any, seat: int) -> Sequence[str] | None:
        """The pieces in a seat's open holdings, in written form; None if the game does not list them.

        `view` is the position as that seat knows it.
        """
        return None

    def spare(self, view: Any, kind: str, seat: int) -> Mapping[str, int] | None:
        """How many of each piece a deal or refill of a seat may name, as far as `view` tells; None for no limit.

        `view` is what all know, for the box's picker, or what the seat knows, for its phone. Only these are offered.
        `kind` is that of `Entry.grid`.
        """
        return None

    def position_lines(self, view: Any) -> Sequence[str]:
        """The position in up to three short lines, for a game without a screen of its own."""
        return ()

    def forced(self, state: Any) -> bool:
        """Whether the seat to move must draw, since its hand is open and has no legal move."""
        return False

    def turn_ended_because(self, before: Any, after: Any) -> str:
        """Why the turn ended by itself, after the player's name; "" if it did not."""
        return ""

    def skipped_because(self, state: Any, seat: int) -> str:
        """Why a seat has no move, in about 15 characters; "" where that is known to everybody or to nobody."""
        return ""

    def blocked(self, state: Any) -> str:
        """Why the round ended although nobody finished it; "" if it did not."""
        return ""

    def could(self, example: str, options: Mapping[str, str]) -> str:
        """What was possible instead of a false claim, after "could have": ``played 2:54``."""
        return text("played {move}", move=example)

    def keys(self, event: str) -> str:
        """The keypad keys that type an event, without ``#``: ``32`` for ``3x2``; "" if none are known."""
        return ""

    def printed(self, words: str) -> str:
        """A refusal's words with the pieces' printed names, if records write them differently."""
        return words

    def piece_words(self, piece: str, options: Mapping[str, str]) -> str:
        """A piece in its written form as it is printed."""
        return self.printed(piece)

    def result_counts(self, state: Any, scores: tuple[int, ...]) -> tuple[int, ...]:
        """What the result screen counts (`Manifest.result_counts`), by seat; `scores` are those of the rules."""
        return scores

    def gain(self, event: str, seat: int, before: tuple[int, ...], after: tuple[int, ...]) -> int:
        """What an event gained for its seat, for a report's best move; `before` and `after` are `result_counts`."""
        return after[seat - 1] - before[seat - 1]

    def lines(self, page: str, states: Sequence[Any], events: Sequence[tuple[int, str]], high: int) -> Sequence[str]:
        """The lines of one of the manifest's pages; the panel shows `high` lines at a time."""
        return ()

    def sheet(self, states: Sequence[Any], events: Sequence[tuple[int, str]]) -> list[tuple[list[str], ...]]:
        """The score sheet of a report: for each round of turns a tuple with each seat's lines."""
        return []

    def charted(self, state: Any) -> Sequence[tuple[int, int]]:
        """The height and owner (a seat, 0 for nobody) of each place, for the chart of `Manifest.chart`."""
        return ()


def draws(event: str) -> bool:
    """Whether an event is a draw or refill, which names the pieces that were drawn."""
    return event.split()[0] in DRAWING


def is_chance(event: str) -> bool:
    """Whether chance decides what an event brings: a draw, a refill, or a throw of dice (``roll 466``)."""
    return event.split()[0] in CHANCE


def decision(event: str) -> str:
    """What the mover decides of an event: ``draw`` of ``draw 5``, and the whole text of an event without chance."""
    return event.split()[0] if is_chance(event) else event

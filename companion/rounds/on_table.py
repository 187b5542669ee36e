"""The round or score pad on the table: new, after another deal or event, from the store, or corrected."""

from collections import Counter
from functools import cached_property
from typing import Any, NamedTuple

from companion import games
from companion.games.api import Outcome, Refused, Rules
from companion.games.api.entry import Draft, Entry, as_seen
from companion.games.api.manifest import HoldingKind, Manifest
from companion.games.score_pad import rules as pads
from companion.games.score_pad.rules import Pad
from companion.inputs import MendRequest
from companion.languages import text
from companion.rounds.stored import RoundHeader, StoredRound


class _Kept(NamedTuple):
    """What a round on the table is made of."""

    id: int
    header: RoundHeader
    game: Rules[Any, Any]
    entry: Entry
    waiting: tuple[tuple[HoldingKind, int], ...]  # open holdings still to be entered, in order
    deals: tuple[tuple[HoldingKind, int, str], ...]
    states: tuple[Any, ...]
    events: tuple[tuple[int, str], ...] = ()
    times: tuple[float, ...] = ()  # thinking time before each event in seconds, 0 without a clock
    began: float = 0.0  # in monotonic seconds
    left: str = ""  # on the game clock of each seat, as stored last
    back: bool = False  # whether the last thing done was to take an event back


class Round(_Kept):
    """The round on the table. `states` are the start and the position after each of `events`.

    What the rules say of its position is asked once and noted, for a key and its picture need it many times. Only the
    notes ever change, and they change no answer: whoever asks cannot tell whether the rules were asked again.
    """

    _newest: tuple[tuple[str, Any], Draft | None] | None = None
    """The note of `draft`: the keys and pick that were judged last, and their draft."""

    @property
    def empty(self) -> bool:
        """Whether nothing has happened in it yet; such a round is stored only while its hands are named."""
        return not (self.deals or self.events)

    @property
    def spent(self) -> tuple[float, ...]:
        """The thinking time of each seat in seconds."""
        total = [0.0] * len(self.header.names)
        for (seat, _), seconds in zip(self.events, self.times, strict=True):
            total[seat - 1] += seconds
        return tuple(total)

    @property
    def options(self) -> dict[str, str]:
        """The options by name."""
        return dict(self.header.options)

    @property
    def manifest(self) -> Manifest:
        """The manifest of the game."""
        return games.manifest(self.header.game)

    @property
    def state(self) -> Any:
        """The present position."""
        return self.states[-1]

    @cached_property
    def known(self) -> Any:
        """The present position as the seat to move knows it: what is half entered says nothing of what others hide."""
        return self.game.view(self.state, self.turn)

    @cached_property
    def turn(self) -> int | None:
        """The seat to move; None when the round is over or pieces are still being dealt."""
        return None if self.waiting else self.game.turn(self.state)

    @cached_property
    def outcome(self) -> Outcome:
        """The scores, and how the round ended if it has."""
        return self.game.outcome(self.state)

    @cached_property
    def result_counts(self) -> tuple[int, ...]:
        """What the result counts, by seat."""
        return self.entry.result_counts(self.state, self.outcome.scores)

    @property
    def over(self) -> bool:
        """Whether the round has ended."""
        return not self.waiting and self.turn is None

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that have won, several for a draw or a shared win; () while it is not over."""
        return self.outcome.winners if self.over else ()

    @property
    def reason(self) -> str:
        """Why it was over, "" while it is not."""
        return self.outcome.reason if self.over else ""

    @property
    def fewer(self) -> bool:
        """Whether who has the fewest of what is counted wins."""
        return self.manifest.fewer

    def name(self, seat: int) -> str:
        """The player in a seat."""
        return self.header.names[seat - 1]

    def event_words(self, number: int, *, hidden: bool) -> str:
        """Event `number` (from 1) as the table tells it: ``2:54``, ``drew 7``.

        With `hidden`, there is a dot for what only its owner has seen.
        """
        event = self.events[number - 1][1]
        event = as_seen(self.entry, event) if hidden else event
        done, pieces = self.entry.claimed(event), " ".join(event.split()[1:])
        return text("{done} {pieces}", done=done, pieces=pieces) if done and pieces else done or event

    def after(self, number: int) -> "Round":
        """It as it was after event `number`, 0 for its start."""
        return self._replace(states=self.states[: number + 1], events=self.events[:number], times=self.times[:number])

    def counts(self, number: int) -> tuple[int, ...]:
        """What is counted after event `number`, by seat."""
        state = self.states[number]
        return self.entry.result_counts(state, self.game.outcome(state).scores)

    @property
    def curve(self) -> list[tuple[int, ...]]:
        """What is counted at the start and after each event, by seat."""
        return [self.counts(number) for number in range(len(self.states))]

    def draft(self, keys: str, pick: Any = None) -> Draft | None:
        """A half-entered move, typed or (unless None) picked, as the game judges it; None for keys that mean nothing.

        It is judged once, though the key, its picture and OK all ask for it.
        """
        newest = self._newest
        if newest is None or newest[0] != (keys, pick):
            judged = self.entry.typed(self.known, keys) if pick is None else self.entry.picked(self.known, pick)
            self._newest = newest = (keys, pick), judged
        return newest[1]


def with_deal(round_: Round, kind: HoldingKind, seat: int, pieces: str) -> Round:
    """The round after a holding was entered. Raises Refused ``syntax`` or ``deal``."""
    pieces = round_.game.write_deal(round_.game.read_deal(pieces, kind, round_.options))
    deals = (*round_.deals, (kind, seat, pieces))
    known: dict[tuple[str, int], tuple[Any, ...]] = {
        (k, s): round_.game.read_deal(t, k, round_.options) for k, s, t in deals
    }
    state = round_.game.start(len(round_.header.names), round_.options, known)
    waiting = tuple(each for each in round_.waiting if each != (kind, seat))
    return round_._replace(deals=deals, states=(state,), waiting=waiting)


def new_round(number: int, header: RoundHeader, began: float = 0.0) -> Round:
    """A new round, whose open holdings are still to be entered."""
    game = games.load(header.game)
    state = game.start(len(header.names), dict(header.options), {})
    return Round(number, header, game, games.load_entry(header.game), header.opened, (), (state,), began=began)


def with_event(round_: Round, seat: int, event: str, seconds: float = 0.0) -> Round:
    """The round after an event, with its thinking time in seconds. Raises Refused."""
    move = round_.game.read(event)
    state = round_.game.play(round_.state, seat, move)
    return round_._replace(
        states=(*round_.states, state), events=(*round_.events, (seat, str(move))), times=(*round_.times, seconds),
        back=False,
    )  # fmt: skip


def round_of(saved: StoredRound) -> Round:
    """Replay a stored round. Raises Refused if the rules no longer allow it.

    Raises ValueError if its game is not installed, or if a game of another package fails.
    """
    times = saved.times or (0.0,) * len(saved.events)
    try:
        round_ = new_round(saved.id, saved.header)
        for kind, seat, pieces in saved.deals:
            round_ = with_deal(round_, kind, seat, pieces)
        for (seat, event), seconds in zip(saved.events, times, strict=True):
            round_ = with_event(round_, seat, event, seconds)
    except (Refused, ValueError):
        raise
    except Exception as error:
        raise ValueError(games.failure(saved.header.game, error)) from error
    return round_._replace(left=saved.clock)


# -- named pieces -----------------------------------------------------------------------------------------------------


def corrected_round(round_: Round, place: int, written: str) -> Round:
    """The round with `written` in the place of a deal or event. Raises Refused, naming the event that fails."""
    deals, events = list(round_.deals), list(round_.events)
    if place <= len(deals):
        deals[place - 1] = (*deals[place - 1][:2], written)
    else:
        events[place - len(deals) - 1] = (events[place - len(deals) - 1][0], written)
    again: Round = round_._replace(deals=(), events=(), times=(), states=round_.states[:1])
    for kind, seat, pieces in deals:
        again = with_deal(again, kind, seat, pieces)
    for number, ((seat, event), seconds) in enumerate(zip(events, round_.times, strict=True), 1):
        try:
            again = with_event(again, seat, event, seconds)
        except Refused:
            who, did = round_.name(seat), round_.event_words(number, hidden=True)
            said = text("First take back move {number}: {who} {did}", number=number, who=who, did=did)
            raise Refused("mend", said, "", text("nothing was corrected")) from None
    return again


class Naming(NamedTuple):
    """Pieces that a seat has named at once.

    `place` counts the standing deals and events of the round from 1, as the store's ``mend`` does; `word` is the
    holding's or the event's, `move` the number of the event, 0 for a deal.
    """

    place: int
    word: str
    pieces: tuple[str, ...]
    move: int = 0


def namings(round_: Round, seat: int) -> tuple[Naming, ...]:
    """All pieces that a seat has named in the round, where they were named."""
    game, options = round_.game, round_.options
    found = []
    for place, (kind, owner, dealt) in enumerate(round_.deals, 1):
        if owner == seat:
            pieces = tuple(game.write_deal((piece,)) for piece in game.read_deal(dealt, kind, options))
            found.append(Naming(place, kind, pieces))
    for move, (owner, event) in enumerate(round_.events, 1):
        word, *named = event.split()
        if owner == seat and named and round_.entry.reveals(event):
            found.append(Naming(len(round_.deals) + move, word, tuple(named), move))
    return tuple(found)


def correctable(round_: Round, seat: int) -> list[tuple[Naming, int]]:
    """The named pieces that a seat still holds, each by its naming and which of it (from 0), the first named first.

    What has been played lies on the table for everybody to see. Of pieces that are alike the ones named last are held.
    """
    every = [(named, which) for named in namings(round_, seat) for which in range(len(named.pieces))]
    held = round_.entry.held(round_.game.view(round_.state, seat), seat) if not round_.waiting else None
    if held is None:
        return every
    left, found = Counter(held), []
    for named, which in reversed(every):
        if left[named.pieces[which]]:
            left[named.pieces[which]] -= 1
            found.append((named, which))
    return found[::-1]


def requested_correction(round_: Round, seat: int, request: MendRequest) -> tuple[Naming, str]:
    """The naming that a request refers to, and the new text for its place. Raises Refused."""
    for named in namings(round_, seat):
        grid = {one for row in round_.entry.grid(named.word, round_.options) for one in row}
        if named.place == request.place and 0 <= request.which < len(named.pieces) and request.piece in grid:
            pieces = " ".join((*named.pieces[: request.which], request.piece, *named.pieces[request.which + 1 :]))
            return named, f"{named.word} {pieces}" if named.move else pieces
    raise Refused("mend", text("There is no such piece to correct."))


def clashes_with_others(round_: Round, kind: HoldingKind, seat: int, pieces: str) -> bool:
    """Whether a refused holding is impossible only because of other seats' holdings.

    It is then valid together with the seat's own other holdings alone.
    """
    alone = new_round(round_.id, round_.header)
    try:
        for own_kind, owner, own in round_.deals:
            if owner == seat and own_kind != kind:
                alone = with_deal(alone, own_kind, seat, own)
        with_deal(alone, kind, seat, pieces)
    except Refused:
        return False
    return True


def is_hidden(round_: Round, word: str, pieces: tuple[str, ...]) -> bool:
    """Whether any of these pieces is hidden from the others."""
    held = round_.manifest.holding(word)
    return (held is not None and not held.face_up) or any(round_.entry.masked(word, piece) for piece in pieces)


def unnamed_reason(round_: Round) -> str:
    """That a drawn piece is to be named first, where one is; else ""."""
    return text("First name what was drawn.") if round_.entry.due(round_.state) is not None else ""


# -- score pads -------------------------------------------------------------------------------------------------------


class PadRound(NamedTuple):
    """The score pad on the table; `header` is its head as for a round, its game is ``pad``; `over` with its result.

    `seat` is where the cursor stood when the table menu was opened, 0 before that. `mended` is the number of the entry
    that was corrected last, from 1, with the points that it had before, as long as no other was entered.
    """

    id: int
    header: RoundHeader
    pad: Pad
    over: bool = False
    began: float = 0.0  # in monotonic seconds
    seat: int = 0
    mended: tuple[int, int] | None = None

    @property
    def empty(self) -> bool:
        """Whether nothing has been entered yet; such a pad is not stored."""
        return not self.pad.entries

    @property
    def events(self) -> tuple[tuple[int, str], ...]:
        """What was entered: seat and points with their sign, oldest first."""
        return tuple((seat, pads.write(points)) for seat, points in self.pad.entries)

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that have won, several for a draw or a shared win; () while it is not over."""
        return self.pad.leaders if self.over else ()

    @property
    def reason(self) -> str:
        """Why it was over: "", since that is not known of other games."""
        return ""

    @property
    def fewer(self) -> bool:
        """Whether who has the fewest points wins."""
        return self.pad.lowest

    def name(self, seat: int) -> str:
        """The player in a seat."""
        return self.header.names[seat - 1]

    def event_words(self, number: int, *, hidden: bool) -> str:
        """Entry `number` (from 1): its points with their sign. Nothing of a pad is `hidden`."""
        return pads.write(self.pad.entries[number - 1][1])

    def after(self, number: int) -> "PadRound":
        """It as it was after entry `number`, 0 for its start."""
        return self._replace(pad=self.pad._replace(entries=self.pad.entries[:number]))

    def counts(self, number: int) -> tuple[int, ...]:
        """The points after entry `number`, by seat."""
        return self.after(number).pad.totals

    @property
    def curve(self) -> list[tuple[int, ...]]:
        """The points at the start and after each entry, by seat; in one go, for there may be many entries."""
        totals = [0] * self.pad.players
        found = [tuple(totals)]
        for seat, points in self.pad.entries:
            totals[seat - 1] += points
            found.append(tuple(totals))
        return found


AnyRound = Round | PadRound
"""A round or a score pad: what was done, what is counted and who has won are asked in the same words."""


def pad_of(saved: StoredRound) -> PadRound:
    """A stored score pad. Raises ValueError if it is invalid."""
    header = saved.header
    return PadRound(saved.id, header, pads.pad_after(len(header.names), header.options, saved.events))

"""The round or score pad that is being played: made new, replayed from the store, after another move, or corrected.

Both are immutable. A change returns another round, so that a session can be compared and drawn at any time.
"""

from collections import Counter
from functools import cached_property
from typing import Any, NamedTuple

from companion import games
from companion.games.api import Outcome, RefusedError, Rules
from companion.games.api.manifest import HoldingKind, Manifest
from companion.games.api.move_input import Draft, MoveInput, public_event_text
from companion.games.score_pad import pad as pads
from companion.games.score_pad.pad import Pad
from companion.inputs import CorrectPieceRequest
from companion.languages import text
from companion.rounds.stored import RoundHeader, StoredRound


class _RoundFields(NamedTuple):
    """The fields of a round on the table, apart from what is computed from them."""

    id: int
    header: RoundHeader
    game: Rules[Any, Any]
    move_input: MoveInput
    missing_holdings: tuple[tuple[HoldingKind, int], ...]  # the open holdings that still have to be entered, in order
    deals: tuple[tuple[HoldingKind, int, str], ...]
    states: tuple[Any, ...]
    events: tuple[tuple[int, str], ...] = ()
    event_seconds: tuple[float, ...] = ()  # thinking time before each event in seconds, 0 without a clock
    begun_at: float = 0.0  # in monotonic seconds
    clock_left: str = ""  # what each seat has left on the game clock, as it was saved last
    was_taken_back: bool = False  # whether the last action was a takeback
    is_void: bool = False  # whether it was made void after its end


class Round(_RoundFields):
    """The round on the table. `states` are its positions: the start, and one after each of `events`.

    What the rules say of the position is asked once and cached, since each key press and each picture needs it many
    times. The cache never changes an answer.
    """

    _newest_draft: tuple[tuple[str, Any], Draft | None] | None = None
    """The last draft that was judged, with its keys and its pick."""

    @property
    def is_empty(self) -> bool:
        """Whether nothing has happened in the round yet.

        Such a round is saved only while its holdings are being entered.
        """
        return not (self.deals or self.events)

    @property
    def thinking_seconds(self) -> tuple[float, ...]:
        """The thinking time of each seat in seconds."""
        total = [0.0] * len(self.header.names)
        for (seat, _), seconds in zip(self.events, self.event_seconds, strict=True):
            total[seat - 1] += seconds
        return tuple(total)

    @property
    def options(self) -> dict[str, str]:
        return dict(self.header.options)

    @property
    def manifest(self) -> Manifest:
        return games.manifest_of(self.header.game)

    @property
    def state(self) -> Any:
        return self.states[-1]

    @cached_property
    def known_state(self) -> Any:
        """The current position as the seat to move knows it.

        A draft is judged by it, so that it reveals nothing of other hands.
        """
        return self.game.seat_view(self.state, self.turn)

    @cached_property
    def turn(self) -> int | None:
        """The seat to move; None when the round is over, or while holdings are being entered."""
        return None if self.missing_holdings else self.game.seat_to_move(self.state)

    @cached_property
    def outcome(self) -> Outcome:
        """The scores, and how the round ended if it is over."""
        return self.game.outcome(self.state)

    @cached_property
    def result_counts(self) -> tuple[int, ...]:
        """What each seat counts for the result, such as corals left."""
        return self.move_input.result_counts(self.state, self.outcome.scores)

    @property
    def is_over(self) -> bool:
        return not self.missing_holdings and self.turn is None

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that have won, several for a shared win; () while the round is not over."""
        return self.outcome.winners if self.is_over else ()

    @property
    def reason(self) -> str:
        """Why the round is over; "" while it is not."""
        return self.outcome.reason if self.is_over else ""

    @property
    def is_fewer_better(self) -> bool:
        """Whether the seat that counts the fewest wins."""
        return self.manifest.lower_is_better

    def player_name(self, seat: int) -> str:
        return self.header.names[seat - 1]

    def event_text(self, number: int, *, hidden: bool) -> str:
        """Event `number` (from 1) for people: ``2:54``, ``drew 7``.

        `hidden` puts a dot for what only its owner has seen.
        """
        event = self.events[number - 1][1]
        event = public_event_text(self.move_input, event) if hidden else event
        claim, pieces = self.move_input.claim_text(event), " ".join(event.split()[1:])
        return text("{done} {pieces}", done=claim, pieces=pieces) if claim and pieces else claim or event

    def after_event(self, number: int) -> "Round":
        """The round as it was after event `number`; 0 for its start."""
        return self._replace(
            states=self.states[: number + 1], events=self.events[:number], event_seconds=self.event_seconds[:number]
        )

    def counts_after(self, number: int) -> tuple[int, ...]:
        """What each seat counts after event `number`."""
        state = self.states[number]
        return self.move_input.result_counts(state, self.game.outcome(state).scores)

    @property
    def curve(self) -> list[tuple[int, ...]]:
        """What each seat counts, at the start and after each event."""
        return [self.counts_after(number) for number in range(len(self.states))]

    def judge_draft(self, keys: str, pick: Any = None) -> Draft | None:
        """The game's verdict on typed keys, or on a pick if it is not None; None if the keys mean nothing.

        The result is cached, since a key press, its picture and OK all ask for it.
        """
        newest = self._newest_draft
        if newest is None or newest[0] != (keys, pick):
            state, move_input = self.known_state, self.move_input
            draft = move_input.draft_from_keys(state, keys) if pick is None else move_input.draft_from_pick(state, pick)
            self._newest_draft = newest = (keys, pick), draft
        return newest[1]


def with_deal(round_: Round, kind: HoldingKind, seat: int, pieces: str) -> Round:
    """The round after a holding was entered. Raises RefusedError ``syntax`` or ``deal``."""
    pieces = round_.game.format_deal(round_.game.parse_deal(pieces, kind, round_.options))
    deals = (*round_.deals, (kind, seat, pieces))
    holdings: dict[tuple[str, int], tuple[Any, ...]] = {
        (each, owner): round_.game.parse_deal(dealt, each, round_.options) for each, owner, dealt in deals
    }
    state = round_.game.initial_state(len(round_.header.names), round_.options, holdings)
    waiting = tuple(each for each in round_.missing_holdings if each != (kind, seat))
    return round_._replace(deals=deals, states=(state,), missing_holdings=waiting)


def new_round(number: int, header: RoundHeader, begun_at: float = 0.0) -> Round:
    """A new round, whose open holdings have to be entered before the first move."""
    game = games.load_rules(header.game)
    state = game.initial_state(len(header.names), dict(header.options), {})
    return Round(
        number, header, game, games.load_move_input(header.game), header.opened, (), (state,), begun_at=begun_at
    )


def with_event(round_: Round, seat: int, event: str, seconds: float = 0.0) -> Round:
    """The round after an event that took `seconds` of thinking. Raises RefusedError."""
    move = round_.game.parse_move(event)
    state = round_.game.play_move(round_.state, seat, move)
    return round_._replace(
        states=(*round_.states, state), events=(*round_.events, (seat, str(move))),
        event_seconds=(*round_.event_seconds, seconds), was_taken_back=False,
    )  # fmt: skip


def replay_round(stored: StoredRound) -> Round:
    """Replay a stored round. Raises RefusedError if the installed rules do not allow one of its moves.

    Raises ValueError if its game is not installed, or if the code of a game of another package fails.
    """
    times = stored.event_seconds or (0.0,) * len(stored.events)
    try:
        round_ = new_round(stored.id, stored.header)
        for kind, seat, pieces in stored.deals:
            round_ = with_deal(round_, kind, seat, pieces)
        for (seat, event), seconds in zip(stored.events, times, strict=True):
            round_ = with_event(round_, seat, event, seconds)
    except (RefusedError, ValueError):
        raise
    except Exception as error:
        raise ValueError(games.failure_text(stored.header.game, error)) from error
    return round_._replace(clock_left=stored.clock_left)


# -- named pieces -----------------------------------------------------------------------------------------------------


def corrected_round(round_: Round, naming_number: int, new_text: str) -> Round:
    """The round with another text for the deal or event of a `Naming.number`.

    Raises RefusedError, naming the first later move that is no longer valid.
    """
    deals, events = list(round_.deals), list(round_.events)
    if naming_number <= len(deals):
        deals[naming_number - 1] = (*deals[naming_number - 1][:2], new_text)
    else:
        events[naming_number - len(deals) - 1] = (events[naming_number - len(deals) - 1][0], new_text)
    corrected: Round = round_._replace(deals=(), events=(), event_seconds=(), states=round_.states[:1])
    for kind, seat, pieces in deals:
        corrected = with_deal(corrected, kind, seat, pieces)
    for number, ((seat, event), seconds) in enumerate(zip(events, round_.event_seconds, strict=True), 1):
        try:
            corrected = with_event(corrected, seat, event, seconds)
        except RefusedError:
            who, did = round_.player_name(seat), round_.event_text(number, hidden=True)
            message = text("First take back move {number}: {who} {did}", number=number, who=who, did=did)
            raise RefusedError("mend", message, "", text("nothing was corrected")) from None
    return corrected


class Naming(NamedTuple):
    """Pieces that a seat has named at once, as a deal or as an event.

    Attributes:
        number: the number of the deal or event, counted together from 1, without those taken back; as in ``mend``.
        word: the kind of holding, or the event's first word.
        pieces: the named pieces.
        event_number: the number of the event, 0 for a deal.
    """

    number: int
    word: str
    pieces: tuple[str, ...]
    event_number: int = 0


def find_namings(round_: Round, seat: int) -> tuple[Naming, ...]:
    """Everything that a seat has named in the round, in order."""
    game, options = round_.game, round_.options
    namings = []
    for place, (kind, owner, dealt) in enumerate(round_.deals, 1):
        if owner == seat:
            pieces = tuple(game.format_deal((piece,)) for piece in game.parse_deal(dealt, kind, options))
            namings.append(Naming(place, kind, pieces))
    for move, (owner, event) in enumerate(round_.events, 1):
        word, *named = event.split()
        if owner == seat and named and round_.move_input.revealed_piece_text(event):
            namings.append(Naming(len(round_.deals) + move, word, tuple(named), move))
    return tuple(namings)


def correctable_pieces(round_: Round, seat: int) -> list[tuple[Naming, int]]:
    """The named pieces that a seat can still correct: each with its naming and its index in it, the first named first.

    These are the pieces that the seat still holds; what it has played is on the table for everybody to see. Of pieces
    that are alike, the ones named last count as held.
    """
    named_pieces = [(named, index) for named in find_namings(round_, seat) for index in range(len(named.pieces))]
    if round_.missing_holdings:
        return named_pieces
    held_pieces = round_.move_input.held_pieces(round_.game.seat_view(round_.state, seat), seat)
    if held_pieces is None:
        return named_pieces
    still_held, correctable = Counter(held_pieces), []
    for named, index in reversed(named_pieces):
        if still_held[named.pieces[index]]:
            still_held[named.pieces[index]] -= 1
            correctable.append((named, index))
    return correctable[::-1]


def requested_correction(round_: Round, seat: int, request: CorrectPieceRequest) -> tuple[Naming, str]:
    """The naming that a player wants to correct, and its new text. Raises RefusedError if there is no such piece."""
    for naming in find_namings(round_, seat):
        grid = {one for row in round_.move_input.piece_rows(naming.word, round_.options) for one in row}
        index, pieces = request.piece_index, naming.pieces
        if naming.number == request.naming_number and 0 <= index < len(pieces) and request.piece in grid:
            corrected = " ".join((*pieces[:index], request.piece, *pieces[index + 1 :]))
            return naming, f"{naming.word} {corrected}" if naming.event_number else corrected
    raise RefusedError("mend", text("There is no such piece to correct."))


def clashes_with_others(round_: Round, kind: HoldingKind, seat: int, pieces: str) -> bool:
    """Whether a refused holding is impossible only because of the other seats' holdings.

    Then somebody else may have made the mistake, so the other holdings must be checked as well.
    """
    alone = new_round(round_.id, round_.header)
    try:
        for own_kind, owner, pieces_dealt in round_.deals:
            if owner == seat and own_kind != kind:
                alone = with_deal(alone, own_kind, seat, pieces_dealt)
        with_deal(alone, kind, seat, pieces)
    except RefusedError:
        return False
    return True


def is_hidden(round_: Round, word: str, pieces: tuple[str, ...]) -> bool:
    """Whether any of these pieces is hidden from the other players."""
    holding = round_.manifest.holding_words(word)
    return (holding is not None and not holding.is_face_up) or any(
        round_.move_input.is_piece_hidden(word, piece) for piece in pieces
    )


def unnamed_piece_reason(round_: Round) -> str:
    """The refusal for a move while a drawn piece has not been named; "" if there is none."""
    return text("First say what was drawn.") if round_.move_input.due_refill(round_.state) is not None else ""


# -- score pads -------------------------------------------------------------------------------------------------------


class PadRound(NamedTuple):
    """A score pad on the table. It shares `AnyRound`'s properties with a round; its game is ``pad``.

    Attributes:
        header: the same as a round's.
        is_over: whether it has a result.
        cursor_seat: the seat of the cursor when the table menu was opened, 0 before that.
        last_correction: the number of the entry that was corrected last (from 1), and its points before; None once
            another entry was added.
    """

    id: int
    header: RoundHeader
    pad: Pad
    is_over: bool = False
    begun_at: float = 0.0  # in monotonic seconds
    cursor_seat: int = 0
    last_correction: tuple[int, int] | None = None

    @property
    def is_empty(self) -> bool:
        """Whether no points have been entered; such a pad is not saved."""
        return not self.pad.entries

    @property
    def events(self) -> tuple[tuple[int, str], ...]:
        """The entries, oldest first: seat, and points with their sign."""
        return tuple((seat, pads.format_points(points)) for seat, points in self.pad.entries)

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that have won, several for a shared win; () while the pad is not over."""
        return self.pad.leading_seats if self.is_over else ()

    @property
    def reason(self) -> str:
        """Always "": the box does not know the rules of the game, so it does not know why it has ended."""
        return ""

    @property
    def is_fewer_better(self) -> bool:
        """Whether the seat with the fewest points wins."""
        return self.pad.lowest_wins

    def player_name(self, seat: int) -> str:
        return self.header.names[seat - 1]

    def event_text(self, number: int, *, hidden: bool) -> str:
        """Entry `number` (from 1): its points with their sign. A pad hides nothing."""
        return pads.format_points(self.pad.entries[number - 1][1])

    def after_event(self, number: int) -> "PadRound":
        """The pad as it was after entry `number`; 0 for its start."""
        return self._replace(pad=self.pad._replace(entries=self.pad.entries[:number]))

    def counts_after(self, number: int) -> tuple[int, ...]:
        """The points of each seat after entry `number`."""
        return self.after_event(number).pad.totals

    @property
    def curve(self) -> list[tuple[int, ...]]:
        """The points of each seat, at the start and after each entry. One pass, since there may be many entries."""
        totals = [0] * self.pad.players
        curve = [tuple(totals)]
        for seat, points in self.pad.entries:
            totals[seat - 1] += points
            curve.append(tuple(totals))
        return curve


AnyRound = Round | PadRound
"""A round or a score pad. Both answer the same questions about events, counts and winners."""


def replay_pad(stored: StoredRound) -> PadRound:
    """Make the score pad of a stored round. Raises ValueError if an entry is invalid."""
    header = stored.header
    return PadRound(stored.id, header, pads.restore_pad(len(header.names), header.options, stored.events))

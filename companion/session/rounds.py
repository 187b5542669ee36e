"""The life of a round: begin, deal, play an event, take it back, end, and the next one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.game import Refused
from companion.session import countdown, game_clock, hooks
from companion.session.model import (
    Dealing,
    FinishedRound,
    LogEntry,
    MatchScore,
    Notice,
    Playing,
    Round,
    RoundHeader,
    RoundOver,
    Session,
    new_round,
    with_deal,
    with_event,
)
from companion.session.stored import part

if TYPE_CHECKING:
    from companion.game.manifest import HoldingKind
    from companion.session.model import Mode, PadRound, StoredHistory


def table(round_: Round) -> Mode:
    """The mode in which a round is shown: naming a deal or refill, a move, or its result."""
    if round_.waiting:
        kind, seat = round_.waiting[0]
        return Dealing(kind, seat, round_.game.size(kind, len(round_.header.names), round_.options), grid=kind)
    turn = round_.turn
    if turn is None:
        return RoundOver()
    if due := round_.entry.due(round_.state):
        return Dealing(due.word, turn, due.wanted, grid=due.grid)
    return Playing()


def begin(session: Session, header: RoundHeader) -> Session:
    """The session with a new round on the table; it is kept from its first deal or event on."""
    round_ = new_round(session.past.next_round, header, session.clock)
    past = remembered(session.past, header)
    return _with_outcome(session._replace(round=round_, past=past, mode=table(round_), thinking_seconds=0.0), None)


def with_log_entry(session: Session, before: Round | PadRound, line: LogEntry) -> Session:
    """The session with one more log entry to store; before the first entry of a round comes its header."""
    line = line._replace(clock=clock_text(session))
    if not before.empty:
        return session._replace(unsaved=(*session.unsaved, line))
    head = LogEntry(before.id, "begin", header=before.header, seconds=round(max(0.0, session.clock - before.began), 1))
    past = session.past._replace(next_round=max(session.past.next_round, before.id + 1))
    return session._replace(unsaved=(*session.unsaved, head, line), past=past)


def clock_text(session: Session) -> str:
    """The times left on the game clock of the round on the table, in written form; "" if it has none."""
    return str(session.game_clock) if session.game_clock is not None and session.round is not None else ""


def remembered(past: StoredHistory, header: RoundHeader) -> StoredHistory:
    """The history once a round with this header has begun: its game and its names come first."""
    return past._replace(
        last_games=(header.game, *(game for game in past.last_games if game != header.game)),
        names=(*header.names, *(name for name in past.names if name not in header.names)),
        heads=(header, *(each for each in past.heads if each.game != header.game)),
    )


def deal(session: Session, kind: HoldingKind, seat: int, text: str) -> Session:
    """The session with an open holding entered. Raises Refused if the pieces are not possible."""
    before = _at_table(session)
    round_ = with_deal(before, kind, seat, text)
    clock = session.game_clock.turned(round_.turn) if session.game_clock is not None else None
    session = with_log_entry(session._replace(game_clock=clock), before, LogEntry(round_.id, *round_.deals[-1]))
    return _with_outcome(session._replace(round=round_, mode=table(round_)), None)


def commit(session: Session, text: str) -> Session:
    """The session with an event played. Raises Refused, and then nothing has changed."""
    before = _at_table(session)
    seat = before.turn or 1
    round_ = with_event(before, seat, text, round(session.thinking_seconds, 1))
    session = session._replace(game_clock=countdown.after_event(session.game_clock, before, round_))
    round_ = round_._replace(left=clock_text(session))
    session = with_log_entry(
        session, before, LogEntry(round_.id, "event", *round_.events[-1], seconds=round_.times[-1])
    )
    session = session._replace(
        round=round_,
        thinking_seconds=0.0,
        mode=table(round_),
        sounds=(*session.sounds, "accepted" if seat == round_.turn else "your turn"),
    )
    return _with_outcome(session, before)


def mend(session: Session, place: int, text: str) -> Session:
    """The session with another text in the place of a deal or event of the round, counted from 1. Raises Refused."""
    before = _at_table(session)
    round_ = _mended(before, place, text)
    text = [*(text for *_, text in round_.deals), *(text for _, text in round_.events)][place - 1]
    session = with_log_entry(session, before, LogEntry(round_.id, "mend", text=f"{place} {text}"))
    session = session._replace(round=round_._replace(left=clock_text(session)), mode=table(round_))
    return _with_outcome(session, None) if round_.over else session


def _mended(round_: Round, place: int, text: str) -> Round:
    """The round with another text in the place of a deal or event. Raises Refused, naming the event that fails."""
    deals, events = list(round_.deals), list(round_.events)
    if place <= len(deals):
        deals[place - 1] = (*deals[place - 1][:2], text)
    else:
        events[place - len(deals) - 1] = (events[place - len(deals) - 1][0], text)
    again = round_._replace(deals=(), events=(), times=(), states=round_.states[:1])
    for kind, seat, pieces in deals:
        again = with_deal(again, kind, seat, pieces)
    for number, ((seat, event), seconds) in enumerate(zip(events, round_.times, strict=True), 1):
        try:
            again = with_event(again, seat, event, seconds)
        except Refused:
            raise Refused("mend", f"Move {number} would not stand", rule="nothing is mended") from None
    return again


def take_back(session: Session) -> Session:
    """The session before the last event, or before the last deal.

    What was taken back stays in the store, unless nothing is left of the round: that is not kept.
    """
    after = _at_table(session)
    if after.events:
        thinking_seconds = after.times[-1]  # The clock of whoever is to move again goes on from where it stood.
        round_ = after._replace(states=after.states[:-1], events=after.events[:-1], times=after.times[:-1])
    else:
        thinking_seconds = 0.0
        round_ = new_round(after.id, after.header, session.clock)
        for kind, seat, text in after.deals[:-1]:
            round_ = with_deal(round_, kind, seat, text)
    past = session.past
    if after.over:
        past = past._replace(fresh=past.fresh[:-1])
    session = session._replace(game_clock=countdown.taken_back(session.game_clock, round_, after))
    return session._replace(
        round=round_._replace(left=clock_text(session)),
        past=past,
        thinking_seconds=thinking_seconds,
        mode=table(round_),
        unsaved=(*session.unsaved, LogEntry(round_.id, "drop" if round_.empty else "back", clock=clock_text(session))),
    )


def next_round(session: Session) -> Session:
    """After a result: the match so far where there is one, else a new round with the seats swapped."""
    round_ = _at_table(session)
    if round_.header.goal and not isinstance(session.mode, MatchScore):
        return session._replace(mode=MatchScore())
    return begin(session._replace(previous=round_), following(round_))


def set_aside(session: Session, left: Round | PadRound) -> Session:
    """The session with a round or pad kept as unfinished, which is not offered again; an empty one is not kept."""
    if left.empty:
        return session
    return session._replace(unsaved=(*session.unsaved, LogEntry(left.id, "aside", clock=clock_text(session))))


def hints_switched(session: Session) -> Session:
    """The session with hints switched on or off, which is stored."""
    line = LogEntry(0, "hints", text="off" if session.hints else "on")
    return session._replace(hints=not session.hints, unsaved=(*session.unsaved, line))


def again(header: RoundHeader) -> RoundHeader:
    """The header of the same round again: a single round, or the first round of such a match."""
    return header._replace(number=1, wins=())


def following(round_: Round) -> RoundHeader:
    """The header of the next round: each player moves up a seat, so that another starts."""
    header = round_.header
    return moved_up(header)._replace(number=header.number + 1, wins=wins(round_))


def moved_up(header: RoundHeader) -> RoundHeader:
    """The header with each player, and the player's open holdings, moved up one seat."""
    seats = len(header.names)
    opened = sorted(((kind, (seat - 2) % seats + 1) for kind, seat in header.opened), key=lambda held: held[::-1])
    names, clock = (*header.names[1:], header.names[0]), game_clock.moved_up(header.clock)
    return header._replace(names=names, opened=tuple(opened), clock=clock)


def wins(round_: Round) -> tuple[tuple[str, int], ...]:
    """Round wins in the match by name, this round's included; a drawn round scores nobody."""
    so_far = dict(round_.header.wins)
    winners = round_.outcome.winners if round_.over else ()
    if len(winners) == 1:
        name = round_.name(winners[0])
        so_far[name] = so_far.get(name, 0) + 1
    return tuple(so_far.items())


def champion(round_: Round) -> str:
    """The name that has won the match, "" while it goes on."""
    goal = round_.header.goal
    return next((name for name, won in wins(round_) if goal and won >= goal), "")


def log_entries(round_: Round) -> tuple[LogEntry, ...]:
    """The log entries that write this round into a new store; none for an empty round."""
    if round_.empty:
        return ()
    lines = [LogEntry(round_.id, "begin", header=round_.header)]
    lines += [LogEntry(round_.id, *deal) for deal in round_.deals]
    lines += [
        LogEntry(round_.id, "event", *event, seconds=seconds)
        for event, seconds in zip(round_.events, round_.times, strict=True)
    ]
    if round_.over:
        lines.append(LogEntry(round_.id, "result", text=str(round_.outcome.result), reason=round_.outcome.reason))
    return (*lines[:-1], lines[-1]._replace(clock=round_.left))


def _with_outcome(session: Session, before: Round | None) -> Session:
    """The session with a notice of what happened automatically, and with the result stored if the round has ended."""
    round_ = _at_table(session)
    session = session._replace(mode=_noticed(round_, before, session.mode))
    if not round_.over:
        return session
    header, outcome = round_.header, round_.outcome
    result = FinishedRound(
        header.game, header.names, outcome.scores, outcome.winners, part=part(round_.id, header, outcome.winners)
    )
    return session._replace(
        past=session.past._replace(fresh=(*session.past.fresh, result)),
        unsaved=(
            *session.unsaved,
            LogEntry(round_.id, "result", text=str(outcome.result), reason=outcome.reason, clock=clock_text(session)),
        ),
        sounds=(*session.sounds, "round over"),
    )


def _noticed(round_: Round, before: Round | None, then: Mode) -> Mode:
    """One notice of a turn that ended by itself and of seats passed over, then what follows."""
    skipped = () if round_.waiting else round_.game.skipped(round_.state)
    seat = before.turn if before else None
    over = hooks.turn_over(before, round_) if before else ""
    if over and seat:
        also = "".join(f"{round_.name(each)} too. " for each in dict.fromkeys(skipped) if each != seat)
        return Notice("skip", round_.name(seat), (over,), also + _after(round_, seat), then)
    if skipped:
        return _passed_over(round_, skipped, seat, then)
    if blocked := hooks.blocked(round_):
        return Notice("skip", "Blocked", (blocked,), "The round is over", then)
    return then


def _after(round_: Round, seat: int | None) -> str:
    """Who is to move after an automatic end of a turn."""
    turn = round_.turn
    if turn is None:
        return "The round is over"
    return f"{round_.name(turn)} plays again" if turn == seat else f"{round_.name(turn)} is to move"


def _passed_over(round_: Round, skipped: tuple[int, ...], seat: int | None, then: Mode) -> Notice:
    names = [round_.name(each) for each in dict.fromkeys(skipped)]
    own = len(names) == 1 and skipped[-1] == seat
    line = "still has no move:" if own else "has no move:" if len(names) == 1 else "have no move:"
    said = (line, "turn over" if own else "skipped")
    return Notice("skip", " and ".join(names), said, _after(round_, seat), then)


def _at_table(session: Session) -> Round:
    if session.round is None:
        raise LookupError("no round is on the table")
    return session.round

"""What happens to a round: it begins, gets its deals and events, takes them back, ends, and is followed by the next.

Also here: the warning that a player's time is nearly up, and the message that it is over.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion import games
from companion.evening import countdown
from companion.evening.countdown import WARNED_SECONDS, seat, warned, warning
from companion.evening.model import Session
from companion.evening.screens.messages import Notice
from companion.languages import plural_text, format_list, text
from companion.rounds import on_table, standings
from companion.rounds.game_clock import TOLERANCE_SECONDS, WARNING_SECONDS
from companion.rounds.on_table import Round, new_round, with_deal, with_event
from companion.rounds.stored import FinishedRound, LogEntry, RoundHeader, make_match_part

if TYPE_CHECKING:
    from companion.games.api.manifest import HoldingKind
    from companion.rounds.on_table import PadRound
    from companion.rounds.stored import StoredHistory


def begin(session: Session, header: RoundHeader) -> Session:
    """Put a new round on the table.

    It is saved from its first event on. Where hands have to be named it is saved at once: that takes minutes, and
    whoever pulls the plug meanwhile expects to be asked whether to resume.
    """
    header = header._replace(origin=games.distribution_of(header.game))
    round_ = new_round(session.past.next_round, header, session.clock)
    past = remember_names(session.past, header)
    session = session._replace(round=round_, past=past, thinking_seconds=0.0)
    return _with_outcome(_save_header(session, round_) if is_saved(round_) else session, None)


def is_saved(on_table: Round | PadRound) -> bool:
    """Whether the store has the round or pad on the table."""
    return not on_table.is_empty or bool(on_table.header.opened)


def with_log_entry(session: Session, before: Round | PadRound, line: LogEntry) -> Session:
    """Add a log entry for the store; before the first entry of a round comes its header."""
    session = session if is_saved(before) else _save_header(session, before)
    return session.keep(line._replace(clock=clock_text(session)))


def _save_header(session: Session, new: Round | PadRound) -> Session:
    head = LogEntry(new.id, "begin", header=new.header, seconds=round(max(0.0, session.clock - new.begun_at), 1))
    past = session.past._replace(next_round=max(session.past.next_round, new.id + 1))
    return session._replace(past=past).keep(head)


def clock_text(session: Session) -> str:
    """The times left on the round's game clock, in written form; "" without a clock."""
    return str(session.game_clock) if session.game_clock is not None and session.round is not None else ""


def remember_names(past: StoredHistory, header: RoundHeader) -> StoredHistory:
    """The history after a round with this header has begun: its game and its names come first."""
    header = header._replace(pairing="")  # A round like this one, played later, is not part of the tournament.
    return past._replace(
        last_games=(header.game, *(game for game in past.last_games if game != header.game)),
        player_names=(*header.names, *(name for name in past.player_names if name not in header.names)),
        recent_headers=(header, *(each for each in past.recent_headers if each.game != header.game)),
        abandoned_games=left_or_ended(past.abandoned_games, header.game, ended=False),
    )


def left_or_ended(left: tuple[str, ...], game: str, *, ended: bool) -> tuple[str, ...]:
    """The games whose last round was left before its end, now that the last one of `game` has `has_ended` or not."""
    return (*(each for each in left if each != game), *(() if ended else (game,)))


def deal(session: Session, kind: HoldingKind, seat: int, pieces: str) -> Session:
    """Enter an open holding. Raises RefusedError if the pieces aren't possible."""
    before = session.round_here
    round_ = with_deal(before, kind, seat, pieces)
    clock = session.game_clock.at_turn_start(round_.turn) if session.game_clock is not None else None
    session = with_log_entry(session._replace(game_clock=clock), before, LogEntry(round_.id, *round_.deals[-1]))
    return _with_outcome(session._replace(round=round_), None)


def commit(session: Session, event: str, *, judged: bool = False) -> Session:
    """Play an event. Raises RefusedError, and then nothing has changed.

    The event is first checked against what its player knows, unless that was done already (`is_checked`). So a refusal
    never tells what others hide.
    """
    before = session.round_here
    seat = before.turn or 1
    if before.known_state != before.state and not judged:
        before.game.play_move(before.known_state, seat, before.game.parse_move(event))
    round_ = with_event(before, seat, event, round(session.thinking_seconds, 1))
    session = session._replace(game_clock=countdown.after_event(session.game_clock, before, round_))
    round_ = round_._replace(clock_left=clock_text(session))
    session = with_log_entry(
        session, before, LogEntry(round_.id, "event", *round_.events[-1], seconds=round_.event_seconds[-1])
    )
    session = session._replace(
        round=round_,
        thinking_seconds=0.0,
    ).sound("accepted" if seat == round_.turn else "your turn")
    return _with_outcome(session, before)


def mend(session: Session, place: int, named: str) -> Session:
    """Put other pieces in the place of a deal or event of the round, counted from 1. Raises RefusedError."""
    before = session.round_here
    round_ = on_table.corrected_round(before, place, named)
    written = [*(each for *_, each in round_.deals), *(each for _, each in round_.events)][place - 1]
    session = with_log_entry(session, before, LogEntry(round_.id, "mend", text=f"{place} {written}"))
    session = session._replace(round=round_._replace(clock_left=clock_text(session))).show_base()
    return _with_outcome(session, None) if round_.is_over else session


def take_back(session: Session) -> Session:
    """The session before the last event, or before the last deal.

    What was taken back stays in the store's log. Only a round of which nothing is left is removed.
    """
    after = session.round_here
    if after.events:
        # The thinking time of the player who is to move again goes on from where it was.
        thinking_seconds = after.event_seconds[-1]
        round_ = after._replace(states=after.states[:-1], events=after.events[:-1], event_seconds=after.event_seconds[:-1], was_taken_back=True)
    else:
        thinking_seconds = 0.0
        round_ = new_round(after.id, after.header, session.clock)
        for kind, seat, pieces in after.deals[:-1]:
            round_ = with_deal(round_, kind, seat, pieces)
    past = session.past
    if after.is_over:
        past = past._replace(new_rounds=past.new_rounds[:-1], abandoned_games=left_or_ended(past.abandoned_games, after.header.game, ended=False))
    session = session._replace(game_clock=countdown.taken_back(session.game_clock, round_, after))
    line = LogEntry(round_.id, "back" if is_saved(round_) else "drop", clock=clock_text(session))
    round_ = round_._replace(clock_left=clock_text(session))
    return session._replace(round=round_, past=past, thinking_seconds=thinking_seconds).keep(line).show_base()


def begin_following(session: Session) -> Session:
    """Begin the round that follows the one on the table, with the seats swapped."""
    round_ = session.round_here
    return begin(session._replace(previous=round_), standings.next_round_header(round_))


def set_aside(session: Session, left: Round | PadRound) -> Session:
    """Save a round or pad as unfinished, and not to be offered at the next start. An empty one is removed."""
    if not is_saved(left):
        return session
    return session.keep(LogEntry(left.id, "drop" if left.is_empty else "aside", clock=clock_text(session)))


def _with_outcome(session: Session, before: Round | None) -> Session:
    """Show what follows, first a message about what happened by itself; save the result if the round has ended."""
    round_ = session.round_here
    session = session.show_base(*_notices(round_, before))
    if not round_.is_over:
        return session
    header, outcome = round_.header, round_.outcome
    result = FinishedRound(
        header.game, header.names, outcome.scores, outcome.winners, match_part=make_match_part(round_.id, header, outcome.winners)
    )
    past = session.past
    past = past._replace(new_rounds=(*past.new_rounds, result), abandoned_games=left_or_ended(past.abandoned_games, header.game, ended=True))
    line = LogEntry(
        round_.id,
        "result",
        text=str(outcome.result),
        reason=games.manifest_or_placeholder(header.game).format_ending(outcome.reason),
        clock=clock_text(session),
    )
    return session._replace(past=past).keep(line).sound("round over")


def _notices(round_: Round, before: Round | None) -> tuple[Notice, ...]:
    """A message about a turn that ended by itself and about skipped seats; none if nothing happened by itself."""
    skipped = () if round_.missing_holdings else round_.game.skipped_seats(round_.state)
    seat = before.turn if before else None
    over = round_.move_input.turn_end_reason(before.state, round_.state) if before else ""
    if over and seat:
        follows = _after(round_, seat)
        for each in reversed([each for each in dict.fromkeys(skipped) if each != seat]):
            follows = text("{who} too. {follows}", who=round_.player_name(each), follows=follows)
        return (Notice("skip", round_.player_name(seat), (over,), follows),)
    if skipped:
        return (_passed_over(round_, skipped, seat),)
    if blocked := round_.move_input.blocked_reason(round_.state):
        return (Notice("skip", text("Blocked"), (blocked,), _after(round_, None)),)
    return ()


def _after(round_: Round, seat: int | None) -> str:
    """Who is to move after a turn that ended by itself."""
    turn = round_.turn
    if turn is None:
        return text("The round is over")
    return text("{who} plays again" if turn == seat else "{who} is to move", who=round_.player_name(turn))


def _passed_over(round_: Round, skipped: tuple[int, ...], seat: int | None) -> Notice:
    names = [round_.player_name(each) for each in dict.fromkeys(skipped)]
    own = len(names) == 1 and skipped[-1] == seat
    line = text("still has no move:") if own else plural_text(len(names), "has no move:", "have no move:")
    why = round_.move_input.skip_reason(round_.state, skipped[-1]) if len(names) == 1 and not own else ""
    lines = (line, why or text("turn over" if own else "skipped"))
    return Notice("skip", format_list(names), lines, _after(round_, seat))


def warn_of_time(session: Session) -> Session:
    """Warn a seat that its time is nearly up, or report that it is over, if that is due."""
    running, clock = seat(session), session.game_clock
    if not running or clock is None or session.round is None or session.stopping:
        return session
    name, left = session.round.player_name(running), clock.seconds_left[running - 1]
    if left <= 0 and running not in clock.notified_seats and session.screen.interruptible:
        told = Notice("alert", name, (text("has no time left."),), text("The players decide"))
        clock = clock._replace(notified_seats=(*clock.notified_seats, running), warned_seats=(*clock.warned_seats, running))
        return _lit(session).open(told)._replace(game_clock=clock, banner="").sound("flag")
    if 0 < left <= WARNING_SECONDS + TOLERANCE_SECONDS and running not in clock.warned_seats:
        clock = clock._replace(warned_seats=(*clock.warned_seats, running))
        return _lit(session)._replace(banner=warning(session), game_clock=clock).sound("warning")
    if warned(session) and left <= WARNING_SECONDS - WARNED_SECONDS + TOLERANCE_SECONDS:
        return session._replace(banner="")
    return session


def _lit(session: Session) -> Session:
    """Light a dark panel, as a key press does."""
    return session.wake() if session.light != "on" else session

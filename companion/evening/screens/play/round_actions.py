"""What happens to a round: it begins, gets its deals and events, takes them back, ends, and is followed by the next.

Also here: the warning that a player's time is nearly up, and the message that it is over.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion import games
from companion.evening import countdown
from companion.evening.countdown import WARNING_SHOWN_SECONDS, running_seat, shows_time_warning, warning_text
from companion.evening.model import Session
from companion.evening.screens.messages import Notice
from companion.languages import format_list, join_texts, plural_text, text
from companion.rounds import on_table, standings
from companion.rounds.game_clock import TOLERANCE_SECONDS, WARNING_SECONDS
from companion.rounds.on_table import Round, new_round, with_deal, with_event
from companion.rounds.stored import FinishedRound, LogEntry, RoundHeader, make_match_part

if TYPE_CHECKING:
    from companion.games.api.manifest import HoldingKind
    from companion.rounds.on_table import PadRound
    from companion.rounds.stored import StoredHistory


def begin_round(session: Session, header: RoundHeader) -> Session:
    """Put a new round on the table.

    It is saved from its first event on. Where hands have to be named it is saved at once: that takes minutes, and
    whoever pulls the plug meanwhile expects to be asked whether to resume.
    """
    header = header._replace(origin=games.distribution_and_version(header.game))
    round_ = new_round(session.history.next_round, header, session.now)
    history = with_begun_round(session.history, header)
    session = session._replace(round=round_, history=history, thinking_seconds=0.0)
    return _show_outcome(_save_header(session, round_) if is_saved(round_) else session, None)


def is_saved(table_round: Round | PadRound) -> bool:
    """Whether the store has the round or pad on the table."""
    return not table_round.is_empty or bool(table_round.header.opened)


def with_log_entry(session: Session, before: Round | PadRound, log_entry: LogEntry) -> Session:
    """Add a log entry for the store; before the first entry of a round comes its header."""
    session = session if is_saved(before) else _save_header(session, before)
    return session.save_entries(log_entry._replace(clock=written_clock(session)))


def _save_header(session: Session, table_round: Round | PadRound) -> Session:
    log_entry = LogEntry(
        table_round.id,
        "begin",
        header=table_round.header,
        seconds=round(max(0.0, session.now - table_round.begun_at), 1),
    )
    history = session.history._replace(next_round=max(session.history.next_round, table_round.id + 1))
    return session._replace(history=history).save_entries(log_entry)


def written_clock(session: Session) -> str:
    """The times left on the round's game clock, in written form; "" without a clock."""
    return str(session.game_clock) if session.game_clock is not None and session.round is not None else ""


def with_begun_round(history: StoredHistory, header: RoundHeader) -> StoredHistory:
    """The history after a round with this header has begun: its game and its names come first."""
    header = header._replace(pairing="")  # A round like this one, played later, is not part of the tournament.
    return with_last_round(history, header.game, has_ended=False)._replace(
        last_games=(header.game, *(game for game in history.last_games if game != header.game)),
        player_names=(*header.names, *(name for name in history.player_names if name not in header.names)),
        recent_headers=(header, *(each for each in history.recent_headers if each.game != header.game)),
    )


def with_last_round(history: StoredHistory, game: str, *, has_ended: bool) -> StoredHistory:
    """The history in which the last round of a game has ended or is unfinished."""
    other_games = tuple(each for each in history.unfinished_games if each != game)
    return history._replace(unfinished_games=other_games if has_ended else (*other_games, game))


def enter_holding(session: Session, kind: HoldingKind, seat: int, pieces: str) -> Session:
    """Enter an open holding. Raises RefusedError if the pieces aren't possible."""
    before = session.current_round
    round_ = with_deal(before, kind, seat, pieces)
    clock = session.game_clock.at_turn_start(round_.turn) if session.game_clock is not None else None
    session = with_log_entry(session._replace(game_clock=clock), before, LogEntry(round_.id, *round_.deals[-1]))
    return _show_outcome(session._replace(round=round_), None)


def play_event(session: Session, event: str, *, is_checked: bool = False) -> Session:
    """Play an event. Raises RefusedError, and then nothing has changed.

    The event is first checked against what its player knows, unless that was done already (`is_checked`). So a refusal
    never tells what others hide.
    """
    before = session.current_round
    seat = before.turn or 1
    if before.known_state != before.state and not is_checked:
        before.game.play_move(before.known_state, seat, before.game.parse_move(event))
    round_ = with_event(before, seat, event, round(session.thinking_seconds, 1))
    session = session._replace(game_clock=countdown.clock_after_event(session.game_clock, before, round_))
    round_ = round_._replace(clock_left=written_clock(session))
    session = with_log_entry(
        session, before, LogEntry(round_.id, "event", *round_.events[-1], seconds=round_.event_seconds[-1])
    )
    session = session._replace(round=round_, thinking_seconds=0.0)
    return _show_outcome(session.play_sound("accepted" if seat == round_.turn else "your turn"), before)


def correct_pieces(session: Session, naming_number: int, pieces: str) -> Session:
    """Put other pieces in the place of a deal or event of the round, counted from 1. Raises RefusedError."""
    before = session.current_round
    round_ = on_table.corrected_round(before, naming_number, pieces)
    pieces_text = [*(each for *_, each in round_.deals), *(each for _, each in round_.events)][naming_number - 1]
    session = with_log_entry(session, before, LogEntry(round_.id, "mend", text=f"{naming_number} {pieces_text}"))
    session = session._replace(round=round_._replace(clock_left=written_clock(session))).show_base_screen()
    return _show_outcome(session, None) if round_.is_over else session


def take_back_event(session: Session) -> Session:
    """The session before the last event, or before the last deal.

    What was taken back stays in the store's log. Only a round of which nothing is left is removed.
    """
    round_before = session.current_round
    if round_before.events:
        # The thinking time of the player who is to move again goes on from where it was.
        thinking_seconds = round_before.event_seconds[-1]
        round_ = round_before._replace(
            states=round_before.states[:-1],
            events=round_before.events[:-1],
            event_seconds=round_before.event_seconds[:-1],
            was_taken_back=True,
        )
    else:
        thinking_seconds = 0.0
        round_ = new_round(round_before.id, round_before.header, session.now)
        for kind, seat, pieces in round_before.deals[:-1]:
            round_ = with_deal(round_, kind, seat, pieces)
    history = session.history
    if round_before.is_over:
        history = with_last_round(history, round_before.header.game, has_ended=False)
        history = history._replace(new_rounds=history.new_rounds[:-1])
    session = session._replace(game_clock=countdown.clock_after_takeback(session.game_clock, round_, round_before))
    log_entry = LogEntry(round_.id, "back" if is_saved(round_) else "drop", clock=written_clock(session))
    round_ = round_._replace(clock_left=written_clock(session))
    return (
        session._replace(round=round_, history=history, thinking_seconds=thinking_seconds)
        .save_entries(log_entry)
        .show_base_screen()
    )


def begin_next_round(session: Session) -> Session:
    """Begin the round that follows the one on the table, with the seats swapped; after a match another one like it."""
    round_ = session.current_round
    return begin_round(session._replace(previous_round=round_), standings.following_header(round_))


def save_as_unfinished(session: Session, table_round: Round | PadRound) -> Session:
    """Save a round or pad as unfinished, and not to be offered at the next start. An empty one is removed."""
    if not is_saved(table_round):
        return session
    return session.save_entries(
        LogEntry(table_round.id, "drop" if table_round.is_empty else "aside", clock=written_clock(session))
    )


def _show_outcome(session: Session, before: Round | None) -> Session:
    """Show what follows, first a message about what happened by itself; save the result if the round has ended."""
    round_ = session.current_round
    session = session.show_base_screen(*_automatic_notices(round_, before))
    if not round_.is_over:
        return session
    header, outcome = round_.header, round_.outcome
    result = FinishedRound(
        header.game,
        header.names,
        outcome.scores,
        outcome.winners,
        match_part=make_match_part(round_.id, header, outcome.winners),
    )
    history = with_last_round(session.history, header.game, has_ended=True)
    history = history._replace(new_rounds=(*history.new_rounds, result))
    log_entry = LogEntry(
        round_.id,
        "result",
        text=str(outcome.result),
        reason=games.manifest_or_placeholder(header.game).format_ending(outcome.reason),
        clock=written_clock(session),
    )
    return session._replace(history=history).save_entries(log_entry).play_sound("round over")


def _automatic_notices(round_: Round, before: Round | None) -> tuple[Notice, ...]:
    """A message about a turn that ended by itself and about skipped seats; none if nothing happened by itself."""
    skipped = () if round_.missing_holdings else round_.game.skipped_seats(round_.state)
    seat = before.turn if before else None
    end_reason = round_.move_input.turn_end_reason(before.state, round_.state) if before else ""
    if end_reason and seat:
        follows = _next_player_line(round_, seat)
        for each in reversed([each for each in dict.fromkeys(skipped) if each != seat]):
            follows = join_texts((text("{who} too.", who=round_.player_name(each)), follows), " ")
        return (Notice("skip", round_.player_name(seat), (end_reason,), follows),)
    if skipped:
        return (_skip_notice(round_, skipped, seat),)
    if block_reason := round_.move_input.blocked_reason(round_.state):
        return (Notice("skip", text("Blocked"), (block_reason,), _next_player_line(round_, None)),)
    return ()


def _next_player_line(round_: Round, seat: int | None) -> str:
    """Who is to move after a turn that ended by itself."""
    turn = round_.turn
    if turn is None:
        return text("The round is over")
    return text("{who} plays again" if turn == seat else "{who} is to move", who=round_.player_name(turn))


def _skip_notice(round_: Round, skipped: tuple[int, ...], seat: int | None) -> Notice:
    names = [round_.player_name(each) for each in dict.fromkeys(skipped)]
    is_own_seat = len(names) == 1 and skipped[-1] == seat
    line = text("still has no move:") if is_own_seat else plural_text(len(names), "has no move:", "have no move:")
    reason = round_.move_input.skip_reason(round_.state, skipped[-1]) if len(names) == 1 and not is_own_seat else ""
    lines = (line, reason or text("turn over" if is_own_seat else "skipped"))
    return Notice("skip", format_list(names), lines, _next_player_line(round_, seat))


def warn_about_time(session: Session) -> Session:
    """Warn a seat that its time is nearly up, or report that it is over, if that is due."""
    clock_seat, clock = running_seat(session), session.game_clock
    if not clock_seat or clock is None or session.round is None or session.is_stopping:
        return session
    name, left = session.round.player_name(clock_seat), clock.seconds_left[clock_seat - 1]
    if left <= 0 and clock_seat not in clock.notified_seats and session.screen.is_interruptible:
        notice = Notice("alert", name, (text("has no time left."),), text("The players decide"))
        clock = clock._replace(
            notified_seats=(*clock.notified_seats, clock_seat), warned_seats=(*clock.warned_seats, clock_seat)
        )
        return _with_light(session).open_screens(notice)._replace(game_clock=clock, banner="").play_sound("flag")
    if 0 < left <= WARNING_SECONDS + TOLERANCE_SECONDS and clock_seat not in clock.warned_seats:
        clock = clock._replace(warned_seats=(*clock.warned_seats, clock_seat))
        return _with_light(session)._replace(banner=warning_text(session), game_clock=clock).play_sound("warning")
    if shows_time_warning(session) and left <= WARNING_SECONDS - WARNING_SHOWN_SECONDS + TOLERANCE_SECONDS:
        return session._replace(banner="")
    return session


def _with_light(session: Session) -> Session:
    """Light a dark panel, as a key press does."""
    return session.with_light_on() if session.light != "on" else session

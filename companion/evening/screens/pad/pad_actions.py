"""What happens to a score pad: it begins, gets entries, takes them back, and ends; and its content."""

from __future__ import annotations

from functools import partial

from companion.evening.contents import kinds
from companion.evening.model import BaseDue, Screen, Session
from companion.evening.screens.lists import ListScreen, MenuItem
from companion.evening.screens.messages import Confirmation
from companion.evening.screens.play import round_actions
from companion.games.score_pad import pad
from companion.languages import format_list, join_texts, plural_text, text
from companion.rounds.on_table import PadRound
from companion.rounds.stored import FinishedRound, LogEntry, RoundHeader

POINTS_QUESTION = text("Points?")
"""What the pad asks where nothing else is to be said in the last line."""


def begin_pad(session: Session, header: RoundHeader) -> Session:
    """Put a new pad on the table. It is saved from its first entry on."""
    history = round_actions.with_begun_round(session.history, header)
    history = history._replace(recent_pads=((header.options, header.names), *history.recent_pads))
    empty_pad = pad.restore_pad(len(header.names), header.options)
    sheet = PadRound(history.next_round, header, empty_pad, begun_at=session.now)
    return session._replace(pad=sheet, history=history).show_base_screen()


def enter_or_ask_turn(session: Session, seat: int, points: int, next_seat: int) -> Session:
    """Enter points as `enter_points` does, but ask first where they may be meant as a correction.

    That is so where turns are counted and it isn't this seat's turn yet: an entry would use up one more turn. A seat
    that has had all its turns can't have a further one.
    """
    sheet = session.current_pad
    number = sheet.pad.last_entry_number(seat) if sheet.pad.turn_limit and points else 0
    before = sheet.pad.entries[number - 1][1] if number else 0
    if not number or abs(before + points) > pad.MAX_POINTS:
        return enter_points(session, seat, points, next_seat)
    turn, who = sheet.pad.turns_taken[seat - 1], sheet.player_name(seat)
    correction_label = text(
        "turn {turn}: {before} {points} = {after}",
        turn=turn, before=f"{before:+d}", points=f"{points:+d}", after=f"{before + points:+d}",
    )  # fmt: skip
    items = [MenuItem(correction_label, partial(correct_entry, number=number, points=points))]
    if sheet.pad.has_had_all_turns(seat):  # A list of a single entry would not look like a question.
        items.append(MenuItem(text("change nothing"), Session.show_base_screen))
    else:
        enter_next_turn = partial(enter_points, seat=seat, points=points, next_seat=next_seat)
        items.append(MenuItem(text("turn {turn}: {points}", turn=turn + 1, points=f"{points:+d}"), enter_next_turn))
    due = sheet.player_name(sheet.pad.due_seat)
    note = text("had turn {turn}", turn=turn) if sheet.pad.has_had_all_turns(seat) else text("{who} is next", who=due)
    return session.open_screens(ListScreen(who, (note,), tuple(items)))


def correct_entry(session: Session, *, number: int, points: int) -> Session:
    """Add `points` to entry `number` (from 1). The cursor then moves to whoever has had the fewest turns."""
    sheet = session.current_pad
    before = sheet.pad.entries[number - 1][1]
    corrected_pad = sheet.pad.with_correction(number, points)
    log_entry = LogEntry(sheet.id, "mend", text=f"{number} {pad.format_points(corrected_pad.entries[number - 1][1])}")
    session = round_actions.with_log_entry(session, sheet, log_entry)
    next_seat = corrected_pad.turns_taken.index(min(corrected_pad.turns_taken)) + 1
    sheet = sheet._replace(pad=corrected_pad, cursor_seat=next_seat, last_correction=(number, before))
    return session._replace(pad=sheet).play_sound("accepted").show_base_screen()


def enter_points(session: Session, seat: int, points: int, next_seat: int, next_draft: Screen | None = None) -> Session:
    """Enter the points of a seat and move the cursor to seat `next_seat`, or end the pad if that was the last turn.

    When somebody reaches the target, and again each time the turn has come round, the players are asked whether the
    game is over. `next_draft` is the screen that the box goes on with, None for an empty draft.
    """
    sheet = session.current_pad
    target_seat = seat if sheet.pad.reaches_target(seat, points) else 0
    session = round_actions.with_log_entry(session, sheet, LogEntry(sheet.id, "event", seat, pad.format_points(points)))
    sheet = sheet._replace(pad=sheet.pad.with_entry(seat, points), cursor_seat=next_seat, last_correction=None)
    session = session._replace(pad=sheet, screens=(next_draft or BaseDue(),)).play_sound("accepted")
    if sheet.pad.is_full:
        return end_pad(session)
    if not (target_seat := target_seat or sheet.pad.seat_at_target):
        return session
    total, who = sheet.pad.totals[target_seat - 1], sheet.player_name(target_seat)
    if confirmation := end_without_entries_question(sheet):
        return session.open_screens(confirmation)
    explanation = (
        plural_text(total, "{who} has {number} point.", "{who} has {number} points.", who=who),
        text("Is the game over?"),
    )
    title = text("{target} reached", target=sheet.pad.target)
    return session.open_screens(Confirmation(end_pad, title, explanation, needs_ok_or_back=True))


def end_without_entries_question(sheet: PadRound) -> Confirmation | None:
    """The question before the end if players without any entry would get a result of 0; else None."""
    names = [sheet.player_name(seat) for seat, taken in enumerate(sheet.pad.turns_taken, 1) if not taken]
    if not names:
        return None
    said = plural_text(len(names), "{who} has no entry yet, and would end with 0.",
                   "{who} have no entry yet, and would end with 0.", who=format_list(names))  # fmt: skip
    return Confirmation(end_pad, text("End the game?"), (said,), needs_ok_or_back=True, names=tuple(names))


def end_pad(session: Session) -> Session:
    """End the pad, save its result and show it."""
    sheet = session.current_pad
    result = FinishedRound(pad.PAD_ID, sheet.header.names, sheet.pad.totals, sheet.pad.leading_seats)
    history = round_actions.with_last_round(session.history, pad.PAD_ID, has_ended=True)
    history = history._replace(new_rounds=(*history.new_rounds, result))
    log_entry = LogEntry(sheet.id, "result", text=str(pad.pad_result(sheet.pad)))
    return (
        session._replace(pad=sheet._replace(is_over=True), history=history)
        .save_entries(log_entry)
        .play_sound("round over")
        .show_base_screen()
    )


def was_ended_by_players(sheet: PadRound) -> bool:
    """Whether the players have ended the game themselves, and not its last turn."""
    return sheet.is_over and not sheet.pad.is_full and not sheet.is_empty


def take_back_entry(session: Session) -> Session:
    """Take back the last entry or the last correction; or only the end, if the players ended the game themselves.

    A pad that is empty then is removed from the store.
    """
    sheet = session.current_pad
    if sheet.last_correction is not None and not sheet.is_over:
        number, before = sheet.last_correction
        session = correct_entry(session, number=number, points=before - sheet.pad.entries[number - 1][1])
        return session._replace(pad=session.current_pad._replace(last_correction=None)).show_base_screen()
    history = session.history
    if sheet.is_over:
        history = round_actions.with_last_round(history, pad.PAD_ID, has_ended=False)
        history = history._replace(new_rounds=history.new_rounds[:-1])
    if was_ended_by_players(sheet):
        seat, points = sheet.pad.entries[-1]
        lines = LogEntry(sheet.id, "back"), LogEntry(sheet.id, "event", seat, pad.format_points(points))
        reopened = session._replace(pad=sheet._replace(is_over=False), history=history)
        return reopened.save_entries(*lines).show_base_screen()
    seat = sheet.pad.entries[-1][0]
    remaining = sheet._replace(pad=sheet.pad._replace(entries=sheet.pad.entries[:-1]), cursor_seat=seat, is_over=False)
    remaining = remaining._replace(begun_at=session.now) if remaining.is_empty else remaining
    log_entry = LogEntry(sheet.id, "drop" if remaining.is_empty else "back")
    return session._replace(pad=remaining, history=history).save_entries(log_entry).show_base_screen()


def scores_content(
    sheet: PadRound,
    seat: int,
    *,
    shows_dealer: bool = False,
    back_label: str = "menu",
    line_text: str = "",
    names_minus_key: bool = False,
) -> kinds.Scores:
    """The content of a pad with an empty draft, the cursor on a seat. With `shows_dealer` it says who deals.

    The last line asks for points, with how the game ends and the keypad's key for minus, or says `line_text`.
    """
    game = sheet.pad
    note: list[str] = []
    if game.turn_limit:
        note.append(text("turn {turn}/{turns}", turn=game.current_turn, turns=game.turn_limit))
    elif game.target:
        note.append(text("to {target}", target=game.target))
    if game.lowest_wins:
        note.append(text("low wins"))
    last = entry_text(sheet, len(game.entries)) if game.entries else ""
    dealer = text("{who} deals", who=sheet.player_name(game.dealer))
    lead = dealer if shows_dealer else next(iter(note), "")
    question = text("{note}: points?", note=lead) if lead else POINTS_QUESTION
    if names_minus_key:
        question = text("{note}. C: minus", note=lead) if lead else text("Points? C: minus")
    return kinds.Scores(
        title=dealer if shows_dealer else game.title,
        notes=(join_texts(note, ", "), *note[:1]),
        players=tuple(
            kinds.Score(name, total, each in game.leading_seats and len(set(game.totals)) > 1)
            for each, (name, total) in enumerate(zip(sheet.header.names, game.totals, strict=True), 1)
        ),
        seat=seat,
        last=last,
        key_hints=(kinds.KeyHint("back", text(back_label)),),
        line=line_text or question,
    )


def entry_text(sheet: PadRound, number: int) -> str:
    """An entry, by its number from 1, as text: its player and the points."""
    seat, points = sheet.pad.entries[number - 1]
    return text("{who} {points}", who=sheet.player_name(seat), points=f"{points:+d}")

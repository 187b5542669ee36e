"""The score pad in play: entering points for the seat under the cursor; its menu, its sheet and its result.

Digits type points; up and down count them by one, left and right then by tens. The points wait as long as the players
like: OK enters them and moves to the next seat, and choosing another player after typed points enters them too. Each
entry is a turn of its player. OK with nothing entered shows a turn without points, and a second OK enters that.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from companion.evening import double_taps
from companion.evening.contents import kinds
from companion.evening.contents.kinds import KeyHint, ok_and_back_hints
from companion.evening.model import Screen, Session
from companion.evening.screen_kinds import MoveScreen
from companion.evening.screens import pages
from companion.evening.screens.lists import LAST_DIGIT_POSITION, ListScreen, MenuItem, MenuScreen
from companion.evening.screens.messages import Confirmation, ask_to_ignore_misfit_keys
from companion.evening.screens.pad import pad_actions
from companion.evening.screens.pad.pad_actions import (
    POINTS_QUESTION,
    begin_pad,
    correct_entry,
    end_pad,
    enter_or_ask_turn,
    enter_points,
    entry_text,
    scores_content,
    take_back_entry,
    was_ended_by_players,
)
from companion.evening.screens.pages import open_today
from companion.evening.screens.phones import phones_page
from companion.evening.screens.play.table_menu import ask_to_leave, lines_about_leaving
from companion.evening.screens.setup import setup
from companion.games.api.result import verdict_heading
from companion.games.score_pad import pad
from companion.languages import format_list, plural_text, text

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.rounds.on_table import PadRound


class PadScreen(MoveScreen):
    """The score pad in play: the seat under the cursor, and the points that are being entered for it (the draft).

    Attributes:
        seat: the seat under the cursor, from 1.
        typed_digits: the digits that were typed.
        sign: the sign before them, "" for plus.
        counted_points: the points where they were counted up and down, else None.
        excess_digits: the digits that were too many.
        corrected_entry: the number of the entry that is being corrected, from 1; 0 for a new entry.
    """

    seat: int = 1
    typed_digits: str = ""
    sign: str = ""
    counted_points: int | None = None
    excess_digits: str = ""
    corrected_entry: int = 0

    public_name = "Scoring"

    def may_be_double_tap(self, session: Session, key: str) -> bool:
        # One OK enters the points of one player, and a turn without points needs two.
        return not self.points and key == "#" == session.taps.last_key

    @property
    def points(self) -> int | None:
        """The points in the draft, None for none."""
        if self.typed_digits:
            return int(self.sign + self.typed_digits)
        return self.counted_points

    @property
    def has_empty_draft(self) -> bool:
        return self.points is None and not self.sign

    def phone_keys(self, session: Session, meant: tuple[str, ...]) -> tuple[str, ...]:
        # BACK on a phone may open the menu, but not erase what is entered at the box.
        return meant if self.has_empty_draft else ()

    # -- keys ---------------------------------------------------------------------------------------------------

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        sheet = session.current_pad.pad
        players = sheet.players
        if key == "#":
            if self.sign and not self.typed_digits:
                return session  # The panel asks for the points.
            if self.corrected_entry:
                return self._enter_or_ask(session, self._correct_entry)
            if self.points is None:
                return session.replace_screen(PadScreen(self.seat, counted_points=0))
            return self._enter_or_ask(
                session,
                partial(enter_or_ask_turn, seat=self.seat, points=self.points, next_seat=self._following_seat(sheet)),
            )
        if key == "*":
            return self._erase_last(session)
        if key in ("left", "right") and self.counted_points is not None:
            points = next_points(self.counted_points, 1 if key == "right" else -1, tens=True)
            return session.replace_screen(self._replace(counted_points=points))
        if key in ("left", "right", "B", "D"):
            if self.corrected_entry:
                return session
            step = 1 if key in ("right", "B") else -1
            next_seat = (self.seat - 1 + step) % players + 1
            if not self.points:
                return session.replace_screen(PadScreen(next_seat))
            return self._enter_or_ask(
                session, partial(enter_or_ask_turn, seat=self.seat, points=self.points, next_seat=next_seat)
            )
        return session.replace_screen(self.with_key(key, held=held))

    def _enter_or_ask(self, session: Session, enter: Callable[[Session], Session]) -> Session:
        """Enter the points. After digits that were too many, the players have to confirm them first."""
        if not self.excess_digits or self.points is None:
            return enter(session)
        question = text("Enter {points}?", points=f"{self.points:+d}")
        return ask_to_ignore_misfit_keys(session, self.excess_digits, question, enter)

    def _correct_entry(self, session: Session) -> Session:
        """Replace the points of the entry that is being corrected."""
        points, before = self.points, session.current_pad.pad.entries[self.corrected_entry - 1][1]
        if points is None or points == before:
            return session.show_base_screen()
        return correct_entry(session, number=self.corrected_entry, points=points - before)

    def _following_seat(self, sheet: pad.Pad) -> int:
        """The seat after an entry: the next one, or where turns are counted the next one with the fewest turns."""
        return sheet.with_entry(self.seat, 0).due_seat if sheet.turn_limit else self.seat % sheet.players + 1

    def with_key(self, key: str, *, held: bool) -> PadScreen:
        """The draft after a key: a digit, a sign, or one point up or down, by tens while the button is held."""
        if key in ("up", "down"):
            points = next_points(self.points or 0, 1 if key == "up" else -1, tens=held)
            return self._replace(typed_digits="", sign="", counted_points=points)
        if key in ("A", "C"):
            if self.counted_points:
                return self._replace(counted_points=abs(self.counted_points) * (-1 if key == "C" else 1))
            return self._replace(sign="-" if key == "C" else "+", counted_points=None)
        if key.isdigit() and int(self.typed_digits + key) <= pad.MAX_POINTS:
            # Typing corrects an entry's number; its sign stays.
            sign = "-" if self.corrected_entry and (self.counted_points or 0) < 0 else self.sign
            digits = (self.typed_digits + key).lstrip("0") or "0"
            return self._replace(typed_digits=digits, sign=sign, counted_points=None)
        return self._replace(excess_digits=self.excess_digits + key) if key.isdigit() else self

    def _erase_last(self, session: Session) -> Session:
        """Erase a digit, the sign or a change; with an empty draft open the menu, but not right after erasing."""
        if self.typed_digits:
            erased = self._replace(typed_digits=self.typed_digits[:-1], excess_digits="")
            if self.corrected_entry and not erased.typed_digits:
                before = session.current_pad.pad.entries[self.corrected_entry - 1][1]
                erased = erased._replace(sign="", counted_points=before)
            return double_taps.mark_erased(session.replace_screen(erased))
        if self.corrected_entry:
            return double_taps.mark_erased(session.show_base_screen())
        if self.sign or self.counted_points is not None:
            return double_taps.mark_erased(session.replace_screen(PadScreen(self.seat)))
        if double_taps.has_just_erased(session):
            return double_taps.ignore_back_after_erasing(session)
        return open_pad_menu(session._replace(pad=session.current_pad._replace(cursor_seat=self.seat)))

    def enter_points(self, session: Session, seat: int, points: int) -> Session:
        """Enter points that a phone has sent for a seat. The draft at the box is kept."""
        following = seat % session.current_pad.pad.players + 1
        next_draft = self._replace(seat=following) if self.has_empty_draft and self.seat == seat else self
        return enter_points(session, seat, points, next_draft.seat, next_draft)

    # -- what it shows ------------------------------------------------------------------------------------------

    def content(self, session: Session) -> kinds.Content:
        sheet, points = session.current_pad, self.points
        # A number pad has another name for C.
        names_minus_key = not session.uses_buttons and session.key_device != "number pad"
        shown = scores_content(sheet, self.seat, shows_dealer=session.switches.dealer, names_minus_key=names_minus_key)
        if points is None and not self.sign:
            if sheet.last_correction is not None:
                number, _ = sheet.last_correction
                return shown._replace(line=text("corrected: {entry}", entry=entry_text(sheet, number)))
            if sheet.is_empty and session.previous_round is not None:
                return shown._replace(line=text("{who} starts", who=sheet.player_name(1)))
            if session.uses_buttons and (sheet.is_empty or shown.line == POINTS_QUESTION):
                return shown._replace(line=text("▴▾ points  ◂▸ player"))
            return shown
        back = KeyHint("back", text("undo"))
        if points is None:
            return shown._replace(change=self.sign, line=text("points?"), key_hints=(back,))
        total = sheet.pad.totals[self.seat - 1] + points
        line = ""
        verb: str = text("add {piece}", piece=points) if points else text("no points")
        if points < 0:
            verb = text("subtract {number}", number=-points)
        sum_ = f"{total - points} {'+' if points > 0 else '-'} {abs(points)} = {total}"
        has_sum = points and sheet.pad.players > MAX_PLAYERS_WITH_SUM and len(sum_) <= MAX_SUM_LETTERS
        if has_sum:
            line, verb = sum_, text("enter")
        if self.counted_points and abs(points) < TENS and (sheet.is_empty or not has_sum):
            line = text("◂▸ by {number}", number=TENS)
        if self.corrected_entry:
            before = sheet.pad.entries[self.corrected_entry - 1][1]
            turn = sheet.pad.turn_of_entry(self.corrected_entry)
            total -= before
            correction = text("turn {turn}: {points}", turn=turn, points=f"{points:+d}")
            was = text("was {points}", points=f"{before:+d}")
            verb, line = text("correct"), correction if sheet.pad.players > MAX_PLAYERS_WITH_SUM else was
            if points == before and line == was:
                verb, line = "", text("The right points?")
            shown = shown._replace(
                title=text("correct turn {turn}", turn=turn),
                notes=("",),
                last=entry_text(sheet, self.corrected_entry),
                correction=correction,
            )
        limit = text("max {most}", most=pad.MAX_POINTS) if self.excess_digits else ""
        hints = (KeyHint("ok", verb), back) if verb else (back,)
        return shown._replace(change=f"{points:+d}", total=total, limit=limit, line=limit or line, key_hints=hints)

    def rest_view_content(self, session: Session) -> kinds.Content:
        return scores_content(session.current_pad, self.seat)._replace(at_rest=True)


MAX_PLAYERS_WITH_SUM, MAX_SUM_LETTERS = 3, 16
"""The most players whose cells have room for a sum; with more it is in the last line, in at most so many letters."""
TENS = 10
"""Left and right count by this number, and the panel says so until that many points are counted."""


def next_points(so_far: int, direction: int, *, tens: bool) -> int:
    """The points to which an arrow leads: one or ten up (`direction` 1) or down (-1), as many as there can be."""
    return max(-pad.MAX_POINTS, min(pad.MAX_POINTS, pad.next_number(so_far, direction, tens=tens)))


def enter_pending_points(session: Session) -> Session:
    """Enter the points in the draft, with the cursor staying where it is, before the program ends."""
    draft = session.screen
    if not isinstance(draft, PadScreen) or not draft.points or draft.corrected_entry or draft.excess_digits:
        return session
    return enter_points(session, draft.seat, draft.points, draft.seat)


def drop_points_or_ask_takeback(session: Session) -> Session:
    """Drop the points in the draft, or if there are none ask whether to take back the last entry."""
    screen = session.screen
    if isinstance(screen, PadScreen) and screen.points is not None:
        return double_taps.mark_erased(session.replace_screen(PadScreen(screen.seat)))
    return _ask_takeback(session)


class PadMenu(MenuScreen):
    """The menu over the score pad. Entries that can't be used now are missing."""

    back_label = text("pad")

    def key_hints(self, session: Session) -> tuple[KeyHint, ...]:
        return ok_and_back_hints("choose", "result" if session.current_pad.is_over else self.back_label)

    def items(self, session: Session) -> tuple[MenuItem, ...]:
        sheet = session.current_pad
        nothing = text("Nothing has been entered yet.") if sheet.is_empty else ""
        leave = (
            MenuItem(text("Main menu"), Session.clear_table, word="leave")
            if sheet.is_over
            else MenuItem(text("Leave the game"), _ask_leave, word="leave")
        )
        takeback = MenuItem(
            setup.takeback_label(session, sheet),
            _ask_takeback,
            word="back",
            is_listed=not sheet.is_empty or session.previous_round is not None,
        )
        return (
            takeback,
            MenuItem(
                text("Correct a score"), _open_entry_list, unavailable_reason=nothing, is_listed=not sheet.is_over
            ),
            MenuItem(text("Score sheet"), open_pad_sheet, unavailable_reason=nothing),
            MenuItem(
                text("End the game"),
                _ask_end,
                unavailable_reason=text("The game is over.") if sheet.is_over else nothing,
                word="end",
            ),
            MenuItem(
                text("Dealer's mark: on") if session.switches.dealer else text("Dealer's mark: off"),
                _toggle_dealer,
                is_listed=not sheet.is_over,
            ),
            MenuItem(text("How to play"), partial(pages.open_help, game=sheet.header.game), word="help"),
            MenuItem(text("Standings"), open_today),
            takeback._replace(word="", is_listed=not takeback.is_listed),
            phones_page.phones_item(session),
            leave._replace(position=LAST_DIGIT_POSITION),
        )


def open_pad_menu(session: Session) -> Session:
    """Open the menu over the score pad."""
    return session.show_base_screen(PadMenu())


def _ask_takeback(session: Session) -> Session:
    """Ask whether to take back the last entry. Before the first entry, go back to what led to the pad."""
    sheet = session.current_pad
    if sheet.is_empty:
        return setup.return_to_result_or_setup(session, sheet.header)
    seat, points = sheet.pad.entries[-1]
    explanation = text("{who}'s {points} will be taken back.", who=sheet.player_name(seat), points=f"{points:+d}")
    if was_ended_by_players(sheet):
        explanation = text("The game goes on.")
    elif sheet.last_correction is not None and not sheet.is_over:
        number, before = sheet.last_correction
        seat, now = sheet.pad.entries[number - 1]
        words = "{who}'s {now} becomes {before} again."
        explanation = text(words, who=sheet.player_name(seat), now=f"{now:+d}", before=f"{before:+d}")
    session = session.show_base_screen() if isinstance(session.screen, MenuScreen) else session
    return session.open_screens(Confirmation(take_back_entry, text("Take back?"), (explanation,), is_takeback=True))


def _ask_end(session: Session) -> Session:
    """Ask whether the game is over."""
    sheet = session.current_pad
    if confirmation := pad_actions.end_without_entries_question(sheet):
        return session.show_base_screen(confirmation)
    names = [sheet.player_name(seat) for seat in sheet.pad.leading_seats]
    explanation = plural_text(len(names), "{who} would win.", "{who} would share it.", who=format_list(names))
    return session.show_base_screen(Confirmation(end_pad, text("End the game?"), (explanation,), needs_ok_or_back=True))


def _ask_leave(session: Session) -> Session:
    """Ask whether to leave the pad unfinished."""
    explanation = lines_about_leaving(session.current_pad)
    return ask_to_leave(session, text("Leave the game?"), explanation)


def _toggle_dealer(session: Session) -> Session:
    """Switch the dealer's mark on or off, and go on; a banner says who deals now and next."""
    session, sheet = session.toggle_switch("dealer").show_base_screen(), session.current_pad
    if not session.switches.dealer or sheet.is_over:
        return session
    dealer, next_dealer = sheet.pad.dealer, sheet.pad.dealer % sheet.pad.players + 1
    words = text(
        "{who} deals now,\n{other} deals next", who=sheet.player_name(dealer), other=sheet.player_name(next_dealer)
    )
    return session._replace(banner=words)


TURNS_A_STEP = 2
"""The turns by which a key scrolls the sheet."""


class PadSheet(Screen):
    """The sheet of the score pad, from turn `first_turn` and seat `first_seat` on, both from 0.

    Up and down lead through the turns, left and right through the players. OK corrects an entry, BACK leaves.
    """

    first_turn: int
    first_seat: int = 0

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        pad = session.current_pad.pad
        if key in ("up", "down", "2", "8"):
            row = self.first_turn + (TURNS_A_STEP if key in ("down", "8") else -TURNS_A_STEP)
            return session.replace_screen(
                self._replace(first_turn=min(max(0, row), max(0, len(pad.points_by_turn) - TURNS_A_STEP)))
            )
        if key in ("left", "right", "4", "6"):
            column = self.first_seat + (1 if key in ("right", "6") else -1)
            return session.replace_screen(self._replace(first_seat=min(max(0, column), pad.players - 1)))
        if key == "#" and not session.current_pad.is_over:
            return _open_entry_list(session)
        return session.close_screen() if key == "*" else session

    def content(self, session: Session) -> kinds.Content:
        sheet = session.current_pad
        rows = tuple(tuple(row) for row in sheet.pad.points_by_turn)
        back = kinds.KeyHint("back", text("back"))
        # On a finished pad the end has to be taken back before an entry can be corrected.
        hints = (back,) if sheet.is_over else (kinds.KeyHint("ok", text("fix")), back)
        return kinds.Sheet(sheet.header.names, rows, sheet.pad.totals, self.first_turn, self.first_seat, hints)


def open_pad_sheet(session: Session) -> Session:
    """Open the sheet at its last turns."""
    return session.show_base_screen(PadSheet(max(0, len(session.current_pad.pad.points_by_turn) - TURNS_A_STEP)))


def entry_list(sheet: PadRound, action: Callable[..., Session]) -> ListScreen:
    """A list of a sheet's entries, the last one first. Picking one calls `action` with its `number`, from 1."""
    items = []
    for number in range(len(sheet.pad.entries), 0, -1):
        words, note = entry_text(sheet, number), text("turn {turn}", "score pad", turn=sheet.pad.turn_of_entry(number))
        who = sheet.player_name(sheet.pad.entries[number - 1][0])
        items.append(MenuItem(words, partial(action, number=number), note, names=(who,)))
    return ListScreen(text("Correct"), (text("which entry?"),), tuple(items))


def _open_entry_list(session: Session) -> Session:
    return session.open_screens(entry_list(session.current_pad, _open_entry_correction))


def _open_entry_correction(session: Session, number: int) -> Session:
    seat, points = session.current_pad.pad.entries[number - 1]
    return session._replace(screens=(PadScreen(seat, counted_points=points, corrected_entry=number),))


class PadOver(Screen):
    """The result of the score pad. OK begins the same game again with the next player first; BACK opens the menu."""

    def may_be_double_tap(self, session: Session, key: str) -> bool:
        # No key counts before the result has been seen.
        return True

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        if key == "#":
            sheet = session.current_pad
            names = (*sheet.header.names[1:], sheet.header.names[0])
            return begin_pad(session._replace(previous_round=sheet), sheet.header._replace(names=names))
        return open_pad_menu(session) if key == "*" else session

    def content(self, session: Session) -> kinds.Content:
        sheet = session.current_pad
        pad = sheet.pad
        winners = tuple(sheet.player_name(seat) for seat in pad.leading_seats)
        reason = ""
        if pad.players == 2:
            reason = text("the fewest points win") if pad.lowest_wins else text("{game} is over", game=pad.title)
            if pad.is_full:
                reason = plural_text(pad.turn_limit, "{number} turn each", "{number} turns each")
        order = sorted(
            range(1, pad.players + 1), key=lambda seat: pad.totals[seat - 1] * (1 if pad.lowest_wins else -1)
        )
        rows = tuple((sheet.player_name(seat), pad.totals[seat - 1]) for seat in order)
        hints = kinds.ok_and_back_hints("new game", "menu")
        title = verdict_heading(winners, pad.players)
        return kinds.Result(sheet.header.game, title, winners, reason, text("points"), rows, hints, tuple(order))

"""The score pad in play: entering points for the seat under the cursor; its menu, its sheet and its result.

Digits type points; up and down change them by one, or by tens while a button is held. The points wait as long as the
players like: OK enters them and moves to the next seat, and choosing another player enters them too. Each entry is a
turn of its player. OK with nothing entered shows a turn without points, and a second OK enters that.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from companion.evening import double_taps
from companion.evening.contents import kinds
from companion.evening.contents.kinds import KeyMeaning, ok_back
from companion.evening.model import Screen, Session
from companion.evening.screen_kinds import MoveScreen
from companion.evening.screens import pages
from companion.evening.screens.lists import Item, ListScreen, MenuScreen
from companion.evening.screens.messages import Ask, ask_without
from companion.evening.screens.pad import pad_rounds
from companion.evening.screens.pad.pad_rounds import (
    ask_or_enter,
    begin,
    correct,
    end_pad,
    enter,
    entry_words,
    scores,
    take_back,
    was_ended,
)
from companion.evening.screens.pages import open_today
from companion.evening.screens.phones import phones_page
from companion.evening.screens.play.table_menu import set_aside, unfinished
from companion.evening.screens.setup import setup
from companion.games.api.result import verdict_heading
from companion.games.score_pad import rules as pad
from companion.languages import plural_text, format_list, text

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.rounds.on_table import PadRound


class Scoring(MoveScreen):
    """The score pad in play: the seat under the cursor, and the points that are being entered for it (the draft).

    Attributes:
        seat: the seat under the cursor, from 1.
        typed_digits: the digits that were typed.
        sign: the sign before them, "" for plus.
        counted_points: the points where they were counted up and down, else None.
        excess_digits: the digits that were too many.
        shows_last_entered: choosing another player has just entered some points, and the panel says so.
        corrected_entry: the number of the entry that is being corrected, from 1; 0 for a new entry.
    """

    seat: int = 1
    keys: str = ""
    sign: str = ""
    step: int | None = None
    full: str = ""
    told: bool = False
    mends: int = 0

    def ignores(self, session: Session, key: str) -> bool:
        # One OK enters the points of one player, and a turn without points needs two.
        return not self.points and key == "#" == session.taps.key

    @property
    def points(self) -> int | None:
        """The points in the draft, None for none."""
        if self.keys:
            return int(self.sign + self.keys)
        return self.step

    @property
    def at_rest(self) -> bool:
        return self.points is None and not self.sign

    def phone_keys(self, session: Session, meant: tuple[str, ...]) -> tuple[str, ...]:
        # BACK on a phone may open the menu, but not erase what is entered at the box.
        return meant if self.at_rest else ()

    # -- keys ---------------------------------------------------------------------------------------------------

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        sheet = session.pad_here.pad
        players = sheet.players
        if key == "#":
            if self.sign and not self.keys:
                return session  # The panel asks for the points.
            if self.mends:
                return self._take(session, self._mend)
            if self.points is None:
                return session.show(Scoring(self.seat, step=0))
            return self._take(
                session, partial(ask_or_enter, seat=self.seat, points=self.points, after=self._after(sheet))
            )
        if key == "*":
            return self._erase(session)
        if key in ("left", "right", "B", "D"):
            if self.mends:
                return session
            by = 1 if key in ("right", "B") else -1
            there = (self.seat - 1 + by) % players + 1
            if not self.points:
                return session.show(Scoring(there))
            stays = Scoring(there, told=True)
            enters = partial(ask_or_enter, seat=self.seat, points=self.points, after=there, stays=stays)
            return self._take(session, enters)
        return session.show(self.after_key(key, held=held))

    def _take(self, session: Session, enters: Callable[[Session], Session]) -> Session:
        """Enter the points. After digits that were too many, the players have to confirm them first."""
        if not self.full or self.points is None:
            return enters(session)
        question = text("Enter {points}?", points=f"{self.points:+d}")
        return ask_without(session, self.full, question, enters)

    def _mend(self, session: Session) -> Session:
        """Replace the points of the entry that is being corrected."""
        points, before = self.points, session.pad_here.pad.entries[self.mends - 1][1]
        if points is None or points == before:
            return session.show_base()
        return correct(session, number=self.mends, points=points - before)

    def _after(self, sheet: pad.Pad) -> int:
        """The seat after an entry: the next one, or where turns are counted the next one with the fewest turns."""
        return sheet.with_entry(self.seat, 0).due_seat if sheet.turn_limit else self.seat % sheet.players + 1

    def after_key(self, key: str, *, held: bool) -> Scoring:
        """The draft after a key: a digit, a sign, or one point up or down, by tens while the button is held."""
        screen = self._replace(told=False)
        if key in ("up", "down"):
            by, so_far = (1 if key == "up" else -1), self.points or 0
            step = pad.next_number(so_far, by, tens=held)
            return screen._replace(keys="", sign="", step=max(-pad.MAX_POINTS, min(pad.MAX_POINTS, step)))
        if key in ("A", "C"):
            if self.step:
                return screen._replace(step=abs(self.step) * (-1 if key == "C" else 1))
            return screen._replace(sign="-" if key == "C" else "+", step=None)
        if key.isdigit() and int(self.keys + key) <= pad.MAX_POINTS:
            return screen._replace(keys=(self.keys + key).lstrip("0") or "0", step=None)
        return screen._replace(full=self.full + key) if key.isdigit() else screen

    def _erase(self, session: Session) -> Session:
        """Erase a digit, the sign or a change; with an empty draft open the menu, but not right after erasing."""
        if self.keys:
            return double_taps.mark_erased(session.show(self._replace(keys=self.keys[:-1])))
        if self.mends:
            return double_taps.mark_erased(session.show_base())
        if self.sign or self.step is not None:
            return double_taps.mark_erased(session.show(Scoring(self.seat)))
        if double_taps.just_erased(session):
            return double_taps.wait_after_erasing(session)
        return open_menu(session._replace(pad=session.pad_here._replace(cursor_seat=self.seat)))

    def enter_points(self, session: Session, seat: int, points: int) -> Session:
        """Enter points that a phone has sent for a seat. The draft at the box is kept."""
        following = seat % session.pad_here.pad.players + 1
        stays = self._replace(seat=following) if self.at_rest and self.seat == seat else self
        return enter(session, seat, points, stays.seat, stays)

    # -- what it shows ------------------------------------------------------------------------------------------

    def content(self, session: Session) -> kinds.Content:
        sheet = session.pad_here
        shown = scores(sheet, self.seat, dealer=session.switches.dealer)
        if self.points is None:
            told = text("entered: {last}", last=shown.last) if self.told and shown.last else ""
            return shown._replace(change=self.sign, line=told)
        limit = text("max {most}", most=pad.MAX_POINTS) if self.full else ""
        total = sheet.pad.totals[self.seat - 1] + self.points
        if self.mends:
            total -= sheet.pad.entries[self.mends - 1][1]
            title = text("correct turn {turn}", turn=sheet.pad.turn_of_entry(self.mends))
            shown = shown._replace(title=title, notes=("",), last=entry_words(sheet, self.mends))
        return shown._replace(change=f"{self.points:+d}", total=total, limit=limit)

    def content_at_rest(self, session: Session) -> kinds.Content:
        return scores(session.pad_here, self.seat)._replace(at_rest=True)


def settle(session: Session) -> Session:
    """Enter the points in the draft, with the cursor staying where it is, before the program ends."""
    draft = session.screen
    if not isinstance(draft, Scoring) or not draft.points or draft.mends or draft.full:
        return session
    return enter(session, draft.seat, draft.points, draft.seat)


def ask_take_back(session: Session) -> Session:
    """Drop the points in the draft, or if there are none ask whether to take back the last entry."""
    screen = session.screen
    if isinstance(screen, Scoring) and screen.points is not None:
        return double_taps.mark_erased(session.show(Scoring(screen.seat)))
    return _ask_take_back(session)


class PadMenu(MenuScreen):
    """The menu over the score pad. Its entries are always the same ones, so that each keeps its digit."""

    leads_back = text("pad")

    def meanings(self, session: Session) -> tuple[KeyMeaning, ...]:
        return ok_back("choose", "result" if session.pad_here.is_over else self.leads_back)

    def items(self, session: Session) -> tuple[Item, ...]:
        sheet = session.pad_here
        nothing = text("Nothing has been entered yet.") if sheet.is_empty else ""
        leave = Item(text("Main menu"), Session.clear_table) if sheet.is_over else Item(text("Leave the game"), _ask_leave)
        return (
            Item(setup.take_back_words(session, sheet), _ask_take_back),
            Item(text("End the game"), _ask_end, why=text("The game is over.") if sheet.is_over else nothing),
            Item(text("Standings"), open_today),
            leave,
            Item(phones_page.words(session), phones_page.open_page),
            Item(text("Score sheet"), open_sheet, why=nothing),
            Item(text("Dealer's mark: on") if session.switches.dealer else text("Dealer's mark: off"), _switch_dealer),
            Item(text("How to play"), partial(pages.open_help, game=sheet.header.game)),
        )


def open_menu(session: Session) -> Session:
    """Open the menu over the score pad."""
    return session.show_base(PadMenu())


def _ask_take_back(session: Session) -> Session:
    """Ask whether to take back the last entry. Before the first entry, go back to what led to the pad."""
    sheet = session.pad_here
    if sheet.is_empty:
        return setup.go_back(session, sheet.header)
    seat, points = sheet.pad.entries[-1]
    said = text("{who}'s {points} will be taken back.", who=sheet.player_name(seat), points=f"{points:+d}")
    if was_ended(sheet):
        said = text("The game goes on.")
    elif sheet.last_correction is not None and not sheet.is_over:
        number, before = sheet.last_correction
        seat, now = sheet.pad.entries[number - 1]
        words = "{who}'s {now} becomes {before} again."
        said = text(words, who=sheet.player_name(seat), now=f"{now:+d}", before=f"{before:+d}")
    session = session.show_base() if isinstance(session.screen, MenuScreen) else session
    return session.open(Ask(take_back, text("Take back?"), (said,), is_take_back=True))


def _ask_end(session: Session) -> Session:
    """Ask whether the game is over."""
    sheet = session.pad_here
    if missing := pad_rounds.without_entry(sheet):
        return session.show_base(missing)
    names = [sheet.player_name(seat) for seat in sheet.pad.leading_seats]
    said = plural_text(len(names), "{who} would win.", "{who} would share it.", who=format_list(names))
    return session.show_base(Ask(end_pad, text("End the game?"), (said,), plain=True))


def _ask_leave(session: Session) -> Session:
    """Ask whether to leave the pad unfinished."""
    said = unfinished(session.pad_here)
    return session.show_base(Ask(set_aside, text("Leave the game?"), said))


def _switch_dealer(session: Session) -> Session:
    """Switch the dealer's mark on or off, and go on; a banner says who deals now and next."""
    session, sheet = session.switch("dealer").show_base(), session.pad_here
    if not session.switches.dealer or sheet.is_over:
        return session
    now, then = sheet.pad.dealer, sheet.pad.dealer % sheet.pad.players + 1
    words = text("{who} deals now,\n{other} deals next", who=sheet.player_name(now), other=sheet.player_name(then))
    return session._replace(banner=words)


ROWS = 3
"""The turns by which a key scrolls the sheet."""


class PadSheet(Screen):
    """The sheet of the score pad, from turn `first_turn` and seat `first_seat` on, both from 0.

    Up and down lead through the turns, left and right through the players. OK corrects an entry, BACK leaves.
    """

    row: int
    column: int = 0

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        pad = session.pad_here.pad
        if key in ("up", "down", "2", "8"):
            row = self.row + (ROWS if key in ("down", "8") else -ROWS)
            return session.show(self._replace(row=min(max(0, row), max(0, len(pad.points_by_turn) - ROWS))))
        if key in ("left", "right", "4", "6"):
            column = self.column + (1 if key in ("right", "6") else -1)
            return session.show(self._replace(column=min(max(0, column), pad.players - 1)))
        if key == "#" and not session.pad_here.is_over:
            return session.open(entries(session.pad_here, _correct_entry))
        return session.close() if key == "*" else session

    def content(self, session: Session) -> kinds.Content:
        sheet = session.pad_here
        rows = tuple(tuple(row) for row in sheet.pad.points_by_turn)
        back = kinds.KeyMeaning("back", text("back"))
        # On a finished pad the end has to be taken back before an entry can be corrected.
        meanings = (back,) if sheet.is_over else (kinds.KeyMeaning("ok", text("fix")), back)
        return kinds.Sheet(sheet.header.names, rows, sheet.pad.totals, self.row, self.column, meanings)


def open_sheet(session: Session) -> Session:
    """Open the sheet at its last turns."""
    return session.show_base(PadSheet(max(0, len(session.pad_here.pad.points_by_turn) - ROWS)))


def entries(sheet: PadRound, opens: Callable[..., Session]) -> ListScreen:
    """A list of a sheet's entries, the last one first. Picking one calls `action` with its `number`, from 1."""
    items = []
    for number in range(len(sheet.pad.entries), 0, -1):
        words, note = entry_words(sheet, number), text("turn {turn}", turn=sheet.pad.turn_of_entry(number))
        who = sheet.player_name(sheet.pad.entries[number - 1][0])
        items.append(Item(words, partial(opens, number=number), note, names=(who,)))
    return ListScreen(text("Correct"), (text("which entry?"),), tuple(items))


def _correct_entry(session: Session, number: int) -> Session:
    seat, points = session.pad_here.pad.entries[number - 1]
    return session._replace(screens=(Scoring(seat, step=points, mends=number),))


class PadOver(Screen):
    """The result of the score pad. OK begins the same game again with the next player first; BACK opens the menu."""

    def ignores(self, session: Session, key: str) -> bool:
        # No key counts before the result has been seen.
        return True

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        if key == "#":
            sheet = session.pad_here
            names = (*sheet.header.names[1:], sheet.header.names[0])
            return begin(session._replace(previous=sheet), sheet.header._replace(names=names))
        return open_menu(session) if key == "*" else session

    def content(self, session: Session) -> kinds.Content:
        sheet = session.pad_here
        pad = sheet.pad
        winners = tuple(sheet.player_name(seat) for seat in pad.leading_seats)
        reason = ""
        if pad.players == 2:
            reason = text("the fewest points win") if pad.lowest_wins else text("{game} is over", game=pad.title)
            if pad.is_full:
                reason = plural_text(pad.turn_limit, "{number} turn each", "{number} turns each")
        order = sorted(range(1, pad.players + 1), key=lambda seat: pad.totals[seat - 1] * (1 if pad.lowest_wins else -1))
        rows = tuple((sheet.player_name(seat), pad.totals[seat - 1]) for seat in order)
        starts = text("{who} starts", who=sheet.header.names[1])
        meanings = kinds.KeyMeaning("ok", starts, (text("again"),)), kinds.KeyMeaning("back", text("menu"))
        title = verdict_heading(winners, pad.players)
        return kinds.Result(sheet.header.game, title, winners, reason, text("points"), rows, meanings)

"""The score pad in play: entering points for the seat under the cursor, its menu, its sheet and its result.

Digits type points, up and down change them by one, held by tens. They wait however long: OK enters them and moves to
the next seat, and whoever chooses another player enters them too. Each entry is a turn of its player. OK with nothing
entered shows a turn without points, which OK enters.
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
from companion.games.api.result import heading
from companion.games.score_pad import rules as pad
from companion.languages import counted, listed, text

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.rounds.on_table import PadRound


class Scoring(MoveScreen):
    """The score pad in play: the seat under the cursor, and the points being entered for it.

    They are typed (`keys` after a `sign`, "" for plus) or counted up and down (`step`, else None); `full` are
    the digits that were too many, `told` whether choosing another player has just entered some. `mends` is the number
    of the entry that they correct, from 1, 0 for a new one.
    """

    seat: int = 1
    keys: str = ""
    sign: str = ""
    step: int | None = None
    full: str = ""
    told: bool = False
    mends: int = 0

    def ignores(self, session: Session, key: str) -> bool:
        """One OK counts for one player, and a turn without points needs two."""
        return not self.points and key == "#" == session.taps.key

    @property
    def points(self) -> int | None:
        """The points being entered, None for none."""
        if self.keys:
            return int(self.sign + self.keys)
        return self.step

    @property
    def at_rest(self) -> bool:
        """Whether nothing is entered."""
        return self.points is None and not self.sign

    def phone_keys(self, session: Session, meant: tuple[str, ...]) -> tuple[str, ...]:
        """BACK leads to the menu, and erases nothing."""
        return meant if self.at_rest else ()

    # -- keys ---------------------------------------------------------------------------------------------------

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        """A key of the entry, or of the cursor."""
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
        """Enter the points; after digits too many only once the players have said that they are right."""
        if not self.full or self.points is None:
            return enters(session)
        question = text("Enter {points}?", points=f"{self.points:+d}")
        return ask_without(session, self.full, question, enters)

    def _mend(self, session: Session) -> Session:
        """Put the points in place of those of the entry that they correct."""
        points, before = self.points, session.pad_here.pad.entries[self.mends - 1][1]
        if points is None or points == before:
            return session.show_base()
        return correct(session, number=self.mends, points=points - before)

    def _after(self, sheet: pad.Pad) -> int:
        """Who comes after an entry: the next seat, where turns are counted the next one that has had the fewest."""
        return sheet.add(self.seat, 0).due if sheet.turns else self.seat % sheet.players + 1

    def after_key(self, key: str, *, held: bool) -> Scoring:
        """The entry after a key: a digit, a sign, or one point up or down, from ten to ten while the button is held."""
        screen = self._replace(told=False)
        if key in ("up", "down"):
            by, so_far = (1 if key == "up" else -1), self.points or 0
            step = pad.stepped(so_far, by, tens=held)
            return screen._replace(keys="", sign="", step=max(-pad.MOST, min(pad.MOST, step)))
        if key in ("A", "C"):
            if self.step:
                return screen._replace(step=abs(self.step) * (-1 if key == "C" else 1))
            return screen._replace(sign="-" if key == "C" else "+", step=None)
        if key.isdigit() and int(self.keys + key) <= pad.MOST:
            return screen._replace(keys=(self.keys + key).lstrip("0") or "0", step=None)
        return screen._replace(full=self.full + key) if key.isdigit() else screen

    def _erase(self, session: Session) -> Session:
        """BACK: erase a digit, the sign or a change; with nothing entered open the menu, but not right after that."""
        if self.keys:
            return double_taps.mark_erased(session.show(self._replace(keys=self.keys[:-1])))
        if self.mends:
            return double_taps.mark_erased(session.show_base())
        if self.sign or self.step is not None:
            return double_taps.mark_erased(session.show(Scoring(self.seat)))
        if double_taps.just_erased(session):
            return double_taps.wait_after_erasing(session)
        return open_menu(session._replace(pad=session.pad_here._replace(seat=self.seat)))

    def enter_points(self, session: Session, seat: int, points: int) -> Session:
        """Enter a seat's points, sent by a phone; the draft at the box stays there."""
        following = seat % session.pad_here.pad.players + 1
        stays = self._replace(seat=following) if self.at_rest and self.seat == seat else self
        return enter(session, seat, points, stays.seat, stays)

    # -- what it shows ------------------------------------------------------------------------------------------

    def content(self, session: Session) -> kinds.Content:
        """Everybody's points, and the change."""
        sheet = session.pad_here
        shown = scores(sheet, self.seat, dealer=session.switches.dealer)
        if self.points is None:
            told = text("entered: {last}", last=shown.last) if self.told and shown.last else ""
            return shown._replace(change=self.sign, line=told)
        limit = text("max {most}", most=pad.MOST) if self.full else ""
        total = sheet.pad.totals[self.seat - 1] + self.points
        if self.mends:
            total -= sheet.pad.entries[self.mends - 1][1]
            title = text("correct turn {turn}", turn=sheet.pad.turn_of(self.mends))
            shown = shown._replace(title=title, notes=("",), last=entry_words(sheet, self.mends))
        return shown._replace(change=f"{self.points:+d}", total=total, limit=limit)

    def content_at_rest(self, session: Session) -> kinds.Content:
        """Everybody's points, as large as they go."""
        return scores(session.pad_here, self.seat)._replace(at_rest=True)


def settle(session: Session) -> Session:
    """Count the points that are being entered, the cursor where it is."""
    draft = session.screen
    if not isinstance(draft, Scoring) or not draft.points or draft.mends or draft.full:
        return session
    return enter(session, draft.seat, draft.points, draft.seat)


def ask_take_back(session: Session) -> Session:
    """Ask before the last entry is taken back; points that are being entered are just dropped."""
    screen = session.screen
    if isinstance(screen, Scoring) and screen.points is not None:
        return double_taps.mark_erased(session.show(Scoring(screen.seat)))
    return _ask_take_back(session)


class PadMenu(MenuScreen):
    """The menu over the score pad: a fixed list, so that each entry keeps its digit."""

    leads_back = text("pad")

    def meanings(self, session: Session) -> tuple[KeyMeaning, ...]:
        """BACK leads to the pad, or to its result."""
        return ok_back("choose", "result" if session.pad_here.over else self.leads_back)

    def items(self, session: Session) -> tuple[Item, ...]:
        """The entries."""
        sheet = session.pad_here
        nothing = text("Nothing has been entered yet.") if sheet.empty else ""
        leave = Item(text("Main menu"), Session.clear_table) if sheet.over else Item(text("Leave the game"), _ask_leave)
        return (
            Item(setup.take_back_words(session, sheet), _ask_take_back),
            Item(text("End the game"), _ask_end, why=text("The game is over.") if sheet.over else nothing),
            Item(text("Standings"), open_today),
            leave,
            Item(phones_page.words(session), phones_page.open_page),
            Item(text("Score sheet"), open_sheet, why=nothing),
            Item(text("Dealer's mark: on") if session.switches.dealer else text("Dealer's mark: off"), _switch_dealer),
            Item(text("How to play"), partial(pages.open_help, game=sheet.header.game)),
        )


def open_menu(session: Session) -> Session:
    """Show the menu."""
    return session.show_base(PadMenu())


def _ask_take_back(session: Session) -> Session:
    """Ask before the last entry is taken back; before the first one is what led to the pad."""
    sheet = session.pad_here
    if sheet.empty:
        return setup.go_back(session, sheet.header)
    seat, points = sheet.pad.entries[-1]
    said = text("{who}'s {points} will be taken back.", who=sheet.name(seat), points=f"{points:+d}")
    if was_ended(sheet):
        said = text("The game goes on.")
    elif sheet.mended is not None and not sheet.over:
        number, before = sheet.mended
        seat, now = sheet.pad.entries[number - 1]
        words = "{who}'s {now} becomes {before} again."
        said = text(words, who=sheet.name(seat), now=f"{now:+d}", before=f"{before:+d}")
    session = session.show_base() if isinstance(session.screen, MenuScreen) else session
    return session.open(Ask(take_back, text("Take back?"), (said,), is_take_back=True))


def _ask_end(session: Session) -> Session:
    """Ask before the game is ended."""
    sheet = session.pad_here
    if missing := pad_rounds.without_entry(sheet):
        return session.show_base(missing)
    names = [sheet.name(seat) for seat in sheet.pad.leaders]
    said = counted(len(names), "{who} would win.", "{who} would share it.", who=listed(names))
    return session.show_base(Ask(end_pad, text("End the game?"), (said,), plain=True))


def _ask_leave(session: Session) -> Session:
    """Ask before the pad is set aside."""
    said = unfinished(session.pad_here)
    return session.show_base(Ask(set_aside, text("Leave the game?"), said))


def _switch_dealer(session: Session) -> Session:
    """Switch the dealer's mark on or off, and go on; it is told who deals when."""
    session, sheet = session.switch("dealer").show_base(), session.pad_here
    if not session.switches.dealer or sheet.over:
        return session
    now, then = sheet.pad.dealer, sheet.pad.dealer % sheet.pad.players + 1
    words = text("{who} deals now,\n{other} deals next", who=sheet.name(now), other=sheet.name(then))
    return session._replace(banner=words)


ROWS = 3
"""By how many of its turns a key goes on."""


class PadSheet(Screen):
    """The sheet of the score pad, from turn `row` and seat `column` on, both from 0."""

    row: int
    column: int = 0

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        """Up and down lead through the turns, left and right through the players; OK corrects, BACK leaves."""
        pad = session.pad_here.pad
        if key in ("up", "down", "2", "8"):
            row = self.row + (ROWS if key in ("down", "8") else -ROWS)
            return session.show(self._replace(row=min(max(0, row), max(0, len(pad.by_turn) - ROWS))))
        if key in ("left", "right", "4", "6"):
            column = self.column + (1 if key in ("right", "6") else -1)
            return session.show(self._replace(column=min(max(0, column), pad.players - 1)))
        if key == "#" and not session.pad_here.over:
            return session.open(entries(session.pad_here, _correct_entry))
        return session.close() if key == "*" else session

    def content(self, session: Session) -> kinds.Content:
        """What each player got in each turn, and has now."""
        sheet = session.pad_here
        rows = tuple(tuple(row) for row in sheet.pad.by_turn)
        back = kinds.KeyMeaning("back", text("back"))
        # After the end that is taken back first.
        meanings = (back,) if sheet.over else (kinds.KeyMeaning("ok", text("fix")), back)
        return kinds.Sheet(sheet.header.names, rows, sheet.pad.totals, self.row, self.column, meanings)


def open_sheet(session: Session) -> Session:
    """Show its last turns."""
    return session.show_base(PadSheet(max(0, len(session.pad_here.pad.by_turn) - ROWS)))


def entries(sheet: PadRound, opens: Callable[..., Session]) -> ListScreen:
    """The entries of a sheet, the last one first; one that is picked `opens` with its `number`, from 1."""
    items = []
    for number in range(len(sheet.pad.entries), 0, -1):
        words, note = entry_words(sheet, number), text("turn {turn}", turn=sheet.pad.turn_of(number))
        who = sheet.name(sheet.pad.entries[number - 1][0])
        items.append(Item(words, partial(opens, number=number), note, names=(who,)))
    return ListScreen(text("Correct"), (text("which entry?"),), tuple(items))


def _correct_entry(session: Session, number: int) -> Session:
    """Show the points of entry `number` (from 1) where points are entered, to be changed."""
    seat, points = session.pad_here.pad.entries[number - 1]
    return session._replace(screens=(Scoring(seat, step=points, mends=number),))


class PadOver(Screen):
    """The result of the score pad."""

    def ignores(self, session: Session, key: str) -> bool:
        """No key counts before the result was seen."""
        return True

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        """OK begins the same game again with the next player first; BACK opens the menu."""
        if key == "#":
            sheet = session.pad_here
            names = (*sheet.header.names[1:], sheet.header.names[0])
            return begin(session._replace(previous=sheet), sheet.header._replace(names=names))
        return open_menu(session) if key == "*" else session

    def content(self, session: Session) -> kinds.Content:
        """Who has won, and everybody's points, the best first."""
        sheet = session.pad_here
        pad = sheet.pad
        winners = tuple(sheet.name(seat) for seat in pad.leaders)
        reason = ""
        if pad.players == 2:
            reason = text("the fewest points win") if pad.lowest else text("{game} is over", game=pad.title)
            if pad.full:
                reason = counted(pad.turns, "{number} turn each", "{number} turns each")
        order = sorted(range(1, pad.players + 1), key=lambda seat: pad.totals[seat - 1] * (1 if pad.lowest else -1))
        rows = tuple((sheet.name(seat), pad.totals[seat - 1]) for seat in order)
        starts = text("{who} starts", who=sheet.header.names[1])
        meanings = kinds.KeyMeaning("ok", starts, (text("again"),)), kinds.KeyMeaning("back", text("menu"))
        title = heading(winners, pad.players)
        return kinds.Result(sheet.header.game, title, winners, reason, text("points"), rows, meanings)

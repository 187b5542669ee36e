"""The page of a stored round, which can be resumed."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Literal

from companion import games
from companion.contents import kinds
from companion.game import Refused
from companion.game.result import verdict
from companion.inputs import ChangeRequest
from companion.languages import joined, text
from companion.moments.ask import Ask
from companion.moments.menus.menu import Item, ListScreen
from companion.moments.pad import past_entry
from companion.moments.pages.page import PageScreen, Reply
from companion.moments.pages.walking import no_longer, open_walk
from companion.moments.setup import resuming
from companion.rounds import matches, replaying
from companion.rounds.on_table import PadRound, round_of
from companion.rounds.stored import LogEntry, StoredRound
from companion.session.model import Session

if TYPE_CHECKING:
    from collections.abc import Iterable

    from companion.inputs import QueryResult
    from companion.rounds.stored import RoundSummary
    from companion.session.model import Screen


class RoundPage(PageScreen):
    """A round of the history in `lines`, the first of them the heading; its match goes on after it with `match`."""

    lines: tuple[str, ...]
    kept: StoredRound
    match: bool = False
    note: str = ""
    void: bool = False

    @property
    def ended(self) -> bool:
        """Whether it has a result, or had one before it was made void."""
        return bool(self.kept.result) or self.void

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        """OK goes on with an unfinished round, or opens what can be done with a finished one; right shows the moves."""
        if key == "#":
            return _open_menu(session, self) if self.ended else _go_on(session, self)
        return open_walk(session, self.kept) if key == "right" else super().press(session, key)

    def content(self, session: Session) -> kinds.Content:
        """Its lines."""
        meanings = kinds.ok_back(text("menu") if self.ended else text("go on"), "back")
        right = kinds.KeyMeaning("right", text("moves"))
        return kinds.Reading(self.lines[0], self.lines[1:], (*meanings, right), self.number, self.note)

    def shown_names(self, session: Session) -> tuple[str, ...]:
        """Its players."""
        return self.kept.header.names


def page_of(result: QueryResult) -> RoundPage:
    """The page of a round that was requested of the store."""
    saved, kept, match = result.found
    return RoundPage(lines_of(kept, saved), saved, match, kept.begun[:10], void=kept.state == "void")


def _open_menu(session: Session, page: RoundPage) -> Session:
    """What can be done with a finished round."""
    number = page.kept.id
    items = [Item(text("Go on"), partial(_go_on, page=page))] if page.match else []
    items.append(Item(text("Moves"), partial(_walk, page=page)))
    if page.void:
        items.append(Item(text("Let it count again"), partial(_change, page=page, change="restore")))
    else:
        title, said = text("Void round {number}?", number=number), text("It no longer counts.")
        ask = Ask(partial(_change, page=page, change="void"), title, (said,), plain=True)
        items += [
            Item(text("Make it void"), partial(_open_over_page, screen=ask)),
            Item(text("Correct"), partial(_correct, page=page)),
        ]
    return session.open(ListScreen(page.lines[0], (), tuple(items)))


def _open_over_page(session: Session, screen: Screen) -> Session:
    """Open a screen that leads back to the page, not to the menu."""
    return session.close_to(RoundPage).open(screen)


def _walk(session: Session, page: RoundPage) -> Session:
    return open_walk(session.close_to(RoundPage), page.kept)


def _correct(session: Session, page: RoundPage) -> Session:
    """Ask which entry of a score pad is wrong; moves can be changed elsewhere, and it says where."""
    number, sheet = page.kept.id, replaying.replayed(page.kept).round
    if isinstance(sheet, PadRound):
        return past_entry.choose_entry(session, sheet, RoundPage)
    where = (
        text("On the host's phone: History, then Change."),
        text("Or in a terminal: companion correct {number}", number=number),
    )
    return _open_over_page(session, Reply((text("Correct"), *where)))


def _change(session: Session, page: RoundPage, change: Literal["void", "restore"]) -> Session:
    """Ask the store to change the round; until it has, its page stays."""
    return session.close_to(RoundPage).request(ChangeRequest(page.kept.id, change))


def _go_on(session: Session, page: RoundPage) -> Session:
    """Go on with the round of a page, or with its match."""
    kept = page.kept
    try:
        left = resuming.question(kept)
    except (Refused, ValueError):
        return session.close_to(RoundPage).show(no_longer(kept.id, replaying.replayed(kept).doubt))
    if not left.between:
        session = session.keep(LogEntry(kept.id, "resume"))
    return left.resume(session)


def lines_of(kept: RoundSummary, saved: StoredRound | None = None) -> tuple[str, ...]:
    """A round as a page: its number, the game and its time, who and what, who won and why, its match."""
    doubt = replaying.doubt(saved) if saved is not None else None
    more = () if doubt is None else (doubt.told,)
    played, time = games.in_words(kept.game, kept.options, kept.title), kept.begun[11:16]
    lines = [text("Round {number}", number=kept.id), joined((played, time), ", ") if time else played]
    if not kept.result:
        return (*lines, _so_far(kept, saved), kept.no_result, *more)
    numbers, unit = _counted(kept, saved)
    pairs = zip(kept.names, numbers, strict=True)
    won = verdict(kept.winners, len(kept.names))
    if kept.reason:
        won = text("{won}: {reason}", won=won, reason=games.ending(kept.game, kept.reason))
    counts = _paired(pairs)
    lines += [joined((counts, unit), " ") if unit else counts, won]
    return (*lines, matches.of_match(kept.match), *more) if kept.match else (*lines, *more)


def _so_far(kept: RoundSummary, saved: StoredRound | None) -> str:
    """Who plays an unfinished round, with what is counted so far."""
    round_ = replaying.replayed(saved)[0] if saved is not None else None
    if round_ is None:
        return " - ".join(kept.names)
    pairs = zip(kept.names, round_.counts(len(round_.events)), strict=True)
    known = games.described(kept.game)
    counts, unit = _paired(pairs), "" if known.points else known.result_counts
    return joined((counts, unit), " ") if unit else counts


def _paired(pairs: Iterable[tuple[str, int]]) -> str:
    """Names with their numbers, which no line divides."""
    return ", ".join(f"{name} {number}".replace(" ", "\N{NO-BREAK SPACE}") for name, number in pairs)


def _counted(kept: RoundSummary, saved: StoredRound | None) -> tuple[tuple[int, ...], str]:
    """What the round's result counts, by seat; and the word for it if it is not the rules' score, else ""."""
    known = games.described(kept.game)
    if known.points or saved is None:
        return tuple(kept.scores), ""
    try:
        return round_of(saved).result_counts, known.result_counts
    except (Refused, ValueError):  # It no longer replays: the scores are what is left.
        return tuple(kept.scores), ""

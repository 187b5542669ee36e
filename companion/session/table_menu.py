"""The table menu, the pages that it opens, and showing a player's own pieces."""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from companion.game.screen import ROWS
from companion.session import (
    asks,
    countdown,
    help_pages,
    hints,
    hooks,
    looking_back,
    mending_pages,
    menu_keys,
    opponent,
    phones,
    referee,
    rounds,
    setup,
)
from companion.session.actions import Action, GamePage, MendPieces, ShowPieces
from companion.session.main_menu import main_menu
from companion.session.model import (
    Dealing,
    Item,
    LookAway,
    Menu,
    Page,
    PageKind,
    Peek,
    Round,
    RoundOver,
    Session,
)

if TYPE_CHECKING:
    from collections.abc import Collection

    from companion.game.manifest import HoldingKind

PEEK_SECONDS = 2.0
HELD_SECONDS = 30.0
"""In seconds: the longest time for which a held OK shows pieces, in case its release is lost."""


def open_menu(session: Session, cursor: int = 0) -> Session:
    """The table menu over the round on the table, the cursor on entry `cursor`: a fixed list, what a game adds last."""
    round_ = session.round
    if round_ is None:
        return main_menu(session)
    over = round_.over
    items: tuple[Item, ...] = (
        Item(Action.TAKE_BACK, setup.take_back_words(session, round_)),
        Item(Action.COULD_HAVE_MOVED, "Could I have moved?", why="" if round_.turn else "Nobody is to move."),
        Item(Action.PEEK, "My pieces", why="" if _open_hands(round_) else "I do not know anybody's hidden pieces."),
        Item(Action.HINTS, f"Hints: {'on' if session.hints else 'off'}"),
        Item(Action.HINT, "Give me a hint", why=hints.why_not(session, round_)),
        Item(Action.STANDINGS, "Standings"),
        Item(Action.END, "Main menu" if over else "End the round"),
        Item(Action.CLAIMS, "False claims", why="" if hooks.claims(round_) else _no_claims(over)),
        *(Item(GamePage(kind), words) for kind, words in round_.manifest.pages.items()),
        Item(Action.PHONES, f"Phones: {'on' if session.phones else 'off'}"),
        Item(Action.MEND, "Mend a piece", why=mending_pages.why_not(round_)),
        _clock_item(session, round_),
        Item(Action.LOOK_BACK, "What decided it?", why="" if over else "Ask when the round is over."),
        Item(Action.HELP, "How to play"),
    )
    if over and not cursor:  # After a round it is what most want.
        cursor = next(place for place, item in enumerate(items) if item.does is Action.END)
    return session._replace(mode=Menu("table", items, cursor))


def _clock_item(session: Session, round_: Round) -> Item:
    """The entry that starts and stops the game clock."""
    clock = session.game_clock
    if clock is None:
        return Item(Action.GAME_CLOCK, "Game clock: none", why="It is set before a round.")
    said = f"Game clock: {'runs' if clock.runs else 'stands'}"
    return Item(Action.GAME_CLOCK, said, why="" if round_.turn else "Nobody is to move.")


def _no_claims(over: bool) -> str:
    return "None is proven." if over else "They come to light at the end of the round."


def _open_hands(round_: Round) -> list[int]:
    """The seats of people whose hidden pieces are known; the box shows its own to nobody."""
    return sorted({seat for kind, seat, _ in round_.deals if _is_hidden(round_, kind)} & set(opponent.people(round_)))


def _whose(round_: Round, menu: Menu) -> LookAway | Menu:
    """The mode that shows the hidden pieces of the only player for whom they are known, else the question whose."""
    known = _open_hands(round_)
    return (
        LookAway(known[0])
        if len(known) == 1
        else _ask_whose(round_, menu, ShowPieces, known, "{}'s pieces are sealed.")
    )


def _whose_mend(session: Session, round_: Round, menu: Menu) -> Session:
    """The pieces of the only player who has named any, else the question whose piece is mended."""
    seats = mending_pages.seats(round_)
    if len(seats) == 1:
        return mending_pages.opened(session, seats[0])
    return session._replace(mode=_ask_whose(round_, menu, MendPieces, seats, "{} has named no piece."))


def _ask_whose(
    round_: Round, menu: Menu, does: type[ShowPieces | MendPieces], seats: Collection[int], why_not: str
) -> Menu:
    """The question whose pieces are meant; of a player who is not one of `seats` it says `why_not`, with the name."""
    items = tuple(
        Item(does(seat), name, why="" if seat in seats else why_not.format(name))
        for seat, name in enumerate(round_.header.names, 1)
    )
    return Menu("whose", items, (round_.turn or 1) - 1, menu.items[menu.cursor].label, "whose")


def _is_hidden(round_: Round, kind: HoldingKind) -> bool:
    return not round_.manifest.holdings[kind].face_up


def press_menu(session: Session, menu: Menu, key: str) -> Session:
    """A key in the table menu, or where it asks whose pieces are to be shown."""
    round_ = session.round
    if key == "*" or round_ is None:
        return open_menu(session) if menu.kind == "whose" else asks.to_table(session)
    session, menu, item = menu_keys.picked(session, menu, key)
    if item is None:
        return session
    match item.does:
        case ShowPieces(seat):
            return session._replace(mode=LookAway(seat))
        case MendPieces(seat):
            return mending_pages.opened(session, seat)
        case GamePage(page):
            return session._replace(mode=_own_page(round_, page, menu))
        case Action() as action:
            return _chosen(session, round_, menu, action)
    return session


def _chosen(session: Session, round_: Round, menu: Menu, action: Action) -> Session:
    """The session after an entry of the table menu that needs no further choice."""
    match action:
        case Action.TAKE_BACK:
            return asks.ask_take_back(session)
        case Action.HINTS:
            return open_menu(rounds.hints_switched(session), menu.cursor)
        case Action.END:
            return asks.ask_end(session, round_)
        case Action.PEEK:
            return session._replace(mode=_whose(round_, menu))
        case Action.COULD_HAVE_MOVED:
            return session._replace(mode=Page(PageKind.ANSWER, referee.could(round_), back=menu))
        case Action.HINT:
            return hints.opened(session, round_)
        case Action.CLAIMS:
            return session._replace(mode=Page(PageKind.CLAIMS, rows=hooks.claims(round_), back=menu))
        case Action.STANDINGS:
            return session._replace(mode=Page(PageKind.STANDINGS, back=menu))
        case Action.PHONES:
            return phones.opened(session)
        case Action.MEND:
            return _whose_mend(session, round_, menu)
        case Action.LOOK_BACK:
            return looking_back.opened(session, round_, menu)
        case Action.HELP:
            return help_pages.opened(session, round_.header.game)
        case Action.GAME_CLOCK:
            return asks.to_table(countdown.switched(session))
        case (
            Action.CLOCK
            | Action.HISTORY
            | Action.DOCTOR
            | Action.LEAVE
            | Action.OWN_TIMES
            | Action.SHEET
            | Action.DEALER
            | Action.NAMES
        ):
            return session  # Entries of other menus.
        case _:
            assert_never(action)


def _own_page(round_: Round, own: str, menu: Menu) -> Page:
    """One of the game's own pages, open at its last part."""
    lines = tuple(round_.entry.lines(own, round_.states, round_.events, ROWS))
    return Page(PageKind.OWN, lines, max(0, len(lines) - 1) // ROWS, menu, own=own)


# -- one's own pieces -------------------------------------------------------------------------------------------


def press_look_away(session: Session, mode: LookAway, key: str) -> Session:
    """OK shows the pieces: for two seconds, or while a button is held."""
    if mode.mending is not None:
        return session._replace(mode=mode.mending) if key == "#" else mending_pages.closed(session, mode.mending)
    if mode.hint is not None and key == "#":
        return session._replace(mode=mode.hint)
    if key != "#":
        return asks.to_table(session)
    seconds = HELD_SECONDS if session.buttons and not session.settings.terminal else PEEK_SECONDS
    return session._replace(mode=Peek(mode.seat, session.clock + seconds))


def press_peek(session: Session, key: str) -> Session:
    """A key while pieces are shown: BACK covers them."""
    return end_peek(session) if key == "*" else session


def end_peek(session: Session) -> Session:
    """The pieces are covered again."""
    return asks.to_table(session)


def press_page(session: Session, page: Page, key: str) -> Session:
    """A page to read: up and down (or 2 and 8) turn it, any other key leaves; OK goes through false claims first."""
    if key in ("down", "right", "8", "0"):
        last = page.number + 1
        if page.kind is PageKind.CLAIMS:
            last = len(page.rows) - 1
        elif page.kind is PageKind.OWN:
            last = max(0, len(page.lines) - 1) // ROWS
        return session._replace(mode=page._replace(number=min(page.number + 1, last)))
    if key in ("up", "left", "2"):
        return session._replace(mode=page._replace(number=max(0, page.number - 1)))
    if page.kind is PageKind.CLAIMS and key == "#":
        if page.number + 1 < len(page.rows):
            return session._replace(mode=page._replace(number=page.number + 1))
        if isinstance(page.back, RoundOver):
            return rounds.next_round(session)
    if page.back is not None and not isinstance(page.back, (Dealing, RoundOver)):
        return session._replace(mode=page.back)
    return asks.to_table(session)

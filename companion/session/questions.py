"""The questions before a round, and how each one looks; `setup` handles the answers.

The questions of a game stand in a fixed order: its options, the number of seats where there is a choice, the match, the
players, and a question for each holding of each seat.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from companion import games
from companion.game.opponent import BOXES, STRENGTHS, strength
from companion.games.score_pad import rules as pad
from companion.session import game_clock, pad_setup
from companion.session.actions import Action, Choose, Count, Goal, Hold, Sit, Spell, Time
from companion.session.model import Item, Menu, Page, PageKind, Question, Seats

if TYPE_CHECKING:
    from companion.game.manifest import HoldingKind, Manifest
    from companion.session.model import Mode, Session, Setup

GOALS = ((0, "single round", ""), (2, "2 wins", "best of 3"), (3, "3 wins", "best of 5"),
         (4, "4 wins", "best of 7"), (5, "5 wins", "best of 9"))  # fmt: skip
CLOCKS = ("", "300", "600", "1500", "180+2", "300+5", "600+5", "900+10", "600d5")
"""The game clocks to choose from, in written form; the players can also set their own."""
LARGE = 8
"""Holdings of more pieces than this are sealed unless chosen otherwise; typing them in takes too long."""
BOX_NAME = "So the box is called where it plays itself: take another name."
_SPARE = tuple(f"Player {seat}" for seat in range(1, 9))
_COUNTS = {2: "two players", 3: "three players", 4: "four players"}


def asked(setup: Setup) -> list[Question]:
    """What is asked, in order."""
    if setup.game == pad.ID:
        return pad_setup.questions(setup)
    game = games.manifest(setup.game)
    found = [Question("option", name) for name in game.options]
    if len(game.players) > 1:
        found.append(Question("seats"))
    found += [Question("match"), Question("players")]
    found += [Question(kind, seat=seat) for kind, seat in _holdings(setup) if not _plays(setup, seat)]
    return found


def opened(setup: Setup) -> tuple[tuple[HoldingKind, int], ...]:
    """The open holdings, which are entered before the round, by seat; those of a seat that the box plays are open."""
    return tuple(each for each in _holdings(setup) if each in setup.opened or _plays(setup, each[1]))


def _plays(setup: Setup, seat: int) -> bool:
    """Whether the box plays a seat; names are chosen after the options."""
    return seat <= len(setup.names) and bool(strength(setup.names[seat - 1]))


def _holdings(setup: Setup) -> list[tuple[HoldingKind, int]]:
    return [(kind, seat) for seat in range(1, setup.seats + 1) for kind in games.manifest(setup.game).holdings]


def question(session: Session, setup: Setup, asked: Question, *, on_clock: bool = False) -> Mode:
    """The mode that asks a question, with the cursor on the answer chosen so far, or on the game clock."""
    game = games.manifest(setup.game)
    match asked.kind:
        case "pad":
            return pad_setup.question(session.past, setup, asked.which)
        case "option":
            return _option(setup, game, asked.which)
        case "seats":
            items = tuple(Item(Count(number), _COUNTS[number]) for number in game.players)
            return Menu("seats", items, game.players.index(setup.seats), game.name, "how many play", setup)
        case "match":
            goals = tuple(Item(Goal(wins), label, note) for wins, label, note in GOALS)
            items = (*goals, _clock(setup))
            cursor = next((place for place, (wins, *_) in enumerate(GOALS) if wins == setup.goal), 0)
            return Menu("match", items, len(GOALS) if on_clock else cursor, game.name, "rounds", setup)
        case "players":
            seated = len(setup.names) == setup.seats
            return Seats(setup if seated else setup._replace(names=names(session, setup.seats)))
        case "deal" | "rack":
            return _holding(setup, asked.kind, asked.seat)
        case _:
            assert_never(asked.kind)


def clocks(setup: Setup) -> Menu:
    """The menu of game clocks, the cursor on the one chosen so far."""
    items = (
        *(Item(Time(control), game_clock.words(control)) for control in CLOCKS),
        Item(Action.OWN_TIMES, "own times", game_clock.words(setup.clock) if setup.clock not in CLOCKS else ""),
    )
    cursor = CLOCKS.index(setup.clock) if setup.clock in CLOCKS else len(CLOCKS)
    return Menu("clock", items, cursor, "Game clock", "each player has", setup)


def _clock(setup: Setup) -> Item:
    """The entry that leads to the game clocks, with the one chosen so far; beside seconds or two times it is short."""
    controls = game_clock.controls(setup.clock, setup.seats)
    short = len(set(controls)) > 1 or any(each.extra for each in controls)
    said = game_clock.words(setup.clock).removesuffix(" free").replace(" + ", "+")
    return Item(Action.GAME_CLOCK, "clock" if short else "game clock", said)


def _option(setup: Setup, game: Manifest, which: str) -> Menu:
    option = game.options[which]
    items = tuple(Item(Choose(value), game.label(which, value), note) for value, note in option.values.items())
    cursor = list(option.values).index(dict(setup.options)[which])
    return Menu("option", items, cursor, game.name, option.question, setup)


def _holding(setup: Setup, kind: HoldingKind, seat: int) -> Menu:
    held = games.manifest(setup.game).holdings[kind]
    size = games.load(setup.game).size(kind, setup.seats, dict(setup.options))
    items = (
        Item(Hold(open=False), "sealed", "I only count them", "sealed"),
        Item(Hold(open=True), "open", "face up, typed in" if held.face_up else "typed in as dots", "open"),
    )
    likely = held.face_up and size <= LARGE
    cursor = int((kind, seat) in setup.opened or (likely and (kind, seat) not in setup.sealed))
    return Menu("holding", items, cursor, f"{setup.names[seat - 1]}'s {held.noun}", f"{size} {held.pieces}", setup)


def names(session: Session, seats: int) -> tuple[str, ...]:
    """The names to start with: those of the last round, then the configured ones."""
    return known(session)[:seats]


def known(session: Session) -> tuple[str, ...]:
    """All names to choose from: people who have played or are configured, then nameless players."""
    past = session.past
    names = dict.fromkeys((*past.names, *session.settings.names, *past.favourites, *_SPARE))
    return tuple(name for name in names if not strength(name))


def _boxes(setup: Setup, seat: int) -> list[tuple[str, str]]:
    """The names under which the box can take a seat, each with how it plays; none in a game that it does not play."""
    if not games.manifest(setup.game).opponent:
        return []
    taken = setup.names[: seat - 1]
    return [(name, word) for name, word in zip(BOXES, STRENGTHS, strict=True) if name not in taken]


def about_box(game: str) -> str:
    """The text for players who give a seat to the box."""
    holdings = games.manifest(game).holdings.values()
    seen = f" and see its {next(iter(holdings)).pieces}" if holdings else ""
    return f"You make its moves{seen}. It counts in no standings."


def told_of_box(game: str, name: str, following: Mode) -> Page:
    """The page with that text for a seat that is given to the box `name`; `following` comes after it."""
    return Page(PageKind.ANSWER, (name, about_box(game)), back=following, leads_on=True)


def who(session: Session, setup: Setup, seat: int) -> Menu:
    """Who sits in a seat: whoever is known, a new name, or one of as many nameless players as there are seats.

    Favourites stand first.
    """
    free = [name for name in known(session) if name not in setup.names[: seat - 1]]
    favourites = session.past.favourites
    named = sorted((name for name in free if name not in _SPARE), key=lambda name: name not in favourites)
    spare = [name for name in free if name in _SPARE and (name in setup.names or name in _SPARE[: setup.seats])]
    items = (
        *(Item(Sit(seat, name), name) for name in named),
        Item(Spell(seat), "new name"),
        *(Item(Sit(seat, name), name) for name in spare),
        *(Item(Sit(seat, name), f"{name}: {word}") for name, word in _boxes(setup, seat)),
    )
    cursor = next((place for place, item in enumerate(items) if item.does == Sit(seat, setup.names[seat - 1])), 0)
    if setup.names[seat - 1] in spare:
        cursor = len(named)  # Whoever is still nameless most likely wants a name.
    return Menu("name", items, cursor, f"Seat {seat}", "who sits here", setup)

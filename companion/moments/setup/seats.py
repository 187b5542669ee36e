"""Who sits where before a round: the seats, who can sit in one, a new name."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from companion import games
from companion.contents import kinds
from companion.contents.kinds import Answer
from companion.game.opponent import BOXES, STRENGTHS, strength
from companion.game.text import text
from companion.games.score_pad import rules as pad
from companion.moments.menus.menu import Item
from companion.moments.reading.page import Reply
from companion.moments.setup.asking import Asking, go_on
from companion.moments.setup.spelling import Spelling
from companion.session.model import Moment

if TYPE_CHECKING:
    from companion.session.model import Session
    from companion.session.round_setup import Setup

CAPTIONS = ("starts", "second", "third", "fourth")
"""The seats of a score pad of as many players at most."""
BOX_NAME = "So the box is called where it plays itself: take another name."
_SPARE = tuple(f"Player {seat}" for seat in range(1, 9))


class _Seats(NamedTuple):
    setup: Setup


class Seats(Moment, _Seats):
    """Who sits where; the first starts."""

    @property
    def of_game(self) -> str:
        """The game that is set up."""
        return self.setup.game

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        """OK starts, left and right move everybody up a seat, a digit or BACK changes a name."""
        setup = self.setup
        if key == "#":
            return go_on(session, setup)
        if key in ("left", "right", "0"):
            return session._replace(mode=Seats(setup._replace(names=(*setup.names[1:], setup.names[0]))))
        if key in "12345678" and int(key) <= setup.seats:
            return session._replace(mode=who(session, setup, int(key)))
        return session._replace(mode=who(session, setup, 1)) if key in ("*", "up", "down") else session

    def says(self, session: Session) -> kinds.Content:
        """The players, and what they are about to play."""
        setup = self.setup
        if setup.game == pad.ID:
            captions: tuple[str, ...] = CAPTIONS if setup.seats <= len(CAPTIONS) else ("",) * setup.seats
            icons: tuple[str, ...] = ("",) * setup.seats
        else:
            captions = CAPTIONS
            icons = games.manifest(setup.game).seat_icons or ("",) * setup.seats
        places = tuple(map(kinds.Place, setup.names, captions, icons))
        answers = (Answer("ok", "start"), Answer("back", "names"), Answer("left"), Answer("right"))
        return kinds.Seating(setup.game, _chosen(setup), places, answers)

    def shown_names(self, session: Session) -> tuple[str, ...]:
        """The players."""
        return self.setup.names


def _chosen(setup: Setup) -> tuple[str, ...]:
    """What is played, all of it first: the options and the length of the match; then the last options go."""
    if setup.game == pad.ID:
        return (dict(setup.options)["title"],)
    chosen, match = games.labels(setup.game, setup.options), (text("to {wins}", wins=setup.goal),) * bool(setup.goal)
    return tuple(", ".join((*chosen[:count], *match)) for count in range(len(chosen), -1, -1))


def open_seats(session: Session, setup: Setup) -> Seats:
    """Who sits where; at first those of the last round."""
    return Seats(setup if len(setup.names) == setup.seats else setup._replace(names=names(session, setup.seats)))


def names(session: Session, seats: int) -> tuple[str, ...]:
    """The names to start with: those of the last round, then the configured ones."""
    return known(session)[:seats]


def known(session: Session) -> tuple[str, ...]:
    """All names to choose from: people who have played or are configured, then nameless players."""
    past = session.past
    names = dict.fromkeys((*past.names, *session.settings.names, *past.favourites, *_SPARE))
    return tuple(name for name in names if not strength(name))


def who(session: Session, setup: Setup, seat: int) -> Asking:
    """Who sits in a seat: whoever is known, a new name, or one of as many nameless players as there are seats.

    Favourites stand first.
    """
    free = [name for name in known(session) if name not in setup.names[: seat - 1]]
    favourites = session.past.favourites
    named = sorted((name for name in free if name not in _SPARE), key=lambda name: name not in favourites)
    spare = [name for name in free if name in _SPARE and (name in setup.names or name in _SPARE[: setup.seats])]
    boxes = _boxes(setup, seat)
    people = [*named, *spare, *boxes]
    sits = {name: partial(_sit, setup=setup, seat=seat, name=name) for name in people}
    items = [Item(boxes.get(name, name), sits[name], names=(name,)) for name in people]
    items.insert(len(named), Item("new name", partial(_spell, setup=setup, seat=seat)))
    here = setup.names[seat - 1]
    # Whoever is still nameless most likely wants a name.
    cursor = len(named) if here in spare else next((at for at, item in enumerate(items) if here in item.names), 0)
    back = who(session, setup, seat - 1) if seat > 1 else None
    return Asking(setup, text("Seat {seat}", seat=seat), ("who sits here",), tuple(items), cursor, back)


def _boxes(setup: Setup, seat: int) -> dict[str, str]:
    """The names under which the box can take a seat, each in words; none in a game that it does not play."""
    if not games.manifest(setup.game).opponent:
        return {}
    known = zip(BOXES, STRENGTHS, strict=True)
    taken = setup.names[: seat - 1]
    return {name: text("{name}: {how}", name=name, how=how) for name, how in known if name not in taken}


def _sit(session: Session, setup: Setup, seat: int, name: str) -> Session:
    """Put a name into a seat, and ask for the next seat; whoever sat there changes places with it."""
    names = [setup.names[seat - 1] if each == name else each for each in setup.names]
    names[seat - 1] = name
    setup = setup._replace(names=tuple(names))
    following: Moment = who(session, setup, seat + 1) if seat < setup.seats else Seats(setup)
    if strength(name):
        following = told_of_box(setup.game, name, following)
    return session._replace(mode=following)


def _spell(session: Session, setup: Setup, seat: int) -> Session:
    """Have a new name spelled."""
    done = partial(_sit_new, setup=setup, seat=seat)
    return session._replace(mode=Spelling("New name", text("seat {seat}", seat=seat), done, who(session, setup, seat)))


def _sit_new(session: Session, name: str, *, setup: Setup, seat: int) -> Session:
    """Put a new name into a seat; it is offered from then on."""
    if strength(name) and not games.manifest(setup.game).opponent:
        return session._replace(mode=Reply((name, BOX_NAME), session.mode))
    if name not in session.past.names:
        session = session._replace(past=session.past._replace(names=(*session.past.names, name)))
    return _sit(session, setup, seat, name)


def about_box(game: str) -> str:
    """The text for players who give a seat to the box."""
    for held in games.manifest(game).holdings.values():
        return text("You make its moves and see its {pieces}. It counts in no standings.", pieces=held.pieces)
    return "You make its moves. It counts in no standings."


def told_of_box(game: str, name: str, following: Moment) -> Reply:
    """The page with that text for a seat that is given to the box `name`; `following` comes after it."""
    return Reply((name, about_box(game)), following, leads_on=True)

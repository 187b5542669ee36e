"""Who sits where before a round: the seats, who can sit in one, a new name."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from companion import games
from companion.evening.contents import kinds
from companion.evening.contents.kinds import KeyMeaning
from companion.evening.model import Screen
from companion.evening.screens.lists import Item, Reply
from companion.evening.screens.names import Spelling, ask_if_alike
from companion.evening.screens.phones.phones_page import follow_name
from companion.evening.screens.setup.questions import Asking, go_on, show_question
from companion.games.api.box_seats import BOXES, STRENGTHS, strength
from companion.games.score_pad import rules as pad
from companion.languages import counted, joined, text
from companion.rounds import game_clock

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.evening.fields import Setup
    from companion.evening.model import Session

CAPTIONS = (text("starts"), text("second"), text("third"), text("fourth"))
"""The seats of a score pad of as many players at most."""
NEW = 2
"""The names above "new name": that is the last of the lines that are seen at first."""
BOX_NAME = text("That is the box's own name when it plays: choose another.")
NAMELESS = tuple(f"Player {seat}" for seat in range(1, 9))


class Seats(Screen):
    """Who sits where; the first starts."""

    setup: Setup

    @property
    def of_game(self) -> str:
        """The game that is set up."""
        return self.setup.game

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        """OK starts, right moves everybody up a seat and left down, a digit or BACK changes a name."""
        setup = self.setup
        if key == "#":
            return go_on(session, setup)
        if key in ("left", "right", "0"):
            names, clock = setup.names, setup.clock
            for _ in range(setup.seats - 1 if key == "left" else 1):  # The one takes back what the other does.
                names, clock = (*names[1:], names[0]), game_clock.moved_up(clock)
            return session.show(Seats(setup._replace(names=names, clock=clock)))
        if key in "12345678" and int(key) <= setup.seats:
            return session.open(who(session, setup, int(key), over=True, alone=True))
        if key in ("up", "down"):
            return session.open(who(session, setup, 1, over=True))
        return session.show(who(session, setup, 1)) if key == "*" else session

    def phone_keys(self, session: Session, meant: tuple[str, ...]) -> tuple[str, ...]:
        """A seat can be picked too."""
        return ("pick", *meant)

    def content(self, session: Session) -> kinds.Content:
        """The players, and what they are about to play."""
        return self.seating(text("names"))

    def seating(self, back: str) -> kinds.Seating:
        """The same, with a word for what BACK leads to."""
        setup = self.setup
        if setup.game == pad.ID:
            captions: tuple[str, ...] = CAPTIONS if setup.seats <= len(CAPTIONS) else ("",) * setup.seats
            icons: tuple[str, ...] = ("",) * setup.seats
        else:
            captions = games.manifest(setup.game).seat_words or CAPTIONS
            icons = games.manifest(setup.game).seat_icons or ("",) * setup.seats
        places = tuple(map(kinds.Place, setup.names, captions, icons))
        meanings = (*kinds.ok_back("start", back), KeyMeaning("left"), KeyMeaning("right"))
        return kinds.Seating(setup.game, _chosen(setup), places, meanings)

    def shown_names(self, session: Session) -> tuple[str, ...]:
        """The players."""
        return self.setup.names


def _chosen(setup: Setup) -> tuple[str, ...]:
    """What is played, all of it first: options, the length of the match, the game clock; the last options go first."""
    if setup.game == pad.ID:
        return _chosen_pad(setup)
    labels = games.labels(setup.game, setup.options)
    match = (text("{wins} wins", wins=setup.goal),) * bool(setup.goal)
    clock = (game_clock.words(setup.clock),) * bool(setup.clock)
    short = (game_clock.words(setup.clock, short=True),) * bool(setup.clock)
    parts = [(*labels[:count], *match, *clock) for count in range(len(labels), -1, -1)]
    parts += [(*labels, *match, *short), (*match, *short), short or match]
    return tuple(joined(each, ", ") for each in sorted(parts, key=len, reverse=True))


def _chosen_pad(setup: Setup) -> tuple[str, ...]:
    """What a score pad is for, with how it ends and who wins as far as there is room."""
    sheet = pad.pad_after(setup.seats, setup.options)
    said = [sheet.title]
    if sheet.target:
        said.append(text("to {target}", target=sheet.target))
    if sheet.turns:
        said.append(counted(sheet.turns, "{number} turn", "{number} turns"))
    if sheet.lowest:
        said.append(text("low wins"))
    return tuple(joined(said[:count], ", ") for count in range(len(said), 0, -1))


def open_seats(session: Session, setup: Setup) -> Seats:
    """Who sits where; at first those of the last round."""
    return Seats(setup if len(setup.names) == setup.seats else setup._replace(names=names(session, setup.seats)))


def names(session: Session, seats: int) -> tuple[str, ...]:
    """The names to start with: those who are in with a phone, those of the last round, then the configured ones.

    Whoever is left has no name but the number of the seat, unless somebody sits elsewhere under it.
    """
    found = list(dict.fromkeys((*session.phones.players, *_people(session))))[:seats]
    for seat in range(len(found), seats):
        found.append(next(name for name in (NAMELESS[seat], *NAMELESS) if name not in found))
    return tuple(found)


def known(session: Session) -> tuple[str, ...]:
    """All names to choose from: people who have played, are configured or have a phone, then nameless players."""
    return tuple(dict.fromkeys((*_people(session), *NAMELESS)))


def _people(session: Session) -> tuple[str, ...]:
    past, phones = session.past, session.phones
    names = dict.fromkeys((*past.names, *session.settings.names, *past.favourites, *phones.players))
    return tuple(name for name in names if not strength(name))


def who(session: Session, setup: Setup, seat: int, *, over: bool = False, alone: bool = False) -> Asking:
    """Who sits in a seat: whoever is known, a new name, or one of as many nameless players as there are seats.

    Favourites stand first, and a new name where it is seen at once. BACK leads to what it is `over`, or else to the
    question before. `alone` is whether no other seat is asked for: then who sits in a seat before is offered too, and
    the two change places.
    """
    taken = _taken(setup, seat, alone=alone)
    free = [name for name in known(session) if name not in taken]
    favourites = session.past.favourites
    named = sorted((name for name in free if name not in NAMELESS), key=lambda name: name not in favourites)
    here = setup.names[seat - 1]
    nameless = (here, NAMELESS[seat - 1], *NAMELESS)  # One is enough: whose name nobody knows has that of the seat.
    spare = [next(name for name in nameless if name in NAMELESS and name in free)]
    boxes = _boxes(setup, taken)
    people = [*named, *spare, *boxes]
    sits = {name: partial(_sit, name=name, setup=setup, seat=seat, alone=alone) for name in people}
    elsewhere = {name: text("seat {seat}", seat=at) for at, name in enumerate(setup.names, 1) if at != seat}
    items = [Item(boxes.get(name, name), sits[name], elsewhere.get(name, ""), names=(name,)) for name in people]
    new = min(len(named), NEW)
    items.insert(new, Item(text("new name"), partial(_spell, setup=setup, seat=seat, alone=alone)))
    # Where nobody sits yet a name is wanted; who is known stands right above the new one.
    cursor = new if here in spare else next((at for at, item in enumerate(items) if here in item.names), 0)
    leads = text("back") if over else text("set-up")
    title, notes = text("Seat {seat}", seat=seat), (text("who sits here"),)
    return Asking(title, notes, tuple(items), setup, over, leads, cursor=cursor)


def _taken(setup: Setup, seat: int, *, alone: bool) -> tuple[str, ...]:
    """The names that cannot be put into a seat: those of the seats before, unless it is asked for `alone`."""
    return () if alone else setup.names[: seat - 1]


def _boxes(setup: Setup, taken: tuple[str, ...]) -> dict[str, str]:
    """The names under which the box can take a seat, each in words; none in a game that it does not play."""
    if not games.manifest(setup.game).opponent:
        return {}
    known = zip(BOXES, STRENGTHS, strict=True)
    return {name: text("{name} plays: {how}", name=name, how=how) for name, how in known if name not in taken}


def _sit(session: Session, name: str, *, setup: Setup, seat: int, alone: bool = False) -> Session:
    """Put a name into a seat, and ask for the next seat unless `alone`; whoever sat there changes places with it."""
    names = [setup.names[seat - 1] if each == name else each for each in setup.names]
    names[seat - 1] = name
    before = setup.names[seat - 1]
    if before in NAMELESS and before not in names:
        session = follow_name(session, before, name)
    setup = setup._replace(names=tuple(names))
    following: tuple[Screen, ...] = (Seats(setup),)
    if not alone and seat < setup.seats:  # BACK leads from each seat to the one before.
        following = tuple(who(session, setup, each, over=each > 1) for each in range(1, seat + 2))
    if strength(name):
        return session.open(told_of_box(setup.game, name, lambda after: show_question(after, *following)))
    return show_question(session, *following)


def _spell(session: Session, setup: Setup, seat: int, alone: bool) -> Session:
    """Have a new name spelled."""
    done, whose = partial(_sit_new, setup=setup, seat=seat, alone=alone), text("seat {seat}", seat=seat)
    return session.open(Spelling(text("New name"), whose, done))


def _sit_new(session: Session, name: str, *, setup: Setup, seat: int, alone: bool) -> Session:
    """Put a new name into a seat; it is offered from then on."""
    if strength(name) and not games.manifest(setup.game).opponent:
        return session.open(Reply((name, BOX_NAME)))
    if name in _taken(setup, seat, alone=alone):
        said = text("{who} is already in seat {seat}.", who=name, seat=setup.names.index(name) + 1)
        return session.open(Reply((name, said)))
    sit = partial(_sit, setup=setup, seat=seat, alone=alone)
    unknown = partial(_sit_unknown, setup=setup, seat=seat, alone=alone, name=name)
    return ask_if_alike(session, name, known(session), sit, unknown)


def _sit_unknown(session: Session, setup: Setup, seat: int, name: str, *, alone: bool) -> Session:
    if name not in session.past.names:
        session = session._replace(past=session.past._replace(names=(*session.past.names, name)))
    return _sit(session, name, setup=setup, seat=seat, alone=alone)


def about_box(game: str) -> str:
    """The text for players who give a seat to the box."""
    for held in games.manifest(game).holdings.values():
        words = "You make its moves and see its {pieces}. The round stays out of the standings."
        return text(words, pieces=held.pieces)
    return text("You make its moves. The round stays out of the standings.")


def told_of_box(game: str, name: str, then: Callable[[Session], Session] | None = None) -> Reply:
    """The page with that text for a seat that is given to the box `name`, and what comes after it."""
    return Reply((name, about_box(game)), leads_on=True, then=then)

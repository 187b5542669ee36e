"""Who sits where before a round: the seats, the list of who can sit in one, and a new name."""

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
from companion.games.api.box_seats import COMPUTER_NAMES, STRENGTH_NAMES, computer_strength
from companion.games.score_pad import rules as pad
from companion.languages import plural_text, join_texts, text
from companion.rounds import game_clock

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.evening.fields import Setup
    from companion.evening.model import Session

CAPTIONS = (text("starts"), text("second"), text("third"), text("fourth"))
"""The captions of the seats, for a score pad of that many players at most."""
NEW = 2
"""The most names above "new name", so that this entry is among those that are seen at first."""
BOX_NAME = text("That is the box's own name when it plays: choose another.")
NAMELESS = tuple(f"Player {seat}" for seat in range(1, 9))


class Seats(Screen):
    """Who sits where; the first one starts.

    OK starts. Right moves everybody up a seat, left down. A digit changes the name in that seat, BACK asks for all
    names.
    """

    setup: Setup

    @property
    def of_game(self) -> str:
        return self.setup.game

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        setup = self.setup
        if key == "#":
            return go_on(session, setup)
        if key in ("left", "right", "0"):
            names, clock = setup.names, setup.clock
            for _ in range(setup.seats - 1 if key == "left" else 1):  # Left undoes what right does.
                names, clock = (*names[1:], names[0]), game_clock.rotate_controls(clock)
            return session.show(Seats(setup._replace(names=names, clock=clock)))
        if key in "12345678" and int(key) <= setup.seats:
            return session.open(who(session, setup, int(key), over=True, alone=True))
        if key in ("up", "down"):
            return session.open(who(session, setup, 1, over=True))
        return session.show(who(session, setup, 1)) if key == "*" else session

    def phone_keys(self, session: Session, meant: tuple[str, ...]) -> tuple[str, ...]:
        # A phone may also pick a seat, to change its name.
        return ("pick", *meant)

    def content(self, session: Session) -> kinds.Content:
        return self.seating(text("names"))

    def seating(self, back: str) -> kinds.Seating:
        """The content, with a word for what BACK leads to."""
        setup = self.setup
        if setup.game == pad.PAD_ID:
            captions: tuple[str, ...] = CAPTIONS if setup.seats <= len(CAPTIONS) else ("",) * setup.seats
            icons: tuple[str, ...] = ("",) * setup.seats
        else:
            captions = games.manifest_of(setup.game).seat_words or CAPTIONS
            icons = games.manifest_of(setup.game).seat_icons or ("",) * setup.seats
        places = tuple(map(kinds.Place, setup.names, captions, icons))
        meanings = (*kinds.ok_back("start", back), KeyMeaning("left"), KeyMeaning("right"))
        return kinds.Seating(setup.game, _chosen(setup), places, meanings)

    def shown_names(self, session: Session) -> tuple[str, ...]:
        return self.setup.names


def _chosen(setup: Setup) -> tuple[str, ...]:
    """What is going to be played: options, the length of the match, the game clock.

    The longest wording comes first; in the shorter ones the last options are left out first.
    """
    if setup.game == pad.PAD_ID:
        return _chosen_pad(setup)
    labels = games.option_labels(setup.game, setup.options)
    match = (text("{wins} wins", wins=setup.goal),) * bool(setup.goal)
    clock = (game_clock.settings_text(setup.clock),) * bool(setup.clock)
    short = (game_clock.settings_text(setup.clock, short=True),) * bool(setup.clock)
    parts = [(*labels[:count], *match, *clock) for count in range(len(labels), -1, -1)]
    parts += [(*labels, *match, *short), (*match, *short), short or match]
    return tuple(join_texts(each, ", ") for each in sorted(parts, key=len, reverse=True))


def _chosen_pad(setup: Setup) -> tuple[str, ...]:
    """What a score pad is for, how it ends and who wins, the longest wording first."""
    sheet = pad.restore_pad(setup.seats, setup.options)
    said = [sheet.title]
    if sheet.target:
        said.append(text("to {target}", target=sheet.target))
    if sheet.turn_limit:
        said.append(plural_text(sheet.turn_limit, "{number} turn", "{number} turns"))
    if sheet.lowest_wins:
        said.append(text("low wins"))
    return tuple(join_texts(said[:count], ", ") for count in range(len(said), 0, -1))


def open_seats(session: Session, setup: Setup) -> Seats:
    """The question who sits where, which starts with those of the last round."""
    return Seats(setup if len(setup.names) == setup.seats else setup._replace(names=names(session, setup.seats)))


def names(session: Session, seats: int) -> tuple[str, ...]:
    """The names to start with: players who have a phone, those of the last round, then the configured ones.

    A seat that is left over gets the name "Player" with its number, unless that name sits elsewhere already.
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
    names = dict.fromkeys((*past.player_names, *session.settings.player_names, *past.favourites, *phones.players))
    return tuple(name for name in names if not computer_strength(name))


def who(session: Session, setup: Setup, seat: int, *, over: bool = False, alone: bool = False) -> Asking:
    """The question who sits in a seat: a known name, a new one, a nameless player, or the computer.

    Favourites come first, and "new name" where it is seen at once. BACK leads to what it is `is_over_screen`, or else
    to the question before. With `is_single_seat` no other seat is asked for: then those who sit in the seats before are
    offered too, and the two change places.
    """
    taken = _taken(setup, seat, alone=alone)
    free = [name for name in known(session) if name not in taken]
    favourites = session.past.favourites
    named = sorted((name for name in free if name not in NAMELESS), key=lambda name: name not in favourites)
    here = setup.names[seat - 1]
    # One nameless player is enough: normally the one with this seat's number.
    nameless = (here, NAMELESS[seat - 1], *NAMELESS)
    spare = [next(name for name in nameless if name in NAMELESS and name in free)]
    boxes = _boxes(setup, taken)
    people = [*named, *spare, *boxes]
    sits = {name: partial(_sit, name=name, setup=setup, seat=seat, alone=alone) for name in people}
    elsewhere = {name: text("seat {seat}", seat=at) for at, name in enumerate(setup.names, 1) if at != seat}
    items = [Item(boxes.get(name, name), sits[name], elsewhere.get(name, ""), names=(name,)) for name in people]
    new = min(len(named), NEW)
    items.insert(new, Item(text("new name"), partial(_spell, setup=setup, seat=seat, alone=alone)))
    # For a seat without a name the cursor is on "new name", right below the known names.
    cursor = new if here in spare else next((at for at, item in enumerate(items) if here in item.names), 0)
    leads = text("back") if over else text("set-up")
    title, notes = text("Seat {seat}", seat=seat), (text("who sits here"),)
    return Asking(title, notes, tuple(items), setup, over, leads, cursor=cursor)


def _taken(setup: Setup, seat: int, *, alone: bool) -> tuple[str, ...]:
    """The names that can't be put into a seat: those of the seats before, unless it is asked for `is_single_seat`."""
    return () if alone else setup.names[: seat - 1]


def _boxes(setup: Setup, taken: tuple[str, ...]) -> dict[str, str]:
    """The names under which the computer can take a seat, each with its label; {} if it doesn't play this game."""
    if not games.manifest_of(setup.game).allows_computer_player:
        return {}
    known = zip(COMPUTER_NAMES, STRENGTH_NAMES, strict=True)
    return {name: text("{name} plays: {how}", name=name, how=how) for name, how in known if name not in taken}


def _sit(session: Session, name: str, *, setup: Setup, seat: int, alone: bool = False) -> Session:
    """Put a name into a seat. If that name sat elsewhere, the two change places.

    Then the next seat is asked for, unless `is_single_seat`.
    """
    names = [setup.names[seat - 1] if each == name else each for each in setup.names]
    names[seat - 1] = name
    before = setup.names[seat - 1]
    if before in NAMELESS and before not in names:
        session = follow_name(session, before, name)
    setup = setup._replace(names=tuple(names))
    following: tuple[Screen, ...] = (Seats(setup),)
    # The earlier seats stay open below, so that BACK leads from each seat to the one before.
    if not alone and seat < setup.seats:
        following = tuple(who(session, setup, each, over=each > 1) for each in range(1, seat + 2))
    if computer_strength(name):
        return session.open(told_of_box(setup.game, name, lambda after: show_question(after, *following)))
    return show_question(session, *following)


def _spell(session: Session, setup: Setup, seat: int, alone: bool) -> Session:
    done, whose = partial(_sit_new, setup=setup, seat=seat, alone=alone), text("seat {seat}", seat=seat)
    return session.open(Spelling(text("New name"), whose, done))


def _sit_new(session: Session, name: str, *, setup: Setup, seat: int, alone: bool) -> Session:
    """Put a new name into a seat, or say why not. It is offered from then on."""
    if computer_strength(name) and not games.manifest_of(setup.game).allows_computer_player:
        return session.open(Reply((name, BOX_NAME)))
    if name in _taken(setup, seat, alone=alone):
        said = text("{who} is already in seat {seat}.", who=name, seat=setup.names.index(name) + 1)
        return session.open(Reply((name, said)))
    sit = partial(_sit, setup=setup, seat=seat, alone=alone)
    unknown = partial(_sit_unknown, setup=setup, seat=seat, alone=alone, name=name)
    return ask_if_alike(session, name, known(session), sit, unknown)


def _sit_unknown(session: Session, setup: Setup, seat: int, name: str, *, alone: bool) -> Session:
    if name not in session.past.player_names:
        session = session._replace(past=session.past._replace(player_names=(*session.past.player_names, name)))
    return _sit(session, name, setup=setup, seat=seat, alone=alone)


def about_box(game: str) -> str:
    """What players should know who give a seat to the computer."""
    for held in games.manifest_of(game).holdings.values():
        words = "You make its moves and see its {pieces}. The round stays out of the standings."
        return text(words, pieces=held.pieces)
    return text("You make its moves. The round stays out of the standings.")


def told_of_box(game: str, name: str, then: Callable[[Session], Session] | None = None) -> Reply:
    """The page with that text for the computer player `name`; then `open_next` makes the session."""
    return Reply((name, about_box(game)), leads_on=True, then=then)

"""Who sits where before a round: the seats, the list of who can sit in one, and a new name."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from companion import games
from companion.evening.contents import kinds
from companion.evening.contents.kinds import KeyHint
from companion.evening.model import Screen
from companion.evening.screens.lists import MenuItem, TextPage
from companion.evening.screens.name_screens import SpellingScreen, ask_about_similar_name
from companion.evening.screens.phones.phones_page import rename_phone_owner
from companion.evening.screens.setup.questions import SetupQuestion, ask_next, show_question
from companion.games.api.computer_players import COMPUTER_NAMES, STRENGTH_NAMES, computer_strength
from companion.games.score_pad import pad
from companion.languages import join_texts, plural_text, text
from companion.rounds import game_clock, standings
from companion.rounds.player_names import NAMELESS_PLAYERS

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.evening.model import Session
    from companion.evening.session_values import Setup
    from companion.rounds.stored import StoredHistory

CAPTIONS = (text("starts"), text("second"), text("third"), text("fourth"), text("fifth"), text("sixth"))
"""The captions of the seats. A score pad with more players has none."""
MAX_NAMES_ABOVE_NEW = 2
"""The most names above "new name", so that this entry is among those that are seen at first."""
COMPUTER_NAME_TEXT = text("That is the box's own name when it plays: choose another.")


class Seats(Screen):
    """Who sits where; the first one starts.

    OK starts. Right moves everybody up a seat, left down. A digit changes the name in that seat, BACK asks for all
    names.
    """

    setup: Setup

    @property
    def game_id(self) -> str:
        return self.setup.game

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        setup = self.setup
        if key == "#":
            return ask_next(session, setup)
        if key in ("left", "right", "0"):
            names, clock = setup.names, setup.clock
            for _ in range(setup.seat_count - 1 if key == "left" else 1):  # Left undoes what right does.
                names, clock = (*names[1:], names[0]), game_clock.rotate_controls(clock)
            return session.replace_screen(Seats(setup._replace(names=names, clock=clock)))
        if key in "12345678" and int(key) <= setup.seat_count:
            return session.open_screens(
                seat_question(session, setup, int(key), is_over_screen=True, is_single_seat=True)
            )
        if key in ("up", "down"):
            return session.open_screens(seat_question(session, setup, 1, is_over_screen=True))
        return session.replace_screen(seat_question(session, setup, 1)) if key == "*" else session

    def phone_keys(self, session: Session, meant: tuple[str, ...]) -> tuple[str, ...]:
        # A phone may also pick a seat, to change its name.
        return ("pick", *meant)

    def content(self, session: Session) -> kinds.Content:
        return self.seating_content(session.history, text("names"))

    def seating_content(self, history: StoredHistory, back_label: str) -> kinds.Seating:
        """The content, with a word for what BACK leads to."""
        setup = self.setup
        captions = () if setup.game == pad.PAD_ID else games.manifest_of(setup.game).seat_words
        # Where the captions don't say who starts, the title does.
        title = text("{who} starts", who=setup.names[0]) if captions else text("Players")
        captions = captions or (CAPTIONS if setup.seat_count <= len(CAPTIONS) else ("",) * setup.seat_count)
        colours = standings.player_colours(history, setup.names)
        has_shapes = setup.seat_count <= standings.SHAPES
        icons = tuple(f"small-seat-{colours[name]}" if has_shapes else "" for name in setup.names)
        places = tuple(map(kinds.SeatPreview, setup.names, captions, icons))
        moved = text("let {who} start", who=setup.names[1 % setup.seat_count])
        hints = (
            *kinds.ok_and_back_hints("start", back_label),
            KeyHint("left"),
            KeyHint("right", moved, (text("swap"),)),
        )
        return kinds.Seating(setup.game, _setup_summaries(setup), places, hints, title)

    def shown_names(self, session: Session) -> tuple[str, ...]:
        return self.setup.names


def _setup_summaries(setup: Setup) -> tuple[str, ...]:
    """What is going to be played: options, the length of the match, the game clock.

    The longest wording comes first. The next has a shorter clock; the others leave out options, from the end.
    """
    if setup.game == pad.PAD_ID:
        return _pad_summaries(setup)
    labels = games.option_labels(setup.game, setup.options)
    match = (text("{wins} wins", wins=setup.goal),) * bool(setup.goal)
    clock = (game_clock.settings_text(setup.clock),) * bool(setup.clock)
    short = (game_clock.settings_text(setup.clock, short=True),) * bool(setup.clock)
    parts = [(*labels[:count], *match, *clock) for count in range(len(labels), -1, -1)]
    parts += [(*labels, *match, *short), (*match, *short), short or match]
    return tuple(join_texts(each, ", ") for each in sorted(parts, key=len, reverse=True))


def _pad_summaries(setup: Setup) -> tuple[str, ...]:
    """What a score pad is for, how it ends and who wins, the longest wording first."""
    sheet = pad.restore_pad(setup.seat_count, setup.options)
    said = [sheet.title]
    if sheet.target:
        said.append(text("to {target}", target=sheet.target))
    if sheet.turn_limit:
        said.append(plural_text(sheet.turn_limit, "{number} turn", "{number} turns"))
    if sheet.lowest_wins:
        said.append(text("low wins"))
    return tuple(join_texts(said[:count], ", ") for count in range(len(said), 0, -1))


def seats_screen(session: Session, setup: Setup) -> Screen:
    """The question who sits where, which starts with those of the last round.

    Where only some of the players have names, it is preceded by the question who the first of the others is: nobody
    should find a nameless player among them in the middle of a game.
    """
    if len(setup.names) == setup.seat_count:
        return Seats(setup)
    setup = with_starting_names(session, setup)
    known_names = (*session.phones.players, *_human_names(session))
    padded = [seat for seat, name in enumerate(setup.names, 1) if name not in known_names]
    has_names = any(name not in NAMELESS_PLAYERS for name in setup.names)
    return seat_question(session, setup, padded[0]) if padded and has_names else Seats(setup)


def with_starting_names(session: Session, setup: Setup) -> Setup:
    """The setup with the names to start with, unless it has names for all seats."""
    if len(setup.names) == setup.seat_count:
        return setup
    return setup._replace(names=starting_names(session, setup.seat_count))


def starting_names(session: Session, seats: int) -> tuple[str, ...]:
    """The names to start with: players who have a phone, those of the last round, then the configured ones.

    A seat that is left over gets the name "Player" with its number, unless that name sits elsewhere already.
    """
    names = list(dict.fromkeys((*session.phones.players, *_human_names(session))))[:seats]
    for seat in range(len(names), seats):
        names.append(next(name for name in (NAMELESS_PLAYERS[seat], *NAMELESS_PLAYERS) if name not in names))
    return tuple(names)


def people_to_choose(session: Session) -> list[str]:
    """The people among `selectable_names`, favourites first."""
    favourites = session.history.favourites
    people = (name for name in _human_names(session) if name not in NAMELESS_PLAYERS)
    return sorted(people, key=lambda name: name not in favourites)


def selectable_names(session: Session) -> tuple[str, ...]:
    """All names to choose from: people who have played, are configured or have a phone, then nameless players."""
    return tuple(dict.fromkeys((*_human_names(session), *NAMELESS_PLAYERS)))


def _human_names(session: Session) -> tuple[str, ...]:
    history, phones = session.history, session.phones
    names = dict.fromkeys((*history.player_names, *session.settings.player_names, *history.favourites, *phones.players))
    return tuple(name for name in names if not computer_strength(name))


def seat_question(
    session: Session, setup: Setup, seat: int, *, is_over_screen: bool = False, is_single_seat: bool = False
) -> SetupQuestion:
    """The question who sits in a seat: a known name, a new one, a nameless player, or the computer.

    Favourites come first; "new name" is always among the entries that are visible at first. BACK closes the question if
    `is_over_screen`, and otherwise leads to the previous question. With `is_single_seat` only this seat is asked about.
    """
    taken = _taken_names(setup, seat, is_single_seat=is_single_seat)
    free = [name for name in selectable_names(session) if name not in taken]
    named = [name for name in people_to_choose(session) if name in free]
    current_name = setup.names[seat - 1]
    # One nameless player is enough: normally the one with this seat's number.
    nameless = (current_name, NAMELESS_PLAYERS[seat - 1], *NAMELESS_PLAYERS)
    spare = [next(name for name in nameless if name in NAMELESS_PLAYERS and name in free)]
    computers = computer_players(setup, taken)
    people = [*named, *spare, *computers]
    actions = {
        name: partial(_assign_seat, name=name, setup=setup, seat=seat, is_single_seat=is_single_seat) for name in people
    }
    seat_notes = {name: text("seat {seat}", seat=at) for at, name in enumerate(setup.names, 1) if at != seat}
    items = [
        MenuItem(computers.get(name, name), actions[name], seat_notes.get(name, ""), names=(name,)) for name in people
    ]
    new_name_index = min(len(named), MAX_NAMES_ABOVE_NEW)
    items.insert(
        new_name_index,
        MenuItem(text("new name"), partial(_open_name_input, setup=setup, seat=seat, is_single_seat=is_single_seat)),
    )
    # For a seat without a name the cursor is on "new name", right below the known names.
    cursor = (
        new_name_index
        if current_name in spare
        else next((at for at, item in enumerate(items) if current_name in item.names), 0)
    )
    back_hint = text("back") if is_over_screen else text("set-up")
    title, notes = text("Seat {seat}", seat=seat), (text("who sits here"),)
    return SetupQuestion(title, notes, tuple(items), setup, is_over_screen, back_hint, cursor=cursor)


def _taken_names(setup: Setup, seat: int, *, is_single_seat: bool) -> tuple[str, ...]:
    """The names that can't be put into a seat: those of the earlier seats; with `is_single_seat` of all others."""
    return setup.names[: seat - 1] + (setup.names[seat:] if is_single_seat else ())


def computer_players(setup: Setup, taken: tuple[str, ...]) -> dict[str, str]:
    """The names under which the computer can take a seat, each with its label; {} if it doesn't play this game."""
    if not games.manifest_of(setup.game).allows_computer_player:
        return {}
    known = zip(COMPUTER_NAMES, STRENGTH_NAMES, strict=True)
    return {name: text("{name} plays: {how}", name=name, how=how) for name, how in known if name not in taken}


def _assign_seat(session: Session, name: str, *, setup: Setup, seat: int, is_single_seat: bool = False) -> Session:
    """Put a name into a seat. If that name sat elsewhere, the two change places.

    Then the next seat is asked for, unless `is_single_seat`.
    """
    names = [setup.names[seat - 1] if each == name else each for each in setup.names]
    names[seat - 1] = name
    name_before = setup.names[seat - 1]
    if name_before in NAMELESS_PLAYERS and name_before not in names:
        session = rename_phone_owner(session, name_before, name)
    setup = setup._replace(names=tuple(names))
    next_screens: tuple[Screen, ...] = (Seats(setup),)
    # The earlier seats stay open below, so that BACK leads from each seat to the one before.
    if not is_single_seat and seat < setup.seat_count:
        next_screens = tuple(
            seat_question(session, setup, each, is_over_screen=each > 1) for each in range(1, seat + 2)
        )
    if computer_strength(name):
        return session.open_screens(
            computer_player_page(setup.game, name, lambda after: show_question(after, *next_screens))
        )
    return show_question(session, *next_screens)


def _open_name_input(session: Session, setup: Setup, seat: int, is_single_seat: bool) -> Session:
    on_done = partial(_assign_new_name, setup=setup, seat=seat, is_single_seat=is_single_seat)
    return session.open_screens(SpellingScreen(text("New name"), text("seat {seat}", seat=seat), on_done))


def _assign_new_name(session: Session, name: str, *, setup: Setup, seat: int, is_single_seat: bool) -> Session:
    """Put a new name into a seat, or say why not. It is offered from then on."""
    if computer_strength(name) and not games.manifest_of(setup.game).allows_computer_player:
        return session.open_screens(TextPage((name, COMPUTER_NAME_TEXT)))
    if name in _taken_names(setup, seat, is_single_seat=is_single_seat):
        said = text("{who} is already in seat {seat}.", who=name, seat=setup.names.index(name) + 1)
        return session.open_screens(TextPage((name, said)))
    sit = partial(_assign_seat, setup=setup, seat=seat, is_single_seat=is_single_seat)
    on_new = partial(_add_name_and_assign, setup=setup, seat=seat, is_single_seat=is_single_seat, name=name)
    return ask_about_similar_name(session, name, selectable_names(session), sit, on_new)


def _add_name_and_assign(session: Session, setup: Setup, seat: int, name: str, *, is_single_seat: bool) -> Session:
    if name not in session.history.player_names:
        session = session._replace(history=session.history._replace(player_names=(*session.history.player_names, name)))
    return _assign_seat(session, name, setup=setup, seat=seat, is_single_seat=is_single_seat)


def computer_player_text(game: str) -> str:
    """What players should know who give a seat to the computer."""
    for held in games.manifest_of(game).holdings.values():
        words = "You make its moves and see its {pieces}. The round stays out of the standings."
        return text(words, pieces=held.pieces)
    return text("You make its moves. The round stays out of the standings.")


def computer_player_page(game: str, name: str, open_next: Callable[[Session], Session]) -> TextPage:
    """The page with that text for the computer player `name`; then `open_next` makes the session."""
    return TextPage((name, computer_player_text(game)), open_next=open_next)

"""Before a round: the main menu, the game's options, the players, open or sealed holdings.

One press a question takes its default. The questions of a game stand in a fixed order: its options, the number of
seats where there is a choice, the match, the players, and a question for each holding of each seat.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion import entry as entries
from companion import games, pad
from companion.session import clock, doctor, lists, pad_setup, pads, rounds
from companion.session.model import (
    About,
    Figure,
    Item,
    Menu,
    PadRound,
    Page,
    Resume,
    Round,
    Seats,
    Session,
    Setup,
    Spelling,
    Write,
    pad_rebuilt,
    rebuilt,
)

if TYPE_CHECKING:
    from companion.session.model import Mode, Saved

NAMES = {"coral-reef": "Coral Reef", "27": "27", "prime-attactics": "Prime Attactics", "ziggurat": "Ziggurat"}
"""Game id → name, in the order of the menu of a first evening; spares the menu importing every game."""
MENU = {**NAMES, pad.ID: pad.NAME}
"""The same with the score pad, the last entry of the menu until it is played."""

GOALS = ((0, "single round", ""), (2, "two wins", "best of 3"), (3, "three wins", "best of 5"),
         (4, "four wins", "best of 7"), (5, "five wins", "best of 9"))  # fmt: skip
LABELS = {"cutup": "cut-up"}
"""How an option's value is written for players where records write it otherwise."""
LARGE = 8
"""Holdings of more pieces than this are sealed unless chosen otherwise; typing them in takes too long."""

LONGEST_NAME = 16
_SPARE = tuple(f"Player {seat}" for seat in range(1, 9))
LETTERS = " ABCDEFGHIJKLMNOPQRSTUVWXYZ-'.0123456789"
_TAPS = {"1": "-'.1", "2": "ABC2", "3": "DEF3", "4": "GHI4", "5": "JKL5", "6": "MNO6", "7": "PQRS7", "8": "TUV8",
         "9": "WXYZ9", "0": " 0"}  # fmt: skip
_TAP_SECONDS = 1.2


def main_menu(session: Session, game: str = "") -> Session:
    """The games, the last played first, the cursor on `game`."""
    order = (*session.past.last_games, *(g for g in MENU if g not in session.past.last_games))
    items = tuple(Item("game", MENU[game], game) for game in order if game in MENU)
    at = next((at for at, item in enumerate(items) if item.note == game), 0)
    return session._replace(mode=Menu("main", items, at), round=None, pad=None, thought=0.0)


def more_menu(session: Session, at: int = 0) -> Session:
    """What the main menu leads to besides games, the cursor on entry `at`."""
    items = (
        Item("standings", "Standings"),
        Item("history", "History"),
        Item("hints", f"Hints: {'on' if session.hints else 'off'}"),
        Item("clock", f"Clock: {'on' if session.timing else 'off'}"),
        Item("doctor", "Doctor"),
    )
    return session._replace(mode=Menu("more", items, at))


def press_menu(session: Session, menu: Menu, key: str) -> Session:
    """A key in any menu of the setting-up: main, more, history, or a question."""
    if key == "*":
        return _left(session, menu)
    menu, index = lists.press(menu, key)
    session = session._replace(mode=menu)
    if index is None:
        return session
    item = menu.items[index]
    if menu.setup is not None:
        return _answered(session, menu, menu.setup, item)
    if menu.kind == "main":
        return _choose(session, item.note)
    if menu.kind == "history":
        return session._replace(wanted=(*session.wanted, item.does))
    return _more(session, menu, item.does)


def _more(session: Session, menu: Menu, does: str) -> Session:
    if does == "hints":
        return more_menu(session._replace(hints=not session.hints), menu.cursor)
    if does == "clock":
        return more_menu(clock.switched(session), menu.cursor)
    if does == "history":
        return session._replace(wanted=(*session.wanted, "history"))
    if does == "doctor":
        return doctor.opened(session)
    return session._replace(mode=Page(does, back=menu))


def _left(session: Session, menu: Menu) -> Session:
    """``*``: one question back, out of a list, or from the main menu to "more"."""
    if menu.setup is not None:
        if menu.kind == "name" and (seat := int(menu.title.split()[1])) > 1:
            return _pick_name(session, menu.setup, seat - 1)
        return _ask(session, menu.setup._replace(asked=menu.setup.asked - 1))
    if menu.kind == "main":
        return more_menu(session)
    return more_menu(session) if menu.kind == "history" else main_menu(session)


def _choose(session: Session, game: str) -> Session:
    if game == pad.ID:
        return _ask(session, pad_setup.fresh())
    rules = games.load(game)
    options = tuple((name, values[0]) for name, values in rules.OPTIONS.items())
    return _ask(session, Setup(game, options, rules.PLAYERS[0]))


def again(session: Session, number: int, about: About) -> Session:
    """From a round or pad in which nothing has been entered back to its last question; it is set aside."""
    holdings = () if about.game == pad.ID else games.load(about.game).HOLDINGS
    asked = [(kind, seat) for kind in holdings for seat in range(1, len(about.names) + 1)]
    sealed = tuple(each for each in asked if each not in about.opened)
    setup = Setup(about.game, about.options, len(about.names), about.goal, about.names, about.opened, sealed)
    session = session._replace(round=None, pad=None, unsaved=(*session.unsaved, Write(number, "aside")))
    return _ask(session, setup._replace(asked=len(_questions(setup)) - 1))


def _questions(setup: Setup) -> list[tuple[str, str, int]]:
    """What is asked: (question, option or holding, seat)."""
    if setup.game == pad.ID:
        return pad_setup.questions(setup)
    rules = games.load(setup.game)
    asked = [("option", name, 0) for name in rules.OPTIONS]
    if len(rules.PLAYERS) > 1:
        asked.append(("seats", "", 0))
    asked += [("match", "", 0), ("players", "", 0)]
    asked += [("holding", kind, seat) for seat in range(1, setup.seats + 1) for kind in rules.HOLDINGS]
    return asked


def _ask(session: Session, setup: Setup) -> Session:
    """The session at the question `setup.asked`; before the first is the main menu, after the last the round."""
    questions = _questions(setup)
    if setup.asked < 0:
        return main_menu(session, setup.game)
    if setup.asked >= len(questions):
        if setup.game == pad.ID:
            return pads.begin(session, About(pad.ID, setup.options, setup.names))
        return rounds.begin(session, About(setup.game, setup.options, setup.names, setup.goal, opened=setup.opened))
    return session._replace(mode=_question(session, setup, *questions[setup.asked]))


def _question(session: Session, setup: Setup, question: str, which: str, seat: int) -> Mode:
    name = MENU[setup.game]
    if question == "pad":
        return pad_setup.question(session.past, setup, which)
    if question == "option":
        title, notes = entries.load(setup.game).ASKS[which]
        values = games.load(setup.game).OPTIONS[which]
        items = tuple(Item(value, LABELS.get(value, value), note) for value, note in zip(values, notes, strict=True))
        return Menu("option", items, values.index(dict(setup.options)[which]), name, title, setup)
    if question == "seats":
        items = tuple(Item(str(n), {2: "two", 4: "four"}[n] + " players") for n in games.load(setup.game).PLAYERS)
        return Menu("seats", items, 0, name, "how many play", setup)
    if question == "match":
        items = tuple(Item(str(goal), label, note) for goal, label, note in GOALS)
        return Menu("match", items, 0, name, "rounds", setup)
    if question == "players":
        return Seats(setup if len(setup.names) == setup.seats else setup._replace(names=_names(session, setup.seats)))
    return _holding(setup, which, seat)


def _holding(setup: Setup, kind: str, seat: int) -> Menu:
    noun, pieces = entries.load(setup.game).HOLDINGS[kind]
    size = games.load(setup.game).size(kind, setup.seats, dict(setup.options))
    items = (Item("sealed", "sealed", "I only count them"), Item("open", "open", "typed in, masked"))
    if noun == "display":
        items = (Item("sealed", "sealed", "I only count them"), Item("open", "open", "face up, typed in"))
    likely = noun == "display" and size <= LARGE
    cursor = int((kind, seat) in setup.opened or (likely and (kind, seat) not in setup.sealed))
    return Menu("holding", items, cursor, f"{setup.names[seat - 1]}'s {noun}", f"{size} {pieces}", setup)


def _answered(session: Session, menu: Menu, setup: Setup, item: Item) -> Session:
    if menu.kind == "name":
        return _named(session, menu, setup, item)
    question, which, seat = _questions(setup)[setup.asked]
    if question == "pad":
        return _padded(session, setup, which, item)
    if question == "option":
        setup = setup._replace(options=tuple((o, item.does if o == which else v) for o, v in setup.options))
    elif question == "seats":
        setup = setup._replace(seats=int(item.does), names=setup.names[: int(item.does)], opened=(), sealed=())
    elif question == "match":
        setup = setup._replace(goal=int(item.does))
    else:
        others = [tuple(each for each in held if each != (which, seat)) for held in (setup.opened, setup.sealed)]
        opened, sealed = ((*held, (which, seat)) if item.does == chosen else held
                          for held, chosen in zip(others, ("open", "sealed"), strict=True))  # fmt: skip
        setup = setup._replace(opened=opened, sealed=sealed)
    return _ask(session, setup._replace(asked=setup.asked + 1))


def _padded(session: Session, setup: Setup, which: str, item: Item) -> Session:
    """A question of the score pad answered; a game known from earlier is asked about nothing but its players."""
    if item.does == "new":
        return session._replace(mode=Spelling(setup, 0))
    if item.does == "as before":
        setup = pad_setup.as_before(session.past, setup, item.label)
        return _ask(session, setup._replace(asked=len(_questions(setup)) - 1))
    setup = pad_setup.answered(setup, which, item.does)
    return _ask(session, setup._replace(asked=setup.asked + 1))


def press_figure(session: Session, mode: Figure, key: str) -> Session:
    """The score pad's target or number of turns: digits, or up and down; OK is done, BACK erases or goes back."""
    setup = mode.setup
    which = _questions(setup)[setup.asked][1]
    if key == "#":
        return _ask(
            session, pad_setup.answered(setup, which, mode.keys or str(mode.value))._replace(asked=setup.asked + 1)
        )
    if key == "*" and not mode.keys:
        return _ask(session, setup._replace(asked=setup.asked - 1))
    return session._replace(mode=pad_setup.changed(mode, which, key))


# -- players ----------------------------------------------------------------------------------------------------


def _names(session: Session, seats: int) -> tuple[str, ...]:
    """The names to start with: those of the last round, then the configured ones."""
    return _all_names(session)[:seats]


def _all_names(session: Session) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*session.past.names, *session.settings.names, *_SPARE)))


def press_seats(session: Session, seats: Seats, key: str) -> Session:
    """Who sits where: OK starts, left and right move everybody up a seat, a digit or BACK changes a name."""
    setup = seats.setup
    if key == "#":
        return _ask(session, setup._replace(asked=setup.asked + 1, opened=(), sealed=()))
    if key in ("left", "right", "0"):
        turned = (*setup.names[1:], setup.names[0])
        return session._replace(mode=Seats(setup._replace(names=turned)))
    if key in "12345678" and int(key) <= setup.seats:
        return _pick_name(session, setup, int(key))
    if key in ("*", "up", "down"):
        return _pick_name(session, setup, 1)
    return session


def _pick_name(session: Session, setup: Setup, seat: int) -> Session:
    """Who sits in a seat: whoever is known, a new name, or one of as many nameless players as there are seats."""
    free = [name for name in _all_names(session) if name not in setup.names[: seat - 1]]
    names = [name for name in free if name not in _SPARE]
    spare = [name for name in free if name in _SPARE and (name in setup.names or name in _SPARE[: setup.seats])]
    items = (
        *(Item(str(seat), name) for name in names),
        Item(f"new {seat}", "new name"),
        *(Item(str(seat), name) for name in spare),
    )
    at = next((at for at, item in enumerate(items) if item.label == setup.names[seat - 1]), 0)
    if setup.names[seat - 1] in spare:
        at = len(names)  # Whoever is still nameless most likely wants a name.
    return session._replace(mode=Menu("name", items, at, "Seat " + str(seat), "who sits here", setup))


def _named(session: Session, menu: Menu, setup: Setup, item: Item) -> Session:
    if item.does.startswith("new"):
        return session._replace(mode=Spelling(setup, int(item.does[4:])))
    return _seated(session, setup, int(item.does), item.label)


def _seated(session: Session, setup: Setup, seat: int, name: str) -> Session:
    """The session with a name in a seat; whoever sat there changes places with it."""
    names = [setup.names[seat - 1] if each == name else each for each in setup.names]
    names[seat - 1] = name
    setup = setup._replace(names=tuple(names))
    if seat < setup.seats:
        return _pick_name(session, setup, seat + 1)
    return session._replace(mode=Seats(setup))


def press_spelling(session: Session, mode: Spelling, key: str) -> Session:
    """A new name: up and down change the last letter, right adds one, or multi-tap; OK is done, BACK erases.

    A letter is itself: A to D of a keypad, all of them on the keyboard of a terminal.
    """
    text = mode.text
    if key == "#":
        name = text.strip()
        if name and not mode.seat:
            return _padded(session, mode.setup, "title", Item(name, name))
        return _seated(session, mode.setup, mode.seat, name) if name else session
    if key in ("*", "left"):
        if not text and key == "*" and not mode.seat:
            return _ask(session, mode.setup)
        if not text:
            return _pick_name(session, mode.setup, mode.seat) if key == "*" else session
        return session._replace(mode=mode._replace(text=text[:-1], tap=("", 0.0)))
    if key in ("up", "down"):
        letter = text[-1:].upper() or " "
        at = LETTERS.find(letter) + (1 if key == "up" else -1)
        return session._replace(mode=mode._replace(text=_cased(text[:-1], LETTERS[at % len(LETTERS)])))
    if key == "right" and text and len(text) < LONGEST_NAME:
        return session._replace(mode=mode._replace(text=_cased(text, "A")))
    if key in _TAPS:
        return session._replace(mode=_tapped(mode, key, session.clock))
    if key in LETTERS and len(text) < LONGEST_NAME:
        return session._replace(mode=mode._replace(text=_cased(text, key), tap=("", 0.0)))
    return session


def _tapped(mode: Spelling, key: str, now: float) -> Spelling:
    """Multi-tap: the same key soon again changes the last letter, else a letter is added."""
    letters = _TAPS[key]
    last, at = mode.tap
    if key == last and now - at < _TAP_SECONDS and mode.text[-1:].upper() in letters:
        letter = letters[(letters.index(mode.text[-1].upper()) + 1) % len(letters)]
        return mode._replace(text=_cased(mode.text[:-1], letter), tap=(key, now))
    if len(mode.text) >= LONGEST_NAME:
        return mode
    return mode._replace(text=_cased(mode.text, letters[0]), tap=(key, now))


def _cased(text: str, letter: str) -> str:
    """The text with a letter more, a capital at the start of each word."""
    return text + (letter if not text or text[-1] in " -'." else letter.lower())


# -- what was left ----------------------------------------------------------------------------------------------


def press_resume(session: Session, mode: Resume, key: str) -> Session:
    """Go on? OK does, BACK keeps it as unfinished and starts anew; 0 opens the doctor, as on the title."""
    if key == "0":
        return doctor.opened(session)
    if key == "#" and isinstance(mode.round, PadRound):
        return pads.table(session._replace(pad=mode.round))
    if key == "#" and isinstance(mode.round, Round):
        session = session._replace(round=mode.round)
        if mode.between:
            return rounds.begin(session, rounds.following(mode.round))
        return session._replace(mode=rounds.table(mode.round))
    if key == "*":
        kept = session._replace(unsaved=(*session.unsaved, Write(mode.round.id, "aside")))
        return opening(kept)
    return session


def opening(session: Session) -> Session:
    """Where the table starts when nothing is unfinished: the round of the command line, or the menu."""
    about = session.settings.about
    if about is None:
        return main_menu(session)
    names = about.names or _names(session, games.load(about.game).PLAYERS[0])
    return rounds.begin(session, about._replace(names=names))


def left(kept: Saved) -> Resume:
    """The question for an unfinished round, or for the match that its finished one belongs to.

    Raises Refused or ValueError where it no longer replays.
    """
    if kept.about.game == pad.ID:
        return Resume(pad_rebuilt(kept))
    round_ = rebuilt(kept)
    return Resume(round_, between=round_.over)

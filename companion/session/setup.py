"""Before a round: what the main menu, the answers to its questions, the players and a round left behind lead to.

One press a question takes its default; `questions` tells what is asked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion import games
from companion.games.score_pad import rules as pad
from companion.session import clock, doctor, menu_keys, pad_setup, pads, phones, questions, rounds
from companion.session.model import (
    Figure,
    Item,
    LogEntry,
    MatchScore,
    Menu,
    PadOver,
    PadRound,
    Page,
    Resume,
    Round,
    RoundHeader,
    RoundOver,
    Seats,
    Session,
    Setup,
    Spelling,
    pad_of,
    round_of,
)
from companion.session.spelling import spelled

if TYPE_CHECKING:
    from companion.session.model import StoredRound


def main_menu(session: Session, game: str = "") -> Session:
    """The games, each always with the same digit; the cursor is on `game`, else on the one played last."""
    menu = {each.id: each.name for each in games.known(session.past.seen)}
    items = tuple(Item("game", name, id_) for id_, name in menu.items())
    likely = [each for each in (game, *session.past.last_games) if each in menu]
    at = list(menu).index(likely[0]) if likely else 0
    return session._replace(mode=Menu("main", items, at), round=None, pad=None, previous=None, thinking_seconds=0.0)


def more_menu(session: Session, at: int = 0) -> Session:
    """What the main menu leads to besides games, the cursor on entry `at`."""
    items = (
        Item("standings", "Standings"),
        Item("history", "History"),
        Item("hints", f"Hints: {'on' if session.hints else 'off'}"),
        Item("clock", f"Clock: {'on' if session.timing else 'off'}"),
        Item("doctor", "Doctor"),
        Item("phones", "Phones"),
    )
    return session._replace(mode=Menu("more", items, at))


def press_menu(session: Session, menu: Menu, key: str) -> Session:
    """A key in any menu of the setting-up: main, more, history, or a question."""
    if key == "*":
        return _left(session, menu)
    if menu.kind == "main" and key == "right" and last_head(session, menu.items[menu.cursor].note) is not None:
        return same_again(session, menu.items[menu.cursor].note)
    menu, index = menu_keys.press(menu, key)
    session = session._replace(mode=menu)
    if index is None:
        return session
    item = menu.items[index]
    if menu.setup is not None:
        return _answered(session, menu, menu.setup, item)
    if menu.kind == "main":
        return _choose(session, item.note)
    if menu.kind == "history":
        return session._replace(requests=(*session.requests, item.does))
    return _more(session, menu, item.does)


def _more(session: Session, menu: Menu, does: str) -> Session:
    if does == "hints":
        return more_menu(rounds.hints_switched(session), menu.cursor)
    if does == "clock":
        return more_menu(clock.switched(session), menu.cursor)
    if does == "history":
        return session._replace(requests=(*session.requests, "history"))
    if does == "doctor":
        return doctor.opened(session)
    if does == "phones":
        return phones.opened(session)
    return session._replace(mode=Page(does, back=menu))


def _left(session: Session, menu: Menu) -> Session:
    """``*``: one question back, out of a list, or from the main menu to "more"."""
    if menu.setup is not None:
        if menu.kind == "name" and (seat := int(menu.title.split()[1])) > 1:
            return session._replace(mode=questions.who(session, menu.setup, seat - 1))
        return _ask(session, menu.setup._replace(asked=menu.setup.asked - 1))
    if menu.kind == "main":
        return more_menu(session)
    return more_menu(session) if menu.kind == "history" else main_menu(session)


def _choose(session: Session, game: str) -> Session:
    if game == pad.ID:
        return _ask(session, _begun(session, game) or pad_setup.fresh())
    chosen = games.manifest(game)
    return _ask(session, _begun(session, game) or Setup(game, tuple(chosen.defaults.items()), chosen.players[0]))


def _begun(session: Session, game: str) -> Setup | None:
    """What was chosen when the questions of a game were left, else what it was played with last."""
    for setup in session.left:
        if setup.game == game:
            return setup._replace(asked=0)
    about = last_head(session, game)
    return None if about is None or game == pad.ID else _chosen(about)


def last_head(session: Session, game: str) -> RoundHeader | None:
    """The head of the last round of a game, None where it has none that could be played again."""
    about = next((each for each in session.past.heads if each.game == game), None)
    if about is None or game == pad.ID:
        return about
    known = games.manifest(game)
    options = dict(about.options)
    fits = len(about.names) in known.players and options.keys() == known.options.keys()
    return about if fits and all(options[name] in option.values for name, option in known.options.items()) else None


def same_again(session: Session, game: str) -> Session:
    """The last round of a game once more: its options, players, match and open holdings, another player first."""
    about = last_head(session, game)
    if about is None:
        return session
    about = rounds.again(rounds.moved_up(about))
    return pads.begin(session, about) if game == pad.ID else rounds.begin(session, about)


def _chosen(about: RoundHeader) -> Setup:
    """The answers that led to a round."""
    asked = [(kind, seat) for kind in games.manifest(about.game).holdings for seat in range(1, len(about.names) + 1)]
    sealed = tuple(each for each in asked if each not in about.opened)
    return Setup(about.game, about.options, len(about.names), about.goal, about.names, about.opened, sealed)


def earlier(session: Session, about: RoundHeader) -> Session:
    """From a round or pad in which nothing has happened back to the result before it, else to its last question."""
    before = session.previous
    if isinstance(before, Round):
        return session._replace(round=before, pad=None, previous=None, mode=RoundOver(), thinking_seconds=0.0)
    if before is not None:
        return session._replace(round=None, pad=before, previous=None, mode=PadOver())
    setup = _chosen(about)
    session = session._replace(round=None, pad=None)
    return _ask(session, setup._replace(asked=len(questions.asked(setup)) - 1))


def set_aside(session: Session, left: Round | PadRound) -> Session:
    """The session with a round or pad kept as unfinished, which is not offered again; an empty one is not kept."""
    if left.empty:
        return session
    return session._replace(unsaved=(*session.unsaved, LogEntry(left.id, "aside")))


def _ask(session: Session, setup: Setup) -> Session:
    """The session at the question `setup.asked`; before the first is the main menu, after the last the round."""
    found = questions.asked(setup)
    if setup.asked < 0:
        left = (setup, *(each for each in session.left if each.game != setup.game))
        return main_menu(session._replace(left=left), setup.game)
    if setup.asked >= len(found):
        session = session._replace(left=tuple(each for each in session.left if each.game != setup.game))
    if setup.asked >= len(found):
        if setup.game == pad.ID:
            return pads.begin(session, RoundHeader(pad.ID, setup.options, setup.names))
        return rounds.begin(
            session, RoundHeader(setup.game, setup.options, setup.names, setup.goal, opened=setup.opened)
        )
    return session._replace(mode=questions.question(session, setup, *found[setup.asked]))


def _answered(session: Session, menu: Menu, setup: Setup, item: Item) -> Session:
    if menu.kind == "name":
        return _named(session, menu, setup, item)
    question, which, seat = questions.asked(setup)[setup.asked]
    if question == "pad":
        return _padded(session, setup, which, item)
    if question == "option":
        setup = setup._replace(options=tuple((o, item.does if o == which else v) for o, v in setup.options))
    elif question == "seats":
        if int(item.does) != setup.seats:
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
        return _ask(session, setup._replace(asked=len(questions.asked(setup)) - 1))
    setup = pad_setup.answered(setup, which, item.does)
    return _ask(session, setup._replace(asked=setup.asked + 1))


def press_figure(session: Session, mode: Figure, key: str) -> Session:
    """The score pad's target or number of turns: digits, or up and down; OK is done, BACK erases or goes back."""
    setup = mode.setup
    which = questions.asked(setup)[setup.asked][1]
    if key == "#":
        return _ask(
            session, pad_setup.answered(setup, which, mode.keys or str(mode.value))._replace(asked=setup.asked + 1)
        )
    if key == "*" and not mode.keys:
        setup = pad_setup.answered(setup, which, str(mode.value))
        return _ask(session, setup._replace(asked=setup.asked - 1))
    return session._replace(mode=pad_setup.changed(mode, which, key))


# -- players ----------------------------------------------------------------------------------------------------


def press_seats(session: Session, seats: Seats, key: str) -> Session:
    """Who sits where: OK starts, left and right move everybody up a seat, a digit or BACK changes a name."""
    setup = seats.setup
    if key == "#":
        return _ask(session, setup._replace(asked=setup.asked + 1))
    if key in ("left", "right", "0"):
        turned = (*setup.names[1:], setup.names[0])
        return session._replace(mode=Seats(setup._replace(names=turned)))
    if key in "12345678" and int(key) <= setup.seats:
        return session._replace(mode=questions.who(session, setup, int(key)))
    if key in ("*", "up", "down"):
        return session._replace(mode=questions.who(session, setup, 1))
    return session


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
        return session._replace(mode=questions.who(session, setup, seat + 1))
    return session._replace(mode=Seats(setup))


def press_spelling(session: Session, mode: Spelling, key: str) -> Session:
    """A new name of a player, or of a score pad's game: OK is done, BACK erases or leaves.

    A player's name is offered from then on.
    """
    name = mode.text.strip()
    if key == "#" and name:
        if not mode.seat:
            return _padded(session, mode.setup, "title", Item(name, name))
        if name not in session.past.names:
            session = session._replace(past=session.past._replace(names=(*session.past.names, name)))
        return _seated(session, mode.setup, mode.seat, name)
    if key == "*" and not mode.text:
        if not mode.seat:
            return _ask(session, mode.setup)
        return session._replace(mode=questions.who(session, mode.setup, mode.seat))
    return session._replace(mode=spelled(mode, key, session.clock))


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
            return rounds.next_round(session._replace(mode=MatchScore()))
        return session._replace(mode=rounds.table(mode.round))
    if key == "*":
        return opening(set_aside(session, mode.round))
    return session


def opening(session: Session) -> Session:
    """Where the table starts when nothing is unfinished: the round of the command line, or the menu."""
    about = session.settings.about
    if about is None:
        return main_menu(session)
    names = about.names or questions.names(session, games.manifest(about.game).players[0])
    return rounds.begin(session, about._replace(names=names))


def left(kept: StoredRound) -> Resume:
    """The question for an unfinished round, or for the match that its finished one belongs to.

    Raises Refused or ValueError where it no longer replays.
    """
    if kept.about.game == pad.ID:
        return Resume(pad_of(kept))
    round_ = round_of(kept)
    return Resume(round_, between=round_.over)

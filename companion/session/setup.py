"""Answering the questions before a round or score pad; the last answer begins it.

OK takes the default of a question. The questions themselves are in `questions`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion import games
from companion.game.manifest import HOLDING_KINDS
from companion.game.opponent import strength
from companion.games.score_pad import rules as pad
from companion.session import clock_setting, menu_keys, pad_rounds, pad_setup, questions, rounds
from companion.session.actions import Action, Choose, Count, Goal, Hold, PadAgain, Sit, Spell, Time
from companion.session.main_menu import main_menu
from companion.session.model import (
    ClockSetting,
    Figure,
    Menu,
    PadOver,
    PadRound,
    Page,
    PageKind,
    Round,
    RoundHeader,
    RoundOver,
    Seats,
    Session,
    Setup,
    Spelling,
)
from companion.session.spelling import spelled

if TYPE_CHECKING:
    from companion.game.manifest import HoldingKind
    from companion.inputs import Offer
    from companion.session.actions import Does
    from companion.session.model import Mode, Question


def press_question(session: Session, menu: Menu, setup: Setup, key: str) -> Session:
    """A key in a question before the round: a digit or OK answers, BACK goes one question back."""
    if key == "*":
        if menu.kind == "clock":
            return _clock_chosen(session, setup)
        does = menu.items[menu.cursor].does
        if isinstance(does, Sit | Spell) and does.seat > 1:
            return session._replace(mode=questions.who(session, setup, does.seat - 1))
        return _ask(session, setup._replace(asked=setup.asked - 1))
    menu, index = menu_keys.press(menu, key)
    session = session._replace(mode=menu)
    if index is None:
        return session
    item = menu.items[index]
    if item.why:
        return session._replace(mode=Page(PageKind.ANSWER, (item.label, item.why), back=menu))
    return _answered(session, setup, item.does)


def choose(session: Session, game: str) -> Session:
    """The first question of a game, with the previous choices as defaults."""
    if game == pad.ID:
        return _ask(session, _begun(session, game) or pad_setup.fresh())
    chosen = games.manifest(game)
    return _ask(session, _begun(session, game) or Setup(game, tuple(chosen.defaults.items()), chosen.players[0]))


def _begun(session: Session, game: str) -> Setup | None:
    """The choices of a setup that was left half-way, else those of the game's last round."""
    for setup in session.left:
        if setup.game == game:
            return setup._replace(asked=0)
    header = last_head(session, game)
    return None if header is None or game == pad.ID else _chosen(header)


def last_head(session: Session, game: str) -> RoundHeader | None:
    """The header of the last round of a game that can be played again, None for none."""
    header = next((each for each in session.past.heads if each.game == game), None)
    if header is None or game == pad.ID:
        return header
    known = games.manifest(game)
    options = dict(header.options)
    fits = len(header.names) in known.players and options.keys() == known.options.keys()
    return header if fits and all(options[name] in option.values for name, option in known.options.items()) else None


def same_again(session: Session, game: str) -> Session:
    """Begin a round like the last one of a game: options, players, match and open holdings; another player starts."""
    header = last_head(session, game)
    if header is None:
        return session
    header = rounds.again(rounds.moved_up(header))
    return pad_rounds.begin(session, header) if game == pad.ID else rounds.begin(session, header)


def offered(session: Session, offer: Offer) -> Session:
    """Begin the round of a pairing, or ask first which holdings are open: all else is chosen."""
    options = dict(offer.options)
    order = tuple((name, options[name]) for name in games.manifest(offer.game).options)
    chosen = Setup(offer.game, order, len(offer.names), names=offer.names)
    first = next((n for n, each in enumerate(questions.asked(chosen)) if each.kind in HOLDING_KINDS), None)
    return _ask(session, chosen._replace(asked=len(questions.asked(chosen)) if first is None else first))


def _chosen(header: RoundHeader) -> Setup:
    """The answers that led to a round."""
    asked = [(kind, seat) for kind in games.manifest(header.game).holdings for seat in range(1, len(header.names) + 1)]
    sealed = tuple(each for each in asked if each not in header.opened)
    return Setup(
        header.game, header.options, len(header.names), goal=header.goal, clock=header.clock, names=header.names,
        opened=header.opened, sealed=sealed,
    )  # fmt: skip


def take_back_words(session: Session, on_table: Round | PadRound) -> str:
    """Where take-back leads: to the move before; in a round without moves to the result or the choices before it."""
    if not on_table.empty:
        return "Take back"
    if session.previous is not None:
        return "Back to the result"
    return "Choose again" if on_table.header.number == 1 else "Take back"


def earlier(session: Session, header: RoundHeader) -> Session:
    """Go back from a round or pad without any entry: to the result before it, else to its last question."""
    before = session.previous
    if isinstance(before, Round):
        return session._replace(round=before, pad=None, previous=None, mode=RoundOver(), thinking_seconds=0.0)
    if before is not None:
        return session._replace(round=None, pad=before, previous=None, mode=PadOver())
    setup = _chosen(header)
    session = session._replace(round=None, pad=None)
    return _ask(session, setup._replace(asked=len(questions.asked(setup)) - 1))


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
            return pad_rounds.begin(session, RoundHeader(pad.ID, setup.options, setup.names))
        opened = questions.opened(setup)
        header = RoundHeader(setup.game, setup.options, setup.names, setup.goal, opened=opened, clock=setup.clock)
        return rounds.begin(session, header)
    return session._replace(mode=questions.question(session, setup, found[setup.asked]))


def _answered(session: Session, setup: Setup, does: Does) -> Session:
    """The session after the answer to a question: what the answer itself leads to, else the next question."""
    match does:
        case Sit():
            return _seated(session, setup, does.seat, does.name)
        case Spell():
            return session._replace(mode=Spelling(setup, does.seat))
        case Action.GAME_CLOCK:
            return session._replace(mode=questions.clocks(setup))
        case Action.OWN_TIMES:
            return session._replace(mode=clock_setting.opened(setup))
        case Time():
            return _clock_chosen(session, setup._replace(clock=does.control))
        case PadAgain():
            setup = pad_setup.as_before(session.past, setup, does.title)
            return _ask(session, setup._replace(asked=len(questions.asked(setup)) - 1))
    setup = _with_answer(setup, questions.asked(setup)[setup.asked], does)
    return _ask(session, setup._replace(asked=setup.asked + 1))


def _with_answer(setup: Setup, asked: Question, does: Does) -> Setup:
    """The choices with the answer to a question."""
    match does:
        case Count() if asked.kind == "pad":
            return pad_setup.with_seats(setup, does.number)
        case Choose() if asked.kind == "pad":
            return pad_setup.with_choice(setup, asked.which, does.value)
        case Count() if does.number != setup.seats:
            return setup._replace(seats=does.number, names=setup.names[: does.number], opened=(), sealed=())
        case Choose():
            options = tuple((name, does.value if name == asked.which else value) for name, value in setup.options)
            return setup._replace(options=options)
        case Goal():
            return setup._replace(goal=does.wins)
        case Hold() if asked.kind == "deal" or asked.kind == "rack":
            return _held(setup, (asked.kind, asked.seat), opened=does.open)
    return setup


def press_clock_setting(session: Session, mode: ClockSetting, key: str) -> Session:
    """A key while the times of the game clock are set: OK takes them, BACK erases or leads back to the list."""
    if key == "#":
        return _clock_chosen(session, mode.setup._replace(clock=clock_setting.control(mode)))
    if key == "*" and not mode.keys:
        return session._replace(mode=questions.clocks(mode.setup))
    return session._replace(mode=clock_setting.changed(mode, key))


def _clock_chosen(session: Session, setup: Setup) -> Session:
    """The question of rounds again, the cursor where it was: on the game clock."""
    asked = questions.asked(setup)[setup.asked]
    return session._replace(mode=questions.question(session, setup, asked, on_clock=True))


def _held(setup: Setup, holding: tuple[HoldingKind, int], *, opened: bool) -> Setup:
    """The setup with a holding (kind, seat) open or sealed."""
    others = [tuple(each for each in held if each != holding) for held in (setup.opened, setup.sealed)]
    return setup._replace(
        opened=(*others[0], holding) if opened else others[0], sealed=others[1] if opened else (*others[1], holding)
    )


def press_figure(session: Session, mode: Figure, key: str) -> Session:
    """The score pad's target or number of turns: digits, or up and down; OK is done, BACK erases or goes back."""
    setup = mode.setup
    which = questions.asked(setup)[setup.asked].which
    if key == "#":
        setup = pad_setup.with_limit(setup, which, int(mode.keys or mode.value))
        return _ask(session, setup._replace(asked=setup.asked + 1))
    if key == "*" and not mode.keys:
        return _ask(session, pad_setup.with_limit(setup, which, mode.value)._replace(asked=setup.asked - 1))
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


def _seated(session: Session, setup: Setup, seat: int, name: str) -> Session:
    """The session with a name in a seat; whoever sat there changes places with it."""
    names = [setup.names[seat - 1] if each == name else each for each in setup.names]
    names[seat - 1] = name
    setup = setup._replace(names=tuple(names))
    following: Mode = questions.who(session, setup, seat + 1) if seat < setup.seats else Seats(setup)
    if strength(name):
        following = questions.told_of_box(setup.game, name, following)
    return session._replace(mode=following)


def press_spelling(session: Session, mode: Spelling, key: str) -> Session:
    """A new name of a player, or of a score pad's game: OK is done, BACK erases or leaves.

    A player's name is offered from then on.
    """
    name, setup = mode.text.strip(), mode.setup
    if setup is None:
        return session
    if key == "#" and name:
        if not mode.seat:
            return _answered(session, setup, Choose(name))
        if strength(name) and not games.manifest(setup.game).opponent:
            return session._replace(mode=Page(PageKind.ANSWER, (name, questions.BOX_NAME), back=mode))
        if name not in session.past.names:
            session = session._replace(past=session.past._replace(names=(*session.past.names, name)))
        return _seated(session, setup, mode.seat, name)
    if key == "*" and not mode.text:
        if not mode.seat:
            return _ask(session, setup)
        return session._replace(mode=questions.who(session, setup, mode.seat))
    return session._replace(mode=spelled(mode, key, session.clock))

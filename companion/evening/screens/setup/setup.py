"""Setting up a round or score pad, question by question. After the last one it begins.

OK takes the default of a question. The questions themselves are in `questions`, `seats` and `pad_setup`::

    open_setup ──► QuestionDue(setup) ──► ask_question ──► the screen of question `setup.question_index`
                        ▲                                          │ ask_next: one further, or one back
                        └──────────────────────────────────────────┘
    before the first one: the menu again        after the last one: the round begins
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from companion import games
from companion.evening.fields import Setup
from companion.evening.model import QuestionDue
from companion.evening.screens.pad import pad_rounds, pad_setup
from companion.evening.screens.play import round_life
from companion.evening.screens.setup import questions, seats
from companion.evening.screens.setup.questions import show_question
from companion.games.score_pad import rules as pad
from companion.languages import text
from companion.rounds.on_table import PadRound, Round
from companion.rounds.stored import RoundHeader

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.evening.model import Screen, Session
    from companion.games.api.manifest import HoldingKind, Manifest
    from companion.inputs import PairingOffer


def choose(session: Session, game: str) -> Session:
    """Ask the first question of a game, with the previous choices as defaults."""
    setup = _begun(session, game) or (pad_setup.fresh() if game == pad.PAD_ID else _fresh(games.manifest_of(game)))
    return session.open(QuestionDue(setup))


def _fresh(game: Manifest) -> Setup:
    """The setup of a game before the first question, with the default of each."""
    return Setup(game.id, tuple(game.option_defaults.items()), game.players[0])


def _begun(session: Session, game: str) -> Setup | None:
    """The choices of a setup that was left halfway, else those of the game's last round; None if there is neither."""
    for setup in session.left:
        if setup.game == game:
            return setup._replace(asked=0)
    header = last_head(session, game)
    return None if header is None or game == pad.PAD_ID else chosen(header)


def last_head(session: Session, game: str) -> RoundHeader | None:
    """The header of a game's last round if a round like it can be played, else None."""
    header = next((each for each in session.past.recent_headers if each.game == game), None)
    if header is None or game == pad.PAD_ID:
        return header
    known = games.manifest_of(game)
    options = dict(header.options)
    fits = len(header.names) in known.players and options.keys() == known.options.keys()
    return header if fits and all(options[name] in option.values for name, option in known.options.items()) else None


def set_up_pairing(session: Session, offer: PairingOffer) -> Session:
    """Begin the round of a pairing, or ask first which holdings are open. Everything else is decided."""
    options = dict(offer.options)
    order = tuple((name, options[name]) for name in games.manifest_of(offer.game).options)
    setup = Setup(offer.game, order, len(offer.names), names=offer.names, pairing=offer.id)
    return session.open(QuestionDue(setup._replace(asked=len(questions_of(setup)) - len(_asked_holdings(setup)))))


def chosen(header: RoundHeader) -> Setup:
    """The choices that led to a round."""
    asked = [(kind, seat) for kind in games.manifest_of(header.game).holdings for seat in range(1, len(header.names) + 1)]
    sealed = tuple(each for each in asked if each not in header.opened)
    return Setup(
        header.game, header.options, len(header.names), goal=header.goal, clock=header.clock, names=header.names,
        opened=header.opened, sealed=sealed, pairing=header.pairing,
    )  # fmt: skip


def take_back_words(session: Session, on_table: Round | PadRound) -> str:
    """The label for a takeback: in a round without moves it leads to the result before it, or to the setup."""
    if not on_table.is_empty:
        return text("Take back")
    if session.previous is not None:
        return text("Back to the result")
    return text("Back to set-up") if on_table.header.number == 1 else text("Take back")


def go_back(session: Session, header: RoundHeader) -> Session:
    """Go back from a round or pad without any entry: to the result before it, else to the last question."""
    on_table, before = session.pad or session.round, session.previous
    session = session if on_table is None else round_life.set_aside(session, on_table)
    if isinstance(before, Round):
        return session._replace(round=before, pad=None, previous=None, thinking_seconds=0.0).show_base()
    if before is not None:
        return session._replace(round=None, pad=before, previous=None).show_base()
    setup = chosen(header)
    last = QuestionDue(setup._replace(asked=len(questions_of(setup)) - 1))
    return session._replace(round=None, pad=None).show_base(last)


def ask(session: Session, setup: Setup) -> Session:
    """Ask question `setup.question_index`. Before the first one the setup is left, after the last its round begins."""
    found = questions_of(setup)
    others = tuple(each for each in session.left if each.game != setup.game)
    if setup.asked < 0:
        # A pairing that is left is offered again, and the next setup is another round.
        left = (
            session._replace(hall=session.hall._replace(decided="", begun=""))
            if setup.pairing
            else session._replace(left=(setup, *others))
        )
        return show_question(left)
    if setup.asked < len(found):
        return show_question(session, found[setup.asked](session, setup))
    session = session._replace(left=others)
    if setup.game == pad.PAD_ID:
        return pad_rounds.begin(session, RoundHeader(pad.PAD_ID, setup.options, setup.names))
    opened = open_holdings(setup)
    header = RoundHeader(setup.game, setup.options, setup.names, setup.goal, opened=opened, clock=setup.clock)
    return round_life.begin(session, header._replace(pairing=setup.pairing))


def questions_of(setup: Setup) -> list[Callable[[Session, Setup], Screen]]:
    """The questions in their order: options, how many play (if there is a choice), match, seats, holdings."""
    if setup.game == pad.PAD_ID:
        return pad_setup.questions(setup)
    game = games.manifest_of(setup.game)
    return [
        *(partial(questions.option, which=which) for which in game.options),
        *([questions.seats] if len(game.players) > 1 else []),
        questions.match,
        seats.open_seats,
        *(partial(questions.holding, kind=kind, seat=seat) for kind, seat in _asked_holdings(setup)),
    ]


def is_seats(question: Callable[[Session, Setup], Screen]) -> bool:
    """Whether a question is the one who sits where."""
    return question is seats.open_seats


def _asked_holdings(setup: Setup) -> list[tuple[HoldingKind, int]]:
    """The holdings that the players are asked about. Those of computer players are always open."""
    return [(kind, seat) for kind, seat in questions.holdings(setup) if not questions.box_plays(setup, seat)]


def open_holdings(setup: Setup) -> tuple[tuple[HoldingKind, int], ...]:
    """The open holdings, which are entered before the round, by seat."""
    closed = [each for each in _asked_holdings(setup) if each not in setup.opened]
    return tuple(each for each in questions.holdings(setup) if each not in closed)

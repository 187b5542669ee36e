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
from companion.evening.model import QuestionDue
from companion.evening.screens.pad import pad_actions, pad_setup
from companion.evening.screens.play import round_actions
from companion.evening.screens.setup import questions, seats
from companion.evening.screens.setup.questions import show_question
from companion.evening.session_values import Setup
from companion.games.score_pad import pad
from companion.languages import text
from companion.rounds.on_table import PadRound, Round
from companion.rounds.stored import RoundHeader

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.evening.model import Screen, Session
    from companion.games.api.manifest import HoldingKind, Manifest
    from companion.inputs import PairingOffer


def open_setup(session: Session, game: str) -> Session:
    """Ask the first question of a game, with the previous choices as defaults."""
    return session.open_screens(QuestionDue(first_setup(session, game)))


def first_setup(session: Session, game: str) -> Setup:
    """The setup of a game before its first question, with the previous choices as defaults."""
    return _previous_setup(session, game) or (
        pad_setup.new_setup() if game == pad.PAD_ID else _default_setup(games.manifest_of(game))
    )


def _default_setup(game: Manifest) -> Setup:
    """The setup of a game before the first question, with the default of each."""
    return Setup(game.id, tuple(game.option_defaults.items()), game.players[0])


def _previous_setup(session: Session, game: str) -> Setup | None:
    """The choices of a setup that was left halfway, else those of the game's last round; None if there is neither."""
    for setup in session.unfinished_setups:
        if setup.game == game:
            return setup._replace(question_index=0)
    header = last_header(session, game)
    return None if header is None or game == pad.PAD_ID else setup_from_header(header)


def last_header(session: Session, game: str) -> RoundHeader | None:
    """The header of a game's last round if a round like it can be played, else None."""
    header = next((each for each in session.history.recent_headers if each.game == game), None)
    if header is None or game == pad.PAD_ID:
        return header
    manifest = games.manifest_of(game)
    is_playable = len(header.names) in manifest.players and manifest.accepts_options(dict(header.options))
    return header if is_playable else None


def set_up_pairing(session: Session, offer: PairingOffer) -> Session:
    """Begin the round of a pairing, or ask first which holdings are open. Everything else is decided."""
    options = dict(offer.options)
    order = tuple((name, options[name]) for name in games.manifest_of(offer.game).options)
    setup = Setup(offer.game, order, len(offer.names), names=offer.names, offer_id=offer.id)
    return session.open_screens(
        QuestionDue(setup._replace(question_index=len(setup_questions(setup)) - len(_asked_holdings(setup))))
    )


def setup_from_header(header: RoundHeader) -> Setup:
    """The choices that led to a round."""
    holdings = [
        (kind, seat) for kind in games.manifest_of(header.game).holdings for seat in range(1, len(header.names) + 1)
    ]
    sealed = tuple(each for each in holdings if each not in header.opened)
    return Setup(
        header.game, header.options, len(header.names), goal=header.goal, clock=header.clock, names=header.names,
        open_holdings=header.opened, sealed_holdings=sealed, offer_id=header.pairing,
    )  # fmt: skip


def takeback_label(session: Session, table_round: Round | PadRound) -> str:
    """The label for a takeback: in a round without moves it leads to the result before it, or to the setup."""
    if not table_round.is_empty:
        return text("Take back")
    if session.previous_round is not None:
        return text("Back to the result")
    return text("Back to set-up") if table_round.header.number == 1 else text("Take back")


def return_to_result_or_setup(session: Session, header: RoundHeader) -> Session:
    """Go back from a round or pad without any entry: to the result before it, else to the last question."""
    table_round, before = session.pad or session.round, session.previous_round
    session = session if table_round is None else round_actions.save_as_unfinished(session, table_round)
    if isinstance(before, Round):
        return session._replace(round=before, pad=None, previous_round=None, thinking_seconds=0.0).show_base_screen()
    if before is not None:
        return session._replace(round=None, pad=before, previous_round=None).show_base_screen()
    setup = setup_from_header(header)
    last = QuestionDue(setup._replace(question_index=len(setup_questions(setup)) - 1))
    return session._replace(round=None, pad=None).show_base_screen(last)


def ask_question(session: Session, setup: Setup) -> Session:
    """Ask question `setup.question_index`. Before the first one the setup is left, after the last its round begins."""
    questions = setup_questions(setup)
    if setup.question_index < 0:
        other_setups = tuple(each for each in session.unfinished_setups if each.game != setup.game)
        # A pairing that is left is offered again, and the next setup is another round.
        session_after = (
            session._replace(club_offer=session.club_offer._replace(answered_id="", accepted_id=""))
            if setup.offer_id
            else session._replace(unfinished_setups=(setup, *other_setups))
        )
        return show_question(session_after)
    if setup.question_index < len(questions):
        return show_question(session, questions[setup.question_index](session, setup))
    return begin_from_setup(session, setup)


def begin_from_setup(session: Session, setup: Setup) -> Session:
    """Begin the round or score pad of a setup in which everything has been chosen."""
    other_setups = tuple(each for each in session.unfinished_setups if each.game != setup.game)
    session = session._replace(unfinished_setups=other_setups)
    if setup.game == pad.PAD_ID:
        return pad_actions.begin_pad(session, RoundHeader(pad.PAD_ID, setup.options, setup.names))
    opened = holdings_to_enter(setup)
    header = RoundHeader(setup.game, setup.options, setup.names, setup.goal, opened=opened, clock=setup.clock)
    return round_actions.begin_round(session, header._replace(pairing=setup.offer_id))


def setup_questions(setup: Setup) -> list[Callable[[Session, Setup], Screen]]:
    """The questions in their order: options, how many play (if there is a choice), match, seats, holdings."""
    if setup.game == pad.PAD_ID:
        return pad_setup.pad_questions(setup)
    game = games.manifest_of(setup.game)
    return [
        *(partial(questions.option_question, option_name=which) for which in game.options),
        *([questions.seat_count_question] if len(game.players) > 1 else []),
        questions.match_question,
        seats.seats_screen,
        *(partial(questions.holding_question, kind=kind, seat=seat) for kind, seat in _asked_holdings(setup)),
    ]


def is_seats_question(question: Callable[[Session, Setup], Screen]) -> bool:
    """Whether a question asks who sits where."""
    return question is seats.seats_screen


def _asked_holdings(setup: Setup) -> list[tuple[HoldingKind, int]]:
    """The holdings that the players are asked about. Those of computer players are always open."""
    return [
        (kind, seat)
        for kind, seat in questions.holdings_with_seats(setup)
        if not questions.is_computer_seat(setup, seat)
    ]


def holdings_to_enter(setup: Setup) -> tuple[tuple[HoldingKind, int], ...]:
    """The open holdings, which are entered before the round, by seat."""
    closed = [each for each in _asked_holdings(setup) if each not in setup.open_holdings]
    return tuple(each for each in questions.holdings_with_seats(setup) if each not in closed)

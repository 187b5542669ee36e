"""A whole setup as one form of the host's phone: what the form offers, and the start with everything that it says.

The box asks the same one question after another, see `setup`. The form leaves out the players' own times, which only
the box can set.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion import games
from companion.evening.contents import kinds
from companion.evening.screens.pad import pad_setup
from companion.evening.screens.phones.pairing import known_names
from companion.evening.screens.phones.phones_page import rename_phone_owner
from companion.evening.screens.setup import questions, seats, setup
from companion.evening.screens.setup.questions import CLOCK_CHOICES, MATCH_GOALS, is_holding_open_by_default
from companion.evening.session_values import Setup
from companion.games import game_icons
from companion.games.api.computer_players import computer_strength
from companion.games.score_pad import pad
from companion.languages import plural_text, text
from companion.rounds import game_clock, standings
from companion.rounds.game_clock import MAX_EXTRA_SECONDS, MAX_MINUTES
from companion.rounds.player_names import NAMELESS_PLAYERS, new_name_fault, normalize_name

if TYPE_CHECKING:
    from companion.evening.contents.kinds import Content
    from companion.evening.model import Session
    from companion.games.api.manifest import Manifest
    from companion.inputs import StartRequest

IMPOSSIBLE_TEXT = text("This is not possible here.")
BUSY_KINDS = (
    kinds.Question, kinds.Letters, kinds.Amount, kinds.Form, kinds.PhoneQuestion, kinds.Pairing, kinds.Resumption,
    kinds.OwnPieces, kinds.Mend,
)  # fmt: skip
"""The kinds of content in which the box waits for an answer that a new round would throw away."""


# -- what the form offers -----------------------------------------------------------------------------------------


def setup_forms(session: Session) -> dict[str, Any]:
    """The forms of all games, and what they have in common (docs/socket.md)."""
    return {
        "games": [_game_form(session, manifest) for manifest in games.all_manifests(session.history.seen_games)],
        "people": seats.people_to_choose(session),
        "goals": [[wins, questions.match_goal_text(wins)] for wins in MATCH_GOALS],
        "clocks": [[control, game_clock.settings_text(control)] for control in CLOCK_CHOICES],
        "hints": session.switches.hints,
    }


def _game_form(session: Session, game: Manifest) -> dict[str, Any]:
    """The form of one game, filled in with the choices of its last round or pad."""
    is_pad = game.id == pad.PAD_ID
    chosen = setup.first_setup(session, game.id)
    if is_pad and (titles := pad_setup.known_titles(session.history)):
        chosen = pad_setup.setup_as_before(session.history, chosen, titles[0])
    computers = seats.computer_players(chosen, ())
    return {
        "id": game.id,
        "name": game.name,
        "description": game.description,
        "picture": game_icons.game_picture(game.id),
        "players": sorted(game.players),
        "options": _pad_options(session, chosen) if is_pad else _game_options(game, chosen),
        "names": list(seats.with_starting_names(session, chosen).names),
        "computers": list(computers.items()),
        "warning": seats.computer_player_text(game.id) if computers else "",
        "holdings": [
            [
                kind,
                words.noun,
                [seat for seat in range(1, max(game.players) + 1) if is_holding_open_by_default(chosen, kind, seat)],
            ]
            for kind, words in game.holdings.items()
        ],
        "goal": chosen.goal,
        "clock": [chosen.clock, game_clock.settings_text(chosen.clock)],
    }


def _game_options(game: Manifest, chosen: Setup) -> list[dict[str, Any]]:
    return [
        {
            "name": name,
            "question": option.question,
            "chosen": dict(chosen.options)[name],
            "values": [[value, game.option_label(name, value), note] for value, note in option.values.items()],
        }
        for name, option in game.options.items()
    ]


def _pad_options(session: Session, chosen: Setup) -> list[dict[str, Any]]:
    """The options of a score pad. Those without values are typed: the title, and numbers up to ``most``."""
    options = dict(chosen.options)
    winners = [[way, words, ""] for way, words in pad_setup.WINNERS.items()]
    questions_asked: dict[str, dict[str, Any]] = {
        "title": {"question": text("which game"), "values": [], "titles": pad_setup.known_titles(session.history)},
        "wins": {"question": text("who wins"), "values": winners},
    }
    for limit, question in pad_setup.LIMIT_QUESTIONS.items():
        questions_asked[limit] = {"question": question, "values": [], "most": pad_setup.MAX_LIMITS[limit]}
    return [{"name": name, "chosen": options[name]} | asked for name, asked in questions_asked.items()]


# -- the start ----------------------------------------------------------------------------------------------------


def start_round(session: Session, content: Content | None, request: StartRequest) -> tuple[Session, str]:
    """Begin the round or pad of a form. Returns the session after it, and why it was refused, "" if it has begun.

    `content` is what the box shows to everybody.
    """
    request = request._replace(names=tuple(map(normalize_name, request.names)))
    if reason := _no_start_reason(session, content) or _form_fault(session, request):
        return session, reason
    chosen = Setup(request.game, request.options, len(request.names), request.goal, request.clock, request.names)
    opened = tuple(each for each in questions.holdings_with_seats(chosen) if each in request.opened)
    for before, name in zip(seats.starting_names(session, chosen.seat_count), request.names, strict=True):
        if before in NAMELESS_PLAYERS and before not in request.names:
            session = rename_phone_owner(session, before, name)
    if session.switches.hints != request.hints:
        session = session.toggle_switch("hints")
    return setup.begin_from_setup(session.clear_table(), chosen._replace(open_holdings=opened)), ""


def _no_start_reason(session: Session, content: Content | None) -> str:
    """Why nothing can begin now, in a sentence; "" if it can."""
    round_ = session.round
    if (session.pad or round_) is not None and not session.has_result:
        return text("A game is on the table: leave it first.")
    if round_ is not None and standings.is_match_open(round_):
        return text("A match is being played: go on with it, or leave it first.")
    is_pairing = getattr(session.screen, "setup", Setup("")).offer_id != ""
    if session.is_stopping or not session.screen.is_public or is_pairing or isinstance(content, BUSY_KINDS):
        return text("The box waits for an answer: look at what it shows.")
    return ""


def _form_fault(session: Session, request: StartRequest) -> str:
    """What is wrong with a form, in a sentence; "" if nothing is."""
    known_games = {each.id: each for each in games.all_manifests()}
    game = known_games.get(request.game)
    if game is None:
        return IMPOSSIBLE_TEXT
    for index, name in enumerate(request.names):
        if name in NAMELESS_PLAYERS or (game.allows_computer_player and computer_strength(name)):
            continue
        if fault := new_name_fault(name, (*known_names(session), *request.names[:index])):
            return fault
    if len(set(request.names)) < len(request.names):
        return text("Each seat needs a different player.")
    if len(request.names) not in game.players:
        number, name = len(request.names), game.name
        return plural_text(
            number, "{game} is not for {number} player.", "{game} is not for {number} players.", game=name
        )
    return _pad_fault(request) if game.id == pad.PAD_ID else _game_fault(game, request)


def _game_fault(game: Manifest, request: StartRequest) -> str:
    seat_count = len(request.names)
    is_possible = (
        game.accepts_options(dict(request.options))
        and request.goal in MATCH_GOALS
        and all(kind in game.holdings and 1 <= seat <= seat_count for kind, seat in request.opened)
        and (request.clock == "" or _is_possible_clock(request.clock, seat_count))
    )
    return "" if is_possible else IMPOSSIBLE_TEXT


def _is_possible_clock(settings: str, seat_count: int) -> bool:
    controls = game_clock.parse_controls(settings, seat_count)
    return (
        len(settings.split()) in (1, seat_count)
        and bool(controls)
        and all(each.base_seconds <= MAX_MINUTES * 60 and each.extra_seconds <= MAX_EXTRA_SECONDS for each in controls)
    )


def _pad_fault(request: StartRequest) -> str:
    options = dict(request.options)
    if options.keys() != dict(pad_setup.new_setup().options).keys() or options["wins"] not in pad_setup.WINNERS:
        return IMPOSSIBLE_TEXT
    limits = [(options[name], most) for name, most in pad_setup.MAX_LIMITS.items()]
    if not all(
        limit.isascii() and limit.isdigit() and len(limit) < 10 and int(limit) <= most for limit, most in limits
    ):
        return text("Enter a number.")
    if all(int(limit) for limit, _ in limits):
        return text("Choose one end: the points or the turns.")
    return new_name_fault(options["title"], ())

"""What a table shows is the same in pairs of worlds that the seat to move cannot distinguish."""

from __future__ import annotations

import queue
from random import Random
from typing import Any

import pytest
from indistinguishable_rounds import World, worlds_seen_alike

from companion import games
from companion.evening.model import Session
from companion.evening.screens.base_screen import open_due_screens
from companion.evening.screens.play import computer_moves
from companion.evening.screens.play.playing import PlayScreen
from companion.evening.screens.private import hints
from companion.evening.session_values import Switches
from companion.inputs import ComputerMove, HintProgress
from companion.rounds.on_table import new_round, with_deal, with_event
from companion.rounds.stored import RoundHeader, SessionSettings, StoredHistory
from companion.table.public_state import public_state
from companion.table.search_workers import ComputerPlayerWorker, HintWorker

SECONDS = 60
NODES = 400
LONGEST = (0, 3, 8, 20, 50)
HIDING = [
    game.id
    for game in games.built_in_manifests()
    if game.has_records and any(not held.is_face_up for held in game.holdings.values())
]


def table_in_round(game: str, options: dict[str, str], world: World, names: tuple[str, ...]) -> Session:
    """A table with hints on in the middle of a round, with all holdings named."""
    header = RoundHeader(game, tuple(options.items()), names, opened=tuple(world.deals))
    round_ = new_round(1, header)
    for (kind, seat), pieces in world.deals.items():
        round_ = with_deal(round_, kind, seat, round_.game.format_deal(pieces))
    for seat, text in world.events:
        round_ = with_event(round_, seat, text)
    return Session(
        (PlayScreen(),), StoredHistory(), SessionSettings(names), round=round_, switches=Switches(hints=True)
    )


def hint_texts(session: Session) -> list[Any]:
    """A hint as the panel and the phone get it, and what the big screen shows with each part open."""
    assert session.round is not None
    session = hints.open_hint(session, session.round)
    assert session.last_hint is not None
    inputs: queue.Queue[Any] = queue.Queue()
    desk = HintWorker(inputs.put)
    desk.request_hint(session.last_hint.request, for_box=True)
    found = inputs.get(timeout=SECONDS)
    while not found.parts:
        found = inputs.get(timeout=SECONDS)
    assert isinstance(found, HintProgress)
    session = open_due_screens(hints.apply_hint_progress(session, found))
    assert session.last_hint is not None
    shown = [
        public_state(session.open_screens(session.last_hint._replace(part_number=at))) for at in range(len(found.parts))
    ]
    return [found.parts, shown, desk.request_hint(found.request).parts]


def move_texts(session: Session) -> list[Any]:
    """Everything that the panel shows while the computer thinks, its move, and the big screen."""
    session = computer_moves.request_computer_move(session)
    assert session.computer_move is not None
    inputs: queue.Queue[Any] = queue.Queue()
    ComputerPlayerWorker(inputs.put).start_search(session.computer_move.request).join(SECONDS)
    told: list[Any] = []
    while not inputs.empty():
        found = inputs.get()
        assert isinstance(found, ComputerMove)
        session = computer_moves.take_computer_move(session, found)
        told += [found.percent, found.move, found.has_failed]
    assert told[-2]
    return [*told, public_state(open_due_screens(session))]


@pytest.mark.parametrize("pairs", [1, pytest.param(40, marks=pytest.mark.drill)])
@pytest.mark.parametrize("game", HIDING)
def test_a_table_tells_the_same_in_worlds_that_look_alike(
    game: str, pairs: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The hint on panel, phone and big screen, and the computer's move at each strength, early and late in a round."""
    coach: Any = games.load_coach(game)
    monkeypatch.setattr(type(coach), "node_budget", lambda self, knowledge: NODES)
    compared = seed = 0
    while compared < pairs:
        seed += 1
        found = worlds_seen_alike(game, Random(seed), LONGEST[seed % len(LONGEST)])
        if found is None:
            continue
        options, seat, *worlds = found
        one, two = (hint_texts(table_in_round(game, options, world, ("Ann", "Ben"))) for world in worlds)
        assert one == two, seed
        if games.manifest_of(game).allows_computer_player:
            names = tuple(f"box-{seed % 3 + 1}" if each == seat else "Ann" for each in (1, 2))
            one, two = (move_texts(table_in_round(game, options, world, names)) for world in worlds)
            assert one == two, seed
        compared += 1

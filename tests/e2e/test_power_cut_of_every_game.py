"""The power is cut three hundred times, over all games and their options, with open and sealed holdings."""

from __future__ import annotations

import random
import re
import time
from pathlib import Path
from typing import NamedTuple

import pytest
from game_support import support_of_game
from goldens import panel_after_a_second
from PIL import ImageChops

from companion import display, games
from companion.evening import state_machine
from companion.evening.double_taps import DOUBLE_TAP_GUARD_SECONDS
from companion.evening.screens.messages import Notice
from companion.inputs import KeyPressed
from companion.rounds.stored import RoundHeader, SessionSettings, StoredHistory

POWER_CUTS = 75
"""The number of power cuts in each game."""


class RoundStep(NamedTuple):
    """A line of the record, and the keys that enter it (with those that close the notices after it)."""

    line: str
    keys: str


class RoundScript(NamedTuple):
    """A round to be typed: its head, its units, and each picture → the number of units that must come before it."""

    header: RoundHeader
    units: list[RoundStep]
    shown: dict[bytes, int]


def keys_of_deal(game: str, text: str) -> str:
    """The keypad's keys for a holding as a record writes it."""
    return support_of_game(game).keys_of_deal(text) + "#"


def random_script(played, typed_keys) -> RoundScript:
    """A round played by the rules alone, as keys and as the pictures that they lead to."""
    rules, header = played.rules, played.header
    opened = tuple(sorted(played.deals, key=lambda held: (held[1], list(played.manifest.holdings).index(held[0]))))
    round_header = RoundHeader(header.game, tuple(header.options.items()), header.players, opened=opened)
    steps = [(f"{kind} {seat}: {(text := rules.format_deal(played.deals[kind, seat]))}",
              keys_of_deal(header.game, text)) for kind, seat in opened]  # fmt: skip
    steps += [
        (f"{seat}: {event}", "".join(typed_keys(header.game, state, str(event))))
        for (seat, event), state in zip(played.events, played.states, strict=False)
    ]
    session = state_machine.start_session(SessionSettings((), round_header), StoredHistory(), 0.0)
    shown: dict[bytes, int] = {}
    units: list[RoundStep] = []

    def press(session, key: str):
        session = state_machine.update_session(session, KeyPressed(key, session.now + 0.01))
        count = len(session.round.deals) + len(session.round.events)
        for image in (display.session_picture(session), panel_after_a_second(session)):
            for shift in (-1, 0, 1):
                shown.setdefault(ImageChops.offset(image, shift, 0).tobytes(), count)
        return session

    for line, keys in steps:
        for key in keys:
            session = press(session, key)
        while isinstance(session.screen, Notice):
            session = press(state_machine.mark_shown(session, session.now - DOUBLE_TAP_GUARD_SECONDS), "#")
            keys += "#"
        units.append(RoundStep(line, keys))
    assert len(session.round.deals) + len(session.round.events) == len(units), "the keys do not enter the round"
    return RoundScript(round_header, units, shown)


def arguments(header: RoundHeader) -> list[str]:
    options = ",".join(f"{name}={value}" for name, value in header.options)
    opened = ",".join(f"{seat}{'r' if kind == 'rack' else 'd'}" for kind, seat in header.opened)
    words = ["--game", header.game, "--options", options, "--players", ",".join(header.names)]
    return [*words, "--open", opened] if opened else words


def play_with_power_cuts(table, plan: RoundScript, times: int, chance: random.Random) -> tuple[int, int]:
    """Type a round, cutting the power at random moments. Returns how often, and how often a picture showed an event."""
    done = told_of = pulled = 0
    while pulled < times:
        table.start()
        if pulled:
            table.type_keys("#")  # Go on. What follows is typed at once: no press is lost from the first picture on.
        if done >= len(plan.units) - 4:
            break
        table.type_keys("".join(unit.keys for unit in plan.units[done : done + chance.randint(1, 4)]))
        time.sleep(chance.uniform(0.0, 0.25))
        if pulled % 5 == 4:  # However slow the machine is, some pictures have to tell of an event.
            table.settled_picture()
        table.cut_power()
        pulled += 1
        # While a picture is on the wire, the panel shows half of it and half of the last: that tells nothing.
        told = plan.shown.get(table.panel_picture().tobytes(), 0)
        told_of += told > 0
        kept = [
            line for line in table.exported_record("--reveal").splitlines() if re.match(r"(deal |rack )?\d: ", line)
        ]
        assert kept == [unit.line for unit in plan.units[: len(kept)]], "an event was invented or changed"
        assert told <= len(kept), "what had reached the panel is missing"
        assert len(kept) >= done, "what was kept before is missing"
        assert "damaged" not in table.log_text
        done = len(kept)
    table.close()
    return pulled, told_of


@pytest.mark.drill
@pytest.mark.parametrize("game", games.built_in_game_ids())
def test_nothing_shown_is_lost_in_any_game(box, play_round, typed_keys, settings_of_all_games, tmp_path: Path, game):
    """Killed at random moments in rounds of every kind, the next start has at least what the panel had shown."""
    chance = random.Random(game)
    pulled = told_of = rounds = 0
    while pulled < POWER_CUTS:
        rounds += 1
        _, options, players = chance.choice([each for each in settings_of_all_games if each[0] == game])
        plan = random_script(play_round(game, options, players, chance, share=0.4, longest=40), typed_keys)
        table = box(*arguments(plan.header), folder=tmp_path / f"box-{rounds}")
        now, told = play_with_power_cuts(table, plan, POWER_CUTS - pulled, chance)
        pulled, told_of = pulled + now, told_of + told
    assert told_of > POWER_CUTS // 10, "hardly a picture told of an event: this proves little"

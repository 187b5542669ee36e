"""Whole rounds of every game and variant in the real program: typed on a keypad, and picked with six buttons only."""

from __future__ import annotations

import os
import random
import re
import time

import pytest
from game_support import support_of_game
from goldens import panel_after_a_second
from number_pad import NumberPad

from companion import display, games
from companion.evening import state_machine
from companion.evening.screens.messages import Notice
from companion.inputs import KeyPressed
from companion.rounds.stored import RoundHeader, SessionSettings, StoredHistory

MAX_PULLS = 50
"""How often the number pad is pulled in a round at most."""
MAX_PRESSES = 5
"""How often a notice is closed at most: a press too soon after it came is ignored."""


def round_steps(played, keys_of, dealt) -> tuple[RoundHeader, list[tuple[str, list[str]]]]:
    """The head of the round, and each line of its record with the keys that enter it."""
    rules, header = played.rules, played.header
    opened = tuple(sorted(played.deals, key=lambda held: (held[1], list(played.manifest.holdings).index(held[0]))))
    round_header = RoundHeader(header.game, tuple(header.options.items()), header.players, opened=opened)
    lines = []
    for kind, seat in opened:
        text = rules.format_deal(played.deals[kind, seat])
        lines.append((f"{kind} {seat}: {text}", dealt(header.game, text)))
    for (seat, event), state in zip(played.events, played.states, strict=False):
        lines.append((f"{seat}: {event}", keys_of(header.game, state, str(event))))
    return round_header, lines


def rehearsed_steps(header: RoundHeader, lines, close: str, *, keypad: bool):
    """The keys of each line, the notices that it leads to, and the picture after they are closed."""
    session = state_machine.start_session(SessionSettings((), header, keypad), StoredHistory(), 0.0)
    for _, keys in lines:
        for key in keys:
            session = state_machine.update_session(session, KeyPressed(key, session.now + 0.01))
        notices = []
        while isinstance(session.screen, Notice):
            notices.append(panel_after_a_second(session))
            session = state_machine.mark_shown(session, session.now)
            session = state_machine.update_session(session, KeyPressed(close, session.now + 1))
        yield keys, notices, display.session_picture(session)


def close_notices(table, notices, close) -> None:
    """Close each notice, with another press if the first was taken for a double tap.

    The notice of the line before may still be there, so only one that stays is the one to close.
    """
    for notice in notices:
        table.settled_picture()
        assert table.wait_for_picture(notice)
        for _ in range(MAX_PRESSES):
            close()
            table.settled_picture()
            if not table.wait_for_picture(notice, 0.1):
                break


def arguments(header: RoundHeader) -> list[str]:
    options = ",".join(f"{name}={value}" for name, value in header.options)
    opened = ",".join(f"{seat}{'r' if kind == 'rack' else 'd'}" for kind, seat in header.opened)
    words = ["--game", header.game, "--options", options, "--players", ",".join(header.names)]
    return [*words, "--open", opened] if opened else words


def record_lines(table) -> list[str]:
    return [line for line in table.exported_record("--reveal").splitlines() if re.match(r"(deal |rack )?\d: ", line)]


@pytest.mark.drill
@pytest.mark.parametrize("game", games.built_in_game_ids())
def test_whole_rounds_typed(box, play_round, typed_keys, settings_of_all_games, tmp_path, game):
    """A round of each variant, typed on the keypad, is on the panel line by line and ends in its record."""

    def dealt(game: str, text: str) -> list[str]:
        return [*support_of_game(game).keys_of_deal(text), "#"]

    for number, (name, options, players) in enumerate(settings_of_all_games):
        if name != game:
            continue
        chance = random.Random(f"{number} typed")
        played = play_round(game, options, players, chance)
        header, lines = round_steps(played, typed_keys, dealt)
        (tmp_path / str(number)).mkdir()
        table = box(*arguments(header), folder=tmp_path / str(number))
        table.start()
        for index, (keys, notices, picture) in enumerate(rehearsed_steps(header, lines, "#", keypad=True)):
            table.type_keys("".join(keys))
            close_notices(table, notices, lambda table=table: table.type_keys("#"))
            if index % 9 == 0 or index == len(lines) - 1:
                assert table.wait_for_picture(picture), f"{options}: the panel differs after {lines[index][0]}"
        assert record_lines(table) == [line for line, _ in lines]
        assert table.stop() == 0


@pytest.mark.drill
@pytest.mark.parametrize(
    ("game", "options", "longest"),
    [
        ("27", {"variant": "basic"}, 400),
        ("27", {"variant": "advanced"}, 400),
        ("27", {"variant": "expert"}, 400),
        ("coral-reef", {"form": "cards"}, 60),
        ("prime-attactics", {"level": "easy", "start": "13"}, 400),
        ("ziggurat", {"set": "6", "base": "solid"}, 400),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_whole_rounds_picked(box, play_round, picked_keys, tmp_path, game, options, longest):
    """A round picked with the six buttons alone, with sealed holdings, ends in its record."""
    # Without claims a round played open can be entered as one whose hands are sealed, to its end.
    share = support_of_game(game).PLANNED_OPEN_SHARE
    played = play_round(game, options, 2, random.Random(f"{game} picked"), share=share, longest=longest)
    if share:
        states = [played.rules.initial_state(2, played.header.options, {})]
        for seat, event in played.events:
            states.append(played.rules.play_move(states[-1], seat, event))
        played = played._replace(deals={}, states=states)
    header, lines = round_steps(played, picked_keys, None)
    os.mkfifo(tmp_path / "pins")
    table = box(*arguments(header), keypad=False)
    table.start()
    table.settled_picture()
    for index, (keys, notices, picture) in enumerate(rehearsed_steps(header, lines, "ok", keypad=False)):
        table.press_buttons(*keys)
        close_notices(table, notices, lambda: table.press_buttons("ok"))
        if index % 9 == 0 or index == len(lines) - 1:
            assert table.wait_for_picture(picture), f"the panel differs after {lines[index][0]}"
    for kept, (line, _) in zip(record_lines(table), lines, strict=True):  # A picker may spell a move another way.
        assert kept == line or (kept[:3] == line[:3] and kept[3:] in support_of_game(game).spellings(line[3:]))
    assert table.stop() == 0


@pytest.mark.drill
@pytest.mark.parametrize("game", games.built_in_game_ids())
def test_a_round_by_number_pad_alone(box, play_round, typed_keys, settings_of_all_games, tmp_path, game):
    """A round typed on a USB number pad alone, pulled at random moments, ends in its record."""
    options, players = next((options, players) for name, options, players in settings_of_all_games if name == game)
    chance = random.Random(f"{game} by number pad")
    header, lines = round_steps(
        play_round(game, options, players, chance), typed_keys,
        lambda game, text: [*support_of_game(game).keys_of_deal(text), "#"],
    )  # fmt: skip
    pad = NumberPad(tmp_path)
    table = box(*arguments(header), config='[buttons]\nboard = "none"\n', keypad=False)
    table.start()
    returned = 0
    pulls = chance.sample(range(len(lines)), min(MAX_PULLS, len(lines)))
    for index, (keys, notices, _) in enumerate(rehearsed_steps(header, lines, "#", keypad=True)):
        cut = chance.randrange(len(keys) + 1)
        pad.press("".join(keys[:cut]))
        if index in pulls:
            pad.pull()
            time.sleep(chance.random() / 5)
            pad.put_in()
            returned += 1
            while table.log_text.count("number pad is back") < returned:
                assert table.process.poll() is None, table.log_text
                time.sleep(0.01)
        pad.press("".join(keys[cut:]))
        for _ in notices:
            table.settled_picture()
            time.sleep(1.1)
            pad.press("#")
    table.settled_picture()
    assert record_lines(table) == [line for line, _ in lines], table.log_text
    assert table.stop() == 0

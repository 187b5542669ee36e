"""Pictures from a whole round of every game and variant, nine on a sheet, to be looked at one by one.

A third of the rounds is played with buttons. ``UPDATE_GOLDEN=1 pytest tests/evening/test_pictures.py`` draws them anew.
"""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest
from examples import first_cases_fast
from PIL import Image

from companion import games
from companion.evening.screens.messages import Confirmation, Notice, RefusalScreen
from companion.evening.screens.play.dealing import NamingScreen
from companion.evening.screens.play.round_over import RoundOver
from companion.inputs import TAKE_BACK_KEY, KeyPressed
from companion.rounds.stored import RoundHeader, SessionSettings, StoredHistory

SHEET_FOLDER = Path(__file__).with_name("sheets")
SHEETS = (
    "coral-reef 2 form=cards",
    "coral-reef 2 form=tiles",
    "27 2 variant=basic",
    "27 2 variant=advanced",
    "27 2 variant=expert",
    "prime-attactics 2 level=full start=11",
    "prime-attactics 2 level=full start=13",
    "prime-attactics 2 level=full start=17",
    "prime-attactics 2 level=full start=19",
    "prime-attactics 2 level=easy start=11",
    "prime-attactics 2 level=easy start=13",
    "prime-attactics 2 level=easy start=17",
    "prime-attactics 2 level=easy start=19",
    "ziggurat 2 set=6 base=solid",
    "ziggurat 4 set=6 base=solid",
    "ziggurat 2 set=6 base=cutup",
    "ziggurat 4 set=6 base=cutup",
    "ziggurat 2 set=9 base=solid",
    "ziggurat 4 set=9 base=solid",
    "ziggurat 2 set=9 base=cutup",
    "ziggurat 4 set=9 base=cutup",
    "ziggurat 2 set=12 base=solid",
    "ziggurat 4 set=12 base=solid",
    "ziggurat 2 set=12 base=cutup",
    "ziggurat 4 set=12 base=cutup",
)
"""Game, players and options of each sheet. Its index is the seed of its round, so a new sheet goes to the end.

An option that a sheet doesn't name has its default.
"""
MAX_TRIES = 400


def sheet_setting(sheet: str) -> tuple[str, dict[str, str], int]:
    """Game, options and players of a sheet."""
    game, players, *named = sheet.split()
    return game, dict(each.split("=") for each in named), int(players)


class Sheet:
    """A table whose pictures are collected, the first one of each name."""

    def __init__(self, table) -> None:
        self.table = table
        self.pictures: dict[str, Image.Image] = {}

    def add_picture(self, name: str, max_pictures: int = 8) -> None:
        if name not in self.pictures and len(self.pictures) < max_pictures:
            self.pictures[name] = self.table.picture

    def image(self) -> Image.Image:
        """Three by three pictures with a line between them, one bit."""
        whole = Image.new("1", (3 * 130 + 2, 3 * 66 + 2), 1)
        for index, picture in enumerate(self.pictures.values()):
            whole.paste(picture, (2 + 130 * (index % 3), 2 + 66 * (index // 3)))
        return whole


def add_refusal(sheet, game, state, typed_keys, guess, chance) -> None:
    """Enter something that the rules forbid, and close the refusal."""
    table = sheet.table
    for _ in range(MAX_TRIES):
        text = guess(game, chance)
        before = table.session
        table.press(*typed_keys(game, state, text), apart=0.1)
        if isinstance(table.session.screen, RefusalScreen):
            sheet.add_picture("refusal")
            table.press("#")
            return
        table.session = before._replace(now=table.session.now, taps=before.taps._replace(pressed_at=table.session.now))


def add_takeback_question(sheet) -> None:
    """Ask for a takeback and decline it; while pieces are named, a long BACK opens the menu instead."""
    table = sheet.table
    table.press(TAKE_BACK_KEY)
    if isinstance(table.session.screen, Confirmation):
        sheet.add_picture("take-back")
    table.press("*")


def enter_event(sheet, keys, *, telling: bool) -> None:
    """Enter an event; with `telling` the picture of half the keys and that of all are collected."""
    table = sheet.table
    for index, key in enumerate(keys):
        if telling and index == len(keys) // 2:
            sheet.add_picture("half entered")
        if telling and index == len(keys) - 1:
            sheet.add_picture("entered")
        table.press(key, apart=0.2)
    while isinstance(table.session.screen, Notice):
        sheet.add_picture("notice")
        table.press("ok" if keys[-1] == "ok" else "#")


@pytest.mark.parametrize("number", first_cases_fast(13, [*range(0, len(SHEETS), 2), *range(1, len(SHEETS), 2)]))
def test_a_rounds_pictures_are_golden(table_class, play_round, typed_keys, picked_keys, typed_deal, guess,
                             tmp_path, number):  # fmt: skip
    """Deal, first turn, drafts, refusal, message, takeback, late in the round, result: as on the golden sheet."""
    game, named, players = sheet_setting(SHEETS[number])
    options = games.manifest_of(game).option_defaults | named
    chance, picked = random.Random(number), number % 3 == 1
    rounds = (play_round(game, options, players, chance) for _ in range(MAX_TRIES))
    played = next(
        each
        for each in rounds
        if each.rules.seat_to_move(each.states[-1]) is None and (each.deals or not each.manifest.holdings)
    )
    opened = tuple(sorted(played.deals, key=lambda held: (held[1], list(played.manifest.holdings).index(held[0]))))
    names = ("Annabella", "Ben", "Cleo", "Dan")[:players]
    table = table_class(
        SessionSettings((), RoundHeader(game, tuple(options.items()), names, opened=opened), has_keypad=not picked),
        StoredHistory(),
    )
    table.wait(3)
    sheet = Sheet(table)
    for kind, seat in opened:
        keys = typed_deal(game, played.rules.format_deal(played.deals[kind, seat]))
        table.press(*keys[: len(keys) // 2], apart=0.2)
        sheet.add_picture("dealing")
        table.press(*keys[len(keys) // 2 :], apart=0.2)
    if picked:  # Key hints follow the device that was used last.
        table.take_input(KeyPressed("right", table.now))
        table.press("back")
    sheet.add_picture("first turn")
    last = len(played.events) - 1
    for index, (state, (_, move)) in enumerate(zip(played.states, played.events, strict=False)):
        is_naming = isinstance(table.session.screen, NamingScreen)
        if index >= last // 3 and not is_naming and "refusal" not in sheet.pictures:
            add_refusal(sheet, game, state, typed_keys, guess, chance)
        if index == last // 2:
            sheet.add_picture("in the middle")
            add_takeback_question(sheet)
        if isinstance(table.session.screen, NamingScreen):
            sheet.add_picture("refill")
        if index == last:
            sheet.add_picture("before the end")
        keys = (picked_keys if picked else typed_keys)(game, state, str(move))
        enter_event(sheet, list(keys), telling=last // 4 <= index and len(keys) > 2)
    assert isinstance(table.session.screen, RoundOver)
    sheet.add_picture("result", 9)
    compare_with_golden(sheet.image(), f"{game}-{'-'.join(named.values())}-{players}", tmp_path)
    assert games.load_move_input(game) is table.session.round.move_input


def compare_with_golden(image: Image.Image, name: str, drawn: Path) -> None:
    """Compare a sheet with the golden one."""
    path = SHEET_FOLDER / f"{name}.png"
    if os.environ.get("UPDATE_GOLDEN"):
        SHEET_FOLDER.mkdir(exist_ok=True)
        image.save(path, optimize=True)
        return
    assert path.exists(), f"there is no sheet {path.name}: UPDATE_GOLDEN=1 draws it"
    with Image.open(path) as golden:
        if golden.convert("1").tobytes() != image.tobytes():
            image.save(drawn / path.name)
            pytest.fail(f"{path.name} differs: {drawn / path.name}", pytrace=False)


def test_there_is_a_sheet_for_every_setting(settings_of_all_games):
    seen = [sheet_setting(sheet) for sheet in SHEETS]
    whole = [(game, games.manifest_of(game).option_defaults | named, players) for game, named, players in seen]
    assert [each for each in settings_of_all_games if each not in whole] == []
    assert len(whole) == len(settings_of_all_games) == len(list(SHEET_FOLDER.glob("*.png")))

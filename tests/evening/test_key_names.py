"""A box of buttons never names a keypad's keys, nor a keypad buttons: every picture of whole rounds is checked."""

import random
import re

import pytest
from examples import example_count, first_cases_fast

from companion import games
from companion.evening.screens.lists import PageScreen
from companion.evening.screens.messages import Confirmation, Notice, RefusalScreen, ask_to_ignore_misfit_keys
from companion.evening.screens.play import round_actions
from companion.evening.screens.play.dealing import NamingScreen
from companion.evening.screens.play.playing import PlayScreen
from companion.inputs import BUTTON_KEYS, KEYPAD_KEYS
from companion.languages import translate
from companion.languages.key_names import in_language_of_device
from companion.panel.canvas import Canvas
from companion.rounds.stored import RoundHeader, SessionSettings, StoredHistory

KEYPAD_WORDS = re.compile(r"[#*]|(?<!\+)\b0 = (10|double)|\bA\+ [BC]-|\bA-[CD]\b|\b[AB] [BC] [CD]\b|: 0, ")
"""Words that only make sense with a keypad."""
BUTTON_WORDS = re.compile(r"\b(OK|BACK|UP|DOWN)\b|\barrows?\b|\bpick\b|\bis held\b|\bup, down\b")
"""Words that only make sense with buttons."""
NUMBER_PAD_WORDS = re.compile(r"#|^\* (?![0-9])|, \*|\bA[+-] |\b[AB] [BC] [CD]\b|\bUP\b|\bis held\b|[0-9] [A-D] [0-9]")
"""Words that make no sense with a number pad, whose keys are 0 to 9, four signs, Enter and the point."""
SETS = {
    "keypad": (KEYPAD_KEYS, BUTTON_WORDS),
    "buttons": (BUTTON_KEYS, KEYPAD_WORDS),
    "number pad": (KEYPAD_KEYS, NUMBER_PAD_WORDS),
}
ROUNDS = [("27", 0), ("coral-reef", 0), ("coral-reef", 1), ("prime-attactics", 0), ("prime-attactics", 1),
          ("ziggurat", 0), ("ziggurat", 1)]  # fmt: skip
"""Games, and whether their pieces are open."""


@pytest.fixture
def written_texts(monkeypatch):
    """A list of every text that is written on a panel."""
    found = []
    original = Canvas.text

    def noted(self, x, y, s, *rest, **named):
        found.append(s)
        return original(self, x, y, s, *rest, **named)

    monkeypatch.setattr(Canvas, "text", noted)
    return found


def press_and_check(table, written_texts, others, *keys, apart=1.1):
    """Press keys. After each one the panel has no word for the other set's keys."""
    for key in ("", *keys):
        if key:
            table.press(key, apart=apart)
        written_texts.clear()
        assert table.picture
        wrong = [text for text in written_texts if others.search(text)]
        assert not wrong, (table.session.screen, key, wrong)


def use_number_pad(table, which):
    """Let all keys come from a number pad, if that is the set."""
    if which == "number pad":
        table.device = which
        table.session = table.session._replace(key_device=which, uses_buttons=False)


def try_random_keys(table, written_texts, others, keys, chance):
    """Press some random keys, then bring the table back as it was."""
    before = table.session
    press_and_check(table, written_texts, others, *(chance.choice(keys) for _ in range(12)), apart=0.7)
    table.session = before._replace(
        now=table.session.now, taps=before.taps._replace(pressed_at=table.session.taps.pressed_at)
    )


def wait_for_pass_help(table, written_texts, others):
    """Wait until the panel says how to pass, then bring the table back as it was."""
    before = table.session
    table.wait(25)
    press_and_check(table, written_texts, others)
    table.session = before._replace(
        now=table.session.now, taps=before.taps._replace(pressed_at=table.session.taps.pressed_at)
    )


@pytest.mark.parametrize("which", SETS)
@pytest.mark.parametrize(("game", "share"), first_cases_fast(4, ROUNDS))
def test_a_round_with_one_set_of_keys(
    written_texts, settings_of_all_games, table_class, play_round, typed_keys, picked_keys, which, game, share
):
    """Deals, drafts, refusals, menus and results of a random round name no key that isn't there."""
    _, options, players = next(each for each in settings_of_all_games if each[0] == game)
    chance, (keys, others) = random.Random(27), SETS[which]
    played = play_round(game, options, players, chance, share=share)
    opened = tuple(
        sorted(played.deals, key=lambda held: (held[1], list(games.manifest_of(game).holdings).index(held[0])))
    )
    header = RoundHeader(game, tuple(options.items()), ("Ann", "Ben", "Cleo", "Dan")[:players], goal=2, opened=opened)
    table = table_class(
        SessionSettings((), header, has_keypad=which == "keypad", has_buttons=which == "buttons"), StoredHistory()
    )
    use_number_pad(table, which)
    for kind, seat in opened:
        try_random_keys(table, written_texts, others, keys, chance)
        assert isinstance(table.session.screen, NamingScreen)
        table.session = round_actions.enter_holding(
            table.session, kind, seat, played.rules.format_deal(played.deals[kind, seat])
        )
        table.carry_out()
    entered = picked_keys if which == "buttons" else typed_keys
    back, ok = ("back", "ok") if which == "buttons" else ("*", "#")
    for index, (state, (_, move)) in enumerate(zip(played.states, played.events, strict=False)):
        while isinstance(table.session.screen, Notice | RefusalScreen | PageScreen):
            press_and_check(table, written_texts, others, ok)
        assert isinstance(table.session.screen, NamingScreen | PlayScreen)
        if index % 5 == 0:
            try_random_keys(table, written_texts, others, keys, chance)
        if isinstance(table.session.screen, PlayScreen) and index % 3 == 0:
            wait_for_pass_help(table, written_texts, others)
        press_and_check(table, written_texts, others, *entered(game, state, str(move)), apart=0.7)
    press_and_check(table, written_texts, others, ok, ok, back, back)


@pytest.mark.parametrize("which", SETS)
def test_setting_up_with_one_set_of_keys(written_texts, table_class, which):
    """No question or list before a round names a key of the other set, whatever is pressed."""
    keys, others = SETS[which]
    ok, back = ("ok", "back") if which == "buttons" else ("#", "*")
    for seed in range(example_count(12)):
        chance = random.Random(seed)
        table = table_class(
            SessionSettings(("Ann", "Ben"), has_keypad=which == "keypad", has_buttons=which == "buttons"),
            StoredHistory(),
        )
        use_number_pad(table, which)
        table.wait(3)
        for _ in range(50):
            key = chance.choice((ok, ok, back, *keys))
            press_and_check(table, written_texts, others, key)


@pytest.mark.parametrize("game", [each.id for each in games.built_in_manifests()])
def test_help_pages_name_the_keys_in_use(game):
    """The pages of a game's help name the keys of the set that was used last, and none of the other."""
    for buttons, others in ((True, KEYPAD_WORDS), (False, BUTTON_WORDS)):
        for page in games.help_pages(game, uses_buttons=buttons):
            assert not others.search(page), page


@pytest.mark.parametrize("which", SETS)
def test_ok_names_the_player_who_is_asked(written_texts, new_table, which):
    """Where two players must agree."""
    table = new_table("coral-reef", ("Wilma", "Maxim"))
    table.session = table.session._replace(uses_buttons=which == "buttons")
    use_number_pad(table, which)
    lines = ("Maxim has seen a coral.",)
    table.session = table.session.open_screens(Confirmation(round_actions.take_back_event, "Take back?", lines, (2, 1)))
    for name in ("Ma", "Wi"):
        written_texts.clear()
        assert table.picture
        assert any(text.startswith(name) and text.endswith(" agrees") for text in written_texts), written_texts
        table.press("ok" if which == "buttons" else "#")


def test_ignored_keys_are_called_as_on_the_device(new_table):
    """A player with a number pad has pressed plus and minus, not A and B."""
    table = new_table()
    table.session = ask_to_ignore_misfit_keys(table.session, "AB", "Play?", lambda session: session)
    with in_language_of_device("en", "number pad"):
        assert translate(table.session.screen.title) == "Ignored: + -"
    assert table.session.screen.title == "Ignored: A B"

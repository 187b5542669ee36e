"""A player's hidden pieces are nobody else's business: tables that differ only in them can't be told apart.

Every picture, every source view of a picture, every sound and every question is compared, key by key, between a
table at which a player holds one hand or rack and a table at which the same player holds another.
"""

import random

import pytest
from examples import example_count
from game_support import support_of_game
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from companion import games
from companion.evening.screens.messages import RefusalScreen
from companion.evening.screens.play import round_actions
from companion.evening.screens.play.dealing import NamingScreen
from companion.evening.screens.play.playing import PlayScreen
from companion.evening.screens.private.corrections import CorrectionScreen
from companion.evening.screens.private.hints import LookAway, Peek
from companion.games.api import RefusedError
from companion.inputs import BUTTON_KEYS, KEYPAD_KEYS, TAKE_BACK_KEY
from companion.rounds.stored import RoundHeader, SessionSettings, StoredHistory
from companion.table.public_state import public_state
from companion.voice import spoken
from companion.voice.narrator import Narrator

HIDDEN_HOLDINGS = {
    game: support_of_game(game).HIDDEN_HOLDING
    for game in games.built_in_game_ids()
    if support_of_game(game).HIDDEN_HOLDING
}
"""Game → its hidden holding."""
DRAWING_GAMES = [
    (game, support_of_game(game).DRAW_WORD) for game in games.built_in_game_ids() if support_of_game(game).DRAW_WORD
]
"""Games in which hidden pieces are drawn, and the event that names them."""
KEYS = (*KEYPAD_KEYS, *BUTTON_KEYS, TAKE_BACK_KEY, *"0123456789" * 2)
PUBLIC_REFUSAL_CODES = ("supply", "held")
"""The codes of refusals about a sealed holding which by the rules depend on what the referee knows of the others."""


def two_holdings(game, options, players, chance):
    """A whole deal, the seat with the hidden holding, and another holding that it might have instead."""
    rules, kind = games.load_rules(game), HIDDEN_HOLDINGS[game]
    dealt = rules.deal_holdings(players, options, chance.sample)
    secret = chance.randint(2, players)
    opened = {
        key: pieces
        for key, pieces in dealt.items()
        if key == (kind, secret) or (key[0] != kind and chance.random() < 0.7) or chance.random() < 0.4
    }
    for _ in range(20):
        other = rules.deal_holdings(players, options, chance.sample)[kind, secret]
        try:
            rules.initial_state(players, options, {**opened, (kind, secret): other})
        except RefusedError:
            opened = {key: pieces for key, pieces in opened.items() if key[0] != kind or key[1] == secret}
            continue
        if other != dealt[kind, secret]:
            return opened, secret, other
    return opened, secret, None


def two_tables(table_class, game, options, players, chance):
    """Two tables after the deals that differ only in one hidden holding, and the seat of that holding."""
    rules, kind = games.load_rules(game), HIDDEN_HOLDINGS[game]
    opened, secret, other = two_holdings(game, options, players, chance)
    assume(other is not None)
    pair = []
    for held in (opened[kind, secret], other):
        names = ("Ann", "Ben", "Cleo", "Dan")[:players]
        header = RoundHeader(
            game, tuple(options.items()), names, opened=tuple(sorted(opened, key=lambda key: (key[1], key[0])))
        )
        table = table_class(SessionSettings(("Ann", "Ben"), header), StoredHistory())
        table.press("*")
        for key, pieces in opened.items():
            mine = held if key == (kind, secret) else pieces
            table.session = round_actions.enter_holding(table.session, *key, rules.format_deal(mine))
            table.carry_out()
        pair.append(table)
    return pair, secret


def may_differ(table, secret) -> bool:
    """Whether the panel belongs to the player with the secret right now, or the rules depend on it."""
    session = table.session
    moment = session.screen
    if isinstance(moment, Peek | LookAway | CorrectionScreen):
        return moment.seat == secret
    round_ = session.round
    if round_ is None or round_.turn in (None, secret):
        return True
    below = session.close_screen().screen
    if isinstance(moment, RefusalScreen) and isinstance(below, CorrectionScreen):
        return below.seat == secret
    if isinstance(moment, RefusalScreen) and moment.refusal.code in PUBLIC_REFUSAL_CODES:
        return True
    playing = below if isinstance(moment, RefusalScreen) else moment
    entered = playing.draft(round_) if isinstance(playing, PlayScreen) else None
    return entered is not None and entered.verdict == "no"


def said_words(table, ear="Ann") -> tuple[object, ...]:
    """Everything that the voice may say to all at the table, or into the ear of a player who has no secret here."""
    session = table.session._replace(box=table.session.box._replace(voice="everything"))
    said: list[object] = []
    for narrator in (Narrator(), Narrator(ear)):
        said += [narrator.words_for(session), narrator.words_for(session, is_pressed=True), narrator.repeat(session)]
    return *said, spoken.board_parts(session), spoken.move_words(session, 0), spoken.label_words(session)


def assert_same(one, two, ear="Ann") -> None:
    """Check that nothing that anybody at the table sees or hears differs, or is heard in the `ear` of a player."""
    assert said_words(one, ear) == said_words(two, ear)
    assert one.picture.tobytes() == two.picture.tobytes()
    assert type(one.session.screen) is type(two.session.screen)
    assert one.session.outbox.sounds == two.session.outbox.sounds
    assert one.session.banner == two.session.banner
    assert public_state(one.session) == public_state(two.session)
    if isinstance(one.session.screen, PlayScreen) and one.session.round is not None:
        assert one.session.screen.content(one.session) == two.session.screen.content(two.session)


@pytest.mark.parametrize("game", list(HIDDEN_HOLDINGS))
@settings(max_examples=example_count(30))
@given(st.lists(st.sampled_from(KEYS), min_size=10, max_size=60), st.integers(0, 2**32))
def test_another_players_pieces_change_nothing_on_the_panel(settings_of_all_games, table_class, game, keys, seed):
    """While anybody else is to move, no key makes the panel depend on what this player hides."""
    chance = random.Random(seed)
    _, options, players = chance.choice([each for each in settings_of_all_games if each[0] == game])
    (one, two), secret = two_tables(table_class, game, options, players, chance)
    for key in keys:
        if all(isinstance(table.session.screen, Peek | CorrectionScreen) for table in (one, two)):
            # Only its owner sees what is on the panel now, and the voice is heard by all.
            assert said_words(one)[:6] == said_words(two)[:6]
        if may_differ(one, secret) or may_differ(two, secret):
            if not isinstance(one.session.screen, Peek | LookAway | CorrectionScreen):
                return
        else:
            assert_same(one, two)
        apart = chance.choice((0.3, 1.2, 3.0))
        one.press(key, apart=apart)
        two.press(key, apart=apart)
        if isinstance(one.session.screen, Peek):
            one.wait(40)
            two.wait(40)


@pytest.mark.parametrize("game", list(HIDDEN_HOLDINGS))
@settings(max_examples=example_count(20))
@given(st.integers(0, 2**32))
def test_typing_a_hidden_holding_shows_nothing_of_it(settings_of_all_games, table_class, typed_deal, game, seed):
    """Two different holdings give the same pictures, key by key, to the last one."""
    chance = random.Random(seed)
    rules, kind = games.load_rules(game), HIDDEN_HOLDINGS[game]
    _, options, players = chance.choice([each for each in settings_of_all_games if each[0] == game])
    held = [rules.deal_holdings(players, options, chance.sample)[kind, 1] for _ in range(2)]
    typed = [typed_deal(game, rules.format_deal(pieces)) for pieces in held]
    assume(len(typed[0]) == len(typed[1]))
    header = RoundHeader(game, tuple(options.items()), ("Ann", "Ben", "Cleo", "Dan")[:players], opened=((kind, 1),))
    pair = [table_class(SessionSettings(("Ann", "Ben"), header), StoredHistory()) for _ in range(2)]
    for table in pair:
        table.wait(3)
        assert isinstance(table.session.screen, NamingScreen)
    for keys in zip(*typed, strict=True):
        for table, key in zip(pair, keys, strict=True):
            table.press(key)
        if isinstance(pair[0].session.screen, NamingScreen):
            assert_same(*pair, ear="Ben")
    # Now this player is to move, and without a valid play must draw, which the panel shows.
    assert not any(isinstance(table.session.screen, NamingScreen | RefusalScreen) for table in pair)


def test_a_hand_that_cannot_be_parsed_is_not_shown(table_class, typed_deal, monkeypatch) -> None:
    """The rules quote what was handed in; on the panel, which everybody sees, the quote is left out."""

    def unread(text: str, *rest: object) -> None:
        raise RefusedError("syntax", text[:22], "", "a hand is pairs of pips")

    header = RoundHeader("ziggurat", (), ("Ann", "Ben"), opened=(("deal", 1),))
    table = table_class(SessionSettings(("Ann", "Ben"), header), StoredHistory())
    table.wait(3)
    rules = games.load_rules("ziggurat")
    for key in typed_deal(
        "ziggurat", rules.format_deal(rules.deal_holdings(2, {}, random.Random(1).sample)["deal", 1])
    ):
        if key == "#":
            monkeypatch.setattr(rules, "parse_deal", unread)
        table.press(key)
    assert isinstance(table.session.screen, RefusalScreen)
    assert table.session.screen.refusal.reason == "these pieces: a hand is pairs of pips"


@pytest.mark.parametrize(("game", "word"), DRAWING_GAMES)
@settings(max_examples=example_count(20), suppress_health_check=[HealthCheck.filter_too_much])
@given(st.integers(0, 2**32))
def test_naming_a_drawn_piece_shows_nothing_of_it(
    settings_of_all_games, table_class, play_round, typed_keys, game, word, seed
):
    """Two different drawn pieces in a hidden holding give the same pictures, until the piece is played."""
    chance = random.Random(seed)
    _, options, players = chance.choice([each for each in settings_of_all_games if each[0] == game])
    played = play_round(game, options, players, chance, share=0.8, longest=60)
    entry = games.load_move_input(game)
    found = [
        (index, state, seat, move)
        for index, (state, (seat, move)) in enumerate(zip(played.states, played.events, strict=False))
        if str(move).startswith(f"{word} ")
        and any(entry.is_piece_hidden(word, piece) for piece in str(move).split()[1:])
    ]
    assume(found)
    index, state, seat, move = chance.choice(found)
    named = [move, *(rules_complete(played.rules, state, word, chance) for _ in range(8))]
    shown = [[piece for piece in str(each).split() if not entry.is_piece_hidden(word, piece)] for each in named]
    others = [each for each, open_ in zip(named, shown, strict=True) if open_ == shown[0] and str(each) != str(move)]
    assume(others)
    pair = []
    for _ in range(2):
        opened = tuple(sorted(played.deals, key=lambda key: (key[1], key[0])))
        table = table_class(
            SessionSettings((), RoundHeader(game, tuple(options.items()), played.header.players, opened=opened)),
            StoredHistory(),
        )
        table.press("*")
        for key, pieces in played.deals.items():
            table.session = round_actions.enter_holding(table.session, *key, played.rules.format_deal(pieces))
        for _, event in played.events[:index]:
            table.session = round_actions.play_event(table.session, str(event))
        table.session = table.session.show_base_screen()
        table.carry_out()
        pair.append(table)
    ear = played.header.players[seat % players]
    texts = ["".join(typed_keys(game, state, str(each))) for each in (move, others[0])]
    assume(len(texts[0]) == len(texts[1]))
    for keys in zip(*texts, strict=True):
        for table, key in zip(pair, keys, strict=True):
            table.press(key)
        if isinstance(pair[0].session.screen, PlayScreen | NamingScreen) and len(pair[0].session.round.events) == index:
            assert_same(*pair, ear=ear)
    # If there is still no move after the drawn piece, the turn ends, which the panel shows.
    kinds = [type(table.session.screen) for table in pair]
    if pair[0].session.round.turn not in (None, seat) and kinds[0] is kinds[1]:
        assert_same(*pair, ear=ear)


def rules_complete(rules, state, word, chance):
    """The same draw with other pieces, as chance may give them."""
    bare = next(move for move in rules.legal_moves(state) if str(move).startswith(word))
    return rules.complete_draw(state, bare, chance.sample)

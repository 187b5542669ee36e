"""Changing names at the box: favourites, renaming a player, merging two; with either set of keys."""

from __future__ import annotations

import pytest
from list_screens import list_lines, list_texts

from companion.evening.screens.lists import ListScreen
from companion.evening.screens.main_menu import MoreMenu
from companion.evening.screens.name_screens import NameMenu, open_names, set_favourite
from companion.inputs import NameChangeRequest, QueryResult
from companion.rounds.stored import LogEntry, RoundHeader, SessionSettings, StoredHistory
from companion.store.store import Store

ROUND_OPTIONS = ("27", (("variant", "basic"),))
LONG_NAMES = ("Alexander Maximi", "Alexander Maxima")


@pytest.fixture
def store_with_rounds(tmp_path):
    """A store with two rounds: Ann against Bob, Anne against Cleo."""
    store = Store(tmp_path)
    for number, names in enumerate((("Ann", "Bob"), ("Anne", "Cleo")), 1):
        begun = LogEntry(number, "begin", header=RoundHeader(*ROUND_OPTIONS, names))
        store.write_entries([begun, LogEntry(number, "event", 1, "1x1"), LogEntry(number, "aside")])
    yield store
    store.close()


@pytest.fixture
def at_names(table_class, store_with_rounds):
    """Makes tables at the list of names, which one set of keys has opened: ``keypad`` or ``buttons``."""

    def made(keys: str):
        table = table_class(SessionSettings(), store_with_rounds.load_history())
        table.wait(3)
        table.press(*(("*", "7") if keys == "keypad" else ("back", *["down"] * 6, "ok")))
        assert isinstance(table.session.screen, ListScreen)
        assert table.session.screen.title == "Names"
        return table

    return made


def entry_labels(table) -> list[str]:
    return list_texts(table.session)


def give_store_answer(table, store) -> None:
    """The store's answer to the table's request, given to the session as the loop does it."""
    request = table.requests.pop()
    assert isinstance(request, NameChangeRequest)
    store.write_entries(table.saved_lines)
    table.saved_lines.clear()
    why = store.change_name(request.old, request.new, is_merge=request.is_merge)
    table.take_input(QueryResult(request, (why, None if why else store.load_history()), table.now))


ERASE = {"keypad": "*", "buttons": "back"}
OK = {"keypad": "#", "buttons": "ok"}


@pytest.mark.parametrize("keys", ["keypad", "buttons"])
def test_a_player_is_renamed(at_names, store_with_rounds, keys):
    """The old name is there to be changed. Then every round has the new one, and the list's cursor is on it."""
    table = at_names(keys)
    assert entry_labels(table) == ["Anne", "Cleo", "Ann", "Bob"]
    table.press(*(("4", "2") if keys == "keypad" else ("up", "ok", "down", "ok")))
    assert table.session.screen.name_text == "Bob"
    table.press(*([ERASE[keys]] * 2))
    table.press(*(("3", "3", "1") if keys == "keypad" else (*["right"] * 4, "ok", "left")), apart=0.3)
    table.press(OK[keys])
    give_store_answer(table, store_with_rounds)
    new = "Be-" if keys == "keypad" else "Be"
    assert store_with_rounds.load_round(1).header.names == ("Ann", new)
    assert entry_labels(table)[table.session.screen.cursor] == new
    assert new in table.session.history.player_names
    assert "Bob" not in table.session.history.player_names


@pytest.mark.parametrize("keys", ["keypad", "buttons"])
def test_two_players_are_merged(at_names, store_with_rounds, keys):
    """Ann and Anne are one player. There is a question first, and any key but OK leaves them two."""
    table = at_names(keys)
    table.press(*(("3", "3", "1") if keys == "keypad" else ("down", "down", "ok", "up", "ok", "ok")))
    assert table.family == "Ask"
    table.press(ERASE[keys])
    assert not table.requests
    table.press(OK[keys])
    table.press(OK[keys])
    give_store_answer(table, store_with_rounds)
    assert store_with_rounds.load_round(1).header.names == ("Anne", "Bob")
    assert entry_labels(table) == ["Anne", "Cleo", "Bob"]


def test_a_player_who_has_not_played_cannot_be_renamed(new_table):
    """The menu of such a name has no entry for it, and its digit does nothing."""
    table = new_table()
    table.session = table.session.open_screens(NameMenu("Cleo"))
    assert "Rename" not in list_texts(table.session)
    table.press("2")
    assert table.session.screen == NameMenu("Cleo")


def test_a_favourite_that_never_played_can_be_removed(new_table):
    """Otherwise a slip of the first start would be offered for ever."""
    table = new_table()
    table.session = open_names(set_favourite(table.session, "W", is_favourite=True))
    table.press(str(entry_labels(table).index("W") + 1))
    assert list_texts(table.session)[0] == "Remove"
    table.press("1")
    assert "W" not in entry_labels(table)


@pytest.mark.parametrize("keys", ["keypad", "buttons"])
def test_a_favourite_is_offered_first(at_names, store_with_rounds, keys):
    """A favourite comes first here and in the lists for seats, and is saved; switched off, it no longer does."""
    table = at_names(keys)
    table.press(*(("4", "1") if keys == "keypad" else ("up", "ok", "ok")))
    assert list_texts(table.session)[0] == "Favourite: yes"
    table.press(ERASE[keys])
    assert entry_labels(table)[0] == "Bob"
    assert list_lines(table.session)[0].note == "favourite"
    store_with_rounds.write_entries(table.saved_lines)
    assert store_with_rounds.load_history().favourites == ("Bob",)
    table.press(OK[keys], OK[keys])
    assert table.session.history.favourites == ()


def test_the_store_may_answer_after_back(at_names, store_with_rounds):
    """If BACK has led to the list meanwhile, the list shows the new name, and BACK leaves it at once."""
    table = at_names("keypad")
    table.press("4", "2", "*", "*")
    table.press("3", "3", "1", apart=0.3)
    table.press("#", "*")
    assert entry_labels(table)[0] == "Anne"
    give_store_answer(table, store_with_rounds)
    assert entry_labels(table)[table.session.screen.cursor] == "Be-"
    table.press("*")
    assert isinstance(table.session.screen, MoreMenu)


def test_an_impossible_change_is_refused_with_its_reason(at_names, store_with_rounds):
    """A name that another player has by now, and two players of one round: the reason is shown, then the menu."""
    table = at_names("keypad")
    table.press("3")
    menu = table.session.screen
    table.session = menu.request_name_change(table.session, "Anne", is_merge=False)
    table.requests.append(table.session.outbox.requests[-1])
    give_store_answer(table, store_with_rounds)
    assert table.session.screen.lines == ("Rename", "There is already a player named Anne.")
    table.press("#")
    assert isinstance(table.session.screen, NameMenu)
    table.press("3", "3", "#")
    give_store_answer(table, store_with_rounds)
    assert table.session.screen.lines == ("Merge with another", "Ann and Bob sat at the same table in round 1.")


def test_another_players_name_leads_to_the_merge_question(at_names):
    """Renaming Ann to Anne asks whether the two are one player. BACK keeps what was typed."""
    table = at_names("keypad")
    table.press("3", "2", "3", "3", "#", apart=0.3)
    assert (table.family, table.session.screen.lines) == ("Ask", ("Ann becomes Anne.",))
    assert not table.requests
    table.press("*")
    assert (table.family, table.session.screen.name_text) == ("Spelling", "Anne")


@pytest.mark.parametrize(("answer", "after"), [("1", "Ann becomes Anne."), ("2", "aNNE")])
def test_a_name_that_differs_only_in_case_leads_to_a_question(at_names, store_with_rounds, answer, after):
    """Renaming Ann to aNNE asks whether that is Anne: if so the two are merged, if not the new name is used."""
    table = at_names("keypad")
    table.press("3", "2")
    table.session = table.session.replace_screen(table.session.screen._replace(name_text="aNNE"))
    table.press("#")
    assert entry_labels(table) == ["yes, Anne", "no, aNNE is new"]
    table.press(answer)
    if answer == "1":
        assert table.session.screen.lines == (after,)
        return
    give_store_answer(table, store_with_rounds)
    assert store_with_rounds.load_round(1).header.names[0] == after


def test_the_list_says_that_nobody_has_played_yet(table_class):
    table = table_class(SessionSettings(), StoredHistory())
    table.wait(3)
    table.press("*", "7")
    assert table.session.screen.lines == ("Names", "Nobody has played yet. Names are entered when a game begins.")


def test_back_leads_from_anywhere_to_the_main_menu(at_names):
    table = at_names("buttons")
    table.press("ok", "down", "ok", "up")
    seen = []
    for _ in range(12):
        table.press("back")
        seen.append(type(table.session.screen).__name__)
    assert seen[-1] in ("MainMenu", "MoreMenu")
    ways = [each for each in dict.fromkeys(seen) if each != "SpellingScreen"]
    assert ways == ["NameMenu", "ListScreen", "MoreMenu", "MainMenu"]


@pytest.mark.parametrize("keys", ["keypad", "buttons"])
def test_pictures(table_class, golden, keys):
    """The list, the menu of a long name, the spelling, the other players, and the question."""
    history = StoredHistory(player_names=(*LONG_NAMES, "Ann", "Cleo"), favourites=("Cleo",))
    table = table_class(SessionSettings(), history)
    table.wait(3)
    table.press(*(("*", "7") if keys == "keypad" else ("back", *["down"] * 6, "ok")))
    golden(table.picture, f"names/list-{keys}")
    table.press(*(("2",) if keys == "keypad" else ("down", "ok")))
    golden(table.picture, f"names/one-{keys}")
    table.press(*(("2",) if keys == "keypad" else ("down", "ok")))
    golden(table.picture, f"names/rename-{keys}")
    table.press(OK[keys])
    table.press(*(("3",) if keys == "keypad" else ("down", "ok")))
    golden(table.picture, f"names/same-{keys}")
    table.press(OK[keys])
    golden(table.picture, f"names/ask-{keys}")


def test_a_name_without_rounds_can_be_changed(at_names, store_with_rounds):
    """Only the session knows it. It can get another name, or become a player who has played."""
    table = at_names("keypad")
    table.session = table.session._replace(
        history=table.session.history._replace(player_names=(*table.session.history.player_names, "Zoe"))
    )
    table.press("*", "7", "5", "2")
    assert table.session.screen.name_text == "Zoe"
    table.press("*", *"333", apart=0.3)
    table.press("#")
    give_store_answer(table, store_with_rounds)
    assert "Zof" in entry_labels(table)
    assert "Zoe" not in entry_labels(table)
    table.press(str(entry_labels(table).index("Zof") + 1), "3", "1", "#")  # Zof is Anne, who has played.
    give_store_answer(table, store_with_rounds)
    assert entry_labels(table)[0] == "Anne"
    assert "Zof" not in entry_labels(table)

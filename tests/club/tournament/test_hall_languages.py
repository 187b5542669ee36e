"""The club server's pages in other languages: every word is a message, and each reader has their own language."""

from __future__ import annotations

import ast
import json
import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from evening_hall import AT, enter, opened, pair
from leftovers import unmarked
from starlette.testclient import TestClient

import companion.club
from companion import games, languages
from companion.club import tournament_changes as changes
from companion.club.intake import ClubStore
from companion.club.messages import StateMessage
from companion.club.tie_breaks import TIE_BREAKS
from companion.club.tournament import PairingOutcome
from companion.club.web import rendering
from companion.club.web.forms import game_choices

HALL = Path(companion.club.__file__).parent
NAMES = (
    *["Ann", "Ben", "Cleo", "Dan", "Eve", "Fay", "Anna", "ann", "cleo", "John", "Smith", "Vic", "Walt", "王小明"],
    *("Smith, John", "Club evening", "table-1", "table-2", "table-3", "table-9", "a note of a version before"),
    *(game.name for game in games.all_manifests()),
    *("CSV", "JSON", "TRF", "Buchholz", "Sonneborn-Berger", "SB", "http://192.168.1.20:8028/tournaments"),
)  # fmt: skip
PICTURE = {"moment": "playing", "game": "27", "players": [{"name": "Ann", "score": 1, "turn": True}], "result": None}


@pytest.fixture
def drawn(hall, organiser, nobodys_language):
    """Returns a function that gets a page in the pseudo-language; every word of the page must be marked."""
    organiser.cookies.set("language", nobodys_language)
    rendering.TEMPLATES.cache.clear()

    def draw(path: str, status: int = 200, *, anybody: bool = False, **form) -> str:
        client = organiser
        if anybody:
            client = TestClient(organiser.app, base_url=organiser.base_url, client=("192.168.1.9", 50_000))
            client.cookies.set("language", nobodys_language)
            client.headers["origin"] = organiser.headers["origin"]
        answer = client.post(path, data=form) if form else client.get(path)
        assert answer.status_code == status, answer.text
        assert unmarked(answer.text, NAMES) == [], path
        return answer.text

    return draw


def test_every_word_of_every_page_is_a_message(hall, organiser, drawn, client):
    """Through a tournament and every refusal; each template is rendered."""
    last_states = client.night.last_states()
    last_states["table-3"] = StateMessage("c" * 32, True, public=PICTURE | {"panel": "iVBOR"})
    last_states["table-9"] = StateMessage("d" * 32, False)
    for path in ("/", "/organiser", "/tournaments"):
        drawn(path)
        drawn(path, anybody=True)
    drawn("/nowhere", 404)
    drawn("/tournaments/door", 403, password="wrong", anybody=True)

    sent = {"name": "Club evening", "game": game_choices()[0].form_value, "system": "swiss"}
    drawn("/tournaments", 400, **sent, rounds="many")
    drawn("/tournaments", 400, **sent, rounds="3", names="Smith, John")
    one, other = opened(hall, "Ann Ben Cleo Dan Eve 王小明", rounds=4), opened(hall, swiss=False)
    page = f"/tournaments/{one}"
    drawn(page)
    drawn(page, anybody=True)
    drawn(f"/tournaments/{other}")
    drawn(page, 403, what="pair", anybody=True)
    for form in (
        {"what": "players", "names": "Smith, John"}, {"what": "players", "names": "Eve\nAnn,Cleo\nann"},
        {"what": "players", "names": "x" * 40}, {"what": "rename", "player": "1", "name": "Ben"},
        {"what": "rename", "player": "1", "name": ""}, {"what": "here", "player": "99"}, {"what": "nothing"},
        {"what": "settings", "name": "Club evening", "rounds": "3", "minutes": "9999"}, {"what": "delete"},
        {"what": "bar", "one": "1", "other": "1"}, {"what": "hand", "first": "1", "second": "1"},
        {"what": "unpair"}, {"what": "start-clock"}, {"what": "move", "row": "1", "place": "nowhere"},
        {"what": "result", "row": "1", "outcome": "?"},
    ):  # fmt: skip
        drawn(page, 400, **form)
    for ties in (["cut", "direct", "progress"], ["wins"], []):
        form = {"name": "Club evening", "rounds": "4", "minutes": "30", "tie": ties}
        drawn(page, what="settings", **form)
    drawn(page, what="rename", player="1", name="Anna")
    drawn(page, what="rename", player="1", name="Ann")
    drawn(page, what="bar", one="1", other="4")
    drawn(page, what="lots")
    hall.tournaments.change_event(one, changes.set_present, 5, False)
    hall.tournaments.change_event(one, changes.grant_half_bye, 6)
    drawn(page)
    drawn(f"{page}/hand")
    drawn(page, what="pair")
    drawn(page, what="start-clock")
    drawn("/")
    played = [row for row in hall.tournaments.read_event(one).rows if row.game.second]
    names = [hall.tournaments.read_event(one).player_name(number) for number in played[0].game[2:4]]
    hall.comes("table-2", *names, pairing="")
    hall.comes("table-1", *names[::-1])
    hall.comes("table-1", *names[::-1], round_=2, text="")
    hall.comes("table-1", *names, value=hall.shortest.other)
    for path in (page, f"{page}/round", f"{page}/table", f"{page}/hand", "/", "/tournaments"):
        drawn(path)
        drawn(path, 403 if path.endswith("/hand") else 200, anybody=True)
    enter(hall, one)
    hall.tournaments.change_event(one, changes.enter_outcome, played[0].id, PairingOutcome.DRAW)
    for path in (page, f"{page}/round", f"{page}/table", "/"):
        drawn(path)
    drawn(page, what="pair")
    hall.tournaments.change_event(one, changes.unpair_round)
    pair(hall, one, ())
    for path in (page, f"{page}/round", f"{page}/table", "/", "/organiser"):
        drawn(path)
    two = opened(hall, "Ann Ben", rounds=2)
    pair(hall, two)
    enter(hall, two)
    drawn(f"/tournaments/{two}", 400, what="pair")
    drawn(f"/tournaments/{two}", what="pair", again="yes")
    pair(hall, other, ())
    for path in (
        f"/tournaments/{other}",
        f"/tournaments/{other}/table",
        f"/tournaments/{other}/round",
        "/tournaments",
        "/",
    ):
        drawn(path)
    hall.tournaments.change_event(two, changes.set_archived, True)
    drawn(f"/tournaments/{two}")
    drawn("/tournaments")
    missing = {path.name for path in (HALL / "web" / "templates").iterdir()} - {
        name for _, name in rendering.TEMPLATES.cache
    }
    assert not missing, "these were not drawn"


def test_what_tables_did_is_told_in_messages(hall, drawn, client):
    """Each note for the organiser about a table, and why nothing can be saved."""
    for store in ("a", "b"):
        hall.comes("table-1", "Ann", "Ben", store=store * 32)
    hall.comes("table-2", "Ann", "王" * 65)
    hall.intake.add_note("table-2", "a note of a version before", AT)
    client.night.store_problem = lambda: languages.text("the club database cannot be written: {why}", why="王")
    page = drawn("/organiser")
    assert "a note of a version before" in page


def test_no_word_stands_outside_of_messages():
    """In no branch of any template, and in no script of the pages."""
    for path in (*(HALL / "web" / "templates").iterdir(), *(HALL.parent / "web" / "templates").iterdir()):
        bare = re.sub(r""" (?:sse|hx)-\w+=(?:"[^"]*"|'[^']*')""", "", path.read_text(encoding="utf-8"))
        bare = re.sub(r"\{%.*?%\}|\{\{.*?\}\}|\{#.*?#\}", "", bare, flags=re.S)
        assert unmarked(bare, NAMES) == [], path.name
    for path in (HALL / "web" / "static").glob("*.js"):
        code = re.sub(r"//.*", "", path.read_text(encoding="utf-8"))
        assert not re.findall(r"([\"'`])(?:(?!\1).)*[a-z] [a-z]+(?:(?!\1).)*\1", code), path.name


SAID = {"Tournament", "NoPairing", "Hall", "MessageRefused", "Unreadable", "Access", "Link"}
"""The errors whose sentence somebody sees, without the word Error."""


def test_every_refusal_is_a_text():
    """No such error is raised with a sentence that no catalogue has."""
    found = []
    for path in HALL.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Raise(exc=ast.Call(func=ast.Name(id=name), args=[sentence])) if name[:-5] in SAID:
                    found.append(name[:-5])
                    assert not isinstance(sentence, ast.Constant | ast.JoinedStr), f"{path}:{node.lineno}"
    assert set(found) == SAID


def asks(client, wish: str, path: str, **form) -> str:
    """What a browser with these languages is shown."""
    browser = TestClient(client.app, base_url=client.base_url, client=("192.168.1.9", 50_000))
    browser.headers |= {"origin": client.headers["origin"], "accept-language": wish}
    browser.cookies = client.cookies
    answer = browser.post(path, data=form) if form else browser.get(path)
    assert answer.status_code in (200, 400)
    return answer.text


def test_two_organisers_in_two_languages_run_one_tournament(hall, organiser):
    """Each reads pages, refusals and the other's changes in the language of the own browser."""
    id_ = opened(hall)
    path = f"/tournaments/{id_}"
    asks(organiser, "de-DE,de;q=0.9", path, what="away", player="4")
    asks(organiser, "fr", path, what="pair")
    german, french = (asks(organiser, wish, path) for wish in ("de-DE,de;q=0.9", "fr-CH"))
    assert '<html lang="de">' in german
    assert "Dan ist ab Runde 1 nicht da" in german
    assert "Runde 1 ist gepaart" in german
    assert '<html lang="fr">' in french
    assert "Dan n&#39;est plus là à partir de la ronde 1" in french
    assert "la ronde 1 est appariée" in french
    english = asks(organiser, "xx", path)
    assert "Dan is away from round 1 on" in english
    refused = {wish: asks(organiser, wish, path, what="pair") for wish in ("de", "fr", "es", "en")}
    for wish, sentence in {"de": "Runde 1 ist noch nicht vorbei.", "fr": "La ronde 1 n&#39;est pas finie.",
                           "es": "La ronda 1 no ha terminado.", "en": "Round 1 is not over."}.items():  # fmt: skip
        assert f'role="alert">{sentence}</p>' in refused[wish]


def test_a_refusal_of_the_process_that_pairs_is_in_the_language_of_who_asked(hall, organiser):
    id_ = opened(hall, "Ann Ben", rounds=2)
    pair(hall, id_)
    enter(hall, id_)
    assert "No queda ningún emparejamiento" in asks(organiser, "es", f"/tournaments/{id_}", what="pair")


def test_streams_speak_the_language_of_their_page(hall, client):
    """The television's stream and a tournament's, of one server at one moment."""
    id_ = opened(hall)
    pair(hall, id_)
    said = {}
    for language in ("de", "en", "fr"):
        with languages.in_language(language):
            said[language] = (
                client.night.television_view()()["slides"],
                client.night.tournaments.page_view(id_, for_organiser=False)()["about"],
                client.night.render_notes()["notes"],
            )
    for language, words in {"en": ("round 1 of 3", "Tables"), "de": ("Runde 1 von 3", "Tische"),
                            "fr": ("ronde 1 sur 3", "Tables")}.items():  # fmt: skip
        slides, about, notes = said[language]
        assert words[0] in slides
        assert words[0] in about
        assert words[1] in notes


def test_the_television_has_its_own_language(hall, client):
    """The choice needs no script and stays; other screens do not change."""
    page = client.get("/", headers={"accept-language": "de"}).text
    assert "Neueste Ergebnisse" in page
    for code, name in (("en", "English"), ("de", "Deutsch"), ("fr", "Français"), ("es", "Español")):
        assert f'value="{code}" lang="{code}"' in page
        assert f">{name}</button>" in page
    back = {"referer": f"{client.base_url}/"}
    answer = client.post("/language", data={"language": "es"}, headers=back, follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    assert "Últimos resultados" in client.get("/", headers={"accept-language": "de"}).text
    client.cookies.clear()
    assert "Latest results" in client.get("/").text


def test_a_choice_after_a_wrong_password_leads_back_to_the_tournaments(client):
    """The browser asks for the address of the refused form again."""
    back = {"referer": f"{client.base_url}/tournaments/door"}
    answer = client.post("/language", data={"language": "de"}, headers=back)
    assert (answer.status_code, "Turniere" in answer.text) == (200, True)


def test_files_and_the_database_are_english_whoever_asks(hall, organiser, tmp_path):
    """Programs read the files, and older versions read the list of changes."""
    id_ = opened(hall, "Ann Ben Cleo")
    asks(organiser, "de", f"/tournaments/{id_}", what="half-bye", player="1")
    asks(organiser, "de", f"/tournaments/{id_}", what="pair")
    enter(hall, id_)
    asks(organiser, "de", f"/tournaments/{id_}", what="pair")
    for name in ("table.csv", "tournament.json", "tournament.trf"):
        path = f"/tournaments/{id_}/{name}"
        assert asks(organiser, "de", path) == asks(organiser, "en", path)
    assert "½ bye" in asks(organiser, "fr", f"/tournaments/{id_}/table.csv")
    kept = [sentence for (sentence,) in hall.tournaments.execute("SELECT sentence FROM trail ORDER BY n")]
    assert kept[:2] == ["Ann sits out round 1 for half a point", "round 1 is paired"]
    with languages.in_language("de"):
        assert hall.tournaments.change_list(id_)[-1][1] == "Ann setzt in Runde 1 für einen halben Punkt aus"
    hall.tournaments.execute("UPDATE trail SET words = NULL")
    with languages.in_language("de"):
        assert hall.tournaments.change_list(id_)[-1][1] == kept[0], "as a version before has written it"


def test_a_note_that_was_kept_is_told_in_any_language(tmp_path):
    intake = ClubStore(tmp_path)
    with languages.in_language("fr"), intake.transaction():
        intake.add_note(
            "table-1", languages.text("a message was refused: {why}", why=languages.text("it is not a JSON object")), AT
        )
    with closing(sqlite3.connect(tmp_path / "hall.db")) as db:
        ((words,),) = db.execute("SELECT words FROM told").fetchall()
    assert json.loads(words)["text"] == "a message was refused: {why}"
    assert intake.newest_notes()[0][2] == "a message was refused: it is not a JSON object"
    with languages.in_language("de"):
        assert intake.newest_notes()[0][2] == "eine Nachricht wurde abgelehnt: sie ist kein JSON-Objekt"
    intake.close()


def test_ties_and_options_are_in_the_language_that_is_spoken():
    """Their words were made when the program started."""
    with languages.in_language("de"):
        assert f"{TIE_BREAKS['wins'].name}" == "Siege"
        assert f"{games.game_title('prime-attactics', [('level', 'easy')])}".startswith("Prime Attactics ")
        assert "easy" not in f"{games.game_title('prime-attactics', [('level', 'easy')])}"

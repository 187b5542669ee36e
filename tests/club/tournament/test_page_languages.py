"""The club server's pages in other languages: every word is a message, and each reader has their own language."""

from __future__ import annotations

import ast
import json
import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from tournament_night import DATE, enter_results, new_tournament, pair_next_round
from untranslated_words import unmarked_texts

import companion.club
from companion import games, languages
from companion.club import tournament_changes as changes
from companion.club.club_store import ClubStore
from companion.club.mqtt_messages import StateMessage
from companion.club.tie_breaks import TIE_BREAKS
from companion.club.tournament import PairingOutcome
from companion.club.web import rendering
from companion.club.web.forms import tournament_game_choices

CLUB_FOLDER = Path(companion.club.__file__).parent
NAMES = (
    *["Ann", "Ben", "Cleo", "Dan", "Eve", "Fay", "Anna", "ann", "cleo", "John", "Smith", "Vic", "Walt", "王小明"],
    *("Smith, John", "Club evening", "table-1", "table-2", "table-3", "table-9", "a note of a version before"),
    *(game.name for game in games.all_manifests()),
    *("CSV", "JSON", "TRF", "Buchholz", "Sonneborn-Berger", "SB", "http://192.168.1.20:8028/tournaments"),
)  # fmt: skip
PICTURE = {"moment": "playing", "game": "27", "players": [{"name": "Ann", "score": 1, "turn": True}], "result": None}


@pytest.fixture
def get_pseudo_page(tournament_night, organiser, nobodys_language):
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
        assert unmarked_texts(answer.text, NAMES) == [], path
        return answer.text

    return draw


def test_every_word_of_every_page_is_a_message(tournament_night, organiser, get_pseudo_page, client):
    """Through a tournament and every refusal; each template is rendered."""
    last_states = client.night.last_states()
    last_states["table-3"] = StateMessage("c" * 32, True, public=PICTURE | {"panel": "iVBOR"})
    last_states["table-9"] = StateMessage("d" * 32, False)
    for path in ("/", "/organiser", "/tournaments"):
        get_pseudo_page(path)
        get_pseudo_page(path, anybody=True)
    get_pseudo_page("/nowhere", 404)
    get_pseudo_page("/tournaments/door", 403, password="wrong", anybody=True)

    sent = {"name": "Club evening", "game": tournament_game_choices()[0].form_value, "system": "swiss"}
    get_pseudo_page("/tournaments", 400, **sent, rounds="many")
    get_pseudo_page("/tournaments", 400, **sent, rounds="3", names="Smith, John")
    one, other = (
        new_tournament(tournament_night, "Ann Ben Cleo Dan Eve 王小明", rounds=4),
        new_tournament(tournament_night, swiss=False),
    )
    page = f"/tournaments/{one}"
    get_pseudo_page(page)
    get_pseudo_page(page, anybody=True)
    get_pseudo_page(f"/tournaments/{other}")
    get_pseudo_page(page, 403, what="pair", anybody=True)
    for form in (
        {"what": "players", "names": "Smith, John"}, {"what": "players", "names": "Eve\nAnn,Cleo\nann"},
        {"what": "players", "names": "x" * 40}, {"what": "rename", "player": "1", "name": "Ben"},
        {"what": "rename", "player": "1", "name": ""}, {"what": "here", "player": "99"}, {"what": "nothing"},
        {"what": "settings", "name": "Club evening", "rounds": "3", "minutes": "9999"}, {"what": "delete"},
        {"what": "bar", "one": "1", "other": "1"}, {"what": "hand", "first": "1", "second": "1"},
        {"what": "unpair"}, {"what": "start-clock"}, {"what": "move", "row": "1", "place": "nowhere"},
        {"what": "result", "row": "1", "outcome": "?"},
    ):  # fmt: skip
        get_pseudo_page(page, 400, **form)
    for ties in (["cut", "direct", "progress"], ["wins"], []):
        form = {"name": "Club evening", "rounds": "4", "minutes": "30", "tie": ties}
        get_pseudo_page(page, what="settings", **form)
    get_pseudo_page(page, what="rename", player="1", name="Anna")
    get_pseudo_page(page, what="rename", player="1", name="Ann")
    get_pseudo_page(page, what="bar", one="1", other="4")
    get_pseudo_page(page, what="lots")
    tournament_night.tournaments.change_event(one, changes.set_present, 5, False)
    tournament_night.tournaments.change_event(one, changes.grant_half_bye, 6)
    get_pseudo_page(page)
    get_pseudo_page(f"{page}/hand")
    get_pseudo_page(page, what="pair")
    get_pseudo_page(page, what="start-clock")
    get_pseudo_page("/")
    played = [row for row in tournament_night.tournaments.read_event(one).rows if row.game.second]
    names = [tournament_night.tournaments.read_event(one).player_name(number) for number in played[0].game[2:4]]
    tournament_night.take_round("table-2", *names, pairing="")
    tournament_night.take_round("table-1", *names[::-1])
    tournament_night.take_round("table-1", *names[::-1], round_=2, text="")
    tournament_night.take_round("table-1", *names, value=tournament_night.shortest.other)
    for path in (page, f"{page}/round", f"{page}/standings", f"{page}/table", f"{page}/hand", "/", "/tournaments"):
        get_pseudo_page(path)
        get_pseudo_page(path, 403 if path.endswith("/hand") else 200, anybody=True)
    enter_results(tournament_night, one)
    tournament_night.tournaments.change_event(one, changes.enter_outcome, played[0].id, PairingOutcome.DRAW)
    for path in (page, f"{page}/round", f"{page}/table", "/"):
        get_pseudo_page(path)
    get_pseudo_page(page, what="pair")
    tournament_night.tournaments.change_event(one, changes.unpair_round)
    pair_next_round(tournament_night, one, ())
    for path in (page, f"{page}/round", f"{page}/table", "/", "/organiser"):
        get_pseudo_page(path)
    two = new_tournament(tournament_night, "Ann Ben", rounds=2)
    pair_next_round(tournament_night, two)
    enter_results(tournament_night, two)
    get_pseudo_page(f"/tournaments/{two}", 400, what="pair")
    get_pseudo_page(f"/tournaments/{two}", what="pair", again="yes")
    pair_next_round(tournament_night, other, ())
    for path in (
        f"/tournaments/{other}",
        f"/tournaments/{other}/table",
        f"/tournaments/{other}/round",
        "/tournaments",
        "/",
    ):
        get_pseudo_page(path)
    tournament_night.tournaments.change_event(two, changes.set_archived, True)
    get_pseudo_page(f"/tournaments/{two}")
    get_pseudo_page("/tournaments")
    missing = {path.name for path in (CLUB_FOLDER / "web" / "templates").iterdir()} - {
        name for _, name in rendering.TEMPLATES.cache
    }
    assert not missing, "these were not drawn"


def test_notes_about_tables_are_messages(tournament_night, get_pseudo_page, client):
    """Each note for the organiser about a table, and why nothing can be saved."""
    for store in ("a", "b"):
        tournament_night.take_round("table-1", "Ann", "Ben", store=store * 32)
    tournament_night.take_round("table-2", "Ann", "王" * 65)
    tournament_night.intake.add_note("table-2", "a note of a version before", DATE)
    client.night.store_problem = lambda: languages.text("the club database cannot be written: {why}", why="王")
    page = get_pseudo_page("/organiser")
    assert "a note of a version before" in page


def test_no_word_stands_outside_of_messages():
    """In no branch of any template, and in no script of the pages."""
    for path in (*(CLUB_FOLDER / "web" / "templates").iterdir(), *(CLUB_FOLDER.parent / "web" / "templates").iterdir()):
        bare = re.sub(r""" (?:sse|hx)-\w+=(?:"[^"]*"|'[^']*')""", "", path.read_text(encoding="utf-8"))
        bare = re.sub(r"\{%.*?%\}|\{\{.*?\}\}|\{#.*?#\}", "", bare, flags=re.S)
        assert unmarked_texts(bare, NAMES) == [], path.name
    for path in (CLUB_FOLDER / "web" / "static").glob("*.js"):
        code = re.sub(r"//.*", "", path.read_text(encoding="utf-8"))
        assert not re.findall(r"([\"'`])(?:(?!\1).)*[a-z] [a-z]+(?:(?!\1).)*\1", code), path.name


SHOWN_ERRORS = {"Tournament", "NoPairing", "ClubDatabase", "MessageRefused", "Unreadable", "Access", "Link"}
"""The errors whose sentence somebody sees, without the word Error."""


def test_every_refusal_is_a_text():
    """No such error is raised with a sentence that no catalogue has."""
    errors_raised = []
    for path in CLUB_FOLDER.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Raise(exc=ast.Call(func=ast.Name(id=name), args=[sentence])) if name[:-5] in SHOWN_ERRORS:
                    errors_raised.append(name[:-5])
                    assert not isinstance(sentence, ast.Constant | ast.JoinedStr), f"{path}:{node.lineno}"
    assert set(errors_raised) == SHOWN_ERRORS


def get_page(client, accept_language: str, path: str, **form) -> str:
    """What a browser with these languages is shown."""
    browser = TestClient(client.app, base_url=client.base_url, client=("192.168.1.9", 50_000))
    browser.headers |= {"origin": client.headers["origin"], "accept-language": accept_language}
    browser.cookies = client.cookies
    answer = browser.post(path, data=form) if form else browser.get(path)
    assert answer.status_code in (200, 400)
    return answer.text


def test_two_organisers_in_two_languages_run_one_tournament(tournament_night, organiser):
    """Each reads pages, refusals and the other's changes in the language of the own browser."""
    id_ = new_tournament(tournament_night)
    path = f"/tournaments/{id_}"
    get_page(organiser, "de-DE,de;q=0.9", path, what="away", player="4")
    get_page(organiser, "fr", path, what="pair")
    german, french = (get_page(organiser, wish, path) for wish in ("de-DE,de;q=0.9", "fr-CH"))
    assert '<html lang="de">' in german
    assert "Dan ist ab Runde 1 nicht da" in german
    assert "Runde 1 ist ausgelost" in german
    assert '<html lang="fr">' in french
    assert "Dan n&#39;est plus là à partir de la ronde 1" in french
    assert "la ronde 1 est appariée" in french
    english = get_page(organiser, "xx", path)
    assert "Dan is away from round 1 on" in english
    refused = {wish: get_page(organiser, wish, path, what="pair") for wish in ("de", "fr", "es", "en")}
    for wish, sentence in {"de": "Runde 1 ist noch nicht vorbei.", "fr": "La ronde 1 n&#39;est pas finie.",
                           "es": "La ronda 1 no ha terminado.", "en": "Round 1 is not over."}.items():  # fmt: skip
        assert f'role="alert">{sentence}</p>' in refused[wish]


def test_a_refusal_of_the_pairing_process_is_translated(tournament_night, organiser):
    id_ = new_tournament(tournament_night, "Ann Ben", rounds=2)
    pair_next_round(tournament_night, id_)
    enter_results(tournament_night, id_)
    assert "No hay emparejamiento posible" in get_page(organiser, "es", f"/tournaments/{id_}", what="pair")


def test_streams_are_in_the_language_of_their_page(tournament_night, client):
    """The television's stream and a tournament's, of one server at one moment."""
    id_ = new_tournament(tournament_night)
    pair_next_round(tournament_night, id_)
    parts_by_language = {}
    for language in ("de", "en", "fr"):
        with languages.in_language(language):
            parts_by_language[language] = (
                client.night.television_view()()["slides"],
                client.night.tournaments.page_view(id_, for_organiser=False)()["about"],
                client.night.render_notes()["notes"],
            )
    for language, words in {"en": ("round 1 of 3", "Tables"), "de": ("Runde 1 von 3", "Tische"),
                            "fr": ("ronde 1 sur 3", "Tables")}.items():  # fmt: skip
        slides, about, notes = parts_by_language[language]
        assert words[0] in slides
        assert words[0] in about
        assert words[1] in notes


def test_the_television_has_its_own_language(tournament_night, client):
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


def test_files_and_the_database_are_english_whoever_asks(tournament_night, organiser, tmp_path):
    """Programs read the files, and older versions read the list of changes."""
    id_ = new_tournament(tournament_night, "Ann Ben Cleo")
    get_page(organiser, "de", f"/tournaments/{id_}", what="half-bye", player="1")
    get_page(organiser, "de", f"/tournaments/{id_}", what="pair")
    enter_results(tournament_night, id_)
    get_page(organiser, "de", f"/tournaments/{id_}", what="pair")
    for name in ("table.csv", "tournament.json", "tournament.trf"):
        path = f"/tournaments/{id_}/{name}"
        assert get_page(organiser, "de", path) == get_page(organiser, "en", path)
    assert "½ bye" in get_page(organiser, "fr", f"/tournaments/{id_}/table.csv")
    sentences = [
        sentence for (sentence,) in tournament_night.tournaments.execute("SELECT sentence FROM trail ORDER BY n")
    ]
    assert sentences[:2] == ["Ann sits out round 1 for half a point", "round 1 is paired"]
    with languages.in_language("de"):
        assert (
            tournament_night.tournaments.changes_newest_first(id_)[-1][1]
            == "Ann setzt in Runde 1 für einen halben Punkt aus"
        )
    tournament_night.tournaments.execute("UPDATE trail SET words = NULL")
    with languages.in_language("de"):
        assert tournament_night.tournaments.changes_newest_first(id_)[-1][1] == sentences[0], (
            "as a version before has written it"
        )


def test_a_saved_note_is_shown_in_any_language(tmp_path):
    intake = ClubStore(tmp_path)
    with languages.in_language("fr"), intake.transaction():
        intake.add_note(
            "table-1",
            languages.text("a message was refused: {why}", why=languages.text("it is not a JSON object")),
            DATE,
        )
    with closing(sqlite3.connect(tmp_path / "hall.db")) as db:
        ((words,),) = db.execute("SELECT words FROM told").fetchall()
    assert json.loads(words)["text"] == "a message was refused: {why}"
    assert intake.newest_organiser_notes()[0][2] == "a message was refused: it is not a JSON object"
    with languages.in_language("de"):
        assert intake.newest_organiser_notes()[0][2] == "eine Nachricht wurde abgelehnt: sie ist kein JSON-Objekt"
    intake.close()


def test_tie_breaks_and_options_are_in_the_spoken_language():
    """Their words were made when the program started."""
    with languages.in_language("de"):
        assert f"{TIE_BREAKS['wins'].name}" == "Siege"
        assert f"{games.game_title('prime-attactics', [('level', 'easy')])}".startswith("Prime Attactics ")
        assert "easy" not in f"{games.game_title('prime-attactics', [('level', 'easy')])}"

"""`companion uplink` and `companion hall` from their arguments to what they print."""

from __future__ import annotations

import builtins

import pytest

from companion import UnusableError
from companion.club.club_store import ClubStore
from companion.club.mqtt_messages import EntryPosition, Link, LinkError, LogMessage
from companion.commands import hall, services
from companion.store.history import START_POSITION

LINK = "mqtts://table-4:p%40ss%2Fword@[fd00::1]:8883/our-club#" + "5e" * 32


@pytest.fixture
def server_folder(tmp_path, finished_rounds):
    """A club server's folder with two rounds of two tables and one refused record."""
    club_store = ClubStore(tmp_path / "hall")
    with club_store.transaction():
        for number, record in enumerate(
            (finished_rounds[0].record_text, finished_rounds[-1].record_text, "nonsense"), 1
        ):
            message = LogMessage(
                "a" * 31 + str(number % 2), START_POSITION, EntryPosition(number, number), number, 1, record
            )
            club_store.store_message(f"table-{number % 2}", message, "2026-11-21T20:15:00+0100")
    club_store.close()
    return tmp_path / "hall"


def test_tables_standings_and_records_of_a_hall(server_folder, tmp_path, capsys, finished_rounds):
    """Rounds are listed, counted and exported as they were sent; one that does not count is listed with its reason."""
    assert hall.main(["--data", str(server_folder), "tables"]) == 0
    said = capsys.readouterr().out
    assert "table-1: 1 round, 1 more not counted" in said
    assert "round 3 does not count: line 1" in said
    hall.main(["--data", str(server_folder), "standings"])
    assert "Ann: won" in capsys.readouterr().out
    for wanted in ("2 rounds written", "0 rounds written"):
        hall.main(["--data", str(server_folder), "export", str(tmp_path / "out")])
        assert wanted in capsys.readouterr().out
    texts = {file.read_text() for file in (tmp_path / "out").iterdir()}
    assert texts == {finished_rounds[0].record_text, finished_rounds[-1].record_text}


def test_the_organisers_password_is_shown(server_folder, capsys):
    """The password stays the same, and exists only for an existing server."""
    shown = []
    for _ in range(2):
        assert hall.main(["--data", str(server_folder), "password"]) == 0
        shown.append(capsys.readouterr().out)
    assert shown[0] == shown[1] == (server_folder / "organiser").read_text()


def test_rounds_move_to_a_new_table_name(server_folder, capsys):
    """An invalid name is refused."""
    hall.main(["--data", str(server_folder), "move", "table-1", "box-9"])
    assert "2 rounds of table-1 now belong to box-9" in capsys.readouterr().out
    with pytest.raises(UnusableError, match="1 to 24 letters"):
        hall.main(["--data", str(server_folder), "move", "box-9", "a/b"])


@pytest.mark.parametrize("verb", ["tables", "standings", "password", "export"])
def test_reading_commands_create_nothing(verb, tmp_path):
    """They say that there is nothing."""
    with pytest.raises(UnusableError, match="there is no club database in"):
        hall.main(["--data", str(tmp_path / "none"), verb, *(["x"] if verb == "export" else [])])
    assert not (tmp_path / "none").exists()


def test_a_missing_library_is_reported(tmp_path, monkeypatch):
    """One sentence names the extra that is not installed."""
    (tmp_path / "hall.link").write_text(LINK)
    known = builtins.__import__

    def without(name, *words, **more):
        if name.startswith(("paho", "companion.club.uplink", "companion.club.club_server")):
            raise ImportError(name)
        return known(name, *words, **more)

    monkeypatch.setattr(builtins, "__import__", without)
    for run in (
        lambda: services.uplink(["--link", str(tmp_path / "hall.link"), "--data", str(tmp_path)]),
        lambda: hall.main(["--data", str(tmp_path), "--club", str(tmp_path)]),
    ):
        with pytest.raises(UnusableError, match=r"`.venv/bin/pip install -c constraints.txt '\.\[hall\]'` installs it"):
            run()


def test_a_link_is_read_as_it_was_written():
    """Whatever is in the password, and with either kind of address."""
    link = Link.parse(f" {LINK}\n")
    assert link == Link("table-4", "p@ss/word", "fd00::1", 8883, "our-club", "5e" * 32)
    assert str(link) == LINK
    assert Link.parse("mqtt://a:b@hall/club") == Link("a", "b", "hall", 1883, "club")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "http://a:secret@h/c",
        "mqtt://a@h/c",
        "mqtt://a:secret@h",
        "mqtt://a:secret@h/c/d",
        "mqtt://a+b:secret@h/c",
        "mqtts://a:secret@h/c",
        "mqtts://a:secret@h/c#12",
        "mqtt://a:secret@h:99999/c",
        "mqtt://a:secret@[h/c",
        "mqtt://" + "a" * 25 + ":secret@h/c",
    ],
)
def test_an_invalid_link_is_refused_without_its_password(text):
    with pytest.raises(LinkError, match="link") as refused:
        Link.parse(text)
    assert "secret" not in str(refused.value)


def test_an_uplink_without_a_link_says_how_to_name_one(tmp_path, monkeypatch):
    """No file, a missing one, or one that is no text is one sentence."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    (tmp_path / "none.toml").write_text("")
    with pytest.raises(UnusableError, match=r"link = \"FILE\" under \[hall\]"):
        services.uplink(["--config", str(tmp_path / "none.toml")])
    with pytest.raises(UnusableError, match="cannot read"):
        services.uplink(["--config", str(tmp_path / "none.toml"), "--link", str(tmp_path / "gone")])
    (tmp_path / "bytes").write_bytes(b"\xff")
    with pytest.raises(UnusableError, match="UTF-8"):
        services.uplink(["--config", str(tmp_path / "none.toml"), "--link", str(tmp_path / "bytes")])

"""The configuration: what is accepted, what is refused, and in which words."""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion import config
from companion.__main__ import main
from companion.config import Config, ConfigError, data_folder, load_config, parse_config

FILE = Path("/somewhere/config.toml")

WHOLE_FILE = """
[table]
lock = "0042"
name = "Kitchen"
data = "rounds"
players = ["Ann", "Ben"]
clock = true
language = "de"
backup = "/media/stick/rounds"
second = "/media/other/rounds"
[display]
shift = false
idle = "dim"
driver = "png"
interface = "spi"
path = "/run/picture.png"
bus = 0
address = 0x3D
device = 1
dc = 23
rst = 22
size = "128x64"
upside_down = true
brightness = 20
[keypad]
port = "/dev/serial/by-id/usb-keypad"
baud = 115200
usb = false
[buttons]
board = "breadboard"
up = 5
ok = [4, 7]
[lamps]
turn = [17, 27]
buzzer = 18
quiet = true
[phones]
remote = "players"
[sound]
voice = "everything"
speed = 200
loudness = 120
output = "plughw:1"
earphone = "Ann"
"""


def test_every_key_is_optional():
    """An empty file, no file, and every single line alone are valid."""
    assert parse_config("", FILE) == Config(file=FILE)
    section = ""
    for line in WHOLE_FILE.strip().splitlines():
        if line.startswith("["):
            section = line
        elif 'driver = "png"' not in line:  # the one that needs another key
            parse_config(f"{section}\n{line}\n", FILE)


def test_every_key_is_read():
    """Each key of the block reaches its field; a relative path is relative to the file."""
    read = parse_config(WHOLE_FILE, FILE)
    folders = Path("/media/stick/rounds"), Path("/media/other/rounds")
    assert read.table == (Path("/somewhere/rounds"), ("Ann", "Ben"), True, *folders, "de", "0042", "Kitchen")
    assert read.display == (
        "png",
        "spi",
        Path("/run/picture.png"),
        0,
        0x3D,
        1,
        23,
        22,
        "128x64",
        True,
        20,
        False,
        "dim",
    )
    assert read.keypad == ("/dev/serial/by-id/usb-keypad", 115200, False)
    assert read.buttons._asdict() | {"board": "breadboard", "up": (5,), "ok": (4, 7)} == read.buttons._asdict()
    assert read.lamps == ((17, 27), 18, True)
    assert read.phones == ("players",)
    assert read.sound == ("everything", 200, 120, "plughw:1", "Ann")
    assert read.file == FILE


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("[tabel]", ["[tabel]", "did you mean table"]),
        ("[hints]\non = true", ["[hints]", "use one of table, display"]),
        ("table = 3", ["table must be a section"]),
        ("[display]\nbrigthness = 3", ["display.brigthness", "did you mean brightness"]),
        ("[display]\nbrightness = 0", ["display.brightness", "from 1 to 255", "not 0"]),
        ("[display]\nbrightness = true", ["display.brightness", "not True"]),
        ('[display]\nsize = "128x32"', ["display.size", "128x64", "64 rows", "128x32"]),
        ('[display]\ninterface = "uart"', ["display.interface", '"i2c" or "spi"']),
        ('[display]\ndriver = "png"', ["display.path is missing"]),
        ("[display]\naddress = 0x78", ["display.address", "120", "0x78 on a module is address = 0x3C here"]),
        ("[keypad]\nport = 3", ["keypad.port", "text"]),
        ('[keypad]\nbaud = "fast"', ["keypad.baud", "'fast'"]),
        ("[buttons]\nup = 28", ["buttons.up", "BCM number", "28"]),
        ("[buttons]\nup = [5, 5]", ["buttons.up", "different"]),
        ("[lamps]\nturn = [1, 2, 3, 4, 5]", ["lamps.turn", "at most 4"]),
        ('[phones]\nremote = "all"', ["phones.remote", "host"]),
        ("[lamps]\nquiet = 1", ["lamps.quiet", "true or false"]),
        ('[table]\nplayers = "Ann"', ["table.players", "list of names"]),
        ('[table]\nplayers = ["Ann", "Ann"]', ["table.players", "different"]),
        ('[table]\nplayers = ["Seventeen letters"]', ["table.players", "16"]),
        ('[table]\nplayers = ["A,B"]', ["table.players", "commas"]),
        ('[table]\nplayers = ["Ann", "Ann\\u200b"]', ["table.players", "different"]),
        ('[table]\nplayers = ["box-2"]', ["table.players"]),
        ('[table]\nplayers = ["A\\u0007"]', ["table.players"]),
        ("[table", ["is not TOML"]),
    ],
)
def test_what_cannot_be_used_is_refused_in_a_sentence(text, names):
    """The refusal is one line ending in a full stop, and names the file and the key."""
    with pytest.raises(ConfigError) as refused:
        parse_config(text, FILE)
    sentence = str(refused.value)
    assert "\n" not in sentence
    assert sentence.endswith(".")
    for name in [str(FILE), *names]:
        assert name in sentence


@pytest.mark.parametrize("name", [*config.SECTIONS, "x"])
@given(
    st.text("abc", max_size=2) | st.sampled_from([key for _, keys in config.SECTIONS.values() for key in keys]),
    st.integers() | st.booleans() | st.floats() | st.text(max_size=5) | st.lists(st.integers(0, 30), max_size=3),
)
def test_only_config_errors_are_raised(name, key, value):
    """Any value is accepted or refused."""
    try:
        config.read_section(name, {key: value}, FILE)
        sentence = "It is used."
    except ConfigError as refused:
        sentence = str(refused)
    assert sentence.endswith(".")


def test_places_are_searched_in_order(tmp_path, monkeypatch):
    """--config comes before the user's file, the user's before the system's, and none is needed."""
    system = tmp_path / "etc" / "config.toml"
    monkeypatch.setattr(config, "SYSTEM_FILE", system)
    user = tmp_path / "home" / ".config" / "companion" / "config.toml"
    named = tmp_path / "named.toml"
    environ = {"HOME": str(tmp_path / "home")}
    assert load_config(None, environ) == Config()
    for baud, file in enumerate([system, user, named], 300):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"[keypad]\nbaud = {baud}")
    assert load_config(named, environ).keypad.baud == 302
    assert load_config(None, environ).keypad.baud == 301
    assert load_config(None, {"XDG_CONFIG_HOME": str(tmp_path / "home" / ".config")}).file == user
    assert load_config(None, {}).keypad.baud == 300


def test_a_file_that_cannot_be_read_is_refused(tmp_path):
    """A named file that is missing, a folder, or no text is refused, and so is a link to nowhere."""
    binary = tmp_path / "binary.toml"
    binary.write_bytes(b"\xff\xfe")
    for file in (tmp_path / "missing.toml", tmp_path, binary):
        with pytest.raises(ConfigError, match="cannot be read"):
            load_config(file)
    link = tmp_path / "companion" / "config.toml"
    link.parent.mkdir()
    link.symlink_to("nowhere")
    with pytest.raises(ConfigError, match="cannot be read"):
        load_config(None, {"XDG_CONFIG_HOME": str(tmp_path)})


def test_where_rounds_are_saved(tmp_path, monkeypatch):
    """As configured, else in the service's state folder, else in the user's."""
    monkeypatch.setattr(config, "SYSTEM_DATA", tmp_path / "missing")
    service = {"STATE_DIRECTORY": "/var/lib/x:/var/lib/y", "XDG_STATE_HOME": "/state"}
    assert data_folder(parse_config('[table]\ndata = "/d"', FILE), service) == Path("/d")
    assert data_folder(Config(), service) == Path("/var/lib/x")
    assert data_folder(Config(), {"XDG_STATE_HOME": "/state"}) == Path("/state/companion")
    monkeypatch.setattr(config, "SYSTEM_DATA", tmp_path)
    assert data_folder(Config(), {}) == tmp_path


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (f"a = {'[' * 5_000}", "is not TOML: its brackets are nested too deeply"),
        (f"[table]\nclock = {'9' * 5_000}", "is not TOML: Exceeds the limit"),
        (f'[table]\nplayers = "{"W" * 5_000}"', "table.players must be a list of names"),
        (f"[{'W' * 5_000}]", "there is no section [WWW"),
        (f"[table]\n{'W' * 5_000} = 1", "there is no key table.WWW"),
        ('[table]\ndata = "~nobody-at-all/rounds"', "table.data begins with ~nobody-at-all, but there is no such user"),
        ('[table]\ndata = "a\\u0000b"', "table.data must be text in quotes, without control characters"),
    ],
)
def test_whatever_a_value_is_the_sentence_is_short(text, words):
    """Any unreadable value is refused, and only the beginning of a long one is shown."""
    with pytest.raises(ConfigError) as refused:
        parse_config(text, FILE)
    assert words in str(refused.value)
    assert len(str(refused.value)) < 400


def test_a_byte_order_mark_is_skipped(tmp_path):
    """Some editors begin every file with one."""
    file = tmp_path / "config.toml"
    file.write_bytes(b"\xef\xbb\xbf[table]\nclock = true\n")
    assert load_config(file).table.clock


def test_a_pipe_is_refused_at_once(tmp_path):
    """Nobody writes to it, so reading would never end."""
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(ConfigError, match=r"/pipe cannot be read: it is a pipe, not a file\.$"):
        load_config(tmp_path / "pipe")
    assert main(["history", "--config", str(tmp_path / "pipe")]) == 2


def test_a_file_without_an_end_is_refused():
    """No more of it is read than a configuration can have."""
    with pytest.raises(ConfigError, match=r"^/dev/zero cannot be read: it is longer than 256 KiB\.$"):
        load_config("/dev/zero")


def test_what_was_for_the_former_installer_is_left_alone():
    """A file from before the packages can be used as it is; everything else that is unknown is refused."""
    former = '[games]\npackages = ["nim"]\n[install]\nextras = ["web"]\n[hall]\nclub = "our-club"\nlink = "/x"'
    assert parse_config(former, FILE) == parse_config('[hall]\nlink = "/x"', FILE)

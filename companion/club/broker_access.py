"""Access to a club's broker: its certificate, the tables' names and passwords, and the topics that each may use.

A club's folder holds everything that Mosquitto needs; docs/hall.md lists the files. Only hashes of the tables'
passwords are stored.
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import json
import secrets
import ssl
import subprocess
from importlib import resources
from typing import TYPE_CHECKING, NamedTuple

from companion import UnusableError
from companion.club.mqtt_messages import NAME_PATTERN, PORT_TLS, Link
from companion.languages import os_error_text, text
from companion.replacing import replace_file

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SERVER_USER = "hall"
"""The club server's own user name at its broker. No table can have this name."""
CLUB_FILE, CERTIFICATE_FILE, KEY_FILE, PASSWORDS_FILE, ACCESS_FILE, SETTINGS_FILE, LINK_FILE = (
    "club.json", "certificate.pem", "key.pem", "passwords", "access", "mosquitto.conf", "hall.link",
)  # fmt: skip
PASSWORD_ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"
"""The letters of passwords, without those that are easily mistaken for another (i, l, o, 0, 1)."""
PASSWORD_LETTERS = 20
"""The letters of a table's password, each one of 31."""
ORGANISER_FILE, ORGANISER_LETTERS = "organiser", 10
"""The file with the organiser's password in the server's data folder, and how many letters that has."""
HASH_ITERATIONS = 101
"""PBKDF2 iterations, as many as mosquitto_passwd uses; a random password of 20 letters needs no more."""
CERTIFICATE_DAYS = 36_500
"""How long the certificate is valid. Tables do not look at its dates."""
FINGERPRINT_DIGITS = 40
"""Hexadecimal digits of the certificate's fingerprint in a link: 160 bits."""


class AccessError(UnusableError):
    """A club or table cannot be set up; the text is one sentence."""


class Club(NamedTuple):
    """A club's name, and the host and port of its broker as its tables reach it; stored as JSON by these names."""

    name: str
    host: str
    port: int = PORT_TLS


def set_up_club(folder: Path, club: Club) -> None:
    """Create a club's folder: certificate, access list, the broker's settings, and the server's own link.

    Raises AccessError, also for a folder that holds a club already: with a new certificate no table could connect.
    """
    _check_name(club.name)
    if (folder / CLUB_FILE).exists():
        raise AccessError(text("there is already a club in {folder}", folder=str(folder)))
    with _reporting_errors(folder):
        folder.mkdir(parents=True, exist_ok=True)
        _make_certificate(folder, club.host)
        _write_private_file(folder / ACCESS_FILE, _access_list(club.name))
        _write_private_file(folder / SETTINGS_FILE, _broker_settings(folder, club.port))
        _write_private_file(folder / PASSWORDS_FILE, "")
        password = _add_password(folder, SERVER_USER)
        link = Link(SERVER_USER, password, "127.0.0.1", club.port, club.name, certificate_fingerprint(folder))
        _write_private_file(folder / LINK_FILE, f"{link}\n")
        # This file says that the folder is complete.
        _write_private_file(folder / CLUB_FILE, json.dumps(club._asdict()) + "\n")


def add_table(folder: Path, name: str, *, renews_link: bool = False) -> Link:
    """Add a table with a new password and return its link. Mosquitto reads the password after a SIGHUP.

    With `renews_link` the table must exist; it gets a new password, and its old link stops working. Raises AccessError.
    """
    _check_name(name)
    if name.lower() == SERVER_USER:
        raise AccessError(text('"{name}" is the name of the club server itself', name=SERVER_USER))
    club = _read_club(folder)
    with _reporting_errors(folder):
        if (name in table_names(folder)) != renews_link:
            no_table = "there is no table {name} yet: leave out --again"
            known_table = (
                "there is already a table {name}: with --again it gets a new link, and the old one stops working"
            )
            raise AccessError(text(no_table if renews_link else known_table, name=name))
        password = _add_password(folder, name)
        _write_private_file(folder / ACCESS_FILE, _access_list(club.name))
        return Link(name, password, club.host, club.port, club.name, certificate_fingerprint(folder))


def update_access_list(folder: Path) -> bool:
    """Write the access list as this version needs it; a list that an older version wrote has fewer topics.

    Returns whether the list has changed; then Mosquitto has to read it, after a SIGHUP. Raises AccessError.
    """
    club = _read_club(folder)
    with _reporting_errors(folder):
        access_list = _access_list(club.name)
        if (folder / ACCESS_FILE).exists() and (folder / ACCESS_FILE).read_text() == access_list:
            return False
        _write_private_file(folder / ACCESS_FILE, access_list)
        return True


def table_names(folder: Path) -> list[str]:
    """The names of the tables that have a password. Raises OSError."""
    names = [line.partition(":")[0] for line in (folder / PASSWORDS_FILE).read_text().splitlines()]
    return [name for name in names if name != SERVER_USER]


def certificate_fingerprint(folder: Path) -> str:
    """The first 40 hexadecimal digits of the SHA-256 of the broker's certificate (DER). Raises OSError, ValueError."""
    der = ssl.PEM_cert_to_DER_cert((folder / CERTIFICATE_FILE).read_text())
    return hashlib.sha256(der).hexdigest()[:FINGERPRINT_DIGITS]


def hash_password(password: str, salt: bytes) -> str:
    """A password's hash as mosquitto_passwd writes it: ``$7$ITERATIONS$SALT$KEY``, PBKDF2 with SHA-512, base64."""
    key = hashlib.pbkdf2_hmac("sha512", password.encode(), salt, HASH_ITERATIONS)
    return f"$7${HASH_ITERATIONS}${base64.b64encode(salt).decode()}${base64.b64encode(key).decode()}"


def organiser_password(folder: Path) -> str:
    """The organiser's password, from its file.

    Where there is no file a password is made, which only the file's owner and group may read. Raises AccessError.
    """
    file = folder / ORGANISER_FILE
    with _reporting_errors(folder):
        if not file.exists():
            _write_private_file(file, f"{_random_letters(ORGANISER_LETTERS)}\n")
        return file.read_text().strip()


def _random_letters(letters: int) -> str:
    return "".join(secrets.choice(PASSWORD_ALPHABET) for _ in range(letters))


def _add_password(folder: Path, name: str) -> str:
    password = _random_letters(PASSWORD_LETTERS)
    lines = [line for line in (folder / PASSWORDS_FILE).read_text().splitlines() if line.partition(":")[0] != name]
    lines.append(f"{name}:{hash_password(password, secrets.token_bytes(12))}")
    _write_private_file(folder / PASSWORDS_FILE, "".join(f"{line}\n" for line in lines))
    return password


def _access_list(club: str) -> str:
    """Mosquitto's access list: a table may use only its own topics (`%u` is its user name); see mosquitto.conf(5)."""
    topic_start = f"club/{club}/table"
    return (
        f"user {SERVER_USER}\ntopic read {topic_start}/+/state\ntopic read {topic_start}/+/log\n"
        f"topic write {topic_start}/+/have\ntopic write {topic_start}/+/offer\n\n"
        f"pattern write {topic_start}/%u/state\npattern write {topic_start}/%u/log\n"
        f"pattern read {topic_start}/%u/have\npattern read {topic_start}/%u/offer\n"
    )


def _broker_settings(folder: Path, port: int) -> str:
    template = resources.files("companion.club").joinpath("mosquitto.conf").read_text(encoding="utf-8")
    return template.replace("FOLDER", str(folder.resolve())).replace("PORT", str(port))


def _make_certificate(folder: Path, host: str) -> None:
    """Make a key and a self-signed certificate.

    Tables check the certificate's fingerprint, so no authority has to sign it.
    """
    command = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
    command += ["-days", str(CERTIFICATE_DAYS), "-subj", f"/CN={host[:64]}", "-keyout", "-", "-out", "-"]
    try:
        pem = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True).stdout
    except FileNotFoundError:
        raise AccessError(text("openssl is missing: sudo apt install openssl")) from None
    except subprocess.SubprocessError as error:
        why_not = str(getattr(error, "stderr", error))
        raise AccessError(text("openssl could not make a certificate: {why}", why=why_not)) from None
    key, begin, certificate = pem.partition("-----BEGIN CERTIFICATE-----")
    _write_private_file(folder / KEY_FILE, key)
    _write_private_file(folder / CERTIFICATE_FILE, begin + certificate)


def _read_club(folder: Path) -> Club:
    try:
        return Club(**json.loads((folder / CLUB_FILE).read_text()))
    except FileNotFoundError:
        message = "there is no club in {folder} yet: set one up with `companion hall set-up CLUB`"
        raise AccessError(text(message, folder=str(folder))) from None
    except (OSError, ValueError, TypeError) as error:
        raise AccessError(text("{file} cannot be read: {why}", file=str(folder / CLUB_FILE), why=str(error))) from None


def _check_name(name: str) -> None:
    if not NAME_PATTERN.fullmatch(name):
        raise AccessError(
            text("{name} cannot be a name: use 1 to 24 letters, digits and hyphens", name=repr(name[:30]))
        )


def _write_private_file(file: Path, content: str) -> None:
    """Write a file that only its owner and group may read. As root, keep the owner of the file that is replaced."""
    replace_file(file, content.encode(), mode=0o640, keep_owner=True)


@contextlib.contextmanager
def _reporting_errors(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        file_name = str(error.filename or folder)
        raise AccessError(text("{what} cannot be used: {why}", what=file_name, why=os_error_text(error))) from None

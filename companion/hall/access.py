"""Who may come to a hall's broker: its certificate, names and passwords, and what each may read and write.

A club's folder holds all that Mosquitto needs; docs/hall.md lists the files. Passwords are there as hashes alone.
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import json
import os
import secrets
import ssl
import subprocess
from importlib import resources
from typing import TYPE_CHECKING, NamedTuple

from companion.hall.link import NAME, PORT_TLS, Link

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

HALL = "hall"
"""The hall's own name at its broker; no table can have it."""
CLUB, CERTIFICATE, KEY, PASSWORDS, ACCESS, SETTINGS, LINK = (
    "club.json", "certificate.pem", "key.pem", "passwords", "access", "mosquitto.conf", "hall.link",
)  # fmt: skip
LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
"""Of a password: none that looks like another."""
PASSWORD_LETTERS = 20
ITERATIONS = 101
"""Mosquitto's own; a password of twenty random letters needs no more."""
DAYS = 36_500
FINGERPRINT_DIGITS = 40


class AccessError(Exception):
    """What cannot be set up or added, in one sentence."""


class Club(NamedTuple):
    """A club's name, and where its tables find the broker."""

    name: str
    host: str
    port: int = PORT_TLS


def set_up(folder: Path, club: Club) -> None:
    """Make a club's folder: certificate, access list, settings of the broker, and the hall's own link.

    Raises AccessError; a folder of a club is never made anew, since no table would get in any more.
    """
    _check_name(club.name)
    if (folder / CLUB).exists():
        raise AccessError(f"there is a club in {folder} already")
    with _telling(folder):
        folder.mkdir(parents=True, exist_ok=True)
        _make_certificate(folder, club.host)
        _write(folder / ACCESS, _access(club.name))
        _write(folder / SETTINGS, _settings(folder, club.port))
        _write(folder / PASSWORDS, "")
        password = _add_password(folder, HALL)
        link = Link(HALL, password, "127.0.0.1", club.port, club.name, fingerprint(folder))
        _write(folder / LINK, f"{link}\n")
        _write(folder / CLUB, json.dumps(club._asdict()) + "\n")  # Last: with it the folder is whole.


def add_table(folder: Path, name: str, *, again: bool = False) -> Link:
    """A new password for a table, and the link with it; Mosquitto reads it when it is told to (SIGHUP).

    `again`: the table is there already, and its link is lost; the old one no longer counts. Raises AccessError.
    """
    _check_name(name)
    if name.lower() == HALL:
        raise AccessError(f'"{HALL}" is the name of the hall itself')
    club = _club(folder)
    with _telling(folder):
        if (name in tables(folder)) != again:
            known = (
                f"there is no {name} yet: leave --again out" if again else f"there is a {name} already: with --again"
            )
            raise AccessError(f"{known}{'' if again else ' it gets a new link, and the old one no longer counts'}")
        password = _add_password(folder, name)
        return Link(name, password, club.host, club.port, club.name, fingerprint(folder))


def tables(folder: Path) -> list[str]:
    """The names of the tables that may come. Raises OSError."""
    names = [line.partition(":")[0] for line in (folder / PASSWORDS).read_text().splitlines()]
    return [name for name in names if name != HALL]


def fingerprint(folder: Path) -> str:
    """By what tables know the broker's certificate. Raises OSError, ValueError."""
    found = ssl.PEM_cert_to_DER_cert((folder / CERTIFICATE).read_text())
    return hashlib.sha256(found).hexdigest()[:FINGERPRINT_DIGITS]


def hashed(password: str, salt: bytes) -> str:
    """A password as mosquitto_passwd writes it: PBKDF2 with SHA-512, mosquitto.conf(5)."""
    key = hashlib.pbkdf2_hmac("sha512", password.encode(), salt, ITERATIONS)
    return f"$7${ITERATIONS}${base64.b64encode(salt).decode()}${base64.b64encode(key).decode()}"


def _add_password(folder: Path, name: str) -> str:
    password = "".join(secrets.choice(LETTERS) for _ in range(PASSWORD_LETTERS))
    lines = [line for line in (folder / PASSWORDS).read_text().splitlines() if line.partition(":")[0] != name]
    lines.append(f"{name}:{hashed(password, secrets.token_bytes(12))}")
    _write(folder / PASSWORDS, "".join(f"{line}\n" for line in lines))
    return password


def _access(club: str) -> str:
    """What each may do: a table its own topics alone (`%u` is the name that it has come in with)."""
    start = f"club/{club}/table"
    return (
        f"user {HALL}\ntopic read {start}/+/state\ntopic read {start}/+/log\ntopic write {start}/+/have\n\n"
        f"pattern write {start}/%u/state\npattern write {start}/%u/log\npattern read {start}/%u/have\n"
    )


def _settings(folder: Path, port: int) -> str:
    text = resources.files("companion.hall").joinpath("mosquitto.conf").read_text(encoding="utf-8")
    return text.replace("FOLDER", str(folder.resolve())).replace("PORT", str(port))


def _make_certificate(folder: Path, host: str) -> None:
    """A key and its certificate; tables know it by its fingerprint, so nobody has to sign it."""
    command = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
    command += ["-days", str(DAYS), "-subj", f"/CN={host[:64]}", "-keyout", "-", "-out", "-"]
    try:
        made = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True).stdout
    except FileNotFoundError:
        raise AccessError("openssl is missing: sudo apt install openssl") from None
    except subprocess.SubprocessError as error:
        raise AccessError(f"openssl made no certificate: {getattr(error, 'stderr', error)}") from None
    key, begin, certificate = made.partition("-----BEGIN CERTIFICATE-----")
    _write(folder / KEY, key)
    _write(folder / CERTIFICATE, begin + certificate)


def _club(folder: Path) -> Club:
    try:
        return Club(**json.loads((folder / CLUB).read_text()))
    except FileNotFoundError:
        raise AccessError(f"there is no club in {folder} yet: companion hall set-up CLUB") from None
    except (OSError, ValueError, TypeError) as error:
        raise AccessError(f"{folder / CLUB} cannot be read: {error}") from None


def _check_name(name: str) -> None:
    if not NAME.fullmatch(name):
        raise AccessError(f"a name has 1 to 24 letters, digits and hyphens, not {name[:30]!r}")


def _write(file: Path, text: str) -> None:
    """Write a file whole or not at all, for its owner and group alone."""
    beside = file.with_name(f".{file.name}.new")
    with contextlib.suppress(FileNotFoundError):
        beside.unlink()
    with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o640), "w") as out:
        out.write(text)
        out.flush()
        os.fsync(out.fileno())
    beside.replace(file)


@contextlib.contextmanager
def _telling(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise AccessError(f"{error.filename or folder} cannot be used: {error.strerror or error}") from None

"""Who may change a tournament: whoever has said the organiser's password, which lies in the hall's data folder."""

from __future__ import annotations

import contextlib
import hmac
import os
import secrets
import time
from typing import TYPE_CHECKING

from companion.hall.access import LETTERS

if TYPE_CHECKING:
    from pathlib import Path

    from starlette.requests import Request
    from starlette.responses import Response

FILE = "organiser"
COOKIE = "companion-organiser"
PASSWORD_LETTERS = 10
SECONDS = 30 * 24 * 3600
"""So long a browser stays the organiser's."""
TRIES, LOCKED_SECONDS = 5, 60.0
"""So many wrong passwords stop all of them for so long."""


def password(folder: Path) -> str:
    """The password; made, for its owner and group alone, where there is none. Raises OSError."""
    file = folder / FILE
    with contextlib.suppress(FileNotFoundError):
        return file.read_text().strip()
    made = "".join(secrets.choice(LETTERS) for _ in range(PASSWORD_LETTERS))
    with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o640), "w") as out:
        out.write(f"{made}\n")
    return made


class Door:
    """Lets the organiser's browsers in."""

    def __init__(self, secret: str) -> None:
        self._secret = secret
        # Of this running hall: whoever only has an old cookie says the password again after a new one was made.
        self._cookie = hmac.digest(secret.encode(), b"organiser's browser", "sha256").hex()
        self._wrong = 0
        self._locked = 0.0

    def knows(self, request: Request) -> bool:
        """Whether a request comes from a browser that was let in."""
        return hmac.compare_digest(request.cookies.get(COOKIE, "").encode(), self._cookie.encode())

    def refusal(self, said: str) -> str:
        """Why a password does not let anybody in, "" where it does."""
        if time.monotonic() < self._locked:
            return "Too many wrong passwords: wait a minute."
        if hmac.compare_digest(said.strip().lower().encode(), self._secret.encode()):
            self._wrong = 0
            return ""
        self._wrong += 1
        if self._wrong >= TRIES:
            self._wrong, self._locked = 0, time.monotonic() + LOCKED_SECONDS
        return "That is not the organiser's password: `companion hall password` shows it."

    def keep(self, response: Response) -> None:
        """Let a browser in from now on."""
        response.set_cookie(COOKIE, self._cookie, httponly=True, samesite="strict", max_age=SECONDS)

"""Who may change a tournament: whoever has said the organiser's password, which lies in the hall's data folder."""

from __future__ import annotations

import hmac
import time
from collections import OrderedDict
from typing import TYPE_CHECKING

from companion.languages import text

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

COOKIE = "companion-organiser"
SECONDS = 30 * 24 * 3600
"""So long a browser stays the organiser's."""
TRIES, REMEMBERED_SECONDS = 5, 60.0
"""So many wrong passwords of one address, each so soon after the one before it, are answered in the usual way."""
MOST_ADDRESSES = 1_000
"""How many addresses are remembered; the one that tried longest ago is forgotten."""


class OrganiserLogin:
    """Lets the organiser's browsers in."""

    def __init__(self, secret: str) -> None:
        self._secret = secret
        # Of this running hall: whoever only has an old cookie says the password again after a new one was made.
        self._cookie = hmac.digest(secret.encode(), b"organiser's browser", "sha256").hex()
        self._wrong: OrderedDict[str, tuple[int, float]] = OrderedDict()  # by address: how many, and when the last was

    def knows(self, request: Request) -> bool:
        """Whether a request comes from a browser that was let in."""
        return hmac.compare_digest(request.cookies.get(COOKIE, "").encode(), self._cookie.encode())

    def refusal(self, said: str, address: str) -> tuple[str, int]:
        """Why a password from an address does not let anybody in, and the answer's status; "" where it does.

        The right one always does: nobody locks the organiser out by wrong ones, and ten letters of 31 are more than
        anybody can try.
        """
        if hmac.compare_digest(said.strip().lower().encode(), self._secret.encode()):
            self._wrong.pop(address, None)
            return "", 200
        now = time.monotonic()
        wrong, last = self._wrong.pop(address, (0, now))
        wrong = wrong + 1 if now < last + REMEMBERED_SECONDS else 1
        self._wrong[address] = wrong, now
        if len(self._wrong) > MOST_ADDRESSES:
            self._wrong.popitem(last=False)
        if wrong > TRIES:
            return text("Too many wrong passwords: look the right one up by `companion hall password`."), 429
        return text("That is not the organiser's password: `companion hall password` shows it."), 403

    def keep(self, response: Response) -> None:
        """Let a browser in from now on."""
        response.set_cookie(COOKIE, self._cookie, httponly=True, samesite="strict", max_age=SECONDS)

"""A phone's secret: in a cookie that no script can read. The table and the pages' own words know only its hash."""

from __future__ import annotations

import hashlib
import secrets
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

COOKIE = "companion-phone"
SECONDS = 30 * 24 * 3600
"""So long a browser keeps it."""


def hashed(secret: str) -> str:
    """The hash of a secret, which is all that the table and its file know of it."""
    return hashlib.sha256(secret.encode()).hexdigest()


def phone_of(request: Request) -> str:
    """The hash of the phone's secret, "" for a phone without one."""
    secret = request.cookies.get(COOKIE, "")
    return hashed(secret) if secret else ""


def of(request: Request) -> str:
    """The phone's secret, a new one for a phone that has none."""
    return request.cookies.get(COOKIE) or secrets.token_urlsafe(24)


def keep(response: Response, secret: str) -> None:
    """Have the phone keep its secret."""
    response.set_cookie(COOKIE, secret, httponly=True, samesite="strict", max_age=SECONDS)

"""The secret that identifies a phone, in an HttpOnly cookie. The table and the templates know only its hash."""

from __future__ import annotations

import hashlib
import secrets
from typing import TYPE_CHECKING

from starlette.requests import cookie_parser

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

COOKIE = "companion-phone"
SECONDS = 30 * 24 * 3600
"""How long a browser keeps the cookie: 30 days."""


def hashed(secret: str) -> str:
    """The SHA-256 of a secret in hexadecimal; nothing else of it is stored."""
    return hashlib.sha256(secret.encode()).hexdigest()


def phone_of(request: Request) -> str:
    """The hash of the requesting phone's secret, "" for a phone without one."""
    secret = request.cookies.get(COOKIE, "")
    return hashed(secret) if secret else ""


def phone_of_cookies(header: str) -> str:
    """The hash of the secret in a Cookie header, "" for none."""
    secret = cookie_parser(header).get(COOKIE, "") if COOKIE in header else ""
    return hashed(secret) if secret else ""


def new() -> str:
    """A secret for a phone that asks to be let in: never one that it brings, which somebody else may know."""
    return secrets.token_urlsafe(24)


def keep(response: Response, secret: str) -> None:
    """Set the cookie in a response."""
    response.set_cookie(COOKIE, secret, httponly=True, samesite="strict", max_age=SECONDS)

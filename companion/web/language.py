"""The choice of the pages' language: a form on every page (``languages.html``), and the cookie that keeps it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from companion.languages.catalogues import languages
from companion.languages.templates import COOKIE

if TYPE_CHECKING:
    from starlette.requests import Request

SECONDS = 365 * 24 * 3600
"""How long a browser keeps the choice."""
BACK = re.compile(r"/(?:[^/\\\s][^\\\s]*)?")
"""A path of this very site: two slashes would be another one."""


async def choose(request: Request) -> Response:
    """Keep the language that is chosen, and show the page again on which it was."""
    form = await request.form()
    code = str(form.get("language", ""))
    address = urlsplit(request.headers.get("referer", ""))
    back = address.path + (f"?{address.query}" if address.query else "")
    response = RedirectResponse(back if BACK.fullmatch(back) else "/", 303)
    if code in languages():
        response.set_cookie(COOKIE, code, max_age=SECONDS, httponly=True, samesite="lax")
    return response


ROUTE = Route("/language", choose, methods=["POST"])
"""The URL to which the form of every page is sent."""

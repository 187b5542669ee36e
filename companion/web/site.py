"""A web application as the box and the club server have one: guarded, compressed, with static files and languages.

These pages have no user accounts, and any device in the network can ask for them. `Guard` is middleware before every
page: it checks client, host name, origin, rate and body, and sets security headers. The form on every page
(``languages.html``) chooses the language, which a cookie remembers.
"""

from __future__ import annotations

import re
import time
from collections import OrderedDict
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from companion.languages import set_language, text
from companion.languages.catalogues import available_languages
from companion.languages.templates import COOKIE_NAME, request_language
from companion.web.clients import address_of, client_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from starlette.requests import Request
    from starlette.routing import BaseRoute
    from starlette.types import ASGIApp, ExceptionHandler, Lifespan, Message, Receive, Scope, Send

HERE = Path(__file__).parent
LARGEST = 8_192
"""The largest body of a request, in bytes, unless the pages set another limit."""
FORM, UPLOAD = "application/x-www-form-urlencoded", "multipart/form-data"
"""The only content types of requests that are accepted; the second one only where the pages take files."""
PER_SECOND, BURST = 30.0, 120.0
"""The limit of requests from one client: how many a second for long, and how many at once."""
MOST_ADDRESSES = 1_000
"""How many clients are counted; the one whose last request is oldest is forgotten."""
HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
VARIES = {"vary": "accept-language, cookie"}
"""For every response with words: their language depends on who asks."""
LANGUAGE_SECONDS = 365 * 24 * 3600
"""How long a browser remembers the language."""
BACK = re.compile(r"/(?:[^/\\\s][^\\\s]*)?")
"""A path of this site. With two slashes at its start it would lead to another site."""


def site(
    pages: Sequence[BaseRoute],
    lifespan: Lifespan[Starlette],
    missing: Callable[[], str],
    names: tuple[str, ...],
    *,
    fault: ExceptionHandler | None = None,
    largest: int = LARGEST,
    uploads: int = 0,
) -> Starlette:
    """Make the application that serves some pages.

    `pages` are their routes, and `lifespan` runs beside them. `render_not_found` makes the page for an address that
    does not exist or takes no forms, `error_page` the page for an error in the program itself. Requests may ask for
    `host_names`. The body of a request has at most `most_body_bytes`, that of a form with a file `most_upload_bytes`,
    which is 0 where no form takes one.
    """

    async def no_page(request: Request, error: Exception) -> Response:
        status = error.status_code if isinstance(error, HTTPException) else 404
        return HTMLResponse(missing(), status)

    guarded = Middleware(Guard, names=names, largest=largest, uploads=uploads)
    return Starlette(
        routes=[
            *pages,
            Route("/language", choose_language, methods=["POST"]),
            Mount("/static", StaticFiles(directory=HERE / "static")),
        ],
        middleware=[guarded, Middleware(GZipMiddleware, minimum_size=500)],
        exception_handlers={404: no_page, 405: no_page} | ({} if fault is None else {500: fault}),
        lifespan=lifespan,
    )


async def choose_language(request: Request) -> Response:
    """Remember the chosen language, and show the page again from which it was chosen."""
    form = await request.form()
    code = str(form.get("language", ""))
    address = urlsplit(request.headers.get("referer", ""))
    back = address.path + (f"?{address.query}" if address.query else "")
    response = RedirectResponse(back if BACK.fullmatch(back) else "/", 303)
    if code in available_languages():
        response.set_cookie(COOKIE_NAME, code, max_age=LANGUAGE_SECONDS, httponly=True, samesite="lax")
    return response


class Guard:
    """ASGI middleware that serves only clients with private addresses that ask for this box by its own name.

    The Host header must be a private address, ``localhost`` or one of `names`, with or without ``.local``: otherwise a
    web site could make a browser read these pages under the site's own name (DNS rebinding).

    The pages are in the language that was chosen on them, else in that of the browser.
    """

    def __init__(self, app: ASGIApp, names: tuple[str, ...] = (), largest: int = LARGEST, uploads: int = 0) -> None:
        self._app = app
        self._largest = {FORM: largest, UPLOAD: uploads}
        bare = [name.lower().removesuffix(".local") for name in names]
        self._names = {"localhost", *bare, *(f"{name}.local" for name in bare)}
        self._rate = Rate()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on or refuse it: 403, 413, 415, 421 or 429."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        set_language(request_language(headers))  # This sets the language of this request's task alone.
        refusal = self._refusal(scope, headers)
        more = HEADERS if scope["path"].startswith("/static/") else HEADERS | VARIES

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] += [(name.encode(), value.encode()) for name, value in more.items()]
            await send(message)

        await (refusal or self._app)(scope, receive, with_headers)

    def _refusal(self, scope: Scope, headers: dict[str, str]) -> PlainTextResponse | None:
        client = scope.get("client")
        if client is None or not _is_private(client[0]):
            return _plain(text("Only phones and screens on this network can open these pages."), 403)
        if not self._rate.allows(client_of(client[0]), time.monotonic()):
            return _plain(text("Too many requests: wait a moment."), 429, {"retry-after": "1"})
        if not self._is_own_name(headers.get("host", "")):
            return _plain(text("Open this page by the box's address: {address}", address=_own_address(scope)), 421)
        if scope["method"] not in ("GET", "HEAD") and not self._same_origin(headers):
            return _plain(text("This request came from another site."), 403)
        form = headers.get("content-type", FORM).partition(";")[0].strip().lower()
        if not (largest := self._largest.get(form, 0)):
            return _plain(text("Only forms are accepted."), 415)
        length = headers.get("content-length", "0")
        if "transfer-encoding" in headers or not length.isdigit() or int(length) > largest:
            return _plain(text("This is too large."), 413)
        return None

    def _is_own_name(self, host: str) -> bool:
        name = _name(host)
        return name.lower() in self._names or _is_private(name)

    def _same_origin(self, headers: dict[str, str]) -> bool:
        """Whether a request that changes something comes from our own pages, by Origin and Sec-Fetch-Site."""
        origin = headers.get("origin", "")
        ours = origin.partition("://")[2] == headers.get("host")
        return ours and headers.get("sec-fetch-site", "same-origin") == "same-origin"


def _own_address(scope: Scope) -> str:
    """The URL of the address at which this connection reached the box."""
    host, port = scope.get("server") or ("localhost", None)
    host = f"[{host}]" if ":" in host else host
    return f"http://{host}:{port}/" if port else f"http://{host}/"


def _plain(said: str, status: int, headers: dict[str, str] | None = None) -> PlainTextResponse:
    return PlainTextResponse(f"{said}\n", status, headers)


class Rate:
    """Limits how often each client may do something: a token bucket that holds `burst` and gains `per_second`."""

    def __init__(self, per_second: float = PER_SECOND, burst: float = BURST) -> None:
        self._per_second, self._burst = per_second, burst
        self.buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()  # tokens, and the time of their count

    def allows(self, address: str, now: float, *, counts: bool = True) -> bool:
        """Whether a client may do it once more; `now` in seconds.

        This uses up a token, unless `is_counted` is false.
        """
        left, then = self.buckets.pop(address, (self._burst, now))
        left = min(self._burst, left + (now - then) * self._per_second)
        self.buckets[address] = (max(left - counts, 0.0), now)
        if len(self.buckets) > MOST_ADDRESSES:
            self.buckets.popitem(last=False)
        return left >= 1


def _name(host: str) -> str:
    """The host name in a Host header: without its port, an IPv6 address without brackets."""
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.rpartition(":")[0] or host


def _is_private(address: str) -> bool:
    found = address_of(address)
    return found is not None and (getattr(found, "ipv4_mapped", None) or found).is_private

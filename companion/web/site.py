"""A web application as the box and the club server have one: guarded, compressed, with static files and languages.

These pages have no user accounts, and any device in the network can ask for them. `Guard` is middleware before every
page: it checks client, host name, origin, rate and body, and sets security headers. The form on every page
(``languages.html``) chooses the language, which a cookie remembers.
"""

from __future__ import annotations

import hashlib
import re
import time
from collections import OrderedDict
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from jinja2 import Environment, FileSystemLoader, select_autoescape
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from companion.languages import set_page_language, text
from companion.languages.catalogues import available_languages
from companion.languages.templates import COOKIE_NAME, add_text_functions, request_language
from companion.web.clients import client_key, parse_address

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from os import PathLike, stat_result

    from starlette.requests import Request
    from starlette.routing import BaseRoute
    from starlette.types import ASGIApp, ExceptionHandler, Lifespan, Message, Receive, Scope, Send

WEB_FOLDER = Path(__file__).parent
STATIC_FOLDER = WEB_FOLDER / "static"
STATIC_VERSION = hashlib.sha256(b"".join(file.read_bytes() for file in sorted(STATIC_FOLDER.iterdir()))).hexdigest()[:8]
"""Changes with any static file. Pages ask for ``/static/page.css?VERSION``, which browsers may then keep for ever."""
MAX_BODY_BYTES = 8_192
"""The largest body of a request, in bytes, unless the pages set another limit."""
FORM_TYPE, UPLOAD_TYPE = "application/x-www-form-urlencoded", "multipart/form-data"
"""The only content types of requests that are accepted; the second one only where the pages take files."""
REQUESTS_PER_SECOND, MAX_BURST_REQUESTS = 30.0, 120.0
"""The limit of requests from one client: how many a second for long, and how many at once."""
MAX_COUNTED_CLIENTS = 1_000
"""How many clients are counted; the one whose last request is oldest is forgotten."""
SECURITY_HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
VARY_HEADERS = {"vary": "accept-language, cookie"}
"""For every response with words: their language depends on who asks."""
LANGUAGE_COOKIE_SECONDS = 365 * 24 * 3600
"""How long a browser remembers the language."""
OWN_PATH_PATTERN = re.compile(r"/(?:[^/\\\s][^\\\s]*)?")
"""A path of this site. With two slashes at its start it would lead to another site."""


def page_templates(*folders: Path) -> Environment:
    """The templates in some folders, with what all pages need: translations, languages, the version of static files."""
    templates = Environment(loader=FileSystemLoader(folders), autoescape=select_autoescape())
    templates.globals["static_version"] = STATIC_VERSION
    return add_text_functions(templates, offers_languages=True)


def guarded_site(
    pages: Sequence[BaseRoute],
    lifespan: Lifespan[Starlette],
    render_not_found: Callable[[], str],
    host_names: tuple[str, ...],
    *,
    error_page: ExceptionHandler | None = None,
    most_body_bytes: int = MAX_BODY_BYTES,
    most_upload_bytes: int = 0,
) -> Starlette:
    """Make the application that serves some pages.

    `pages` are their routes, and `lifespan` runs beside them. `render_not_found` makes the page for an address that
    does not exist or takes no forms, `error_page` the page for an error in the program itself. Requests may ask for
    `host_names`. The body of a request has at most `most_body_bytes`, that of a form with a file `most_upload_bytes`,
    which is 0 where no form takes one.
    """

    async def not_found_page(request: Request, error: Exception) -> Response:
        status = error.status_code if isinstance(error, HTTPException) else 404
        return HTMLResponse(render_not_found(), status)

    guard = Middleware(Guard, names=host_names, largest=most_body_bytes, uploads=most_upload_bytes)
    return Starlette(
        routes=[
            *pages,
            Route("/language", choose_language, methods=["POST"]),
            Mount("/static", VersionedFiles(directory=STATIC_FOLDER)),
        ],
        middleware=[guard, Middleware(GZipMiddleware, minimum_size=500)],
        exception_handlers={404: not_found_page, 405: not_found_page}
        | ({} if error_page is None else {500: error_page}),
        lifespan=lifespan,
    )


class VersionedFiles(StaticFiles):
    """Static files, which a browser may keep for a year if it asked for the version that is here."""

    def file_response(
        self, full_path: PathLike[str] | str, stat_result: stat_result, scope: Scope, status_code: int = 200
    ) -> Response:
        response = super().file_response(full_path, stat_result, scope, status_code)
        if scope["query_string"] == STATIC_VERSION.encode():
            response.headers["cache-control"] = "max-age=31536000, immutable"
        return response


async def choose_language(request: Request) -> Response:
    """Remember the chosen language, and show the page again from which it was chosen."""
    form = await request.form()
    code = str(form.get("language", ""))
    address = urlsplit(request.headers.get("referer", ""))
    back = address.path + (f"?{address.query}" if address.query else "")
    response = RedirectResponse(back if OWN_PATH_PATTERN.fullmatch(back) else "/", 303)
    if code in available_languages():
        response.set_cookie(COOKIE_NAME, code, max_age=LANGUAGE_COOKIE_SECONDS, httponly=True, samesite="lax")
    return response


class Guard:
    """ASGI middleware that serves only clients with private addresses that ask for this box by its own name.

    The Host header must be a private address, ``localhost`` or one of `names`, with or without ``.local``: otherwise a
    web site could make a browser read these pages under the site's own name (DNS rebinding).

    The pages are in the language that was chosen on them, else in that of the browser.
    """

    def __init__(
        self, app: ASGIApp, names: tuple[str, ...] = (), largest: int = MAX_BODY_BYTES, uploads: int = 0
    ) -> None:
        self._app = app
        self._largest = {FORM_TYPE: largest, UPLOAD_TYPE: uploads}
        bare = [name.lower().removesuffix(".local") for name in names]
        self._names = {"localhost", *bare, *(f"{name}.local" for name in bare)}
        self._rate = RateLimit()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on or refuse it: 403, 413, 415, 421 or 429."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        set_page_language(request_language(headers))  # This sets the language of this request's task alone.
        refusal = self._refusal_response(scope, headers)
        extra_headers = SECURITY_HEADERS if scope["path"].startswith("/static/") else SECURITY_HEADERS | VARY_HEADERS

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] += [(name.encode(), value.encode()) for name, value in extra_headers.items()]
            await send(message)

        await (refusal or self._app)(scope, receive, send_with_headers)

    def _refusal_response(self, scope: Scope, headers: dict[str, str]) -> PlainTextResponse | None:
        client = scope.get("client")
        if client is None or not _is_private(client[0]):
            return _plain_response(text("Only phones and screens on this network can open these pages."), 403)
        if not self._rate.allows(client_key(client[0]), time.monotonic()):
            return _plain_response(text("Too many requests: wait a moment."), 429, {"retry-after": "1"})
        if not self._is_own_name(headers.get("host", "")):
            return _plain_response(text("Open this page by the box's address: {address}", address=_own_url(scope)), 421)
        if scope["method"] not in ("GET", "HEAD") and not self._is_same_origin(headers):
            return _plain_response(text("This request came from another site."), 403)
        form = headers.get("content-type", FORM_TYPE).partition(";")[0].strip().lower()
        if not (largest := self._largest.get(form, 0)):
            return _plain_response(text("Only forms are accepted."), 415)
        length = headers.get("content-length", "0")
        if "transfer-encoding" in headers or not length.isdigit() or int(length) > largest:
            return _plain_response(text("This is too large."), 413)
        return None

    def _is_own_name(self, host: str) -> bool:
        name = _host_name(host)
        return name.lower() in self._names or _is_private(name)

    def _is_same_origin(self, headers: dict[str, str]) -> bool:
        """Whether a request that changes something comes from our own pages, by Origin and Sec-Fetch-Site."""
        origin = headers.get("origin", "")
        ours = origin.partition("://")[2] == headers.get("host")
        return ours and headers.get("sec-fetch-site", "same-origin") == "same-origin"


def _own_url(scope: Scope) -> str:
    """The URL of the address at which this connection reached the box."""
    host, port = scope.get("server") or ("localhost", None)
    host = f"[{host}]" if ":" in host else host
    return f"http://{host}:{port}/" if port else f"http://{host}/"


def _plain_response(sentence: str, status: int, headers: dict[str, str] | None = None) -> PlainTextResponse:
    return PlainTextResponse(f"{sentence}\n", status, headers)


class RateLimit:
    """Limits how often each client may do something: a token bucket that holds `burst` and gains `per_second`."""

    def __init__(self, per_second: float = REQUESTS_PER_SECOND, burst: float = MAX_BURST_REQUESTS) -> None:
        self._per_second, self._burst = per_second, burst
        self.buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()  # tokens, and the time of their count

    def allows(self, client: str, now: float, *, is_counted: bool = True) -> bool:
        """Whether a client may do it once more; `now` in seconds.

        This uses up a token, unless `is_counted` is false.
        """
        tokens, counted_at = self.buckets.pop(client, (self._burst, now))
        tokens = min(self._burst, tokens + (now - counted_at) * self._per_second)
        self.buckets[client] = (max(tokens - is_counted, 0.0), now)
        if len(self.buckets) > MAX_COUNTED_CLIENTS:
            self.buckets.popitem(last=False)
        return tokens >= 1


def _host_name(host: str) -> str:
    """The host name in a Host header: without its port, an IPv6 address without brackets."""
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.rpartition(":")[0] or host


def _is_private(address: str) -> bool:
    ip_address = parse_address(address)
    return ip_address is not None and (getattr(ip_address, "ipv4_mapped", None) or ip_address).is_private

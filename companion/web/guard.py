"""Middleware before every page: checks client, host name, origin, rate and body, and sets security headers."""

from __future__ import annotations

import time
from collections import OrderedDict
from typing import TYPE_CHECKING

from starlette.responses import PlainTextResponse

from companion.languages import speak, text
from companion.languages.templates import of_request
from companion.web.places import address_of, client_of

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

LARGEST = 8_192
"""The largest body of a request, in bytes, unless the pages say otherwise."""
FORM, UPLOAD = "application/x-www-form-urlencoded", "multipart/form-data"
"""The only content types of requests that are accepted, the second one where the pages take files."""
PER_SECOND, BURST = 30.0, 120.0
"""The limit of requests from one client: a rate for each second, and how many at once."""
MOST_ADDRESSES = 1_000
"""How many clients' rates are kept; the one that asked longest ago is forgotten."""
HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
VARIES = {"vary": "accept-language, cookie"}
"""Of whatever has words: they are in the language of who asks."""


class Guard:
    """ASGI middleware that serves only clients with private addresses that ask for this box by its own name.

    The Host header must be a private address, ``localhost`` or one of `names`, with or without ``.local``: otherwise
    a web site could make a browser read these pages under the site's own name (DNS rebinding).

    The pages are in the language that is chosen on them, else with `wishes` in that of the browser.
    """

    def __init__(
        self,
        app: ASGIApp,
        names: tuple[str, ...] = (),
        largest: int = LARGEST,
        uploads: int = 0,
        *,
        wishes: bool = False,
    ) -> None:
        self._app = app
        self._wishes = wishes
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
        speak(of_request(headers, wishes=self._wishes))  # In this request's own task.
        refusal = self._refusal(scope, headers)
        more = HEADERS if scope["path"].startswith("/static/") else HEADERS | VARIES

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [
                    *message["headers"],
                    *((name.encode(), value.encode()) for name, value in more.items()),
                ]
            await send(message)

        if refusal is not None:
            await refusal(scope, receive, with_headers)
        else:
            await self._app(scope, receive, with_headers)

    def _refusal(self, scope: Scope, headers: dict[str, str]) -> PlainTextResponse | None:
        client = scope.get("client")
        if client is None or not _private(client[0]):
            return _plain(text("Only phones and screens of this network are served."), 403)
        if not self._rate.allows(client_of(client[0]), time.monotonic()):
            return _plain(text("Not so fast."), 429, {"retry-after": "1"})
        if not self._ours(headers.get("host", "")):
            return _plain(text("Open this box by its address: {address}", address=_own_address(scope)), 421)
        if scope["method"] not in ("GET", "HEAD") and not self._same_origin(headers):
            return _plain(text("This page was asked from elsewhere."), 403)
        form = headers.get("content-type", FORM).partition(";")[0].strip().lower()
        if not (largest := self._largest.get(form, 0)):
            return _plain(text("Only forms are read."), 415)
        length = headers.get("content-length", "0")
        if "transfer-encoding" in headers or not length.isdigit() or int(length) > largest:
            return _plain(text("That is too much at once."), 413)
        return None

    def _ours(self, host: str) -> bool:
        name = _name(host)
        return name.lower() in self._names or _private(name)

    def _same_origin(self, headers: dict[str, str]) -> bool:
        """Whether a request that changes something comes from our own pages, by Origin and Sec-Fetch-Site."""
        origin = headers.get("origin", "")
        ours = origin.partition("://")[2] == headers.get("host")
        return ours and headers.get("sec-fetch-site", "same-origin") == "same-origin"


def _own_address(scope: Scope) -> str:
    """The URL of the address at which this connection has reached the box."""
    host, port = scope.get("server") or ("localhost", None)
    host = f"[{host}]" if ":" in host else host
    return f"http://{host}:{port}/" if port else f"http://{host}/"


def _plain(said: str, status: int, headers: dict[str, str] | None = None) -> PlainTextResponse:
    return PlainTextResponse(f"{said}\n", status, headers)


class Rate:
    """Limits what each client does by a token bucket that holds `burst` and gains `per_second`."""

    def __init__(self, per_second: float = PER_SECOND, burst: float = BURST) -> None:
        self._per_second, self._burst = per_second, burst
        self.buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()  # tokens, and the time they were counted

    def allows(self, address: str, now: float, *, counts: bool = True) -> bool:
        """Whether a client may do it once more, which `counts` unless it is only looked at; `now` in seconds."""
        left, then = self.buckets.pop(address, (self._burst, now))
        left = min(self._burst, left + (now - then) * self._per_second)
        self.buckets[address] = (max(left - counts, 0.0), now)
        if len(self.buckets) > MOST_ADDRESSES:
            self.buckets.popitem(last=False)
        return left >= 1


def _name(host: str) -> str:
    """The host name of a Host header: without its port, an IPv6 address without brackets."""
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.rpartition(":")[0] or host


def _private(address: str) -> bool:
    found = address_of(address)
    return found is not None and (getattr(found, "ipv4_mapped", None) or found).is_private

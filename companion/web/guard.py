"""Middleware before every page: checks client, host name, origin, rate and body, and sets security headers."""

from __future__ import annotations

import ipaddress
import time
from collections import OrderedDict
from typing import TYPE_CHECKING

from starlette.responses import PlainTextResponse

from companion.web.places import client_of

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

LARGEST = 8_192
"""The largest body of a request, in bytes, unless the pages say otherwise."""
FORM = "application/x-www-form-urlencoded"
"""The only content type of requests that is accepted."""
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


class Guard:
    """ASGI middleware that serves only clients with private addresses that ask for this box by its own name.

    The Host header must be a private address, ``localhost`` or one of `names`: otherwise a web site could make a
    browser read these pages under the site's own name (DNS rebinding).
    """

    def __init__(self, app: ASGIApp, names: tuple[str, ...] = (), largest: int = LARGEST) -> None:
        self._app = app
        self._largest = largest
        self._names = {"localhost", *(name.lower() for name in names)}
        self._rate = Rate()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on or refuse it: 403, 413, 415, 421 or 429."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        refusal = self._refusal(scope, headers)

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [
                    *message["headers"],
                    *((name.encode(), value.encode()) for name, value in HEADERS.items()),
                ]
            await send(message)

        if refusal is not None:
            await refusal(scope, receive, with_headers)
        else:
            await self._app(scope, receive, with_headers)

    def _refusal(self, scope: Scope, headers: dict[str, str]) -> PlainTextResponse | None:
        client = scope.get("client")
        if client is None or not _private(client[0]):
            return PlainTextResponse("Only phones and screens of this network are served.\n", 403)
        if not self._rate.allows(client_of(client[0]), time.monotonic()):
            return PlainTextResponse("Not so fast.\n", 429, {"retry-after": "1"})
        if not self._ours(headers.get("host", "")):
            return PlainTextResponse("Ask for this box by its address.\n", 421)
        if scope["method"] not in ("GET", "HEAD") and not self._same_origin(headers):
            return PlainTextResponse("This page was asked from elsewhere.\n", 403)
        length = headers.get("content-length", "0")
        if "transfer-encoding" in headers or not length.isdigit() or int(length) > self._largest:
            return PlainTextResponse("That is too much at once.\n", 413)
        form = headers.get("content-type", FORM).partition(";")[0].strip().lower()
        return None if form == FORM else PlainTextResponse("Only forms are read.\n", 415)

    def _ours(self, host: str) -> bool:
        name = _name(host)
        return name.lower() in self._names or _private(name)

    def _same_origin(self, headers: dict[str, str]) -> bool:
        """Whether a request that changes something comes from our own pages, by Origin and Sec-Fetch-Site."""
        origin = headers.get("origin", "")
        return origin.partition("://")[2] == headers.get("host") and headers.get("sec-fetch-site", "same-origin") in (
            "same-origin",
        )


class Rate:
    """Limits each client's requests by a token bucket that holds `BURST` and gains `PER_SECOND`."""

    def __init__(self) -> None:
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()  # tokens, and the time they were counted

    def allows(self, address: str, now: float) -> bool:
        """Whether one more request may be served; `now` in seconds."""
        left, then = self._buckets.pop(address, (BURST, now))
        left = min(BURST, left + (now - then) * PER_SECOND)
        self._buckets[address] = (max(left - 1, 0.0), now)
        if len(self._buckets) > MOST_ADDRESSES:
            self._buckets.popitem(last=False)
        return left >= 1


def _name(host: str) -> str:
    """The host name of a Host header: without its port, an IPv6 address without brackets."""
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.rpartition(":")[0] or host


def _private(address: str) -> bool:
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return False
    mapped = getattr(found, "ipv4_mapped", None)
    return (mapped or found).is_private

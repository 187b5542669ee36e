"""A browser that sends requests to an application in the thread of its test."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx2


class AsgiBrowser:
    """GET and POST requests to an ASGI application; to be used in a `with` block.

    Starlette's TestClient starts a thread and an event loop for each request, which takes several times as long.
    """

    def __init__(self, app: Any, base_url: str, client: tuple[str, int]) -> None:
        self._transport = httpx2.ASGITransport(app, client=client)
        self._base_url = base_url
        self.cookies: dict[str, str] = {}

    def __enter__(self) -> AsgiBrowser:
        self._runner = asyncio.Runner()
        return self

    def __exit__(self, *_: object) -> None:
        self._runner.close()

    def get(self, path: str) -> httpx2.Response:
        return self._runner.run(self._ask("GET", path))

    def post(self, path: str, **more: Any) -> httpx2.Response:
        return self._runner.run(self._ask("POST", path, **more))

    async def _ask(self, method: str, path: str, **more: Any) -> httpx2.Response:
        async with httpx2.AsyncClient(
            transport=self._transport, base_url=self._base_url, cookies=self.cookies, follow_redirects=True
        ) as client:
            return await client.request(method, path, **more)

"""What the pages of phones have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from starlette.responses import HTMLResponse, Response

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.web.table import TableClient


class Pages:
    """Pages about one table.

    Args:
        table: the table.
        render: fills in a template, ``render("seat.html", name=value, …)``.
    """

    def __init__(self, table: TableClient, render: Callable[..., str]) -> None:
        self._table = table
        self._render = render

    def _page(self, name: str, status: int = 200, **words: Any) -> Response:
        """A template's page, which browsers must not cache."""
        return HTMLResponse(self._render(name, **words), status, {"cache-control": "no-store"})

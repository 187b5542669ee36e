"""A web application as the box and the hall have one: guarded, compressed, with static files and languages."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import HTMLResponse, Response
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles

from companion.web import guard, language

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from starlette.requests import Request
    from starlette.routing import BaseRoute
    from starlette.types import ExceptionHandler, Lifespan

HERE = Path(__file__).parent


def site(
    pages: Sequence[BaseRoute],
    lifespan: Lifespan[Starlette],
    missing: Callable[[], str],
    names: tuple[str, ...],
    *,
    fault: ExceptionHandler | None = None,
    largest: int = guard.LARGEST,
    uploads: int = 0,
) -> Starlette:
    """The application of some pages.

    Args:
        pages: their routes.
        lifespan: what runs beside them.
        missing: makes the page for what is no page, or takes nothing.
        names: the host names that requests may ask for.
        fault: makes the page for an error in the program itself.
        largest: the largest body of a request, in bytes.
        uploads: the same of a form that may have a file, 0 if there are none.
    """

    async def no_page(request: Request, error: Exception) -> Response:
        status = error.status_code if isinstance(error, HTTPException) else 404
        return HTMLResponse(missing(), status)

    guarded = Middleware(guard.Guard, names=names, largest=largest, uploads=uploads, wishes=True)
    return Starlette(
        routes=[*pages, language.ROUTE, Mount("/static", StaticFiles(directory=HERE / "static"))],
        middleware=[guarded, Middleware(GZipMiddleware, minimum_size=500)],
        exception_handlers={404: no_page, 405: no_page} | ({} if fault is None else {500: fault}),
        lifespan=lifespan,
    )

"""The rows for the session's requests about stored rounds, as each of its screens expects them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.inputs import GameStandings, Request, RoundRequest
from companion.store.errors import StoreError
from companion.store.queries.history import RoundFilter

if TYPE_CHECKING:
    from companion.inputs import NameRequest
    from companion.store.store import Store

LISTED = 99
"""The most rounds that are listed on the panel."""


def rows_for(store: Store, request: Request | RoundRequest | GameStandings) -> tuple[object, ...] | None:
    """The rows that a request asks for; None for a request that is not about stored rounds. Raises StoreError."""
    if request is Request.STANDINGS:
        return tuple(store.standings())
    if isinstance(request, GameStandings):
        return tuple(store.standings(RoundFilter(game=request.game)))
    if request is Request.HISTORY:
        return tuple(reversed(store.summaries(limit=LISTED)))
    if isinstance(request, RoundRequest):
        number = request.number
        return store.round(number), store.summaries(RoundFilter(round=number))[0], store.goes_on(number)
    return None


def renamed(store: Store, request: NameRequest) -> tuple[object, ...]:
    """Rename or merge players in every stored round: why that failed and None, or "" and the new stored history."""
    try:
        why = store.change_name(request.old, request.new, merged=request.merged)
        return why, None if why else store.past()
    except StoreError as error:
        return str(error), None

"""The rows for the session's requests about stored rounds, as each of its screens expects them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from companion.inputs import ChangeRequest, GameStandings, Request, RoundRequest
from companion.store.errors import StoreError
from companion.store.history import RoundFilter

if TYPE_CHECKING:
    from companion.inputs import NameRequest
    from companion.rounds.stored import StoredRound
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


def changed(store: Store, request: NameRequest | ChangeRequest) -> tuple[object, ...]:
    """Change stored rounds: why that failed and None, or "" and the new stored history, then what else is shown."""
    try:
        if isinstance(request, ChangeRequest):
            return _changed_round(store, request)
        why = store.change_name(request.old, request.new, merged=request.merged)
        return why, None if why else store.past()
    except StoreError as error:
        return error.sentence, None
    except ValueError as error:
        return error.args[0], None


def _changed_round(store: Store, request: ChangeRequest) -> tuple[object, ...]:
    """As `changed`, with the newest rounds and the page of the round."""
    number, change = request.round, _change(store, request)
    if why := store.change_round(number, change):
        return why, None
    return "", store.past(), rows_for(store, Request.HISTORY), rows_for(store, RoundRequest(number))


def _change(store: Store, request: ChangeRequest) -> Literal["void", "restore"] | StoredRound:
    """What the store is asked to do. Raises ValueError with a sentence where a corrected round is invalid."""
    if request.change != "correct":
        return request.change
    from companion.store.round_text import corrected

    before = store.round(request.round)
    if before is None:
        return "void"  # The store says that there is no such round.
    return corrected(before, request.text) if before.result else before

"""What works beside the loop in threads: coach, hints, the box's moves, phones, and the socket of the public view."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.inputs import HintRequest, LookBackRequest, MoveRequest
from companion.table.desks import hall_offers
from companion.table.desks.coach_desk import CoachDesk
from companion.table.desks.hint_desk import HintDesk
from companion.table.desks.opponent_desk import OpponentDesk
from companion.table.desks.phone_desk import PhoneDesk
from companion.table.guests import Guests, SocketError
from companion.table.socket_file import public_path

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from companion.inputs import Request, SearchRequest
    from companion.session.fields import PhoneAnswer
    from companion.session.model import Session
    from companion.table.input_queue import Inputs


class Desks:
    """All desks of a table: each is shown every session, and gets the requests that are for it.

    Args:
        folder: the data folder, where sockets are created unless the service has a runtime folder.
        inputs: gets what the desks find.
        examine: starts the examination of the box; its result comes as an input.
    """

    def __init__(self, folder: Path, inputs: Inputs, examine: Callable[[], object]) -> None:
        self._folder = folder
        self._inputs = inputs
        self._examine = examine
        self._coach = CoachDesk(inputs.queue.put)
        self._hints = HintDesk(inputs.queue.put)
        self._opponent = OpponentDesk(inputs.queue.put)
        self._phones = PhoneDesk(folder, inputs.put, self._hints.ask)
        self._public: Guests | None = None

    def open_public(self, say: Callable[[str], object]) -> None:
        """Open the socket of the public view, from which only the hall's pairing is accepted; `say` tells if it fails.

        Every table has it, since its uplink may come at any time. Call it before the first session is shown.
        """

        def received(words: Mapping[str, object]) -> None:
            if (made := hall_offers.read(words)) is not None:
                self._inputs.put(made)

        guests = Guests("hall link", public_path(self._folder), public_view, received)
        try:
            guests.open()
        except SocketError as error:
            say(f"{error}.")
        else:
            self._public = guests

    def on_shown(self, session: Session) -> None:
        """Hand over a session that was shown; returns at once."""
        self._phones.show(session)
        self._coach.stop_if_outdated(session)
        self._hints.stop_if_outdated(session)
        self._opponent.stop_if_outdated(session)
        if self._public is not None:
            self._public.show(session)

    def start_request(self, request: Request | SearchRequest) -> None:
        """Start a request of the session that is not about stored rounds; its answer comes as an input."""
        if isinstance(request, LookBackRequest):
            self._coach.look_back(request)
        elif isinstance(request, HintRequest):
            self._hints.ask(request, box=True)
        elif isinstance(request, MoveRequest):
            self._opponent.think(request)
        elif not self._phones.start_request(request):
            self._examine()

    def answer(self, answer: PhoneAnswer) -> None:
        """Send the answer to a phone's request."""
        self._phones.answer(answer)

    def revive(self) -> list[str]:
        """Accept guests again where that has ended. Returns whose guests."""
        return [guests.name for guests in self._sockets() if guests.revive()]

    def dead(self) -> list[str]:
        """Whose guests are not accepted any more."""
        return [guests.name for guests in self._sockets() if not guests.alive()]

    def close(self) -> None:
        """Close the sockets."""
        self._phones.close()
        for guests in self._sockets():
            guests.close()

    def _sockets(self) -> list[Guests]:
        return [self._phones.guests] if self._public is None else [self._phones.guests, self._public]


def public_view(session: Session) -> Mapping[str, object]:
    """What the public socket tells of a session."""
    from companion.views.public import public  # Imported only once a guest has come.

    return {"public": public(session)}

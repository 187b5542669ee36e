"""All workers beside the loop, each with threads of its own: the coach's searches, phones, and the public socket."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from companion.inputs import HintRequest, ReviewRequest, ComputerMoveRequest, PairingOffer, PairingOffered
from companion.table.phone_worker import PhoneWorker
from companion.table.search_workers import ComputerPlayerWorker, HintWorker, LookBackWorker
from companion.table.state_server import SocketError, StateServer, public_path

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path
    from typing import Any

    from companion.evening.fields import PhoneAnswer
    from companion.evening.model import Session
    from companion.inputs import Request, SearchRequest
    from companion.table.devices import Inputs

LONGEST_WORD = 64
"""The most letters of each text in an offer."""


class Workers:
    """All workers of a table: each gets every session that was shown, and the requests that are for it.

    Args:
        data_folder: where sockets are created unless the service has a runtime folder.
        inputs: gets what the workers find.
        start_box_check: starts the examination of the box; its result comes as an input.
    """

    def __init__(self, folder: Path, inputs: Inputs, examine: Callable[[], object]) -> None:
        self._folder = folder
        self._inputs = inputs
        self._examine = examine
        self._look_back = LookBackWorker(inputs.queue.put)
        self._hints = HintWorker(inputs.queue.put)
        self._computer_player = ComputerPlayerWorker(inputs.queue.put)
        self._phones = PhoneWorker(folder, inputs.put, self._hints.ask)
        self._servers = [self._phones.server]

    def open_public(self, report: Callable[[str], object]) -> None:
        """Open the public socket, from which only offers of pairings are taken; `write_log` is called if that fails.

        Every table has this socket, because the uplink may be started at any time. Call this before the first session
        is shown.
        """

        def take(message: Mapping[str, Any]) -> None:
            if (offer := read_offer(message)) is not None:
                self._inputs.put(offer)

        server = StateServer("hall link", public_path(self._folder), public_snapshot, take)
        try:
            server.open()
        except SocketError as error:
            report(f"{error}.")
        else:
            self._servers.append(server)

    def on_shown(self, session: Session) -> None:
        """Hand a session that was shown to all workers; returns at once."""
        self._phones.saver.save_changes(session)
        for worker in (self._look_back, self._hints, self._computer_player):
            worker.stop_if_outdated(session)
        for server in self._servers:
            server.publish(session)

    def start_request(self, request: Request | SearchRequest) -> None:
        """Start a request of the session that is not about stored rounds; its answer comes as an input."""
        if isinstance(request, ReviewRequest):
            self._look_back.start(request)
        elif isinstance(request, HintRequest):
            self._hints.ask(request, box=True)
        elif isinstance(request, ComputerMoveRequest):
            self._computer_player.start(request)
        elif not self._phones.start_request(request):
            self._examine()

    def send_reply(self, answer: PhoneAnswer) -> None:
        """Send the session's reply to a phone's request."""
        self._phones.server.send_reply({"answer": answer.number, "refusal": answer.refusal})

    def revive(self) -> list[str]:
        return [server.name for server in self._servers if server.revive()]

    def dead(self) -> list[str]:
        return [server.name for server in self._servers if not server.is_alive()]

    def close(self) -> None:
        """Close the sockets, and wait until it is saved which phones are in."""
        self._phones.saver.close()
        for server in self._servers:
            server.close()


def public_snapshot(session: Session) -> Mapping[str, object]:
    """What the public socket sends of a session."""
    from companion.table.public import public  # Imported only once a client has come.

    return {"public": public(session)}


def read_offer(message: Mapping[str, Any]) -> PairingOffered | None:
    """Parse what a client of the public socket sent; None if it is no offer of a pairing.

    ``{"offer": null}`` withdraws an offer.
    """
    match message:
        case {"offer": None}:
            return PairingOffered(None, time.monotonic())
        case {
            "offer": {
                "id": str(id_), "table": str(place), "event": str(event), "round": int(number), "game": str(game),
                "options": dict(options), "players": [str(first), str(second)],
            }
        }:  # fmt: skip
            texts = (id_, place, event, game, first, second, *options, *options.values())
            if all(isinstance(each, str) and len(each) <= LONGEST_WORD for each in texts) and 0 <= number < 1000:
                offer = PairingOffer(id_, place, event, number, game, tuple(options.items()), (first, second))
                return PairingOffered(offer, time.monotonic())
    return None

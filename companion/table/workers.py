"""All workers beside the loop, each with threads of its own: the coach's searches, phones, and the public socket."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from companion.inputs import (
    ComputerMoveRequest,
    HelperRequest,
    HintRequest,
    PairingOffer,
    PairingOffered,
    ReviewRequest,
)
from companion.table import box_helpers
from companion.table.phone_worker import PhoneWorker
from companion.table.search_workers import ComputerPlayerWorker, HintWorker, ReviewWorker
from companion.table.state_server import SocketError, StateServer, public_socket_path

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path
    from typing import Any

    from companion.evening.model import Session
    from companion.evening.session_values import PhoneAnswer
    from companion.inputs import Request, SearchRequest
    from companion.table.table_devices import InputQueue

MAX_VALUE_LETTERS = 64
"""The most letters of each text in an offer."""


class Workers:
    """All workers of a table: each gets every session that was shown, and the requests that are for it.

    Args:
        data_folder: where sockets are created unless the service has a runtime folder.
        inputs: gets what the workers find.
        start_box_check: starts the examination of the box; its result comes as an input.
    """

    def __init__(self, data_folder: Path, inputs: InputQueue, start_box_check: Callable[[], object]) -> None:
        self._data_folder = data_folder
        self._inputs = inputs
        self._start_box_check = start_box_check
        self._review_worker = ReviewWorker(inputs.queue.put)
        self._hint_worker = HintWorker(inputs.queue.put)
        self._computer_player_worker = ComputerPlayerWorker(inputs.queue.put)
        self._phone_worker = PhoneWorker(data_folder, inputs.put, self._hint_worker.request_hint)
        self._servers = [self._phone_worker.server]

    def open_public_socket(self, write_log: Callable[[str], object]) -> None:
        """Open the public socket, from which only offers of pairings are taken; `write_log` is called if that fails.

        Every table has this socket, because the uplink may be started at any time. Call this before the first session
        is shown.
        """

        def take_offer(message: Mapping[str, Any]) -> None:
            if (offer := parse_offer(message)) is not None:
                self._inputs.put(offer)

        server = StateServer("hall link", public_socket_path(self._data_folder), public_snapshot, take_offer)
        try:
            server.open()
        except SocketError as error:
            write_log(f"{error}.")
        else:
            self._servers.append(server)

    def on_shown(self, session: Session) -> None:
        """Hand a session that was shown to all workers; returns at once."""
        self._phone_worker.saver.save_phones_if_changed(session)
        for worker in (self._review_worker, self._hint_worker, self._computer_player_worker):
            worker.stop_if_outdated(session)
        for server in self._servers:
            server.publish(session)

    def start_request(self, request: Request | SearchRequest | HelperRequest) -> None:
        """Start a request of the session that is not about stored rounds; its answer comes as an input."""
        if isinstance(request, ReviewRequest):
            self._review_worker.start_search(request)
        elif isinstance(request, HintRequest):
            self._hint_worker.request_hint(request, for_box=True)
        elif isinstance(request, ComputerMoveRequest):
            self._computer_player_worker.start_search(request)
        elif isinstance(request, HelperRequest):
            box_helpers.ask_helper(request, self._inputs.queue.put)
        elif not self._phone_worker.start_request(request):
            self._start_box_check()

    def send_reply(self, answer: PhoneAnswer) -> None:
        """Send the session's reply to a phone's request."""
        self._phone_worker.server.send_reply({"answer": answer.number, "refusal": answer.refusal})

    def revive_threads(self) -> list[str]:
        return [server.name for server in self._servers if server.restart_if_ended()]

    def dead_devices(self) -> list[str]:
        return [server.name for server in self._servers if not server.is_alive()]

    def close(self) -> None:
        """Close the sockets, and wait until it is saved which phones are in."""
        self._phone_worker.saver.close()
        for server in self._servers:
            server.close()


def public_snapshot(session: Session) -> Mapping[str, object]:
    """What the public socket sends of a session."""
    from companion.table.public_state import public_state  # Imported only once a client has come.

    return {"public": public_state(session)}


def parse_offer(message: Mapping[str, Any]) -> PairingOffered | None:
    """Parse what a client of the public socket sent; None if it is no offer of a pairing.

    ``{"offer": null}`` withdraws an offer.
    """
    match message:
        case {"offer": None}:
            return PairingOffered(None, time.monotonic())
        case {
            "offer": {
                "id": str(id_), "table": str(table_name), "event": str(event), "round": int(round_number),
                "game": str(game), "options": dict(options),
                "players": [str(first_player), str(second_player)],
            }
        }:  # fmt: skip
            values = (id_, table_name, event, game, first_player, second_player, *options, *options.values())
            if (
                all(isinstance(each, str) and len(each) <= MAX_VALUE_LETTERS for each in values)
                and 0 <= round_number < 1000
            ):
                offer = PairingOffer(
                    id_, table_name, event, round_number, game, tuple(options.items()), (first_player, second_player)
                )
                return PairingOffered(offer, time.monotonic())
    return None

"""How an uplink publishes its table's state: only what is new, never too often, and the newest alone."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from companion.hall import mqtt
from companion.hall.messages import write

if TYPE_CHECKING:
    from paho.mqtt.client import Client, MQTTMessageInfo

    from companion.hall.messages import State

STATE_SECONDS = 0.2
"""The shortest time between two states that are published; only the newest is sent."""


class StateSender:
    """Publishes the states of one table under `topic`, as retained messages."""

    def __init__(self, topic: str) -> None:
        self._topic = topic
        self._published: State | None = None  # the state published last on this connection
        self._published_at = -math.inf
        self._telling: MQTTMessageInfo | None = None  # its way to the broker

    def forget(self) -> None:
        """Start over for a new connection."""
        self._published, self._telling = None, None

    def again(self) -> None:
        """Publish the state once more, although it is the same."""
        self._published = None

    def send(self, client: Client, state: State, now: float) -> float:
        """Publish a state if it is new and its time has come.

        Returns the seconds until it should be tried again, infinite where something else will tell: another state, or
        the broker's acknowledgement of the last one.
        """
        if state == self._published:
            return math.inf
        wait = self._published_at + STATE_SECONDS - now
        if wait > 0:
            return wait
        if self._telling is not None and not mqtt.arrived(self._telling):
            return math.inf
        self._published, self._published_at = state, now
        self._telling = client.publish(self._topic, write(state), 1, retain=True, properties=mqtt.content())
        return math.inf

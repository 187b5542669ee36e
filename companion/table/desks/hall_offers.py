"""What the socket for everybody takes: the pairing that the hall has for this table, as an input like a phone's."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from companion.inputs import Offer, OfferMade

LONGEST_WORD = 64
"""Letters of each word of an offer."""


def read(words: Mapping[str, Any]) -> OfferMade | None:
    """Read what a guest of the public socket sent as an input; None if it is not an offer."""
    match words:
        case {"offer": None}:
            return OfferMade(None, time.monotonic())
        case {"offer": dict(offer)}:
            return _read(offer)
    return None


def _read(offer: Mapping[str, Any]) -> OfferMade | None:
    match offer:
        case {
            "id": str(id_), "table": str(place), "event": str(event), "round": int(number), "game": str(game),
            "options": dict(options), "players": [str(first), str(second)],
        }:  # fmt: skip
            texts = (id_, place, event, game, first, second, *options, *options.values())
            if not all(isinstance(each, str) and len(each) <= LONGEST_WORD for each in texts) or not 0 <= number < 1000:
                return None
            chosen = tuple((str(name), str(value)) for name, value in options.items())
            return OfferMade(Offer(id_, place, event, number, game, chosen, (first, second)), time.monotonic())
    return None

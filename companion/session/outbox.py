"""What the session gives to its surroundings, which the loop carries out: once it is on disk, and then forgets."""

from typing import NamedTuple

from companion.inputs import SessionRequest
from companion.rounds.stored import LogEntry


class PhoneAnswer(NamedTuple):
    """The answer to a phone's request by its number: "" where it was granted, else why not, in one sentence."""

    number: int
    refusal: str = ""


class Outbox(NamedTuple):
    """What is to be done outside of the session, each kind in order.

    Attributes:
        unsaved: entries for the store, without which the rest does not happen.
        requests: what comes back as inputs.
        answers: to phones, on their way.
        sounds: of the newest input alone.
    """

    unsaved: tuple[LogEntry, ...] = ()
    requests: tuple[SessionRequest, ...] = ()
    answers: tuple[PhoneAnswer, ...] = ()
    sounds: tuple[str, ...] = ()

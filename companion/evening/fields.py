"""The values that a session holds: choices before a round, switches, taps, phones, a pairing offered, the outbox."""

from typing import NamedTuple

from companion.games.api.manifest import HoldingKind
from companion.inputs import Offer, SessionRequest
from companion.rounds.stored import LogEntry, Options


class Setup(NamedTuple):
    """A round in the making: the choices so far."""

    game: str
    options: Options = ()
    seats: int = 2
    goal: int = 0
    clock: str = ""  # the game clock in written form
    names: tuple[str, ...] = ()
    opened: tuple[tuple[HoldingKind, int], ...] = ()
    sealed: tuple[tuple[HoldingKind, int], ...] = ()  # holdings (kind, seat) that the players chose to keep sealed
    asked: int = 0  # how many questions are behind
    pairing: str = ""  # the offer of a tournament that is set up


class Switches(NamedTuple):
    """What is switched on.

    Attributes:
        hints: a hint may be asked for.
        dealer: the score pad marks who deals.
        timing: the clock of thinking times runs.
        rests: the rest view comes at once, not only after some seconds.
    """

    hints: bool = False
    dealer: bool = False
    timing: bool = False
    rests: bool = False


class Taps(NamedTuple):
    """The last presses and pictures, in monotonic seconds.

    Attributes:
        pressed: when a key was pressed last, or something else lit the panel.
        key: the last one that counted.
        erased: when BACK erased something last.
        seen: the screen that a page or menu led back to last.
        shown: when this picture was sent to the panel, None before.
        wait_until: until when the panel says that a press was ignored, 0 for not.
        ignored_until: a press woke the panel: until then other presses do nothing.
    """

    pressed: float = 0.0
    key: str = ""
    erased: float = -10.0
    seen: object = None
    shown: float | None = 0.0
    wait_until: float = 0.0
    ignored_until: float = 0.0


MOST_NEWS = 8
"""For how many phones it is kept why they are out, or were refused."""


class PairingCode(NamedTuple):
    """The code on the page of phones, until when it is valid, and how many wrong ones were tried."""

    text: str
    until: float
    wrong: int = 0


class PhoneAccess(NamedTuple):
    """Which phones and big screens reach the table; each phone is named by the hash of its secret.

    Attributes:
        on: whether any may come.
        pages: the addresses of the page, () while nobody serves it.
        code: lets one phone in.
        locked: until this time no code is looked at.
        paired: the phones that were let in, and whose they are: a player's name.
        host: the phone that may see the host's pages, which may be a player's too; "" for none.
        news: what has become of phones that are out, or were refused.
    """

    on: bool = False
    pages: tuple[str, ...] = ()
    code: PairingCode | None = None
    locked: float = 0.0
    paired: tuple[tuple[str, str], ...] = ()
    host: str = ""
    news: tuple[tuple[str, str], ...] = ()

    @property
    def players(self) -> tuple[str, ...]:
        """The players who have a phone."""
        return tuple(name for _, name in self.paired)

    def player(self, phone: str) -> str:
        """The player of a phone, "" for an unpaired one."""
        return dict(self.paired).get(phone, "")

    @property
    def let_in(self) -> tuple[tuple[str, str], ...]:
        """The phones that are in, and their players; "" for the host's phone where that is no player's."""
        alone = self.host and self.host not in dict(self.paired)
        return (*self.paired, (self.host, "")) if alone else self.paired

    def is_in(self, phone: str) -> bool:
        """Whether a phone was let in."""
        return any(phone == each for each, _ in self.let_in)

    def given(self, phone: str, player: str) -> "PhoneAccess":
        """A phone is this player's, in the place of the one before it."""
        others = tuple(pair for pair in self.paired if phone != pair[0] and player != pair[1])
        return self._replace(paired=(*others, (phone, player)))

    def renewed(self, was: str, phone: str) -> "PhoneAccess":
        """A phone has the pairings that it had under its secret before."""
        paired = tuple((phone if each == was else each, name) for each, name in self.paired)
        return self._replace(paired=paired, host=phone if was and self.host == was else self.host)

    def sent_away(self, phone: str) -> "PhoneAccess":
        """A phone is out."""
        paired = tuple(pair for pair in self.paired if pair[0] != phone)
        return self._replace(paired=paired, host="" if self.host == phone else self.host)

    def told(self, phone: str, sentence: str) -> "PhoneAccess":
        """A phone is told on its page what has become of it; "" is no phone."""
        if not phone:
            return self
        return self._replace(news=(*self.heard(phone).news, (phone, sentence))[-MOST_NEWS:])

    def heard(self, phone: str) -> "PhoneAccess":
        """A phone is told no longer what it was told, since it has asked for something else, or is in."""
        return self._replace(news=tuple(each for each in self.news if each[0] != phone))


class HallOffer(NamedTuple):
    """The hall's offer.

    Attributes:
        offer: the newest one, None for none, or for one that cannot be played here.
        current: the id of the newest one, "" for none, None before the hall has said anything.
        decided: the id of the one about which OK or BACK was pressed.
        begun: the id of the one to which OK was pressed.
        settled: the id of the one whose round has ended here, or was reported to be the table's no more.
    """

    offer: Offer | None = None
    current: str | None = None
    decided: str = ""
    begun: str = ""
    settled: str = ""

    @property
    def waits(self) -> bool:
        """Whether there is one to which nobody has said anything."""
        return self.offer is not None and self.offer.id != self.decided

    def withdraws(self, pairing: str) -> bool:
        """Whether the hall has none or another one for this table; not where it is offered once more.

        `pairing` is the id of an offer: the pairing's word, the letter n, and how often it was offered.
        """
        return self.current is not None and self.current.rpartition("n")[0] != pairing.rpartition("n")[0]


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

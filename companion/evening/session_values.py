"""The values that a session consists of: a setup, switches, taps, phones, an offer of the club, and the outbox."""

from typing import NamedTuple

from companion.games.api.manifest import HoldingKind
from companion.inputs import PairingOffer, SessionRequest
from companion.rounds.stored import LogEntry, Options


class Setup(NamedTuple):
    """A round that is being set up: the choices so far.

    Attributes:
        game: the game's id.
        options: the options of its rules.
        seat_count: how many play.
        goal: how many rounds win the match, 0 for a single round.
        clock: the game clock in written form, "" for none.
        names: the players by seat.
        open_holdings: the holdings (kind, seat) that are open to the referee.
        sealed_holdings: the holdings that the players chose to keep sealed.
        question_index: the index of the question that is asked now.
        offer_id: the id of the tournament pairing that is set up, "" for none.
    """

    game: str
    options: Options = ()
    seat_count: int = 2
    goal: int = 0
    clock: str = ""
    names: tuple[str, ...] = ()
    open_holdings: tuple[tuple[HoldingKind, int], ...] = ()
    sealed_holdings: tuple[tuple[HoldingKind, int], ...] = ()
    question_index: int = 0
    offer_id: str = ""


class Switches(NamedTuple):
    """What is switched on.

    Attributes:
        hints: players may ask for a hint.
        dealer: the score pad marks who deals.
        timing: the clock of thinking times runs.
        rests: the rest view appears at once, not only after some seconds.
    """

    hints: bool = False
    dealer: bool = False
    timing: bool = False
    rests: bool = False


class BoxSettings(NamedTuple):
    """The settings that can be changed at the box, as the configuration has them or as they were chosen.

    Attributes:
        brightness: of a panel that is not dimmed, 1 to 255.
        upside_down: the panel is mounted the other way up.
        shift: the picture is moved by a pixel now and then, against burn-in.
        idle: what the panel does after some minutes without a key: ``off``, ``dim``, or it stays ``on``.
        quiet: the buzzer stays silent.
        lock: the code of the settings, "" for none.
        voice: what the box says aloud: ``off``, ``table`` (moves, refusals, results) or ``everything``.
        speed: how fast it speaks, in words a minute.
        loudness: how loud it speaks, 1 to 200.
        name: the name of the box, "" for none.
        address: the panel's I2C address, None for the usual one.
        port: the keypad's serial port, None for none.
        buttons: the pins (BCM numbers) of each of `BUTTON_KEYS`, () without buttons.
    """

    brightness: int = 0xCF
    upside_down: bool = False
    shift: bool = True
    idle: str = "off"
    quiet: bool = False
    lock: str = ""
    voice: str = "off"
    speed: int = 170
    loudness: int = 100
    name: str = ""
    address: int | None = None
    port: str | None = None
    buttons: tuple[tuple[int, ...], ...] = ()


class Network(NamedTuple):
    """A Wi-Fi network in sight: its name, whether it needs no password, and whether the box uses it."""

    name: str
    is_open: bool = False
    is_in_use: bool = False


class Taps(NamedTuple):
    """The last presses and pictures. All times are monotonic seconds.

    Attributes:
        pressed_at: when a key was pressed last, or something else lit the panel.
        last_key: the last key that counted.
        erased_at: when BACK erased something last.
        familiar_screen: the screen to which closing a page or a menu has just led back.
        shown_at: when the current picture went to the panel, None before that.
        wait_until: until when the panel says that a press was ignored, 0 if it doesn't.
        ignored_until: until when presses do nothing, because one has just lit a dark panel.
    """

    pressed_at: float = 0.0
    last_key: str = ""
    erased_at: float = -10.0
    familiar_screen: object = None
    shown_at: float | None = 0.0
    wait_until: float = 0.0
    ignored_until: float = 0.0


MAX_PHONE_MESSAGES = 8
"""The most phones for which a message is remembered."""


class PairingCode(NamedTuple):
    """The code that the page of phones shows, until when it is valid, and how many wrong ones were tried."""

    text: str
    valid_until: float
    wrong_tries: int = 0


class PhoneAccess(NamedTuple):
    """Which phones and big screens may reach the table. A phone is named by the hash of its secret.

    Attributes:
        is_on: whether phones may come at all.
        addresses: the addresses of the web pages, () while nobody serves them.
        code: the code that lets one phone in.
        locked_until: the time before which no code is accepted.
        player_phones: pairs of a phone that was let in and its player's name.
        host: the phone that may see the host's pages, "" for none. It may be a player's phone too.
        screen: the big screen that may show the code, "" for none.
        phone_messages: pairs of a phone and the message on its page: why it is out or was refused, or how its name was
            changed.
    """

    is_on: bool = False
    addresses: tuple[str, ...] = ()
    code: PairingCode | None = None
    locked_until: float = 0.0
    player_phones: tuple[tuple[str, str], ...] = ()
    host: str = ""
    screen: str = ""
    phone_messages: tuple[tuple[str, str], ...] = ()

    @property
    def players(self) -> tuple[str, ...]:
        """The players who have a phone."""
        return tuple(name for _, name in self.player_phones)

    def player_of(self, phone: str) -> str:
        """The name of a phone's player, "" for a phone that is nobody's."""
        return dict(self.player_phones).get(phone, "")

    @property
    def admitted_phones(self) -> tuple[tuple[str, str], ...]:
        """All phones that were let in, each with its player, "" for none."""
        known = "", *dict(self.player_phones)
        alone = tuple((each, "") for each in dict.fromkeys((self.host, self.screen)) if each not in known)
        return (*self.player_phones, *alone)

    def is_admitted(self, phone: str) -> bool:
        """Whether a phone was let in."""
        return any(phone == each for each, _ in self.admitted_phones)

    def with_player_phone(self, phone: str, player: str) -> "PhoneAccess":
        """The same access, in which `phone` is the phone of `player`, instead of the one before."""
        others = tuple(pair for pair in self.player_phones if phone != pair[0] and player != pair[1])
        return self._replace(player_phones=(*others, (phone, player)))

    def with_renewed_phone(self, previous_phone: str, phone: str) -> "PhoneAccess":
        """The same access, in which `phone` takes over the pairings of its old secret, `previous_phone`."""
        paired = tuple((phone if each == previous_phone else each, name) for each, name in self.player_phones)
        host, screen = (
            phone if previous_phone and each == previous_phone else each for each in (self.host, self.screen)
        )
        return self._replace(player_phones=paired, host=host, screen=screen)

    def without_phone(self, phone: str) -> "PhoneAccess":
        """The same access without a phone."""
        paired = tuple(pair for pair in self.player_phones if pair[0] != phone)
        host, screen = ("" if each == phone else each for each in (self.host, self.screen))
        return self._replace(player_phones=paired, host=host, screen=screen)

    def with_message(self, phone: str, sentence: str) -> "PhoneAccess":
        """The same access with a message for the page of a phone; "" is no phone."""
        if not phone:
            return self
        return self._replace(
            phone_messages=(*self.without_message(phone).phone_messages, (phone, sentence))[-MAX_PHONE_MESSAGES:]
        )

    def without_message(self, phone: str) -> "PhoneAccess":
        """The same access without a message for a phone: it has asked for something else, or is in."""
        return self._replace(phone_messages=tuple(each for each in self.phone_messages if each[0] != phone))


class ClubOffer(NamedTuple):
    """The pairing that the club server offers, and what became of it at this table.

    Attributes:
        offer: the newest one, None for none or for one that can't be played here.
        current_id: the id of the newest one, "" for none, None before the server has sent anything.
        answered_id: the id of the one for which somebody pressed OK or BACK.
        accepted_id: the id of the one for which somebody pressed OK.
        settled_id: the id of the one whose round has ended here, or which was reported as withdrawn.
    """

    offer: PairingOffer | None = None
    current_id: str | None = None
    answered_id: str = ""
    accepted_id: str = ""
    settled_id: str = ""

    @property
    def is_waiting(self) -> bool:
        """Whether there is an offer that nobody has answered yet."""
        return self.offer is not None and self.offer.id != self.answered_id

    def has_withdrawn(self, offer_id: str) -> bool:
        """Whether the server has no pairing or another one for this table by now.

        The same pairing offered once more is not withdrawn. `offer_id` is an offer's id: the pairing's word, the letter
        n, and how often it was offered.
        """
        return self.current_id is not None and self.current_id.rpartition("n")[0] != offer_id.rpartition("n")[0]


class PhoneAnswer(NamedTuple):
    """The reply to a phone's request, by its number.

    `refusal` is "" if the request was granted, else the reason in one sentence.
    """

    number: int
    refusal: str = ""


class Outbox(NamedTuple):
    """What the loop has to do for the session, each kind in its order.

    Attributes:
        unsaved_entries: entries for the store. Until they are saved, nothing else of the outbox happens.
        requests: work whose results come back as inputs.
        answers: replies to phones.
        sounds: the sounds of the newest input.
    """

    unsaved_entries: tuple[LogEntry, ...] = ()
    requests: tuple[SessionRequest, ...] = ()
    answers: tuple[PhoneAnswer, ...] = ()
    sounds: tuple[str, ...] = ()

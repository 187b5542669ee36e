"""What the table knows of phones: whether they may come, the code that lets one in, and whose each of them is."""

from typing import NamedTuple

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

"""Pairings of a club's tournament: the club server offers one, and the box asks at the main menu."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion import games
from companion.evening.contents import kinds
from companion.evening.model import Screen
from companion.evening.screens.main_menu import MainMenu
from companion.evening.screens.messages import Notice
from companion.evening.screens.setup import setup
from companion.languages import text
from companion.rounds.player_names import is_valid_name, normalize_name

if TYPE_CHECKING:
    from companion.evening.model import Session
    from companion.inputs import PairingOffer, PairingOffered


class Offered(Screen):
    """The question whether to begin a pairing of a tournament.

    OK sets the round up, as far as the question of open holdings. After BACK it is an entry of the main menu.
    """

    offer: PairingOffer

    @property
    def game_id(self) -> str:
        return self.offer.game

    def may_be_double_tap(self, session: Session, key: str) -> bool:
        # The question may come at any time, so the first keys were meant for something else.
        return True

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        club_offer = session.club_offer._replace(answered_id=self.offer.id)
        if key == "#":
            accepted = club_offer._replace(accepted_id=self.offer.id)
            return setup.set_up_pairing(session.close_screen()._replace(club_offer=accepted), self.offer)
        return session.close_screen()._replace(club_offer=club_offer) if key == "*" else session

    def shown_names(self, session: Session) -> tuple[str, ...]:
        return self.offer.names

    def content(self, session: Session) -> kinds.Content:
        offer = self.offer
        played = text("round {number}", number=offer.round)
        hints = kinds.ok_and_back_hints(text("play it"), text("later"))
        game = games.game_title(offer.game, offer.options)
        return kinds.Pairing(offer.table_name, played, offer.names, game, hints, offer.event)


def receive_pairing_offer(session: Session, event: PairingOffered) -> Session:
    """Take the club server's offer. If it can't be played here, a banner says so once."""
    offer = event.offer
    if offer is not None:  # An older club server may send names that aren't normalised.
        offer = offer._replace(names=tuple(map(normalize_name, offer.names)))
    session = session._replace(club_offer=session.club_offer._replace(current_id=offer.id if offer is not None else ""))
    before = session.club_offer.offer
    is_known = before is not None and offer is not None and before.id == offer.id
    if not is_known:  # The old question is closed even if another screen has been opened over it.
        session = session._replace(screens=tuple(each for each in session.screens if not isinstance(each, Offered)))
    if offer is None or is_known or _is_playable(offer):
        return session._replace(club_offer=session.club_offer._replace(offer=offer))
    return session._replace(
        club_offer=session.club_offer._replace(offer=None), banner=text("The club's pairing\ncan't be played here")
    )


def _is_playable(offer: PairingOffer) -> bool:
    """Whether this table can play it: it has the game and its options, and the names can be players'."""
    try:
        game = games.manifest_of(offer.game)
    except games.UnknownGameError:
        return False
    return (
        game.has_records
        and len(offer.names) in game.players
        and len(set(offer.names)) == len(offer.names)
        and all(map(is_valid_name, offer.names))
        and game.accepts_options(dict(offer.options))
    )


def ask_to_begin_pairing(session: Session) -> Session:
    """Ask whether to begin a pairing, if one waits and the main menu is shown."""
    offer = session.club_offer.offer
    if (
        offer is None
        or not session.club_offer.is_waiting
        or session.is_stopping
        or not isinstance(session.screen, MainMenu)
    ):
        return session
    woken = session.with_light_on()
    return woken.open_screens(Offered(offer))._replace(taps=woken.taps._replace(ignored_until=0.0))


def report_withdrawn_offer(session: Session) -> Session:
    """Report once that the pairing which is being played no longer belongs to this table.

    The organiser has entered its result, moved it to another table, or withdrawn it. A round that has ended here is the
    result itself, so its pairing is withdrawn too; that is not reported, even if its last move is taken back.
    """
    round_, club_offer = session.round, session.club_offer
    pairing = round_.header.pairing if round_ is not None else ""
    if round_ is None or not pairing or pairing == club_offer.settled_id:
        return session
    settled = session._replace(club_offer=club_offer._replace(settled_id=pairing))
    if round_.is_over:
        return settled
    if not club_offer.has_withdrawn(pairing) or not session.screen.is_interruptible or session.is_stopping:
        return session
    said = text("has closed or changed this pairing.")
    notice = Notice("alert", text("Organiser"), (said,), text("Ask before you go on"))
    return settled.with_light_on().open_screens(notice)._replace(banner="").play_sound("warning")

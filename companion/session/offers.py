"""Pairings of a club's tournament that the hall offers: the box asks at the main menu, and one OK sets the round up."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion import games
from companion.session import setup
from companion.session.model import Menu, Offered
from companion.session.spelling import fit

if TYPE_CHECKING:
    from companion.inputs import Offer, OfferMade
    from companion.session.model import Session


def received(session: Session, event: OfferMade) -> Session:
    """The session with the hall's offer; if it cannot be played here, a banner says so once."""
    offer = event.offer
    known = session.offer is not None and offer is not None and session.offer.id == offer.id
    if isinstance(session.mode, Offered) and not known:
        session = session._replace(mode=session.mode.back)
    if offer is None or known or _fits(offer):
        return session._replace(offer=offer)
    return session._replace(offer=None, banner="The hall's pairing\ncannot be played here")


def _fits(offer: Offer) -> bool:
    """Whether this table can play it: the game, its options, and names that are players'."""
    try:
        game = games.manifest(offer.game)
    except games.UnknownGame:
        return False
    options = dict(offer.options)
    return (
        game.recorded
        and len(offer.names) in game.players
        and len(set(offer.names)) == len(offer.names)
        and all(map(fit, offer.names))
        and options.keys() == game.options.keys()
        and all(value in game.values[name] for name, value in options.items())
    )


def watched(session: Session) -> Session:
    """The session with the question, if a pairing waits and the main menu is shown."""
    offer, mode = session.offer, session.mode
    if offer is None or offer.id == session.answered_offer or session.stopping:
        return session
    if not (isinstance(mode, Menu) and mode.kind == "main"):
        return session
    return session._replace(mode=Offered(offer, mode), light="on", pressed=session.clock, ignore_until_pause=False)


def press(session: Session, mode: Offered, key: str) -> Session:
    """OK sets the round up, up to the question of open holdings; BACK leaves it, until it is offered once more."""
    answered = session._replace(mode=mode.back, answered_offer=mode.offer.id)
    if key == "#":
        return setup.offered(answered, mode.offer)
    return answered if key == "*" else session


def words(offer: Offer) -> str:
    """The game and its options, as players write them."""
    return games.in_words(offer.game, offer.options)

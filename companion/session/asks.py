"""Questions over the table that some or all players have to agree to: take-back, the end of a round or match."""

from __future__ import annotations

from companion.session import mending, opponent, rounds, setup
from companion.session.actions import Action
from companion.session.main_menu import main_menu
from companion.session.model import CANCELLED, Ask, Dealing, PadRound, Page, PageKind, Playing, Round, Session


def to_table(session: Session) -> Session:
    """Show the round on the table again, or the main menu without one."""
    if session.round is None:
        return main_menu(session)
    return session._replace(mode=rounds.table(session.round))


def ask_take_back(session: Session) -> Session:
    """Ask before the last event is taken back; two players have to agree if it revealed something.

    Before the round's first event, the result before it is shown again, or the last question of its setup.
    """
    round_ = session.round
    if round_ is not None and round_.empty and (session.previous is not None or round_.header.number == 1):
        return setup.earlier(session, round_.header)
    if round_ is None or round_.empty:
        return session._replace(
            mode=Page(PageKind.ANSWER, ("Take back", "Nothing has been played yet."), back=session.mode)
        )
    if not round_.events:
        kind, seat, _ = round_.deals[-1]
        whose = f"{round_.name(seat)}'s {round_.manifest.holdings[kind].noun}"
        return session._replace(
            mode=Ask(Action.TAKE_BACK, "Take back?", (whose, "is entered anew."), back=session.mode)
        )
    count = opponent.taken_back(round_)
    seat, text = round_.events[-count]
    seen = next((seen for _, each in round_.events[-count:] if (seen := round_.entry.reveals(each))), "")
    name = round_.name(seat)
    if not seen:
        also = "is undone; it can be" if count == 1 else f"and {count - 1} of the box:"
        lines = (f"{name}: {round_.entry.printed(text)}", also, "played again." if count == 1 else "all undone.")
        return session._replace(mode=Ask(Action.TAKE_BACK, "Take back?", lines, back=session.mode))
    everybody = sorted(opponent.people(round_), key=lambda other: other != seat)
    said = (f"{name} has seen {seen}.",)
    return session._replace(mode=Ask(Action.TAKE_BACK, "Take back?", said, tuple(everybody[:2]), back=session.mode))


def press_ask(session: Session, ask: Ask, key: str) -> Session:
    """Answer a question: OK agrees, once for each player asked; any other key cancels and keeps a half-entered move."""
    if key != "#":
        session = session._replace(mode=ask.back) if isinstance(ask.back, Playing | Dealing) else to_table(session)
        mode = session.mode
        if key != "*" and isinstance(mode, Playing | Dealing):  # The key is not part of the entry either.
            return session._replace(mode=mode._replace(stray=CANCELLED))
        return session
    agreed = (*ask.agreed, ask.must_agree[len(ask.agreed)]) if ask.must_agree else ()
    if len(agreed) < len(ask.must_agree):
        return session._replace(mode=ask._replace(agreed=agreed))
    if ask.does is Action.TAKE_BACK:
        return opponent.take_back(session)
    if ask.does is Action.MEND:
        return mending.agreed(session, ask)
    return main_menu(session) if ask.does is Action.LEAVE else _ended(session)


def ask_end(session: Session, round_: Round) -> Session:
    """Ask before a round or a match is ended; after a single round the main menu follows at once."""
    if round_.over and round_.header.goal and not rounds.champion(round_):
        return session._replace(mode=Ask(Action.LEAVE, "Leave the match?", ("It is kept: History", "goes on with it.")))
    if round_.over:
        return main_menu(session)
    return session._replace(mode=Ask(Action.END, "End the round?", unfinished(round_)))


def unfinished(on_table: Round | PadRound) -> tuple[str, str]:
    """What becomes of a round or pad that is left before its end, in two lines."""
    if on_table.empty:
        return "Nothing has been played:", "it is not kept."
    return "It is kept, unfinished:", "nobody has won it."


def _ended(session: Session) -> Session:
    if session.round is None:
        return main_menu(session)
    return main_menu(rounds.set_aside(session, session.round))

"""Questions over the table that some or all players have to agree to: take-back, the end of a round or match."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.languages import text
from companion.moments.ask import Ask
from companion.moments.pages.page import Reply
from companion.moments.play import box_moves, round_life
from companion.moments.setup import setup
from companion.rounds import matches
from companion.rounds.on_table import PadRound, Round
from companion.session.model import Session
from companion.session.screen_kinds import thinking

if TYPE_CHECKING:
    from collections.abc import Callable


def ask_take_back(session: Session) -> Session:
    """Ask before the last event is taken back; two players have to agree if it revealed something.

    Before the round's first event, the result before it is shown again, or the last question of its setup.
    """
    round_ = session.round
    if round_ is not None and round_.empty and (session.previous is not None or round_.header.number == 1):
        return setup.go_back(session, round_.header)
    if round_ is None or round_.empty:
        return session.open(Reply((text("Take back"), text("Nothing has been played yet."))))
    said, must_agree = _taken_back(round_)
    return _uncovered(session).open(_question(said, must_agree))


def ask_take_back_by(
    session: Session, round_: Round, seat: int, declined: Callable[[Session, str], Session]
) -> Session:
    """Ask on behalf of a seat's phone: another player agrees, unless all the others are the box."""
    said, must_agree = _taken_back(round_)
    others = [each for each in must_agree if each != seat] or _next_person(round_, seat)
    if not others:
        return box_moves.take_back(session)
    question = _question(said, (seat, *others))
    return _uncovered(session).open(question._replace(agreed=(seat,), declined=declined))


def _next_person(round_: Round, seat: int) -> list[int]:
    """The next seat that the box does not play, in a list; [] if there is no other."""
    count = len(round_.header.names)
    after = [(seat + ahead) % count + 1 for ahead in range(count - 1)]
    return [each for each in after if each in box_moves.human_seats(round_)][:1]


def _taken_back(round_: Round) -> tuple[str, tuple[int, ...]]:
    """What is taken back of a round, in a sentence, and the seats that have to agree."""
    if not round_.events:
        kind, seat, _ = round_.deals[-1]
        noun = round_.manifest.holdings[kind].noun
        return text("{who}'s {pieces} is entered anew.", who=round_.name(seat), pieces=noun), ()
    count = box_moves.taken_back(round_)
    seat, event = round_.events[-count]
    seen = next((seen for _, each in round_.events[-count:] if (seen := round_.entry.reveals(each))), "")
    name = round_.name(seat)
    if not seen:
        move = round_.entry.move_words(round_.states[-count - 1], seat, round_.game.read(event), round_.header.names)
        if count == 1:
            return text("{who} {did}.", who=name, did=move.said), ()
        return text("{who} {did}. What the box played goes back too.", who=name, did=move.said), ()
    everybody = sorted(box_moves.human_seats(round_), key=lambda other: other != seat)
    said = text("{who} has seen {what}. Put that back.", who=name, what=seen)
    if count > 1 and round_.entry.due(round_.states[-count]) is not None:  # The move, with what was drawn for it.
        move = round_.entry.move_words(round_.states[-count - 1], seat, round_.game.read(event), round_.header.names)
        said = text("{who} {move} and the draw. Seen: {what}.", who=name, move=move.short, what=seen)
    return said, tuple(everybody[:2]) if len(everybody) > 1 else ()  # Who plays with the box alone asks nobody.


def _question(said: str, must_agree: tuple[int, ...]) -> Ask:
    """The question before something is taken back."""
    return Ask(box_moves.take_back, text("Take back?"), (said,), must_agree, is_take_back=True)


def _uncovered(session: Session) -> Session:
    """The table with its draft, which is there again after a no; anything else that is open is closed."""
    return session if thinking(session) else session.show_base()


def ask_end(session: Session, round_: Round) -> Session:
    """Ask before a round or a match is ended; after a single round the main menu follows at once."""
    if round_.over and round_.header.goal and not matches.champion(round_):
        said = text("It is kept. To go on: more, History.")
        return session.show_base(Ask(Session.clear_table, text("Leave the match?"), (said,)))
    if round_.over:
        return session.clear_table()
    return session.show_base(Ask(set_aside, text("Leave the round?"), unfinished(round_)))


def unfinished(on_table: Round | PadRound) -> tuple[str, ...]:
    """What becomes of a round or pad that is left before its end."""
    if on_table.empty and on_table.header.goal and on_table.header.number > 1:
        return (text("This round is not kept, the match is. To go on: more, History."),)
    if on_table.empty:
        return (text("Nothing has been played: it is not kept."),)
    return (text("Nobody has won it. It is kept. To go on: more, History."),)


def set_aside(session: Session) -> Session:
    """Set the round or score pad on the table aside, unfinished, and show the main menu."""
    left = session.pad or session.round
    return (session if left is None else round_life.set_aside(session, left)).clear_table()

"""The table menu, and the questions before a takeback and before leaving a round."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from companion.evening import countdown
from companion.evening.contents.kinds import ok_back
from companion.evening.model import Session
from companion.evening.screen_kinds import thinking
from companion.evening.screens import pages
from companion.evening.screens.lists import Item, ListScreen, MenuScreen, Reply
from companion.evening.screens.messages import Ask
from companion.evening.screens.pages import Claims, open_own_page, open_today
from companion.evening.screens.phones import phones_page
from companion.evening.screens.play import box_moves, round_life
from companion.evening.screens.private import hints, mending
from companion.evening.screens.private.hints import LookAway
from companion.evening.screens.setup import setup
from companion.games.api import Rules, is_inherited
from companion.games.api.words import GameTexts
from companion.languages import text
from companion.rounds import on_table, referee, standings
from companion.rounds.on_table import PadRound, Round

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from companion.evening.contents.kinds import KeyMeaning


def ask_take_back(session: Session) -> Session:
    """Ask before the last event is taken back. Two players have to agree if it has revealed something.

    Before the round's first event this leads back to the result before it, or to the last question of its setup.
    """
    round_ = session.round
    if round_ is not None and round_.is_empty and (session.previous is not None or round_.header.number == 1):
        return setup.go_back(session, round_.header)
    if round_ is None or round_.is_empty:
        return session.open(Reply((text("Take back"), text("Nothing has been played yet."))))
    said, must_agree = _taken_back(round_)
    return _uncovered(session).open(_question(said, must_agree))


def ask_take_back_by(
    session: Session, round_: Round, seat: int, declined: Callable[[Session, str], Session]
) -> Session:
    """Ask for a seat's phone. Another player has to agree, unless all the others are computer players."""
    said, must_agree = _taken_back(round_)
    others = [each for each in must_agree if each != seat] or _next_person(round_, seat)
    if not others:
        return box_moves.take_back(session)
    question = _question(said, (seat, *others))
    return _uncovered(session).open(question._replace(agreed=(seat,), declined=declined))


def _next_person(round_: Round, seat: int) -> list[int]:
    """The next seat that a person plays, in a list; [] if there is no other."""
    count = len(round_.header.names)
    after = [(seat + ahead) % count + 1 for ahead in range(count - 1)]
    return [each for each in after if each in box_moves.human_seats(round_)][:1]


def _taken_back(round_: Round) -> tuple[str, tuple[int, ...]]:
    """What a takeback undoes, in a sentence, and the seats that have to agree."""
    if not round_.events:
        kind, seat, _ = round_.deals[-1]
        noun = round_.manifest.holdings[kind].noun
        return text("{who}'s {pieces} must be entered again.", who=round_.player_name(seat), pieces=noun), ()
    count = box_moves.taken_back(round_)
    seat, event = round_.events[-count]
    seen = next((seen for _, each in round_.events[-count:] if (seen := round_.move_input.revealed_piece_text(each))), "")
    name = round_.player_name(seat)
    if not seen:
        move = round_.move_input.move_texts(round_.states[-count - 1], seat, round_.game.parse_move(event), round_.header.names)
        if count == 1:
            return text("{who} {did}.", who=name, did=move.sentence), ()
        return text("{who} {did}. The computer's move goes back too.", who=name, did=move.sentence), ()
    everybody = sorted(box_moves.human_seats(round_), key=lambda other: other != seat)
    said = text("{who} has seen {what}. Put that back.", who=name, what=seen)
    # The takeback undoes a move and the pieces that were drawn for it.
    if count > 1 and round_.move_input.due_refill(round_.states[-count]) is not None:
        move = round_.move_input.move_texts(round_.states[-count - 1], seat, round_.game.parse_move(event), round_.header.names)
        said = text("{who}'s {move} and the draw: {what}.", who=name, move=move.short, what=seen)
    # A person who plays against the computer alone asks nobody.
    return said, tuple(everybody[:2]) if len(everybody) > 1 else ()  # Who plays with the box alone asks nobody.


def _question(said: str, must_agree: tuple[int, ...]) -> Ask:
    return Ask(box_moves.take_back, text("Take back?"), (said,), must_agree, is_take_back=True)


def _uncovered(session: Session) -> Session:
    """The table with its draft, which is back after a no. Anything else that is open is closed."""
    return session if thinking(session) else session.show_base()


def ask_end(session: Session, round_: Round) -> Session:
    """Ask before a round or a match is left. After a single finished round the main menu follows at once."""
    if round_.is_over and round_.header.goal and not standings.match_winner(round_):
        said = text("It is saved. To continue: more, History.")
        return session.show_base(Ask(Session.clear_table, text("Leave the match?"), (said,)))
    if round_.is_over:
        return session.clear_table()
    return session.show_base(Ask(set_aside, text("Leave the round?"), unfinished(round_)))


def unfinished(on_table: Round | PadRound) -> tuple[str, ...]:
    """What becomes of a round or pad that is left before its end."""
    if on_table.is_empty and on_table.header.goal and on_table.header.number > 1:
        return (text("The match is saved, this round isn't. To continue: more, History."),)
    if on_table.is_empty:
        return (text("Nothing has been played, so it isn't saved."),)
    return (text("Nobody has won. It is saved. To continue: more, History."),)


def set_aside(session: Session) -> Session:
    """Save the round or score pad on the table as unfinished, and show the main menu."""
    left = session.pad or session.round
    return (session if left is None else round_life.set_aside(session, left)).clear_table()


class TableMenu(MenuScreen):
    """The menu over the round on the table. Entries that this game can't use are missing, the others keep their digits.

    A game's own pages follow *False claims*, so the entries below have other digits in such a game.
    """

    claims: bool = False  # computed once when the menu opens, because it takes too long for every key

    leads_back = text("table")
    takes_back = True

    def meanings(self, session: Session) -> tuple[KeyMeaning, ...]:
        over = session.round is not None and session.round.is_over
        return ok_back("choose", "result" if over else self.leads_back)

    def items(self, session: Session) -> tuple[Item, ...]:
        round_ = session.round_here
        over = round_.is_over
        no_claims = text("None is proven.") if over else text("Wrong draws and passes are shown at the end.")
        unknown = "" if _open_hands(round_) else text("I don't know anybody's hidden pieces.")
        nobody = "" if round_.turn else text("Nobody is to move.")
        listed = (
            Item(setup.take_back_words(session, round_), ask_take_back),
            Item(text("How to play"), partial(pages.open_help, game=round_.header.game)),
            Item(text("My pieces"), _peek, why=unknown),
            Item(
                text("Hints: on") if session.switches.hints else text("Hints: off"),
                partial(Session.switch, which="hints"),
            ),
            Item(text("Give me a hint"), partial(hints.open_hint, round_=round_), why=hints.why_not(session, round_)),
            Item(text("Standings"), open_today),
            Item(text("Main menu") if over else text("Leave the round"), partial(ask_end, round_=round_)),
            Item(text("False claims"), _claims, why="" if self.claims else no_claims),
            *(
                Item(words, partial(open_own_page, round_=round_, own=page))
                for page, words in round_.manifest.pages.items()
            ),
            Item(phones_page.words(session), phones_page.open_page),
            Item(text("Correct a piece"), _mend, why=mending.why_no_correction(round_)),
            _clock_item(session, nobody),
            Item(
                text("What decided it?"),
                partial(pages.open_look_back, round_=round_),
                why="" if over else text("Ask when the round is over."),
            ),
            Item(text("Could I have moved?"), _tell_could, why=nobody or on_table.unnamed_piece_reason(round_)),
        )
        unused = _unused(round_)
        return tuple(item._replace(position=place) for place, item in enumerate(listed) if item.opens not in unused)


def open_menu(session: Session, *, mends: bool = False) -> Session:
    """Open the table menu; after a round the cursor is on the main menu, which most players want then.

    With `cursor_on_correction` the cursor is on correcting a piece, since the last move was refused because of pieces
    that were named.
    """
    if session.round is None:
        return session.clear_table()
    menu = TableMenu(claims=bool(referee.false_claim_rows(session.round)))
    words = [item.words for item in menu.items(session)]
    wanted = "Main menu" if session.round.is_over else "Correct a piece" if mends else ""
    return session.show_base(menu._replace(cursor=words.index(wanted)) if wanted in words else menu)


def _unused(round_: Round) -> set[Callable[[Session], Session]]:
    """The actions that this game can never use, such as a look at hidden pieces where none are hidden."""
    held = round_.manifest.holdings
    found: set[Callable[[Session], Session]] = set()
    if all(words.is_face_up for words in held.values()):
        found.add(_peek)
    if not held or is_inherited(round_.game.false_claims, Rules.false_claims):
        found.add(_claims)
    if not held and is_inherited(round_.move_input.revealed_piece_text, GameTexts.revealed_piece_text):
        found.add(_mend)
    return found


def _clock_item(session: Session, nobody: str) -> Item:
    """The entry that starts and stops the game clock; `no_turn_reason` is why it can't while nobody is to move."""
    if session.game_clock is None:
        return Item(text("Game clock: none"), _switch_clock, why=text("Set it before a round, under: rounds, clock."))
    words = text("Pause the clock") if session.game_clock.is_running else text("Start the clock")
    return Item(words, _switch_clock, why=nobody)


def _switch_clock(session: Session) -> Session:
    return countdown.switch_clock(session).show_base()


def _tell_could(session: Session) -> Session:
    """Show whether the player to move could have moved."""
    return session.open(Reply(referee.could_have_moved_lines(session.round_here)))


def _claims(session: Session) -> Session:
    return session.open(Claims(referee.false_claim_rows(session.round_here)))


# -- one's own pieces -------------------------------------------------------------------------------------------


def _open_hands(round_: Round) -> list[int]:
    """The seats of people whose hidden pieces the referee knows. The computer's pieces are shown to nobody."""
    known = {seat for kind, seat, _ in round_.deals if not round_.manifest.holdings[kind].is_face_up}
    return sorted(known & set(box_moves.human_seats(round_)))


def _peek(session: Session) -> Session:
    """Show the hidden pieces of the only player whose pieces are known, else ask whose."""
    return _of_one(
        session, text("My pieces"), _look_away, _open_hands(session.round_here), "{who}'s pieces are secret."
    )


def _look_away(session: Session, seat: int) -> Session:
    return session.show_base(LookAway(seat))


def _mend(session: Session) -> Session:
    """Show the pieces of the only player who has named any, else ask whose piece is to be corrected."""
    seats = mending.correcting_seats(session.round_here)
    return _of_one(session, text("Correct a piece"), mending.open_mending, seats, "{who} has not named any pieces.")


def _of_one(
    session: Session, title: str, opens: Callable[..., Session], seats: Collection[int], why_not: str
) -> Session:
    """Open what belongs to one of `seats`, or ask whose is meant. For any other player `reason_text` is the reason."""
    if len(seats) == 1:
        return opens(session, *seats)
    round_ = session.round_here
    items = tuple(
        Item(name, partial(opens, seat=seat), why="" if seat in seats else text(why_not, who=name))
        for seat, name in enumerate(round_.header.names, 1)
    )
    return open_menu(session).open(ListScreen(title, (text("whose"),), items, cursor=(round_.turn or 1) - 1))

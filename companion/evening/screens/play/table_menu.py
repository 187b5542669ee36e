"""The table menu, and the questions before a takeback and before leaving a round."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from companion.evening import countdown
from companion.evening.contents.kinds import ok_and_back_hints
from companion.evening.model import Session
from companion.evening.screen_kinds import is_player_thinking
from companion.evening.screens import pages
from companion.evening.screens.lists import LAST_DIGIT_POSITION, ListScreen, MenuItem, MenuScreen, TextPage
from companion.evening.screens.messages import Confirmation, RefusalScreen
from companion.evening.screens.pages import FalseClaimsPage, open_game_page, open_today
from companion.evening.screens.phones import phones_page
from companion.evening.screens.play import computer_moves, round_actions
from companion.evening.screens.private import corrections, hints
from companion.evening.screens.private.hints import LookAway
from companion.evening.screens.setup import setup
from companion.games.api import is_inherited
from companion.games.api.game_texts import GameTexts
from companion.languages import text
from companion.rounds import on_table, referee, standings
from companion.rounds.on_table import PadRound, Round

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from companion.evening.contents.kinds import KeyHint


def ask_takeback(session: Session) -> Session:
    """Ask before the last event is taken back. Two players have to agree if it has revealed something.

    Before the round's first event this leads back to the result before it, or to the last question of its setup.
    """
    round_ = session.round
    if round_ is not None and round_.is_empty and (session.previous_round is not None or round_.header.number == 1):
        return setup.return_to_result_or_setup(session, round_.header)
    if round_ is None or round_.is_empty:
        return session.open_screens(TextPage((text("Take back"), text("Nothing has been played yet."))))
    explanation, must_agree = _takeback_terms(round_)
    return _with_table_shown(session).open_screens(_takeback_question(explanation, must_agree))


def ask_takeback_for_phone(
    session: Session, round_: Round, seat: int, declined: Callable[[Session, str], Session]
) -> Session:
    """Ask for a seat's phone. Another player has to agree, unless all the others are computer players."""
    explanation, must_agree = _takeback_terms(round_)
    others = [each for each in must_agree if each != seat] or _next_human_seat(round_, seat)
    if not others:
        return computer_moves.take_back_turn(session)
    question = _takeback_question(explanation, (seat, *others))
    return _with_table_shown(session).open_screens(question._replace(agreed_seats=(seat,), on_declined=declined))


def _next_human_seat(round_: Round, seat: int) -> list[int]:
    """The next seat that a person plays, in a list; [] if there is no other."""
    count = len(round_.header.names)
    after = [(seat + ahead) % count + 1 for ahead in range(count - 1)]
    return [each for each in after if each in computer_moves.human_seats(round_)][:1]


def _takeback_terms(round_: Round) -> tuple[str, tuple[int, ...]]:
    """What a takeback undoes, in a sentence, and the seats that have to agree."""
    if not round_.events:
        kind, seat, _ = round_.deals[-1]
        noun = round_.manifest.holdings[kind].noun
        return text("{who}'s {pieces} must be entered again.", who=round_.player_name(seat), pieces=noun), ()
    count = computer_moves.count_events_to_take_back(round_)
    seat, event = round_.events[-count]
    revealed = next(
        (revealed for _, each in round_.events[-count:] if (revealed := round_.move_input.revealed_piece_text(each))),
        "",
    )
    name = round_.player_name(seat)
    if not revealed:
        move = round_.move_input.move_texts(
            round_.states[-count - 1], seat, round_.game.parse_move(event), round_.header.names
        )
        if count == 1:
            return text("{who} {did}.", who=name, did=move.sentence), ()
        return text("{who} {did}. The computer's move goes back too.", who=name, did=move.sentence), ()
    seats = sorted(computer_moves.human_seats(round_), key=lambda other: other != seat)
    explanation = text("Put back what {who} has seen: {what}.", who=name, what=revealed)
    # The takeback undoes a move and the pieces that were drawn for it.
    if count > 1 and round_.move_input.due_refill(round_.states[-count]) is not None:
        move = round_.move_input.move_texts(
            round_.states[-count - 1], seat, round_.game.parse_move(event), round_.header.names
        )
        explanation = text("{who}'s move and {what} go back.", who=name, what=revealed)
    # A person who plays against the computer alone asks nobody.
    return explanation, tuple(seats[:2]) if len(seats) > 1 else ()


def _takeback_question(explanation: str, must_agree: tuple[int, ...]) -> Confirmation:
    return Confirmation(computer_moves.take_back_turn, text("Take back?"), (explanation,), must_agree, is_takeback=True)


def _with_table_shown(session: Session) -> Session:
    """The table with its draft, to which a no leads back. Anything else that is open is closed."""
    return session if is_player_thinking(session) else session.show_base_screen()


def ask_leave(session: Session, round_: Round) -> Session:
    """Ask before a round or a match is left. After a single finished round the main menu follows at once."""
    if round_.is_over and standings.is_match_open(round_):
        explanation = text("It is saved. Go on from the box's History.")
        return ask_to_leave(session, text("Stop the match?"), (explanation,), Session.clear_table)
    if round_.is_over:
        return session.clear_table()
    return ask_to_leave(session, text("Leave the round?"), lines_about_leaving(round_))


def ask_to_leave(
    session: Session, question: str, lines: tuple[str, ...], leave: Callable[[Session], Session] | None = None
) -> Session:
    """Ask whether to leave what is on the table; without `leave` it is saved as unfinished."""
    answers = text("leave"), text("play on")
    return session.show_base_screen(Confirmation(leave or leave_table, question, lines, answers=answers))


def lines_about_leaving(table_round: Round | PadRound) -> tuple[str, ...]:
    """What becomes of a round or pad that is left before its end."""
    if table_round.is_empty and table_round.header.goal and table_round.header.number > 1:
        return (text("The match is saved, this round isn't. Go on from the box's History."),)
    if table_round.is_empty:
        return (text("Nothing has been played, so it isn't saved."),)
    return (text("Nobody has won. Go on later from the box's History."),)


def leave_table(session: Session) -> Session:
    """Save the round or score pad on the table as unfinished, and show the main menu."""
    table_round = session.pad or session.round
    if table_round is None:
        return session.clear_table()
    saved = "" if table_round.is_empty else text("The round was left before its end. It is saved.")
    left_text = saved or text("The round was left before its first move.")
    return round_actions.save_as_unfinished(session, table_round).clear_table()._replace(left_text=left_text)


CLAIM_KEY = "0"
"""The key that says "I can't move" in every game in which a player may say so."""


class TableMenu(MenuScreen):
    """The menu over the round on the table: first what concerns this turn, then the round, then the evening.

    Entries that can't be used now are missing, but until the round is over each keeps its digit. The last one leaves,
    always by the digit 0.
    """

    has_false_claims: bool = False  # computed once when the menu opens, because it takes too long for every key

    back_label = text("table")
    can_take_back = True

    def key_hints(self, session: Session) -> tuple[KeyHint, ...]:
        over = session.round is not None and session.round.is_over
        return ok_and_back_hints("choose", "result" if over else self.back_label)

    def items(self, session: Session) -> tuple[MenuItem, ...]:
        round_ = session.current_round
        is_over = round_.is_over
        no_turn_reason = "" if round_.turn else text("Nobody is to move.")
        has_claims = not is_inherited(round_.move_input.claim_text, GameTexts.claim_text)
        has_hidden = any(not round_.manifest.holdings[kind].is_face_up for kind, _ in round_.header.opened)
        if is_over:
            claims = MenuItem(text("Missed moves"), _open_false_claims, is_listed=self.has_false_claims)
        else:
            claims = MenuItem(text("I can't move"), _enter_claim, is_listed=_can_claim(round_), keeps_digit=has_claims)
        takeback = MenuItem(
            setup.takeback_label(session, round_),
            ask_takeback,
            word="back",
            is_listed=not round_.is_empty or session.previous_round is not None,
            keeps_digit=not is_over,
        )
        return (
            takeback,
            claims,
            MenuItem(
                text("Give me a hint"),
                partial(hints.open_hint_or_ask, round_=round_),
                is_listed=not hints.no_hint_reason(round_),
                keeps_digit=not is_over,
            ),
            MenuItem(
                text("Could I have moved?"),
                _show_could_move,
                unavailable_reason=no_turn_reason or on_table.unnamed_piece_reason(round_),
                word="could",
                is_listed=referee.may_have_had_no_move(round_),
                keeps_digit=not is_over,
            ),
            MenuItem(
                text("My pieces"),
                _open_own_pieces,
                is_listed=bool(_seats_with_known_hands(round_)),
                keeps_digit=has_hidden,
            ),
            *(
                MenuItem(words, partial(open_game_page, round_=round_, page_id=page))
                for page, words in round_.manifest.pages.items()
            ),
            MenuItem(
                text("Correct a piece"),
                _open_correction,
                unavailable_reason=corrections.no_correction_reason(round_),
                word="mend" if _can_name_pieces(round_) else "",
                keeps_digit=bool(round_.header.opened),
            ),
            _clock_item(session, no_turn_reason),
            MenuItem(
                text("What decided it?"),
                partial(pages.open_review, round_=round_),
                is_listed=is_over and referee.can_judge_moves(round_),
            ),
            MenuItem(text("How to play"), partial(pages.open_help, game=round_.header.game), word="help"),
            MenuItem(
                text("Hints: on") if session.switches.hints else text("Hints: off"),
                partial(Session.toggle_switch, which="hints"),
                word="hints",
                is_listed=not is_over,
            ),
            MenuItem(text("Standings"), open_today),
            phones_page.phones_item(session),
            takeback._replace(
                word="", is_listed=not takeback.is_listed and round_.header.number == 1, keeps_digit=False
            ),
            MenuItem(
                _leave_label(round_), partial(ask_leave, round_=round_), word="leave", position=LAST_DIGIT_POSITION
            ),
        )


def _leave_label(round_: Round) -> str:
    if not round_.is_over:
        return text("Leave the round")
    return text("Stop the match") if standings.is_match_open(round_) else text("Main menu")


def _can_name_pieces(round_: Round) -> bool:
    """Whether pieces are named in this game at all, in a hand or when they are drawn."""
    reveals_nothing = is_inherited(round_.move_input.revealed_piece_text, GameTexts.revealed_piece_text)
    return bool(round_.manifest.holdings) or not reveals_nothing


def _can_claim(round_: Round) -> bool:
    """Whether the seat to move may say that it can't move, as far as everybody knows."""
    if round_.turn is None or computer_moves.is_computer_seat(round_, round_.turn):
        return False
    draft = None if round_.missing_holdings else round_.judge_draft(CLAIM_KEY)
    return draft is not None and bool(round_.move_input.claim_text(draft.event or draft.attempted_event))


def _enter_claim(session: Session) -> Session:
    """Enter "I can't move" as a draft, which OK then plays; a claim that the rules refuse is refused at once."""
    session = session.show_base_screen()
    round_ = session.current_round
    draft = round_.judge_draft(CLAIM_KEY)
    event = (draft.event or draft.attempted_event) if draft is not None else ""
    if event and (refused := round_.game.refusal(round_.known_state, round_.game.parse_move(event))):
        return session.open_screens(RefusalScreen(refused)).play_sound("refused")
    return session.press_key(CLAIM_KEY)


def open_table_menu(session: Session, *, cursor_on_correction: bool = False) -> Session:
    """Open the table menu; after a round the cursor is on the main menu, which most players want then.

    With `cursor_on_correction` the cursor is on correcting a piece, since the last move was refused because of pieces
    that were named.
    """
    if session.round is None:
        return session.clear_table()
    menu = TableMenu(has_false_claims=bool(referee.false_claim_rows(session.round)))
    words = [item.label for item in menu.listed_items(session)]
    label = _leave_label(session.round) if session.round.is_over else text("Correct a piece")
    is_open_there = label in words and (session.round.is_over or cursor_on_correction)
    return session.show_base_screen(menu._replace(cursor=words.index(label)) if is_open_there else menu)


def _clock_item(session: Session, no_turn_reason: str) -> MenuItem:
    """The entry that starts and stops the game clock; `no_turn_reason` is why it can't while nobody is to move."""
    if session.game_clock is None:
        return MenuItem(
            text("Game clock: none"),
            _start_or_stop_clock,
            unavailable_reason=text("Set it before a round, under: rounds, clock."),
            word="clock",
        )
    words = text("Pause the clock") if session.game_clock.is_running else text("Start the clock")
    return MenuItem(words, _start_or_stop_clock, unavailable_reason=no_turn_reason, word="clock")


def _start_or_stop_clock(session: Session) -> Session:
    return countdown.start_or_stop_clock(session).show_base_screen()


def _show_could_move(session: Session) -> Session:
    """Show whether the player to move could have moved."""
    return session.show_base_screen(TextPage(referee.could_have_moved_lines(session.current_round)))


def _open_false_claims(session: Session) -> Session:
    return session.open_screens(FalseClaimsPage(referee.false_claim_rows(session.current_round)))


# -- one's own pieces -------------------------------------------------------------------------------------------


def _seats_with_known_hands(round_: Round) -> list[int]:
    """The seats of people whose hidden pieces the referee knows. The computer's pieces are shown to nobody."""
    known = {seat for kind, seat, _ in round_.deals if not round_.manifest.holdings[kind].is_face_up}
    return sorted(known & set(computer_moves.human_seats(round_)))


def _open_own_pieces(session: Session) -> Session:
    """Show the hidden pieces of the only player whose pieces are known, else ask whose."""
    seats = _seats_with_known_hands(session.current_round)
    return _choose_seat(session, text("My pieces"), _open_privacy_screen, seats)


def _open_privacy_screen(session: Session, seat: int) -> Session:
    return session.show_base_screen(LookAway(seat))


def _open_correction(session: Session) -> Session:
    """Show the pieces of the only player who has named any, else ask whose piece is to be corrected."""
    seats = corrections.correctable_seats(session.current_round)
    return _choose_seat(session, text("Correct a piece"), corrections.open_correction, seats)


def _choose_seat(session: Session, title: str, action: Callable[..., Session], seats: Sequence[int]) -> Session:
    """Open what belongs to one of `seats`, or ask whose is meant. Each seat's digit is its number."""
    if len(seats) == 1:
        return action(session, *seats)
    names = session.current_round.header.names
    items = tuple(MenuItem(names[seat - 1], partial(action, seat=seat), position=seat - 1) for seat in seats)
    turn = session.current_round.turn
    cursor = next((index for index, seat in enumerate(seats) if seat == turn), 0)
    return open_table_menu(session).open_screens(ListScreen(title, (text("whose"),), items, cursor=cursor))

"""The result of a round, and the match so far."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from companion.evening.contents import kinds
from companion.evening.model import Screen
from companion.evening.screen_kinds import TableScreen
from companion.evening.screens.pages import REVIEW_TITLE, FalseClaimsPage, open_review
from companion.evening.screens.play import round_actions, table_menu
from companion.games.api.computer_players import computer_strength
from companion.games.api.result import verdict_heading
from companion.languages import Text, join_texts, text
from companion.rounds import referee, standings

if TYPE_CHECKING:
    from companion.evening.model import Session
    from companion.inputs import PairingOffer
    from companion.rounds.on_table import Round


class MatchScore(Screen):
    """The match so far, between two rounds.

    OK begins the next round, or after the match another one like it. BACK opens the table menu.
    """

    def may_be_double_tap(self, session: Session, key: str) -> bool:
        # No key counts before the score has been seen.
        return True

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        round_ = session.round
        if key == "*":
            return table_menu.open_table_menu(session)
        if key != "#" or round_ is None:
            return session
        return round_actions.begin_next_round(session)

    def content(self, session: Session) -> kinds.Content:
        round_ = session.current_round
        wins = dict(standings.match_wins(round_))
        names = round_.header.names if len(round_.header.names) > 2 else sorted(round_.header.names)
        champion, goal = standings.match_winner(round_), round_.header.goal
        if champion:
            note, hints = text("{who} wins", who=champion), kinds.ok_and_back_hints(text("play again"), text("menu"))
        else:
            starts = text("{who} starts", who=standings.following_header(round_).names[0])
            ok = kinds.KeyHint("ok", starts, (text("next round"),))
            note, hints = _match_note(round_), (ok, kinds.KeyHint("back", text("menu")))
        return kinds.MatchResult(tuple((name, wins.get(name, 0)) for name in names), goal, champion, note, hints)


def _match_note(round_: Round) -> Text:
    """How many wins it takes; after a round that several players have won, that it counts as a win for nobody."""
    if len(round_.outcome.winners) == 1:
        return text("first to {goal}", goal=round_.header.goal)
    return text("draw: no win") if len(round_.header.names) == 2 else text("shared: no win")


class RoundOver(TableScreen):
    """The result of the round.

    OK goes on to false claims if any are proven, then to what follows. Down asks what decided the round. BACK opens the
    table menu.
    """

    can_take_back = True

    def may_be_double_tap(self, session: Session, key: str) -> bool:
        # No key counts before the result has been seen.
        return True

    def press(self, session: Session, key: str, *, held: bool = False) -> Session:
        round_ = session.round
        if key == "*":
            return table_menu.open_table_menu(session)
        if key == "down" and round_ is not None and referee.can_judge_moves(round_):
            return open_review(session, round_)
        if key != "#" or round_ is None:
            return session
        return with_false_claims(session) or continue_after_round(session)

    def content(self, session: Session) -> kinds.Content:
        round_ = session.current_round
        outcome, numbers = round_.outcome, round_.result_counts
        winners = tuple(round_.player_name(seat) for seat in outcome.winners)
        order = sorted(range(1, len(numbers) + 1), key=lambda seat: (seat not in outcome.winners, -numbers[seat - 1]))
        hints = _ok_and_back_hints(session, round_)
        if referee.can_judge_moves(round_):
            hints = (*hints, kinds.KeyHint("down", REVIEW_TITLE))
        return kinds.Result(
            round_.header.game,
            verdict_heading(winners, len(round_.header.names)),
            winners,
            reason_sentence(outcome.reason),
            round_.manifest.result_counts,
            tuple((round_.player_name(seat), numbers[seat - 1]) for seat in order),
            hints,
            tuple(order),
        )


def reason_sentence(reason: str) -> str:
    """Why a round ended, as a sentence; "" for no reason. A game of another package may give it as plain words."""
    return text("{what:capital}.", what=join_texts((reason,), "")) if reason else ""


def _ok_and_back_hints(session: Session, round_: Round) -> tuple[kinds.KeyHint, ...]:
    """The hints for OK and BACK. Where a pairing waits, OK names its players if there is room."""
    offer = next_pairing(session)
    if offer is None:
        ok = kinds.KeyHint("ok", text("missed moves") if referee.false_claim_rows(round_) else _ok_label(round_))
        return ok, kinds.KeyHint("back", text("menu"))
    ok = kinds.KeyHint("ok", text("next: {names}", names="-".join(offer.names)), (text("next pairing"),))
    return ok, kinds.KeyHint("back", text("menu"), ("",))


def _ok_label(round_: Round) -> str:
    """The label of OK: it leads to the match so far, or to a round like this one."""
    return text("match") if round_.header.goal else text("new round")


def next_pairing(session: Session) -> PairingOffer | None:
    """The pairing that waits behind the round on the table.

    None if there is none, if it was begun already, or in a match.
    """
    offer, round_ = session.club_offer.offer, session.round
    if offer is None or round_ is None or round_.header.goal:
        return None
    return offer if offer.id not in (session.club_offer.accepted_id, round_.header.pairing) else None


def with_false_claims(session: Session) -> Session | None:
    """The session in which the round's false claims are shown, None if none are proven or they have been shown."""
    round_ = session.current_round
    rows = referee.false_claim_rows(round_)
    if not rows or any(isinstance(each, FalseClaimsPage | MatchScore) for each in session.screens):
        return None
    next_label = text("next pairing") if next_pairing(session) else _ok_label(round_)
    return session.open_screens(FalseClaimsPage(rows, continue_after_round, next_label))


def continue_after_round(session: Session) -> Session:
    """Go on to the match so far, to the pairing that waits (even if it was put off before), or to a new round."""
    if next_pairing(session) is not None:
        return session._replace(club_offer=session.club_offer._replace(answered_id="")).clear_table()
    if session.round is not None and session.round.header.goal:
        return session.close_screens_above(RoundOver).open_screens(MatchScore())
    return round_actions.begin_next_round(session)


# -- the next round, for which players are ready on their phones ----------------------------------------------------


class Rematch(NamedTuple):
    """The next round: who starts it, who is ready for it, and whose phones have not said so yet.

    `match` is whether it belongs to a match that nobody has won yet.
    """

    starts: str
    ready: tuple[str, ...]
    awaited: tuple[str, ...]
    match: bool


def next_rematch(session: Session) -> Rematch | None:
    """The round that may follow the one on the table; None before its end, and where a pairing waits."""
    round_ = session.round
    if not isinstance(session.screens[0], RoundOver) or round_ is None or next_pairing(session) is not None:
        return None
    names = round_.header.names
    ready = tuple(name for name in names if name in session.ready_players or computer_strength(name))
    awaited = tuple(name for name in names if name in session.phones.players and name not in ready)
    starts = standings.following_header(round_).names[0]
    return Rematch(starts, ready, awaited, standings.is_match_open(round_))

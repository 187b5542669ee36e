"""Checks of what a game shows.

Its pictures on the panel are whole, and its board can be tapped.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion import games
from companion.gamekit.contract.input_checks import KEYS, typed_drafts
from companion.gamekit.contract.picture_faults import draw_and_check_picture, recorded_texts
from companion.gamekit.contract.random_rounds import PLAYER_NAMES, RECORDS_FOLDER, GameError, random_picks
from companion.games.api.board import MIN_TAP_UNITS, BoardScene, Svg
from companion.games.api.computer_players import COMPUTER_NAMES
from companion.games.api.move_input import Draft, draft_after_stray_key
from companion.games.api.screen import PAGE_ROWS, NamingScene, PageScene, PeekScene, first_repeat_position
from companion.games.plain_screen import PLAIN_SCREEN
from companion.languages import in_language
from companion.languages.catalogues import available_languages
from companion.panel.canvas import Canvas
from companion.rounds import public_view, record
from companion.rounds.on_table import Round
from companion.rounds.stored import RoundHeader

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from companion.gamekit.contract.random_rounds import RandomRound
    from companion.games.api.board import Board
    from companion.games.api.screen import Scene, Screen


MARGIN_CHECK_SHARE = 0.05
"""The share of the pictures whose margins are checked too."""
MAX_WHOLE_NAME_LETTERS = 4
"""A name of so many letters is whole while its player is to move."""
MAX_DRAWN_MOVES = 6
"""Of so many legal moves the typed drafts are drawn, in each position that is drawn."""


def pictures_are_whole(played: RandomRound, chance: Random) -> None:
    """`draw_and_check_picture` accepts some positions: at rest, with half-made moves, and with lines about keys.

    At rest the picture shows the last move, and the name of the player to move is whole.
    """
    screen = games.load_screen(played.manifest.id) or PLAIN_SCREEN
    for number in sorted({0, *(chance.randrange(len(played.states)) for _ in range(3)), len(played.states) - 1}):
        for draft, say, buttons in _scene_variants(played, played.position_to_check(number), chance):
            scene = scene_after(played, number, draft, say, buttons=buttons)
            draw_and_check_picture(screen.draw, scene, PLAYER_NAMES, with_margins=chance.random() < MARGIN_CHECK_SHARE)
        _check_last_move(played, screen, number)
        _check_name_to_move(played, screen, number)


def saved_records_are_drawn(played: RandomRound, chance: Random) -> None:
    """Some positions of a record in the game's folder ``records`` have whole pictures too."""
    files = sorted(Path(games.package_folder(played.manifest.id), RECORDS_FOLDER).glob("*.tcr"))
    if not files:
        return
    file = chance.choice(files)
    report = record.check_record(file.read_text(encoding="utf-8"))
    if report.fault or report.header is None:
        return  # Another check says so.
    states = [report.start]
    for seat, move in report.events:
        states.append(report.rules.play_move(states[-1], seat, move))
    saved = played._replace(header=report.header, deals={**report.deals}, events=[*report.events], states=states)
    try:
        pictures_are_whole(saved, chance)
    except AssertionError as fault:
        number = saved.checked_position[0]
        raise GameError(f"{RECORDS_FOLDER}/{file.name}, after {number} events: {fault}") from fault


def pictures_are_whole_in_each_language(played: RandomRound, chance: Random) -> None:
    """The same in each language that the game's own package has a catalogue for, which must be compiled."""
    folder = Path(games.package_folder(played.manifest.id), "languages")
    for source in sorted(folder.glob("*.po")):
        language = source.stem
        if not source.with_suffix(".mo").exists():
            raise GameError(f"languages/{source.name} is not compiled, so nobody reads it: msgfmt makes {language}.mo")
        if language not in available_languages():
            raise GameError(f"nobody can choose the language of languages/{source.name}: {available_languages()}")
        with in_language(language):
            pictures_are_whole(played, chance)


def _check_last_move(played: RandomRound, screen: Screen, number: int) -> None:
    """Check that the picture at rest shows the last move, unless something else must be said to the seat to move."""
    scene = scene_after(played, number, None, "", buttons=False)
    if (
        scene.last_move is None
        or scene.seat_to_move is None
        or scene.must_draw
        or played.move_input.due_refill(scene.view) is not None
    ):
        return
    scene_without_move = scene._replace(last_move=None, last_move_texts=None, view_before=None, recent_events=())
    picture, picture_without_move = (
        draw_and_check_picture(screen.draw, each, PLAYER_NAMES, with_margins=False)
        for each in (scene, scene_without_move)
    )
    assert picture != picture_without_move, f"at rest the picture does not show the last move, {scene.last_move[1]}"


def _check_name_to_move(played: RandomRound, screen: Screen, number: int) -> None:
    """Check that a short name of the player to move is not cut, since that player is looked for first."""
    scene = scene_after(played, number, None, "", buttons=False)
    if scene.seat_to_move is None or len(name := scene.player_name(scene.seat_to_move)) > MAX_WHOLE_NAME_LETTERS:
        return
    with recorded_texts() as texts:
        screen.draw(Canvas(PLAYER_NAMES), scene)
    cut_names = {f"{name[:count]}…" for count in range(1, len(name))}
    shown = next((each.text for each in texts if each.text in cut_names), None)
    assert shown is None, f"{name} is to move, and the name is cut: {shown!r}; let the other names give way first"


def computer_moves_are_shown(played: RandomRound, chance: Random) -> None:
    """If a computer player is allowed, its move is visible on the panel: two moves have different pictures."""
    if not played.manifest.allows_computer_player:
        return
    screen = games.load_screen(played.manifest.id) or PLAIN_SCREEN
    for number in sorted({0, chance.randrange(len(played.states))}):
        state = played.position_to_check(number)
        seat = played.rules.seat_to_move(state)
        if seat is None or played.move_input.due_refill(state) is not None or not played.is_open(seat):
            continue
        moves = played.rules.legal_moves(state)
        pictures: dict[bytes, str] = {}
        for move in map(str, chance.sample(moves, min(2, len(moves)))):
            picture = _computer_move_picture(played, screen, number, seat, move)
            other = pictures.setdefault(picture, move)
            assert other == move, f"the picture of the computer player's move {move} is that of its move {other}"


def _computer_move_picture(played: RandomRound, screen: Screen, number: int, seat: int, move: str) -> bytes:
    """The picture of a computer player's move, as the table draws it: as if it had been typed, if it can be typed."""
    move_input, state = played.move_input, played.states[number]
    names = tuple(COMPUTER_NAMES[1] if at == seat else name for at, name in enumerate(played.header.players, 1))
    keys = move_input.keys_for_event(move)
    typed = move_input.draft_from_keys(state, keys) if keys else None
    say = "make its move, then OK" if keys else f"{COMPUTER_NAMES[1]}: {move_input.with_printed_names(move)}, then OK"
    scene = scene_after(played, number, typed or Draft(move, move, "ok"), say, buttons=True)
    return draw_and_check_picture(screen.draw, scene._replace(names=names), names)


def namings_are_whole(played: RandomRound, chance: Random) -> None:
    """`draw_and_check_picture` accepts pieces being named, typed and picked, and a player's own pieces."""
    rules, header = played.rules, played.header
    screen = games.load_screen(played.manifest.id) or PLAIN_SCREEN
    start = played.states[0]
    for (kind, seat), pieces in rules.deal_holdings(header.seats, header.options, chance.sample).items():
        for typed in (False, True):
            scene = _naming_scene(played, (kind, seat), pieces, chance, typed=typed)
            draw_and_check_picture(screen.draw_naming, scene, PLAYER_NAMES)
        if (kind, seat) in played.deals:
            view = rules.seat_view(start, seat)
            own = played.move_input.own_pieces_text(view, seat)
            peek = PeekScene(view, header.options, header.players[seat - 1], seat, own)
            draw_and_check_picture(screen.draw_peek, peek, PLAYER_NAMES)


def _naming_scene(
    played: RandomRound, holding: tuple[str, int], pieces: tuple[Any, ...], chance: Random, *, typed: bool
) -> NamingScene:
    """A scene in which some pieces of a holding are named, and a picker has its cursor on one or a key was typed."""
    kind, seat = holding
    move_input, options, words = played.move_input, played.header.options, played.manifest.holding_words(kind)
    named = [played.rules.format_deal((piece,)) for piece in chance.sample(pieces, chance.randrange(len(pieces) + 1))]
    rows = move_input.piece_rows(kind, options)
    row = chance.randrange(len(rows))
    key = chance.choice(KEYS)
    read = move_input.parse_typed_pieces(key, kind, options) if typed else ((), "")
    return NamingScene(
        kind=kind,
        noun=words.noun if words else kind,
        view=played.rules.seat_view(played.states[0], None),
        options=options,
        names=played.header.players,
        seat=seat,
        size=len(pieces),
        pieces=tuple("" if move_input.is_piece_hidden(kind, piece) else piece for piece in named),
        partial_piece=("•" if words and not words.is_face_up else key)
        if read and read[1] and len(named) < len(pieces)
        else "",
        repeated_number=first_repeat_position(named),
        rows=rows,
        cursor=None if typed else (row, chance.randrange(len(rows[row]))),
        stray_key_text=move_input.stray_piece_key_text("", kind, options) if read is None else "",
        due_refill=None,
        is_hidden=words is not None and not words.is_face_up,
        uses_buttons=not typed,
    )


def pages_are_whole(played: RandomRound, chance: Random) -> None:
    """No word is cut on the manifest's pages at the end of the round."""
    screen = games.load_screen(played.manifest.id) or PLAIN_SCREEN
    events = [(seat, str(move)) for seat, move in played.events]
    view = played.rules.seat_view(played.states[-1], None)
    for kind, title in played.manifest.pages.items():
        lines = tuple(played.move_input.page_lines(kind, played.states, events, PAGE_ROWS))
        scene = PageScene(kind, title, lines, 0, view, played.header.players, True)
        draw_and_check_picture(screen.draw_page, scene, PLAYER_NAMES)


def _scene_variants(played: RandomRound, state: Any, chance: Random) -> Iterator[tuple[Draft | None, str, bool]]:
    """Yield what a scene may show: a half-made move or None, a line or "", and whether the six buttons are used."""
    move_input = played.move_input
    yield None, "", False
    yield None, "", True
    if played.rules.seat_to_move(state) is None or move_input.due_refill(state) is not None:
        return
    for buttons in (False, True):
        yield None, move_input.input_instructions(played.rules.seat_view(state, None), buttons), buttons
        yield None, move_input.claim_instructions(state, buttons), buttons
    yield from (
        (move_input.draft_from_pick(state, pick), "", True) for pick in random_picks(move_input, state, chance, 6)
    )
    yield from ((draft, "", False) for draft in _drafts_of_moves(played, state, chance))
    keys = ""
    for _ in range(8):
        key = chance.choice(KEYS)
        typed = move_input.draft_from_keys(state, keys + key)
        if typed is None:
            draft_before = move_input.draft_from_keys(state, keys) if keys else None
            draft_shown = draft_after_stray_key(draft_before)
            yield draft_shown or draft_before, "" if draft_shown else move_input.stray_key_text(state, keys, key), False
        else:
            keys += key
            yield typed, "", False


def _drafts_of_moves(played: RandomRound, state: Any, chance: Random) -> Iterator[Draft]:
    """The typed drafts of some legal moves, with all that is half-made on the way there."""
    move_input = played.move_input
    moves = [str(move) for move in played.rules.legal_moves(state)]
    told = [
        keys
        for move in chance.sample(moves, min(MAX_DRAWN_MOVES, len(moves)))
        if (keys := move_input.keys_for_event(move))
    ]
    if not told:
        typed = [keys for keys, _ in typed_drafts(move_input, state)[0].values()]
        told = chance.sample(typed, min(MAX_DRAWN_MOVES, len(typed)))
    for longer in dict.fromkeys(keys[:end] for keys in told for end in range(1, len(keys) + 1)):
        if (draft := move_input.draft_from_keys(state, longer)) is not None:
            yield draft


def scene_after(played: RandomRound, number: int, draft: Draft | None, bottom_line: str, *, buttons: bool) -> Scene:
    """The scene after `number` events, as the table draws it."""
    header = RoundHeader(played.manifest.id, tuple(played.header.options.items()), played.header.players)
    events = tuple((seat, str(move)) for seat, move in played.events[:number])
    round_ = Round(0, header, played.rules, played.move_input, (), (), tuple(played.states[: number + 1]), events)
    return public_view.public_scene(round_, draft, bottom_line)._replace(uses_buttons=buttons)


def boards_are_drawn(played: RandomRound, chance: Random) -> None:
    """The board draws some positions for everybody and for phones. Its taps can be typed, its key labels are valid."""
    board = games.load_board(played.manifest.id)
    if board is None:
        return
    names, rules = PLAYER_NAMES[: played.header.seats], played.rules
    for number in sorted({0, chance.randrange(len(played.states)), len(played.states) - 1}):
        state = played.position_to_check(number)
        view = rules.seat_view(state, None)
        last = played.events[number - 1] if number else None
        drawing = board.draw(view, names, last)
        assert isinstance(drawing, Svg), f"draw returns {drawing!r}, which is not an Svg"
        assert str(drawing)
        if rules.seat_to_move(state) is not None and played.move_input.due_refill(state) is None:
            _check_key_labels(played, board, state, chance)
            _check_taps(played, board, number, chance)


def _check_key_labels(played: RandomRound, board: Board, state: Any, chance: Random) -> None:
    """Check the labels after each of some keys, and that some offered key begins a move."""
    offered = [key for key in KEYS if board.key_labels(played.rules.seat_view(state, None), "").get(key) != ""]
    assert any(played.move_input.draft_from_keys(state, key) is not None for key in offered), (
        "no key that is offered begins a move"
    )
    keys = ""
    for _ in range(4):
        labels = board.key_labels(played.rules.seat_view(state, None), keys)
        for key, words in labels.items():
            assert key in KEYS, f"key_labels labels {key!r}, which is not one of the keys {KEYS}"
            assert isinstance(words, str), f"key_labels labels {key} with {words!r}"
        draft = played.move_input.draft_from_keys(state, longer := keys + chance.choice(KEYS))
        keys = longer if draft is not None else keys


def _check_taps(played: RandomRound, board: Board, number: int, chance: Random) -> None:
    """Tap at random what a phone of the seat to move shows. Each tap has words, is large enough, and is inside."""
    rules, state = played.rules, played.position_to_check(number)
    seat, names = rules.seat_to_move(state) or 1, PLAYER_NAMES[: played.header.seats]
    view, keys = rules.seat_view(state, seat), ""
    for words in board.position_sentences(view, names):
        assert isinstance(words, str), f"position_sentences gives {words!r}"
        assert words, "position_sentences gives an empty sentence"
    for _ in range(5):
        board_drawing = board.draw_scene(BoardScene(view, names, played.events[:number], seat, keys, is_to_move=True))
        for drawing in filter(None, (board_drawing, board_drawing.tray)):
            for tap in drawing.taps:
                left, top, width, height = tap.place
                assert tap.words, f"no words say what a tap of {tap.keys!r} does"
                assert min(width, height) >= MIN_TAP_UNITS * drawing.size[0] / 600, (
                    f"{tap.words!r} is too small to be tapped"
                )
                inside = left >= 0 and top >= 0 and left + width <= drawing.size[0] and top + height <= drawing.size[1]
                assert inside, f"{tap.words!r} is outside of the drawing"
                can_be_typed = not tap.keys or played.move_input.draft_from_keys(view, tap.keys) is not None
                assert can_be_typed, f"a tap on {tap.words!r} means {tap.keys!r}, which cannot be typed"
            corners = {tap.place[:2] for tap in drawing.taps}
            assert len(corners) == len(drawing.taps), "two places to tap have one corner"
        if not board_drawing.all_taps:
            return
        keys = chance.choice(board_drawing.all_taps).keys

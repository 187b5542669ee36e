"""A screen in words, one function for each kind of content.

The order is always the same: what has happened, whose turn it is, what is being entered, what is under the cursor, and
what can be pressed.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from companion import display, games
from companion.display import pages, results
from companion.display.keypad_texts import keypad_text, keypad_texts_of
from companion.evening.contents import kinds
from companion.evening.screen_kinds import PrivateScreen
from companion.evening.screens.play.dealing import NamingScreen
from companion.evening.screens.play.playing import PlayScreen
from companion.evening.screens.private.corrections import CorrectionScreen
from companion.games.api.move_input import without_hidden_pieces
from companion.games.api.screen import PAGE_ROWS, NamingScene, PageScene, PeekScene, Scene
from companion.games.plain_screen import excess_text, naming_ok_key
from companion.languages import format_list, plural_text, text, translate, translate_all
from companion.languages.key_names import in_language_of_device
from companion.rounds import on_table, public_view
from companion.voice.pronunciation import key_device, key_name, pronounce

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from companion.evening.contents.kinds import Content
    from companion.evening.model import Screen, Session
    from companion.games.api.move_input import Draft, MoveInput

NAMES_OF_KEYS = {"ok": "#", "back": "*"}
TABLE_FRAME = "table"
"""The frame of every position of a round."""
START_FRAME = "start"
"""The frame of the page at the start of a round."""


class SpokenScreen(NamedTuple):
    """What is said of a screen, in this order.

    Attributes:
        happened: what has happened, or what the screen is about.
        turn: whose turn it is.
        entry: what is being entered, with its verdict.
        cursor: what is under the cursor, the open page, or what the turn is about.
        known_keys: what can be pressed in every turn, which is known after some of them.
        keys: what else can be pressed.
        frame: tells screens apart. Of another screen everything is said, of the same one what has changed.
        is_news: whether it is also said to players who see the panel: moves, refusals and results.
        details: what is said only to who asks, with the keys where they are nothing new.
        spelled: the name that is spelled, which is said when the screen is left.
    """

    happened: str = ""
    turn: str = ""
    entry: str = ""
    cursor: str = ""
    known_keys: str = ""
    keys: str = ""
    frame: tuple[str, ...] = ()
    is_news: bool = False
    details: str = ""
    spelled: str = ""

    @property
    def parts(self) -> tuple[str, ...]:
        """What is said, in order."""
        return self[:6]


def spoken_screen(session: Session, earphone: str = "") -> SpokenScreen:
    """What is said of the topmost screen, in the session's language.

    `earphone` is the name of the only player who hears it, "" if everybody does: only then is something said of what
    this player alone may see.
    """
    with in_spoken_language(session):
        secret = next((each for each in session.screens if not (each.is_public or _is_face_up(each))), None)
        owner = _owner_name(session, secret) if isinstance(secret, PrivateScreen) else ""
        if secret is not None and (owner != earphone if owner else not earphone):
            keys = _key_words(session, (kinds.KeyHint("back", text("back")),))
            # A password of the box is no player's: whoever enters it reads it on the panel.
            whose = text("Only the panel shows this.")
            if owner:
                whose = text("Only {who} may see this: on the panel, on a phone, or in an earphone.", who=owner)
            return SpokenScreen(whose, keys=keys, frame=(owner,))
        screen, content = session.screen, translate_all(session.screen.content(session))
        if isinstance(screen, NamingScreen) and isinstance(content, kinds.Drawn):
            content = _with_own_pieces(content, screen, earphone)
        spoken = _WORDS_BY_KIND[type(content)](session, content)
        keys = spoken.keys or ("" if spoken.details else _key_words(session, getattr(content, "key_hints", ())))
        happened = sentences(translate(session.banner).replace("\n", " "), spoken.happened)
        game = getattr(content, "game", "") or session.game_id
        words = happened, *spoken.parts[1:-1], keys, spoken.details
        *parts, details = (pronounced(session, each, game) for each in words)
        frame = type(screen).__name__, *spoken.frame
        return SpokenScreen._make((*parts, frame, spoken.is_news, details, spoken.spelled))


def in_spoken_language(session: Session) -> in_language_of_device:
    """A context manager that sets the session's language, in which keys of a number pad are called as on it."""
    has_number_pad = key_device(session) == "number pad"
    return in_language_of_device(session.language, "number pad aloud" if has_number_pad else "")


def board_parts(session: Session) -> tuple[str, ...]:
    """What is on the table, part by part: whose turn it is, then the board, then the scores; () for nothing."""
    with in_spoken_language(session):
        if session.pad is not None:
            pad = session.pad
            return tuple(map(_named_number, pad.header.names, pad.pad.totals))
        round_ = session.round
        if round_ is None or round_.missing_holdings:
            return ()
        view, names, board = round_.game.seat_view(round_.state, None), round_.header.names, None
        board = games.load_board(round_.header.game)
        lines = board.position_sentences(view, names) if board is not None else ()
        if not lines:
            lines = (*round_.move_input.position_lines(view), *map(_named_number, names, round_.result_counts))
        turn = sentences(_turn_words(names, round_.turn), translate(round_.move_input.turn_text(view, names)))
        parts = (turn, *lines)
        return tuple(pronounced(session, each, round_.header.game) for each in translate_all(parts) if each)


def own_pieces(session: Session, name: str) -> tuple[str, ...]:
    """The pieces that a player names or holds, in the order in which they were named; () for nobody at the table."""
    round_, base = session.round, session.screens[0]
    if round_ is None or name not in round_.header.names:
        return ()
    seat = round_.header.names.index(name) + 1
    if isinstance(base, NamingScreen) and base.seat == seat:
        pieces = base.pieces
    else:
        pieces = tuple(named.pieces[which] for named, which in on_table.correctable_pieces(round_, seat))
    return tuple(round_.move_input.printed_piece(piece, round_.options) for piece in pieces)


def correction_words(session: Session, before: tuple[str, ...], now: tuple[str, ...]) -> str:
    """What has become of the one piece in which two hands differ: ``2 is now 7``; "" for other differences."""
    changed = [pair for pair in zip(before, now, strict=False) if pair[0] != pair[1]]
    if len(before) != len(now) or len(changed) != 1:
        return ""
    with in_spoken_language(session):
        one, other = (pronounced(session, each, session.game_id) for each in changed[0])
        return text("{one} is now {other}", one=one, other=other)


def move_words(session: Session, first: int | None = None) -> str:
    """The moves of the round on the table from the index `first` on, or the last one with its draw; "" for none."""
    round_ = session.round
    if round_ is None:
        return ""
    with in_spoken_language(session):
        moves = public_view.last_moves(round_, [], 1) if first is None else public_view.moves_since(round_, first, [])
        moved = sentences(*(" ".join((each["name"], translate(each["told"]))) for each in moves))
        if round_.was_taken_back:
            now = text("The last move is now: {move}", move=moved) if moved else ""
            moved = sentences(text("A move was taken back."), now)
        return pronounced(session, moved, round_.header.game)


def label_words(session: Session) -> str:
    """What each key would enter that may follow the half-made move, for who asks; "" where that is not known."""
    round_, screen = session.round, session.screen
    board = games.load_board(round_.header.game) if round_ is not None else None
    if round_ is None or board is None or not isinstance(screen, PlayScreen):
        return ""
    typed = screen.typed_keys
    with in_spoken_language(session):
        view = round_.game.seat_view(round_.state, None)
        labels = {key: label for key, label in board.key_labels(view, typed).items() if label}
        following = [key for key in labels if round_.move_input.draft_from_keys(view, typed + key) is not None]
        said = (text("{one}: {other}", one=key_name(session, key), other=labels[key]) for key in following)
        return pronounced(session, sentences(*said), round_.header.game)


def pronounced(session: Session, words: str, game: str) -> str:
    """What is said for written words; `game` is the id of the game that they are about, "" for none."""
    forms: Mapping[str, str] = {}
    names = display.visible_names(session)
    if (typed := keypad_texts_of(session, game)) is not None:
        words = keypad_text(typed, names, str(words))
    with suppress(games.UnknownGameError):
        forms = games.load_move_input(game).spoken_forms if games.manifest_of(game).has_records else {}
    return pronounce(str(words), session, forms, names)


def sentences(*parts: str) -> str:
    """Sentences one after the other, each with a full stop; those that are "" are left out."""
    whole = (str(each).strip(" ,_") for each in parts)
    return " ".join(each if each[-1] in ".!?:" else f"{each}." for each in whole if each)


def _with_own_pieces(drawn: kinds.Drawn, screen: NamingScreen, earphone: str) -> kinds.Drawn:
    """The picture of the pieces that are named; who alone hears it and names them is not kept from hearing them."""
    if not isinstance(drawn.scene, NamingScene) or drawn.scene.player_name != earphone:
        return drawn
    scene = drawn.scene._replace(pieces=screen.pieces, partial_piece=screen.typed_keys)
    return drawn._replace(scene=scene)


def _is_face_up(screen: Screen) -> bool:
    """Whether a private screen has only pieces that lie face up on the table."""
    return isinstance(screen, CorrectionScreen) and screen.is_face_up


def _owner_name(session: Session, secret: Screen) -> str:
    """Who alone may see a private screen."""
    seat = getattr(secret, "seat", 0) or getattr(getattr(secret, "request", None), "seat", 1)
    return session.current_round.player_name(seat)


def _turn_words(names: tuple[str, ...], seat: int | None) -> str:
    return text("{who}'s turn", who=names[seat - 1]) if seat else ""


def _named_number(name: str, number: object) -> str:
    return text("{one}: {other}", one=name, other=number)


def _key_words(session: Session, hints: Iterable[kinds.KeyHint]) -> str:
    """What the keys do, one sentence each."""
    said = []
    for hint in hints:
        name = key_name(session, NAMES_OF_KEYS.get(hint.key, hint.key))
        name = {"digits": text("Digits"), "any": text("Any key")}.get(hint.key, text(name))
        said += [text("{one}: {other}", one=name, other=hint.says)] if hint.says else []
    return sentences(*said)


def _ok_and_back_words(session: Session, ok: str, back: str) -> str:
    hints = (kinds.KeyHint("ok", ok), kinds.KeyHint("back", back))
    return _key_words(session, hints)


# -- messages and questions -----------------------------------------------------------------------------------------


def _say_notice(session: Session, content: kinds.Notice) -> SpokenScreen:
    heading = content.heading if not content.said else " ".join((content.heading, content.said))
    keys = "" if content.key_hints else text("Any key goes on.")
    frame = content.heading, content.said
    return SpokenScreen(sentences(heading, content.follows), keys=keys, frame=frame, is_news=True)


def _say_question(session: Session, content: kinds.Question) -> SpokenScreen:
    asked = next((each.name for each in content.seats if each.state == "asked"), "")
    turn = text("{who} is asked.", who=asked) if asked else ""
    return SpokenScreen(sentences(content.title, *content.lines), turn, frame=(content.title,), is_news=True)


def _say_refusal(session: Session, content: kinds.Refusal) -> SpokenScreen:
    said = sentences(content.figure, content.against, content.rule, content.needed)
    return SpokenScreen(sentences(text("Not allowed"), said), frame=(content.code, content.figure), is_news=True)


def _say_cover(session: Session, content: kinds.Cover) -> SpokenScreen:
    return SpokenScreen(sentences(text("All saved"), text("You can pull the plug now")) if content.last else "")


def _say_result(session: Session, content: kinds.Result) -> SpokenScreen:
    rows = (_named_number(*row) for row in content.rows)
    said = sentences(content.title, content.reason, content.unit, *rows)
    return SpokenScreen(said, frame=(content.title,), is_news=True)


def _say_match(session: Session, content: kinds.MatchResult) -> SpokenScreen:
    title = " ".join((content.champion, text("wins the match"))) if content.champion else text("Match")
    rows = (_named_number(*row) for row in content.wins)
    return SpokenScreen(sentences(title, content.note, *rows), is_news=True)


def _say_resumption(session: Session, content: kinds.Resumption) -> SpokenScreen:
    return SpokenScreen(sentences(content.title, content.name, content.players, content.left_at))


def _say_pairing(session: Session, content: kinds.Pairing) -> SpokenScreen:
    return SpokenScreen(sentences(content.title, content.round, format_list(content.names), content.game))


def _say_phone_code(session: Session, content: kinds.Code) -> SpokenScreen:
    where = (content.shown, " ".join(content.code)) if content.address else (content.waiting,)
    return SpokenScreen(sentences(content.heading, *where), frame=(content.heading,))


def _say_phone_question(session: Session, content: kinds.PhoneQuestion) -> SpokenScreen:
    digits = sentences(content.must_show, " ".join(content.digits)) if content.digits else ""
    return SpokenScreen(sentences(content.title, content.said, content.name, digits))


# -- lists, numbers and names ---------------------------------------------------------------------------------------


def _say_choice(session: Session, content: kinds.Choice) -> SpokenScreen:
    line = content.lines[content.cursor]
    count = plural_text(len(content.lines), "{number} entry", "{number} entries")
    digit = "" if session.uses_buttons else content.digit_of(line)
    up, down = (text(key_name(session, key)) for key in ("up", "down"))
    keys = sentences(
        text("{up} and {down} move", up=up, down=down),
        "" if session.uses_buttons else text("a digit chooses"),
        _key_words(session, content.key_hints),
    )
    title = sentences(content.title, *content.notes[:1], count)
    cursor = sentences(digit, line.words, line.note, line.explains)
    return SpokenScreen(title, cursor=cursor, keys=keys, frame=(content.title,))


def _say_amount(session: Session, content: kinds.Amount) -> SpokenScreen:
    entered = content.number.replace("*", "•")
    return SpokenScreen(
        sentences(content.title, content.note), entry=sentences(entered, content.limit), frame=(content.title,)
    )


def _say_form(session: Session, content: kinds.Form) -> SpokenScreen:
    cells = [
        sentences(name, " ".join(map(str, number)), content.meaning) for name, row in content.rows for number in row
    ]
    return SpokenScreen(content.title, cursor=[*cells, content.meaning][content.on], frame=(content.title,))


def _say_seating(session: Session, content: kinds.Seating) -> SpokenScreen:
    seats = (sentences(str(seat), each.name, each.caption) for seat, each in enumerate(content.places, 1))
    return SpokenScreen(sentences(content.title, *content.notes[:1]), cursor=sentences(*seats), frame=(content.title,))


def _say_letters(session: Session, content: kinds.Letters) -> SpokenScreen:
    """A letter alone is said after it was entered; whoever asks hears all of them, with the keys."""
    letters = [text("blank") if letter == " " else letter for letter in content.text]
    how, under_cursor = content.board, content.rows[0][content.column] if session.uses_buttons else ""
    if key_device(session) in ("", "number pad"):
        right, left = (text(key_name(session, key)) for key in ("right", "left"))
        change = text("{right} and {left} change the letter", right=right, left=left)
        how = sentences(how, text("Before another letter of the same key, wait two seconds"), change)
    keys = _key_words(session, content.key_hints)
    if not letters:
        keys = sentences(_key_words(session, (kinds.KeyHint("ok", text("done")),)), keys)
    return SpokenScreen(
        sentences(content.title, content.whose, how), entry=letters[-1] if letters else text("no letter"),
        cursor=under_cursor, keys="" if letters else keys, frame=(content.title,), spelled=content.text,
        details=sentences(", ".join(letters), keys) if letters else "",
    )  # fmt: skip


def _say_own_pieces(session: Session, content: kinds.OwnPieces) -> SpokenScreen:
    pieces = sentences(content.title, content.name, ", ".join(content.pieces))
    return SpokenScreen(pieces, cursor=content.pieces[content.on], frame=(content.title,))


def _say_correction(session: Session, content: kinds.Mend) -> SpokenScreen:
    happened = sentences(content.title, content.name, content.wrong)
    return SpokenScreen(happened, entry=sentences(content.new, content.said), frame=(content.title,))


# -- texts and tables -----------------------------------------------------------------------------------------------


def _page_words(session: Session, number: int, count: int, *words: str) -> str:
    """The words of an open page, `number` from 0; if there are several, how many, and on the first one how to turn."""
    if count < 2:
        return sentences(*words)
    page = text("Page {number} of {count}", number=number + 1, count=count)
    return sentences(*words, page, "" if number else _named_number(text(key_name(session, "down")), text("next page")))


def _say_reading(session: Session, content: kinds.Reading) -> SpokenScreen:
    found = [" ".join(each) for each in pages.reading_pages(content, display.visible_names(session))]
    for at in range(len(found) - 1, 0, -1):  # A sentence is read whole, on the page on which it begins.
        if found[at - 1][-1:] not in ".!?:":
            beginning, *rest = pages.SENTENCE_END.split(found[at], 1)
            found[at - 1], found[at] = f"{found[at - 1]} {beginning}", "".join(rest)
    at = min(content.at, len(found) - 1)
    cursor = _page_words(session, at, len(found), found[at])
    return SpokenScreen(sentences(content.title, content.note), cursor=cursor, frame=(content.title,))


def _say_table_page(session: Session, content: kinds.Standings | kinds.AllTime) -> SpokenScreen:
    is_evening = isinstance(content, kinds.Standings)
    found = results.standings_pages(content) if is_evening else results.all_time_pages(content)  # type: ignore[arg-type]
    at = min(content.at, len(found) - 1)
    rows = (_named_number(*row) for row in found[at].rows)
    return SpokenScreen(cursor=_page_words(session, at, len(found), found[at].title, *rows, found[at].words))


def _say_hint_part(session: Session, content: kinds.Parts) -> SpokenScreen:
    part = content.parts[content.at]
    rows = (_named_number(*row) for row in part.rows)
    return SpokenScreen(cursor=_page_words(session, content.at, len(content.parts), part.title, *rows, *part.lines))


def _say_progress(session: Session, content: kinds.Progress) -> SpokenScreen:
    return SpokenScreen(sentences(content.title, content.said), frame=(content.title,))


def _say_claims(session: Session, content: kinds.Claims) -> SpokenScreen:
    who, move, possible_move = content.rows[content.at]
    said = text("{who}, {move} {could}. The result stands.", who=who, move=move, could=possible_move)
    return SpokenScreen(
        content.title, cursor=_page_words(session, content.at, len(content.rows), said), frame=(content.title,)
    )


def _say_findings(session: Session, content: kinds.Findings) -> SpokenScreen:
    found = content.found or ()
    if content.at > len(found):
        keys = content.keys
        return SpokenScreen(keys.title, cursor=" ".join(keys.pressed[-1:] or keys.begin))
    if content.at:
        finding = found[content.at - 1]
        return SpokenScreen(content.title, cursor=sentences(finding.part, finding.text))
    return SpokenScreen(sentences(content.title, content.looking if content.found is None else content.note))


def _say_scores(session: Session, content: kinds.Scores) -> SpokenScreen:
    player = content.players[content.seat - 1]
    entry = sentences(content.change, str(content.total or ""), content.limit) if content.change else ""
    return SpokenScreen(
        sentences(content.title, *content.notes[:1], content.last), entry=entry, frame=(TABLE_FRAME,),
        cursor=sentences(_named_number(player.name, player.total), content.line), is_news=True,
    )  # fmt: skip


def _say_sheet(session: Session, content: kinds.Sheet) -> SpokenScreen:
    row = content.rows[content.row] if content.row < len(content.rows) else ()
    points = (_named_number(*each) for each in zip(content.names, row, strict=False) if each[1] is not None)
    totals = (_named_number(*each) for each in zip(content.names, content.totals, strict=True))
    return SpokenScreen(sentences(*totals), cursor=sentences(str(content.row + 1), *points))


# -- what games draw ------------------------------------------------------------------------------------------------


def _say_drawn(session: Session, content: kinds.Drawn) -> SpokenScreen:
    match content.scene:
        case Scene() as scene:
            return _say_scene(session, scene, games.load_move_input(content.game))
        case NamingScene() as naming:
            return _say_naming(session, naming, games.load_move_input(content.game))
        case PeekScene() as peek:
            title = text("{who}'s pieces", who=peek.player_name)
            return SpokenScreen(sentences(title, peek.pieces_text), frame=(peek.player_name,))
        case PageScene() as page:
            first = page.page_index * PAGE_ROWS
            lines = (_line_with_names(line, page.names) for line in page.lines[first : first + PAGE_ROWS])
            count = max(0, len(page.lines) - 1) // PAGE_ROWS + 1
            keys = _key_words(session, (kinds.KeyHint("back", text("back")),))
            cursor = _page_words(session, page.page_index, count, *lines) or text("Only the panel shows this.")
            return SpokenScreen(page.title, cursor=cursor, keys=keys)


def _say_scene(session: Session, scene: Scene, game: MoveInput) -> SpokenScreen:
    if scene.start_page:
        starts = text("{who} starts", who=scene.player_name(scene.seat_to_move or 1))
        keys = _ok_and_back_words(session, text("start"), text("rules"))
        return SpokenScreen(sentences(starts, *scene.start_page), keys=keys, frame=(START_FRAME,), is_news=True)
    draft, line = scene.draft, "" if scene.clock else scene.bottom_line
    turn = _turn_words(scene.names, scene.seat_to_move)
    if draft is None:
        due = text("Nothing fits: a draw comes first.")
        how = due if scene.must_draw else translate_all(game.input_instructions(scene.view, session.uses_buttons))
        keys = sentences(how, scene.claim_instructions, _ok_and_back_words(session, "", text("menu")))
        known_keys, keys = ("", keys) if scene.must_draw else (keys, "")
        entry, about = line if line != how else "", translate(game.turn_text(scene.view, scene.names))
        return SpokenScreen("", turn, entry, about, known_keys, keys, (TABLE_FRAME,), is_news=True)
    verdict = text("not allowed") if draft.verdict == "no" else ""
    words, known_keys = line or draft.message, translate(game.piece_keys_text("", scene.options))
    known_keys = known_keys if known_keys == draft.working else ""
    working = "" if draft.working in words or known_keys else draft.working
    entry = sentences(_draft_words(scene, draft, game), working, words, verdict)
    usual = {"ok": text("play"), "no": text("why?")}.get(draft.verdict, "")
    keys = _ok_and_back_words(session, draft.next_step or usual, text("undo"))
    return SpokenScreen("", turn, entry, "", known_keys, keys, (TABLE_FRAME,), is_news=True)


def _line_with_names(line: str, names: tuple[str, ...]) -> str:
    """A line of a page; one that has a cell for each player, with their names. A cell that goes on has none."""
    cells = line.split("\t")
    if len(cells) != len(names):
        return ", ".join(filter(None, cells))
    named = zip(names, cells, strict=True)
    return sentences(*(_named_number(name, cell) if cell[:1] not in ("", "=") else cell for name, cell in named))


def _draft_words(scene: Scene, draft: Draft, game: MoveInput) -> str:
    """What has been entered; a move that can be played in the words of a phone's button."""
    if draft.verdict == "ok" and draft.event:
        move = game.rules.parse_move(without_hidden_pieces(game, draft.event))
        if label := game.move_texts(scene.view, scene.seat_to_move or 1, move, scene.names).button_label:
            return translate(label)
    return text(game.spoken_draft(draft.text))


def _say_naming(session: Session, scene: NamingScene, game: MoveInput) -> SpokenScreen:
    title: str = text("{who}'s {pieces}", who=scene.player_name, pieces=scene.noun)
    if scene.due_refill is not None:
        title = _named_number(scene.player_name, translate(scene.due_refill.prompt))
    last = game.partial_piece_text(scene.partial_piece)
    if not last and scene.pieces:
        last_pieces = scene.pieces if scene.is_complete and all(scene.pieces) else scene.pieces[-1:]
        last = ", ".join(game.printed_piece(piece, scene.options) or "•" for piece in last_pieces)
    count = text("{number} of {count}", number=len(scene.pieces), count=scene.size)
    wrong = scene.stray_key_text or (excess_text(scene, *scene.excess) if scene.excess else "")
    piece = scene.rows[scene.cursor[0]][scene.cursor[1]] if scene.cursor is not None else ""
    piece = game.printed_piece(piece, scene.options)
    ok = naming_ok_key(scene)
    back = text("undo") if scene.pieces or scene.partial_piece else text("menu")
    keys = _ok_and_back_words(session, ok[1] if ok is not None else "", back)
    how = game.piece_keys_text(scene.kind, scene.options) if scene.missing_count else ""
    wrong = sentences(*dict.fromkeys((wrong, how if scene.stray_key_text else "")))
    if scene.missing_count:
        how = sentences(*dict.fromkeys((game.stray_piece_key_text("", scene.kind, scene.options), how)))
    happened = sentences(title, scene.look_away_text if scene.is_hidden else "")
    frame = scene.player_name, scene.kind
    entry = sentences(last, count, wrong)
    return SpokenScreen(happened, entry=entry, cursor=piece, known_keys=how, keys=keys, frame=frame)


_WORDS_BY_KIND: Mapping[type[Content], Callable[[Session, Any], SpokenScreen]] = {
    kinds.Notice: _say_notice, kinds.Question: _say_question, kinds.Refusal: _say_refusal,
    kinds.Result: _say_result, kinds.MatchResult: _say_match, kinds.Cover: _say_cover,
    kinds.Scores: _say_scores, kinds.Sheet: _say_sheet,
    kinds.Resumption: _say_resumption, kinds.Pairing: _say_pairing,
    kinds.Reading: _say_reading, kinds.Parts: _say_hint_part, kinds.Progress: _say_progress,
    kinds.Claims: _say_claims, kinds.Standings: _say_table_page, kinds.AllTime: _say_table_page,
    kinds.OwnPieces: _say_own_pieces, kinds.Mend: _say_correction, kinds.Findings: _say_findings,
    kinds.Code: _say_phone_code, kinds.PhoneQuestion: _say_phone_question, kinds.Drawn: _say_drawn,
    kinds.Choice: _say_choice, kinds.Amount: _say_amount, kinds.Form: _say_form,
    kinds.Seating: _say_seating, kinds.Letters: _say_letters,
}  # fmt: skip
"""The function that says each kind; `Rest` is none of them, since it only shows larger what has been said."""

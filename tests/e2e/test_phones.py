"""Two phones and a big screen in real Chromium, beside the real program: from the code on the panel to the result."""

from __future__ import annotations

import random
import re
import time

import pytest
from browser import PATIENCE_SECONDS, keys_to_phones_page, naming_form_selector, page_faults, press_button, seated_phone

from companion import games


def move_sentence(move) -> str:
    """The words of a move of 27 on the big screen."""
    return f"moved {move.pieces} from {move.field} to "


def tap_move(phone, keys) -> None:
    """Put a move together key by key, each tapped once the page shows those before it, then play it."""
    for index in range(len(keys)):
        entered = f"#draft:has(#keys[value='{keys[:index]}'])"
        press_button(phone, f"{entered} .keys button[value='{keys[: index + 1]}']")
    press_button(phone, f"#draft:has(#keys[value='{keys}']) #play")


@pytest.mark.drill
def test_a_round_of_27_is_played_by_two_phones(box, browser, web, play_round, typed_keys):
    """From the code on the panel to the result; one refusal, one takeback, the web process killed and restarted."""
    played = play_round("27", {"variant": "basic"}, 2, random.Random(27))
    table = box()
    table.start()
    table.type_keys("~A~*~5~#")
    pages = web(table)
    phones = {1: seated_phone(browser, table, pages, "Player 1"), 2: seated_phone(browser, table, pages, "Player 2")}
    screen = browser.new_page(viewport={"width": 1920, "height": 1080})
    faults: list[str] = []
    for page in (screen, *phones.values()):
        page.on("pageerror", lambda error: faults.append(str(error)))
    screen.goto(f"http://127.0.0.1:{pages.port}/")
    table.type_keys("*~*~2~#~#~#")
    for index, ((seat, move), state) in enumerate(zip(played.events, played.states, strict=False)):
        keys = "".join(typed_keys("27", state, str(move)))[:-1]
        phone = phones[seat]
        phone.wait_for_selector("h1:has-text('your turn')")
        if index == 2:
            tap_refused_move(phone, table, played.events[:index])
        if index == 6:
            pages.kill()
            for page in (screen, *phones.values()):
                page.wait_for_selector("body.lost")
            pages.start()
            for page in (screen, *phones.values()):
                page.wait_for_selector("body:not(.lost)")
        tap_move(phone, keys)
        screen.wait_for_function(
            "words => document.querySelector('.moves li')?.textContent.includes(words)", arg=move_sentence(move)
        )
        if index == 3:
            press_button(phone, "#draft >> text=Take back the last move")
            press_button(phones[3 - seat], "#draft >> text=I agree")
            phone.wait_for_selector("h1:has-text('your turn')")
            tap_move(phone, keys)
    screen.wait_for_selector(".result")
    wait_for_record(table, played.events)
    assert faults == []
    assert table.stop() == 0


@pytest.mark.drill
def test_the_rematch_begins_when_both_phones_are_ready(box, browser, web, axe, play_round, typed_keys):
    """Each phone says who is ready. The look back opens and closes; the next round begins with the other player."""
    played = play_round("27", {"variant": "basic"}, 2, random.Random(27))
    table = box("--game", "27", "--options", "variant=basic", "--players", "Ann,Ben")
    table.start()
    table.type_keys(keys_to_phones_page("27"))
    pages = web(table)
    schemes = {"Ann": "light", "Ben": "dark"}
    ann, ben = (
        seated_phone(browser, table, pages, name, color_scheme=schemes[name], bypass_csp=True) for name in schemes
    )
    table.type_keys("~*~*")
    for (_, move), state in zip(played.events, played.states, strict=False):
        table.type_keys("".join(typed_keys("27", state, str(move))) + "~")
    for phone in (ann, ben):
        phone.wait_for_selector(".won h1")
        phone.wait_for_selector("#rematch:has-text('Ben starts')")
        phone.reload()  # What a page weighs is counted without the round before.
        assert page_faults(phone, axe) == []
    press_button(ann, "text=What decided it?")
    ben.wait_for_selector(".view h2:has-text('What decided it?')")
    press_button(ben, "form[action='/seat/review'] button:has-text('Close')")
    ann.wait_for_selector(".mini .board")
    press_button(ann, "#rematch")
    for phone in (ann, ben):
        phone.wait_for_selector(".ready .in:has-text('Ann')")
        phone.reload()
        assert page_faults(phone, axe) == []
    ann.wait_for_selector("#rematch[disabled]:has-text('Waiting for Ben')")
    press_button(ben, "#rematch")
    ben.wait_for_selector("h1:has-text('your turn')")
    ann.wait_for_selector("#draft >> text=Ben is thinking.")
    assert table.stop() == 0


def tap_refused_move(phone, table, events, event="1x99") -> None:
    """Try an illegal move: it is refused in a sentence, and nothing but `events` has happened."""
    phone.evaluate(
        "fetch('/seat/play', {method: 'POST', headers: {'content-type': 'application/x-www-form-urlencoded'},"
        f" body: 'event={event}'}}).then(answer => answer.text()).then(text => {{ window.told = text }})"
    )
    phone.wait_for_function("window.told !== undefined")
    assert "refusal" in phone.evaluate("window.told")
    wait_for_record(table, events)


@pytest.mark.drill
def test_a_hand_is_entered_by_tapping_and_seen_by_its_owner_alone(box, browser, web):
    """A hand of Coral Reef is tapped and one piece corrected; the other phone and the big screen never show it.

    Nor do they show its hints, which the owner reads part by part.
    """
    table = box()
    table.start()
    table.type_keys("~A~*~5~#")
    pages = web(table)
    phones = {1: seated_phone(browser, table, pages, "Player 1"), 2: seated_phone(browser, table, pages, "Player 2")}
    screen = browser.new_page()
    screen.goto(f"http://127.0.0.1:{pages.port}/")
    table.type_keys("*~*~1~#~#~#~2~1")
    mine = phones[1]
    entered: list[str] = []
    for coral in ["A", "K", "3", "4", "5", "9", "9", "J", "Q"]:
        tap_piece(mine, entered, coral)
        entered.append(coral)
        if coral == "K":
            take_out(mine, entered, 1)
            tap_piece(mine, entered, "2")
            entered.append("2")
    take_out(mine, entered, 8)
    confirm_pieces(mine, entered)
    mine.wait_for_selector("h1:has-text('your turn')")
    mine.click("#open-more")
    mine.wait_for_function("hand => document.querySelector('.hand small').innerText === hand", arg=" ".join(entered))
    mine.keyboard.press("Escape")
    phones[2].click("#open-more")
    phones[2].wait_for_selector(".hand small:has-text('None')")
    table.type_keys("~#~*")  # The page at the start of the round goes first.
    mine.wait_for_selector("#draft .verdict:has-text('A menu is open at the box.')")
    table.type_keys("~3~#~*")  # A hint, and that the box gives hints from now on.
    mine.wait_for_selector("#draft .verdict:has-text('A menu is open at the box.')", state="detached")
    mine.wait_for_selector("#draft button[value=hint]", state="attached")  # Nothing more changes until somebody moves.
    mine.click("#open-more")
    mine.click("#hinted")  # With a finger, so that the sheet closes.
    for part, title in enumerate(("Look here", "A good move", "The best moves"), 1):
        mine.wait_for_selector(f"#answer h2:has-text('{title}')")
        assert not screen.query_selector(".says")
        press_button(mine, f"#draft button[name=part][value='{part}']")
    mine.wait_for_selector("#answer h2:has-text('The next best'), #answer h2:has-text('As good')")
    press_button(phones[2], "#draft button[value=hint]")
    phones[2].wait_for_selector("text=You can have a hint when it is your turn.")
    press_button(phones[2], "#how")
    phones[2].wait_for_selector("#answer p:has-text('Goal: be the first to run out of corals.')")
    tap_move(mine, "145")
    screen.wait_for_selector(".moves li:has-text('laid 4 5 on stack 1')")
    assert table.stop() == 0


def tap_piece(phone, entered, piece) -> None:
    """Tap one more piece."""
    press_button(phone, f"{naming_form_selector(entered)} button[name=add][value='{piece}']")


def take_out(phone, entered, index) -> None:
    """Tap an entered piece, which takes it out again."""
    press_button(phone, f"{naming_form_selector(entered)} button[name=take][value='{index}']")
    del entered[index]


def confirm_pieces(phone, entered) -> None:
    """Confirm that these are all, and wait until they are accepted."""
    phone.wait_for_selector(naming_form_selector(entered))
    press_button(phone, "#done:not([disabled])")
    phone.wait_for_selector(naming_form_selector(entered), state="detached")


def tap_pieces(phone, pieces) -> None:
    """Name pieces by tapping them, then hand them in."""
    for index, piece in enumerate(pieces):
        tap_piece(phone, pieces[:index], piece)
    confirm_pieces(phone, pieces)


def correct_piece(phone, wrong, right) -> None:
    """Correct a piece that was named wrongly."""
    press_button(phone, "#mend")
    press_button(phone, f"#draft button[name=which]:text-is('{wrong}')")
    press_button(phone, f"#draft button[name=piece][value='{right}']")
    phone.wait_for_selector("#draft button[name=piece]", state="detached")


def enter_hands(phones, played) -> None:
    """Tap each hand on its player's phone in the order of the deal; in the first one a piece is corrected."""
    rules = played.rules
    entry = games.load_move_input(played.header.game)
    mended = False
    for (kind, seat), dealt in sorted(played.deals.items(), key=lambda held: (held[0][1], held[0][0] != "deal")):
        pieces = [rules.format_deal((piece,)) for piece in dealt]
        grid = [piece for row in entry.piece_rows(kind, played.header.options) for piece in row]
        wrong = next(piece for piece in grid if piece not in pieces)
        tap_pieces(phones[seat], pieces if mended else [wrong, *pieces[1:]])
        if not mended:
            correct_piece(phones[seat], wrong, pieces[0])
            mended = True


@pytest.mark.drill
@pytest.mark.parametrize(
    ("game", "options", "seed"),
    [
        ("coral-reef", {"form": "cards"}, 1),
        ("prime-attactics", {"level": "easy", "start": "11"}, 24),
        ("ziggurat", {"set": "6", "base": "solid"}, 0),
    ],
)
def test_a_round_of_hidden_hands_is_played(box, browser, web, play_round, typed_keys, game, options, seed):
    """Paired in the round; hands tapped, a piece corrected, a refusal, a takeback, the web process killed."""
    played = play_round(game, options, 2, random.Random(seed), share=1.0)
    chosen = ",".join(f"{name}={value}" for name, value in options.items())
    table = box("--game", game, "--options", chosen, "--players", "Ann,Ben", "--open", "1,2")
    table.start()
    table.type_keys(keys_to_phones_page(game))
    pages = web(table)
    phones = {1: seated_phone(browser, table, pages, "Ann"), 2: seated_phone(browser, table, pages, "Ben")}
    screen = browser.new_page(viewport={"width": 1920, "height": 1080})
    screen.goto(f"http://127.0.0.1:{pages.port}/")
    table.type_keys("~*~*")
    enter_hands(phones, played)
    for index, ((seat, move), state) in enumerate(zip(played.events, played.states, strict=False)):
        phone, event = phones[seat], str(move)
        phone.wait_for_selector("#draft button.piece", state="attached")
        if index == 2:
            tap_refused_move(phone, table, played.events[:index], "nonsense")
        if index == 5:
            pages.kill()
            for page in (screen, *phones.values()):
                page.wait_for_selector("body.lost")
            pages.start()
            for page in (screen, *phones.values()):
                page.wait_for_selector("body:not(.lost)")
        enter_event(phone, game, state, event, typed_keys)
        if index == 3:
            told = games.load_move_input(game).move_texts(state, seat, move, ("Ann", "Ben")).sentence
            words = str(told).replace("-", "\N{WORD JOINER}-\N{WORD JOINER}")  # No line breaks inside a domino.
            screen.wait_for_selector(f'.moves li:has-text("{words}")')
            press_button(phone, "#draft >> text=Take back the last move")
            press_button(phones[3 - seat], "#draft >> text=I agree")
            drawn = games.load_move_input(game).due_refill(state) is not None  # Then the move before it goes back too.
            for each in range(index - drawn, index + 1):
                phone.wait_for_selector("#draft button.piece", state="attached")
                enter_event(phone, game, played.states[each], str(played.events[each][1]), typed_keys)
    for page in (screen, *phones.values()):
        page.wait_for_selector(".result")
    wait_for_record(table, played.events)
    assert table.stop() == 0


def enter_event(phone, game, state, event, typed_keys) -> None:
    """Put a move together by tapping, or name what was drawn."""
    due = games.load_move_input(game).due_refill(state)
    if due is not None and event.split()[0] == due.event_word:
        tap_pieces(phone, event.split()[1:])
    else:
        tap_move(phone, "".join(typed_keys(game, state, event))[:-1])


def wait_for_record(table, events) -> None:
    """Wait until the record is the one that the keypad would have made."""
    end = time.monotonic() + PATIENCE_SECONDS
    wanted = [f"{seat}: {move}" for seat, move in events]
    while (
        found := [line for line in table.exported_record("--reveal").splitlines() if re.match(r"\d: ", line)]
    ) != wanted:
        assert time.monotonic() < end, found
        time.sleep(0.2)

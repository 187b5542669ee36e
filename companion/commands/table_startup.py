"""What `companion play` and `companion run` share: the session's settings, and the table until it is stopped.

`requested_round` is the round that the command line asks for; it skips the menu.
"""

from __future__ import annotations

import os
import threading
import time
from contextlib import closing, suppress
from typing import TYPE_CHECKING

from companion import UnusableError, games, settings_file
from companion.commands.options import print_message
from companion.commands.text_streams import printable_text
from companion.config import ConfigError
from companion.doctor import disk
from companion.evening import state_machine
from companion.evening.screens.first_start import FirstKeys
from companion.evening.screens.phones import phones_page
from companion.games.api.computer_players import COMPUTER_NAMES, computer_strength, has_computer_player
from companion.games.api.manifest import HOLDING_KINDS
from companion.inputs import BoxExamined
from companion.languages import in_language, text
from companion.languages.catalogues import ENGLISH, locale_language
from companion.rounds import replaying
from companion.rounds.player_names import MAX_NAME_LETTERS, name_normalization_text, normalize_name, undrawable_letters
from companion.rounds.stored import RoundHeader, SessionSettings
from companion.store.errors import StoreError
from companion.table.backup import Backup
from companion.table.box_helpers import NETWORK_SWITCH
from companion.table.loop import TableLoop
from companion.table.phone_worker import read_saved_phones
from companion.table.service import stopping_on_signals, systemd_watchdog
from companion.table.table_devices import ThreadMonitor
from companion.table.voice_worker import VoiceWorker
from companion.table.workers import Workers
from hardware.speaker import DEVICE as SOUND
from hardware.speaker import Speaker

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path

    from companion.config import Config
    from companion.evening.model import Session
    from companion.evening.session_values import BoxSettings
    from companion.games.api.manifest import HoldingKind, Manifest
    from companion.store.store import Store
    from companion.table.table_devices import InputQueue
    from hardware.device_classes import PictureDevice
    from hardware.devices import Devices


def play_table(
    store: Store,
    config: Config,
    requested: RoundHeader | None,
    screen: PictureDevice,
    inputs: InputQueue,
    *,
    devices: Devices | None = None,
    on_ready: Callable[[], object] = lambda: None,
) -> TableLoop:
    """Open the table and play until it is stopped; the screen then shows the goodbye picture. Raises UnusableError.

    Without `devices` the screen is a terminal, which has keys too. `on_ready` is called once the first picture is
    shown.
    """
    first_session = _first_session(store, session_settings(config, requested, devices), inputs)
    buttons = devices.button_pins if devices is not None else ()
    first_session = first_session._replace(box=settings_file.box_settings(config)._replace(buttons=buttons))
    speaker = Speaker(inputs.note_device, config.sound.output)
    voice = VoiceWorker(speaker, inputs, config.sound.earphone)
    backup = Backup(config.table.backup, store.folder, inputs) if config.table.backup is not None else None
    workers = Workers(
        store.folder,
        inputs,
        lambda: start_box_examination(
            inputs,
            store.folder,
            config,
            (
                *(devices.names if devices is not None else ()),
                *([SOUND] if table.session.box.voice != "off" else []),
            ),
            table.session.language,
        ),
    )
    workers.open_public_socket(inputs.write_log or print_message)

    def save_settings(before: BoxSettings, after: BoxSettings) -> None:
        chosen = save_changed_settings(store.folder, before, after)
        if devices is not None:
            devices.use_config(settings_file.with_chosen_settings(config, chosen))

    def on_shown(session: Session) -> None:
        workers.on_shown(session)
        voice.on_shown(session)
        if devices is not None:
            devices.use_voice_keys(session.box.voice != "off")
            devices.learn(any(isinstance(each, FirstKeys) for each in session.screens))

    table_watchdog = systemd_watchdog()
    thread_monitor = ThreadMonitor(devices, inputs, table_watchdog is not None, workers)
    table = TableLoop(
        first_session,
        store,
        [screen],
        inputs.queue,
        lamps=devices.lamps if devices is not None else None,
        save_settings=save_settings,
        watchdog=table_watchdog,
        check_threads=thread_monitor.restart_ended_threads,
        write_log=inputs.report,
        start_request=workers.start_request,
        on_shown=on_shown,
        send_reply=workers.send_reply,
        resend_picture=screen.resend,
        on_round_end=backup.start_copy if backup is not None else lambda: None,
    )
    with stopping_on_signals(inputs.put), thread_monitor.catching_thread_errors(), closing(workers), closing(voice):
        table.show_first_session()
        on_ready()
        table.run()
    return table


def save_changed_settings(folder: Path, before: BoxSettings, after: BoxSettings) -> settings_file.ChosenSettings:
    """Save the settings that were changed at the box, beside those chosen earlier, and return both. Raises OSError."""
    chosen = settings_file.changed_settings(before, after)
    with suppress(ConfigError):  # The start has reported that it is damaged.
        chosen = settings_file.load_settings(folder) | chosen
    settings_file.save_settings(folder, chosen)
    return chosen


def _first_session(store: Store, settings: SessionSettings, inputs: InputQueue) -> Session:
    """Make the first session from the stored history, and report faulty games and a disk that loses its data.

    Raises UnusableError.
    """
    store.stop_waiting_for_locks()
    history = store.load_history()
    with suppress(StoreError):
        seen_games = store.note_games_seen([game.id for game in games.added_manifests()])
        history = history._replace(seen_games=tuple(seen_games))
    first = state_machine.start_session(settings, history, time.monotonic())
    if (phones := read_saved_phones(store.folder, time.time())) is not None:
        first = phones_page.restore_phones(first, *phones)
    unfinished = history.unfinished_round or history.open_match_round
    if first.banner and unfinished is not None and (doubt := replaying.replay_stored(unfinished).problem) is not None:
        message = "round {number} is saved, but no longer gives its result: {doubt}."
        if doubt.is_unplayable:
            message = "round {number} is saved, but cannot be shown: {doubt}."
        (inputs.write_log or print_message)(text(message, number=unfinished.id, doubt=doubt.reason))
    for game, fault in games.unplayable_games().items():
        first = first._replace(banner=text("A game is faulty:\n{game}", game=game))
        (inputs.write_log or print_message)(f"{fault}.")
    if (finding := disk.check_permanence(store.folder)) is not None:
        first = first._replace(banner=text("Rounds are lost\nwhen switched off"))
        (inputs.write_log or print_message)(finding.text)
    return first


def start_box_examination(
    inputs: InputQueue, folder: Path, config: Config | None, connected: Sequence[str], language: str = ENGLISH
) -> None:
    """Examine the box in a thread, because a disk may be slow; the findings come as an input.

    They are in the box's `language`, by which each is divided into pages.
    """

    def examine() -> None:
        from companion.display.pages import finding_pages
        from companion.doctor.examination import examine_at_table

        with in_language(language):
            pages = finding_pages(examine_at_table(folder, config, connected, inputs.missing_devices))
        inputs.queue.put(BoxExamined(pages, time.monotonic()))

    threading.Thread(target=examine, name="doctor", daemon=True).start()


# -- what the session begins with -------------------------------------------------------------------------------

OPEN_HOLDINGS: Mapping[str, tuple[HoldingKind, ...]] = {"": HOLDING_KINDS, "d": ("deal",), "r": ("rack",)}
"""The letter after a seat in --open → the holdings it opens."""


def session_settings(config: Config, requested: RoundHeader | None, devices: Devices | None) -> SessionSettings:
    """The session's settings: from the configuration, the command line and the devices, None for a terminal."""
    terminal = devices is None
    return SessionSettings(
        player_names=tuple(map(normalize_name, config.table.players)),
        requested_round=requested,
        has_keypad=devices is None or "keypad" in devices.sources,
        has_buttons=devices is None or "buttons" in devices.sources,
        has_buzzer=devices is not None and devices.lamps.has_buzzer,
        has_network=devices is not None and NETWORK_SWITCH.exists(),
        measures_thinking=config.table.clock,
        players_may_press=config.phones.remote == "players",
        language=config.table.language or (locale_language(os.environ) if terminal else ""),
        asks_language=not (terminal or config.table.language or requested),
        is_terminal=terminal,
    )


def report_name_changes(names: Iterable[str]) -> None:
    """Report what is changed in names so that they can be players' names."""
    for name in names:
        if changes := name_normalization_text(name):
            player_name = printable_text(normalize_name(name))
            print_message(text("the name {who} was changed: {changes}", who=player_name, changes=changes))


def report_name_problems(config: Config, requested: RoundHeader | None) -> None:
    """Report which names the panel cannot draw, and which of the configuration's names are changed."""
    report_name_changes(config.table.players)
    for name in dict.fromkeys((*config.table.players, *(requested.names if requested is not None else ()))):
        if undrawable_letters(normalize_name(name)):
            print_message(
                text("the panel cannot draw every letter of {who}: it shows □ instead", who=printable_text(name))
            )


def requested_round(arguments: argparse.Namespace) -> RoundHeader | None:
    """The round requested on the command line, None for the menu. Raises UnusableError."""
    if not arguments.game:
        if arguments.options or arguments.players or arguments.open:
            raise UnusableError(text("use --options, --players and --open together with --game"))
        return None
    try:
        game = games.manifest_of(arguments.game)
    except games.UnknownGameError as unknown:
        raise UnusableError(
            text("there is no game {game}; {why}", game=printable_text(arguments.game), why=unknown)
        ) from None
    if not game.has_records:
        raise UnusableError(text("--game cannot start {game}: choose it in the menu", game=game.name))
    typed_names = arguments.players.split(",") if arguments.players else ()
    report_name_changes(typed_names)
    names = tuple(map(normalize_name, typed_names))
    if names and len(names) not in game.players:
        message = "{game} is for {numbers} players, not {count}"
        raise UnusableError(
            text(message, game=game.name, numbers=alternatives_text(map(str, game.players)), count=len(names))
        )
    for name in names:
        if not name or len(name) > MAX_NAME_LETTERS or not name.isprintable():
            message = "{given} cannot be a player's name: use 1 to {most} letters"
            raise UnusableError(text(message, most=MAX_NAME_LETTERS, given=repr(printable_text(name))))
    if len(set(names)) < len(names):
        raise UnusableError(text("--players has the same name twice"))
    if has_computer_player(names) and not game.allows_computer_player:
        message = "the computer does not play {game}: {first} to {last} are its names"
        raise UnusableError(text(message, game=game.name, first=COMPUTER_NAMES[0], last=COMPUTER_NAMES[-1]))
    seats = len(names) or game.players[0]
    open_holdings = _parse_open(
        arguments.open, game, seats, [seat for seat, name in enumerate(names, 1) if computer_strength(name)]
    )
    return RoundHeader(arguments.game, _parse_options(arguments.options, game), names, opened=open_holdings)


def alternatives_text(choices: Iterable[str]) -> str:
    """Words of which one may be chosen: ``2 or 3``."""
    *others, last = choices
    return text("{one} or {other}", one=alternatives_text(others), other=last) if others else last


def _parse_options(argument: str, game: Manifest) -> tuple[tuple[str, str], ...]:
    values = game.option_defaults
    names_given = set()
    for part in filter(None, argument.split(",")):
        name, _, value = (each.strip() for each in part.partition("="))
        if name not in values:
            message = "{game} has no option {name}; it has {names}"
            raise UnusableError(text(message, game=game.name, name=printable_text(name), names=", ".join(values)))
        if value not in game.option_values[name]:
            message = "{name} must be {values}, not {given}"
            raise UnusableError(
                text(
                    message, name=name, values=alternatives_text(game.option_values[name]), given=printable_text(value)
                )
            )
        if name in names_given:
            raise UnusableError(text("--options sets {name} twice", name=name))
        names_given.add(name)
        values[name] = value
    return tuple(values.items())


def _parse_open(
    argument: str, game: Manifest, seats: int, box_seats: Sequence[int]
) -> tuple[tuple[HoldingKind, int], ...]:
    """The holdings of --open, and those of the seats that the box plays. Raises UnusableError."""
    open_holdings = [(kind, seat) for seat in box_seats for kind in game.holdings]
    for part in filter(None, (each.strip() for each in argument.split(","))):
        digits, ending = (part[:-1], part[-1]) if part[-1:] in ("d", "r") else (part, "")
        kinds = [kind for kind in OPEN_HOLDINGS[ending] if kind in game.holdings]
        if not digits.isascii() or not digits.isdigit() or not 1 <= int(digits) <= seats or (ending and not kinds):
            message = "--open takes seats 1 to {last}, such as 1 or 1d, not {given}"
            raise UnusableError(text(message, last=seats, given=printable_text(part)))
        open_holdings += [(kind, int(digits)) for kind in kinds]
    return tuple(sorted(set(open_holdings), key=lambda held: (held[1], list(game.holdings).index(held[0]))))

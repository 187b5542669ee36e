"""The formats of the report: with any names, without secrets, and in a real browser."""

from __future__ import annotations

import gc
import html
import json
import re
import shutil
import subprocess
from datetime import datetime, timedelta
from pathlib import Path
from urllib.parse import unquote

import pytest

from companion.__main__ import main
from companion.rounds.stored import LogEntry, RoundHeader
from companion.store.read_only_store import ReadOnlyStore
from companion.store.store import Store

NAMES = ("<b>&\"Ann'</b>", "李B_*o* $x^2$ |`")
BEGINS = datetime.fromisoformat("2026-11-20T20:00:00+01:00")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
QUIETLY = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
           "--disable-background-networking", "--disable-component-update")  # fmt: skip

DRAWN = "1x10 8x2 1x3 7x3 2x4 4x4 3x3 2x3"
"""A whole round of 27, expert, that ends 11 to 11."""


@pytest.fixture
def keep(tmp_path):
    """`keep(name, *writes)`: a data folder with these entries, a minute apart."""

    def kept(name: str, *writes: LogEntry) -> str:
        passed = 0.0
        store = Store(tmp_path / name, lambda: BEGINS + timedelta(seconds=passed), monotonic=lambda: passed)
        for write in writes:
            store.write_entries([write])
            passed += 60.0
        store.close()
        return str(tmp_path / name)

    return kept


def header_of_27(names: tuple[str, str]) -> list[LogEntry]:
    header = RoundHeader("27", (("variant", "expert"),), names)
    events = [(2 - number % 2, text) for number, text in enumerate(DRAWN.split(), 1)]
    return [LogEntry(1, "begin", header=header), *(LogEntry(1, "event", *each) for each in events),
            LogEntry(1, "result", text="11 11 winners 1 2")]  # fmt: skip


def test_names_are_text_in_every_form(keep, tmp_path, capsys):
    """Nothing in a name is taken for markup: not in the page, the text or the picture."""
    pytest.importorskip("matplotlib")
    data = keep("data", *header_of_27(NAMES))
    for ending in ("html", "md", "png"):
        assert main(["report", "--data", data, "-o", str(tmp_path / f"a.{ending}")]) == 0, capsys.readouterr().err
        assert capsys.readouterr().err == ""
    page = (tmp_path / "a.html").read_text()
    assert "<b>&" not in page
    for name in NAMES:
        assert page.count(html.escape(name, quote=False).replace('"', "&#34;").replace("'", "&#39;")) >= 2
    text = (tmp_path / "a.md").read_text()
    assert r"\<b\>\&" in text
    assert r"李B\_\*o\* \$x^2\$ \|\`" in text
    assert not re.search(r"(?<!\\)<b>", text)


def reef_entries(hand: str, drawn: str) -> list[LogEntry]:
    """A round that is not over. Ann's hand is open, and she has drawn."""
    header = RoundHeader("coral-reef", (("form", "cards"),), ("Ann", "Ben"), opened=(("deal", 1),))
    return [LogEntry(1, "begin", header=header), LogEntry(1, "deal", 1, hand), LogEntry(1, "event", 1, "1:45"),
            LogEntry(1, "event", 2, "1:5"), LogEntry(1, "event", 1, f"draw {drawn}")]  # fmt: skip


def test_a_round_that_is_not_over_keeps_its_secrets(keep, tmp_path):
    """The report is the same whatever is hidden in an open hand and was drawn into it."""
    pytest.importorskip("matplotlib")
    for ending in ("html", "md", "png"):
        reported = []
        for hand, drawn in (("45TTTTTK", "3"), ("45TTTTKQ", "2")):
            file = tmp_path / f"{drawn}.{ending}"
            assert (
                main(["report", "--data", keep(f"{drawn}{ending}", *reef_entries(hand, drawn)), "-o", str(file)]) == 0
            )
            reported.append(file.read_bytes())
        assert reported[0] == reported[1]
    assert "Not finished" in (tmp_path / "3.html").read_text()


def round_entries(number: int, names: tuple[str, str]) -> list[LogEntry]:
    """A round of 27 that the first player wins."""
    header = RoundHeader("27", (("variant", "expert"),), names)
    return [LogEntry(number, "begin", header=header), LogEntry(number, "event", 1, "1x9"),
            LogEntry(number, "result", text="9 8 winners 1")]  # fmt: skip


@pytest.mark.parametrize(
    ("rounds", "headline", "won"),
    [
        ((("Ann", "box-2"),), "An evening with the box", 0),
        ((("Ann", "box-2"), ("box-1", "box-3"), ("Ann", "Ben")), "Ann wins the evening, 1 of 1", 1),
    ],
)
def test_rounds_with_a_computer_player_are_shown_and_count_nowhere(keep, tmp_path, capsys, rounds, headline, won):
    """The report shows them with the computer player's name and curve; headline and standings ignore them."""
    pytest.importorskip("matplotlib")
    data = keep("data", *(line for number, names in enumerate(rounds, 1) for line in round_entries(number, names)))
    for ending in ("html", "md", "png"):
        assert main(["report", "--data", data, "-o", str(tmp_path / f"a.{ending}")]) == 0, capsys.readouterr().err
    text = (tmp_path / "a.md").read_text()
    assert text.startswith(f"# {headline}\n")
    assert f"| Ann | {won} | 0 | {won} |" in text
    assert "Ann beats box-2" in text
    page = (tmp_path / "a.html").read_text()
    assert f"<h1>{headline}</h1>" in page
    assert page.count('title="Round ') == won


def test_a_round_is_handed_to_bg_stats(keep, capsys):
    """`export --bgstats` is a link with the play as the app documents it, its time in UTC; only for a finished
    round.
    """
    data = keep("data", *header_of_27(("Ann", "Ben & Co")))
    assert main(["export", "--bgstats", "--data", data]) == 0
    address, _, given = capsys.readouterr().out.strip().partition("?data=")
    play = json.loads(unquote(given))
    assert address == "https://app.bgstatsapp.com/createPlay.html"
    assert play["game"] == {"name": "27", "sourceGameId": "27", "highestWins": True, "noPoints": False}
    began = BEGINS.astimezone()
    assert play["playDate"] == "2026-11-20 19:00:00"
    assert play["sourcePlayId"] == f"{began.isoformat(timespec='seconds')} 1"
    assert (play["durationMin"], play["board"]) == (9, "the expert game")
    assert [(each["name"], each["score"], each["winner"]) for each in play["players"]] == [
        ("Ann", 11, True), ("Ben & Co", 11, True)]  # fmt: skip
    assert main(["export", "--bgstats", "--data", keep("open", *reef_entries("45TTTTTK", "3"))]) == 2
    assert "cannot be sent to BG Stats" in capsys.readouterr().err


@pytest.mark.drill
@pytest.mark.parametrize("goal", [0, 1])
@pytest.mark.parametrize("players", range(2, 9))
def test_nothing_lies_over_a_heading_of_the_picture(keep, players, goal):
    """However many players and matches, no panel, chart or other text covers a text of the picture."""
    pytest.importorskip("matplotlib")
    from companion.display.replay_pictures import PANELS
    from companion.report.gather import gather_evening
    from companion.report.one_picture import draw_report

    names = tuple(f"Wilhelmina Mom {index}" for index in range(1, players + 1))
    header = RoundHeader("pad", (("title", "Skat"), ("wins", "highest"), ("target", "0"), ("turns", "0")), names, goal)
    writes = []
    for number in (1, 2, 3):
        writes += [LogEntry(number, "begin", header=header), LogEntry(number, "event", 1, "+3"),
                   LogEntry(number, "result", text=f"3{' 0' * (players - 1)} winners 1")]  # fmt: skip
    store = ReadOnlyStore(Path(keep("data", *writes)))
    figure = draw_report(gather_evening(store), PANELS)
    store.close()
    figure.canvas.draw()
    boxes = [text.get_window_extent() for text in figure.texts]
    axes = [each.get_window_extent() for each in figure.axes]
    assert not [
        (index, other) for index, box in enumerate(boxes) for other in (*boxes[:index], *axes) if box.overlaps(other)
    ]
    del figure, axes
    gc.collect()  # A figure is a circle of objects with a picture of 100 MB in it.


# -- in a browser -------------------------------------------------------------------------------------------------

LOOK = """
<!doctype html><title>look</title>
<iframe width="360" height="700" srcdoc="{page}"></iframe><iframe width="1100" height="700" srcdoc="{page}"></iframe>
<pre></pre><script>
addEventListener("load", () => {{
  const seen = [...document.querySelectorAll("iframe")].map(frame => {{
    const inside = frame.contentDocument, root = inside.documentElement;
    const charts = [...inside.querySelectorAll("figure svg")].map(svg => svg.getBoundingClientRect());
    return {{
      wide: frame.clientWidth, scrolls: root.scrollWidth,
      fetched: frame.contentWindow.performance.getEntriesByType("resource").map(entry => entry.name),
      charts: charts.filter(box => box.width > 200 && box.height > 80).length,
      pictures: [...inside.images].filter(image => image.complete && image.naturalWidth === 128).length,
      ids: [...inside.querySelectorAll("[id]")].map(each => each.id),
      lost: [...inside.querySelectorAll("use")].filter(use => !inside.querySelector(use.getAttribute("href"))).length,
      line: frame.contentWindow.getComputedStyle(inside.querySelector("figure svg path[style*=player]")).stroke,
    }};
  }});
  document.querySelector("pre").textContent = JSON.stringify(seen);
}});
</script>
"""


def pad_of_eight() -> list[LogEntry]:
    """A score pad of eight players."""
    names = tuple(f"{letter * 15}W" for letter in "ABCDEFGH")
    header = RoundHeader("pad", (("title", "W" * 16), ("wins", "highest"), ("target", "0"), ("turns", "0")), names)
    points = [LogEntry(1, "event", seat, f"+{99990 + seat}") for seat in range(1, 9)]
    result = " ".join(str(99990 + seat) for seat in range(1, 9))
    return [LogEntry(1, "begin", header=header), *points, LogEntry(1, "result", text=f"{result} winners 8")]


@pytest.mark.drill
@pytest.mark.skipif(CHROMIUM is None, reason="needs chromium")
@pytest.mark.parametrize(("which", "charts", "pictures"), [("evening", 12, 13), ("crowd", 1, 2)])
def test_the_page_in_a_real_browser(hosted, keep, tmp_path, which, charts, pictures):
    """Every chart and picture is there; nothing is fetched, no error is logged, and a phone does not scroll sideways.

    This holds for the evening, and for eight players with the longest names and scores.
    """
    pytest.importorskip("matplotlib")
    data = str(hosted[1]) if which == "evening" else keep("crowd", *pad_of_eight())
    assert main(["report", "--data", data, "-o", str(tmp_path / "evening.html")]) == 0
    page = (tmp_path / "evening.html").read_text()
    (tmp_path / "look.html").write_text(LOOK.format(page=html.escape(page)))
    profile = f"--user-data-dir={tmp_path / 'profile'}"
    command = [CHROMIUM, *QUIETLY, profile, "--enable-logging=stderr", "--virtual-time-budget=10000", "--dump-dom"]
    done = subprocess.run(
        [*command, (tmp_path / "look.html").as_uri()], capture_output=True, text=True, timeout=120, check=True
    )
    assert "CONSOLE" not in done.stderr, done.stderr
    seen = json.loads(html.unescape(re.search(r"<pre>(.*)</pre>", done.stdout)[1]))
    assert [each["wide"] for each in seen] == [360, 1100]
    for each in seen:
        assert each["scrolls"] <= each["wide"]
        assert [name for name in each["fetched"] if not name.startswith("data:")] == []
        assert (each["charts"], each["pictures"], each["lost"]) == (charts, pictures, 0)
        assert len(each["ids"]) == len(set(each["ids"]))
        assert re.fullmatch(r"rgb\(\d+, \d+, \d+\)", each["line"])


def test_the_longest_think_is_the_clocks(keep, tmp_path):
    """If the round's clock ran, its seconds count, not the time between entries, which includes menus."""
    lines = [line._replace(seconds=0.0 if line.text == "1x10" else 7.0) for line in header_of_27(("Ann", "Ben"))]
    lines[0] = lines[0]._replace(seconds=0.0)
    for name, writes, said in (
        ("clocked", lines, "Ann, 60 seconds before move 1"),
        ("both", [line._replace(seconds=9.0 if line.text == "1x10" else line.seconds) for line in lines],
         "Ann, 9 seconds before move 1"),
    ):  # fmt: skip
        assert main(["report", "--data", keep(name, *writes), "-o", str(tmp_path / "a.md")]) == 0
        assert f"**Longest think:** {said} of round 1." in (tmp_path / "a.md").read_text()


def test_a_score_pad_is_listed_by_its_name(keep, tmp_path):
    """A score pad has the name of its game, or that of a pad; the players are listed best first."""

    def pad(number, title, wins):
        options = (("title", title), ("wins", wins), ("target", "0"), ("turns", "0"))
        begun = LogEntry(number, "begin", header=RoundHeader("pad", options, ("Ann", "Ben", "Cleo")))
        events = [LogEntry(number, "event", seat, f"+{10 * seat}") for seat in (1, 2, 3)]
        winner = 1 if wins == "lowest" else 3
        return [begun, *events, LogEntry(number, "result", text=f"10 20 30 winners {winner}")]

    data = keep("pads", *pad(1, "Skat", "highest"), *pad(2, "Game", "lowest"))
    pytest.importorskip("jinja2")
    assert main(["report", "--data", data, "-o", str(tmp_path / "a.html")]) == 0
    page = (tmp_path / "a.html").read_text()
    assert re.findall(r'class="game">([^<]*)<', page) == ["Skat", "Score pad"]
    assert re.findall(r'class="score">([^<]*)<', page) == ["Cleo 30, Ben 20, Ann 10", "Ann 10, Ben 20, Cleo 30"]

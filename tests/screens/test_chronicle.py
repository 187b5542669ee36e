"""Pictures of what the kept rounds tell."""

from companion import screens
from companion.session.model import About, Item, Menu, Page, Past, Result, Saved, Session

ROUND = Saved(12, About("27", (), ("Ann", "Ben")))


def test_standings_of_all_time(golden):
    """Four players a page: rounds won of those played, rating and doubt; a long name gives way."""
    lines = ("Ann\t128/240\t1712±61", "Ben\t97/221\t1533±70", "Hildegard von B\t9/40\t1401±122", "Dan\t0/1\t1312±456")
    golden(screens.draw(Session(Page("ever", lines), Past())), "chronicle/all-time")
    golden(screens.draw(Session(Page("ever"), Past())), "chronicle/all-time-empty")


def test_a_round(golden):
    """A finished round with its reason; an unfinished one that can be gone on with."""
    lines = ("Round 12\t2026-11-21", "27, 20:15", "Ann 12, Ben 6", "Ann wins: all discs are stacked")
    over = ROUND._replace(result="12 6 winners 1")
    golden(screens.draw(Session(Page("round", lines, kept=over), Past())), "chronicle/round")
    lines = ("Round 12\t2026-11-21", "Prime Attactics, 20:15", "Ann - Ben", "unfinished")
    golden(screens.draw(Session(Page("round", lines, kept=ROUND), Past())), "chronicle/unfinished")


def test_standings_of_more_than_a_page(golden):
    """Arrowheads tell that there are more players than four, above or below."""
    lines = tuple(f"Player {at}\t0/{at}\t1500±500" for at in range(1, 9))
    golden(screens.draw(Session(Page("ever", lines), Past())), "chronicle/all-time-more")
    results = tuple(Result("pad", (f"Player {at}", "Ann"), (1, 0), (1,)) for at in range(1, 6))
    golden(screens.draw(Session(Page("standings"), Past(tonight=results))), "chronicle/tonight-more")
    golden(screens.draw(Session(Page("standings", at=1), Past(tonight=results))), "chronicle/tonight-rest")


def test_the_history(golden):
    """A round a line: its game, who played, and the scores of two."""
    items = (
        Item("round 9", "Ann - Ben", "12:6", "27"),
        Item("round 8", "Ann - Ben - Cleo - Dan", "over", "pad"),
        Item("round 7", "Ann - Hildegard", "not over", "prime-attactics"),
    )
    golden(screens.draw(Session(Menu("history", items, title="History"), Past())), "chronicle/history")


def test_a_round_of_eight(golden):
    """What does not fit a page stands on the next, and the page says so; there is none after the last."""
    names = ", ".join(f"Player {at} {at * 111}" for at in range(1, 9))
    lines = ("Round 6\t2026-11-21", "Skat, 20:15", names, "Player 8 wins")
    over = ROUND._replace(result="12 6 winners 1")
    golden(screens.draw(Session(Page("round", lines, kept=over), Past())), "chronicle/round-of-eight")
    second, third = (screens.draw(Session(Page("round", lines, at, kept=over), Past())) for at in (1, 2))
    golden(second, "chronicle/round-of-eight-rest")
    assert second.tobytes() == third.tobytes()

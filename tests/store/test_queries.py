"""Standings and ratings compared with a naive recount; takebacks and renames."""

from examples import example_count
from hypothesis import given, settings
from hypothesis import strategies as st

from companion import games
from companion.rounds import standings
from companion.rounds.stored import LogEntry, Rating, RoundHeader, StoredRound
from companion.store.history import RoundFilter
from companion.store.store import Store

NAMES = ("Ann", "Ben", "Cleo", "Dan")
GAMES = ("27", "coral-reef", "pad")


@st.composite
def rounds(draw):
    """Finished and unfinished rounds: game, names, scores by seat, winning seats (none: unfinished)."""
    game = draw(st.sampled_from(GAMES))
    names = draw(st.permutations(NAMES))[: draw(st.integers(2, 4))]
    scores = [draw(st.integers(-5, 10**20)) for _ in names]
    winners = draw(st.sets(st.integers(1, len(names)), max_size=len(names)))
    return game, tuple(names), scores, sorted(winners)


def save_rounds(store, played):
    for number, (game, names, scores, winners) in enumerate(played, 1):
        store.write_entries([LogEntry(number, "begin", header=RoundHeader(game, (), names))])
        if winners:
            text = f"{' '.join(map(str, scores))} winners {' '.join(map(str, winners))}"
            store.write_entries([LogEntry(number, "result", text=text, reason="it was late")])


@settings(max_examples=example_count(40), deadline=None)
@given(st.lists(rounds(), max_size=12), st.sampled_from(("", *GAMES)))
def test_standings_are_what_a_recount_gives(tmp_path_factory, played, game):
    """Played, won, drawn, streaks and best scores equal those counted by hand, with ratings in the order of rounds."""
    store = Store(tmp_path_factory.mktemp("kept"))
    save_rounds(store, played)
    counted, strength = {}, {}
    for each, names, scores, winners in played:
        if not winners or (game and each != game):
            continue
        won = [names[seat - 1] for seat in winners]
        strength.update(standings.rate_players({name: strength.get(name, Rating()) for name in names}, won))
        for name, score in zip(names, scores, strict=True):
            entry = counted.setdefault(name, {"played": 0, "row": [], "best": {}})
            entry["played"] += 1
            entry["row"].append("won" if won == [name] else "drawn" if name in won else "lost")
            if games.manifest_of(each).has_best_score:
                entry["best"][each] = max(entry["best"].get(each, score), score)
    found = store.standings(RoundFilter(game))
    store.close()
    assert {each.name for each in found} == set(counted)
    for each in found:
        entry = counted[each.name]
        runs = "".join(result[0] for result in entry["row"]).replace("d", " ").replace("l", " ").split(" ")
        assert (each.played, each.won, each.drawn) == (
            entry["played"],
            entry["row"].count("won"),
            entry["row"].count("drawn"),
        )
        assert (each.streak, each.longest_streak) == (len(runs[-1]), max(map(len, runs)))
        assert dict(each.best_scores) == entry["best"]
        assert each.rating == strength[each.name]
    assert [each.name for each in found] == [
        each.name for each in sorted(found, key=lambda each: (-each.won, each.played, each.name))
    ]


def test_a_result_that_is_taken_back_changes_no_rating(tmp_path):
    """Taking the last event back restores the ratings from before it."""
    store = Store(tmp_path)
    save_rounds(store, [("27", ("Ann", "Ben"), [12, 6], [1])])
    before = store.standings()
    store.write_entries([LogEntry(2, "begin", header=RoundHeader("27", (), ("Ann", "Ben")))])
    store.write_entries([LogEntry(2, "event", 1, "1x1"), LogEntry(2, "result", text="0 9 winners 2")])
    assert store.standings() != before
    store.write_entries([LogEntry(2, "back")])
    assert store.standings() == before
    assert store.summaries()[1].reason == store.summaries()[1].ended == ""
    store.close()


def test_a_shared_round_draws_ratings_together():
    """Of two unequal players who share a round, the weaker one gains."""
    after = standings.rate_players({"Ann": Rating(30.0, 3.0), "Ben": Rating(20.0, 3.0)}, ("Ann", "Ben"))
    assert after["Ann"].mu < 30
    assert after["Ben"].mu > 20
    assert Rating().display_points == 1500
    assert Rating().display_deviation == 500


def test_a_round_put_aside_can_be_resumed(tmp_path):
    """Going on with a round from the history makes it the unfinished round again."""
    store = Store(tmp_path)
    save_rounds(store, [("27", ("Ann", "Ben"), [0, 0], [])])
    store.write_entries([LogEntry(1, "aside")])
    assert store.load_history().unfinished_round is None
    store.write_entries([LogEntry(1, "resume")])
    assert store.load_history().unfinished_round.id == 1
    store.close()


def test_an_imported_round_keeps_its_reason(tmp_path):
    """The history knows why an imported round ended, but not when."""
    store = Store(tmp_path)
    store.import_round(
        StoredRound(0, RoundHeader("27", (), ("Ann", "Ben")), (), (), "12 6 winners 1", "all home"), "2020-01-01"
    )
    (kept,) = store.summaries(RoundFilter(player="Ann", since="2019", until="2020"))
    assert (kept.reason, kept.ended) == ("all home", "")
    assert store.summaries(RoundFilter(player="Zoe")) == store.summaries(RoundFilter(since="2021")) == []
    store.close()


def test_best_scores_compare_among_rounds_of_one_option(tmp_path, monkeypatch):
    """A game may name the option on which its scores depend. Then there is a best score for each of its values."""
    described = games.manifest_of("27")._replace(has_best_score="variant")
    monkeypatch.setattr(games, "manifest_or_placeholder", lambda game: described)
    store = Store(tmp_path)
    for number, (variant, score) in enumerate((("basic", 7), ("expert", 3), ("basic", 5)), 1):
        header = RoundHeader("27", (("variant", variant),), ("Ann", "Ben"))
        store.write_entries([LogEntry(number, "begin", header=header)])
        store.write_entries([LogEntry(number, "result", text=f"{score} 0 winners 1", reason="it was late")])
    ann = next(each for each in store.standings() if each.name == "Ann")
    assert dict(ann.best_scores) == {"27 basic": 7, "27 expert": 3}
    store.close()

"""Texts: they read as English sentences, and keep the message and values that they were made of."""

from __future__ import annotations

import json
import pickle

import pytest

from companion.games.api.text import Text, plural_text, text


def test_a_text_is_its_english_sentence():
    """A text can be compared, written and measured like the English sentence."""
    made = text("{who} takes {piece}", who="Ann", piece="7K5")
    assert made == "Ann takes 7K5"
    assert json.dumps([made]) == '["Ann takes 7K5"]'
    assert {made: 1}["Ann takes 7K5"] == 1


def test_a_text_has_its_message_and_values():
    """It can be translated later, also if it is inside another text or was sent to another process."""
    inner = text("{who}'s pieces", who="Ann")
    made = pickle.loads(pickle.dumps(text("{what} are open", what=inner)))
    assert (made.message, made.plural, made.number) == ("{what} are open", "", None)
    assert isinstance(made, Text)
    assert made.values["what"].message == "{who}'s pieces"


@pytest.mark.parametrize(("number", "said"), [(0, "0 rounds of Ann"), (1, "1 round of Ann"), (2, "2 rounds of Ann")])
def test_a_number_decides_the_form(number, said):
    """Both forms stay in the text, since other languages have other plurals."""
    made = plural_text(number, "{number} round of {who}", "{number} rounds of {who}", who="Ann")
    assert made == said
    assert (made.message, made.plural, made.number) == ("{number} round of {who}", "{number} rounds of {who}", number)


def test_braces_in_a_value_are_no_fields():
    """A player's name is never taken for a message."""
    assert text("{who} starts", who="{Ben}") == "{Ben} starts"
    assert text("100 % {sure}") == "100 % {sure}"


def test_a_missing_value_is_an_error_of_the_program():
    """Nobody gets to see a field that was not filled in."""
    with pytest.raises(KeyError, match="who"):
        text("{who} takes {piece}", piece="7K5")

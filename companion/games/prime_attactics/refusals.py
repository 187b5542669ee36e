"""What Prime Attactics refuses, in sentences. Refusals are raised where their rules are checked."""

from companion import game

WHAT_YOU_HOLD = "play only what you hold"
SLAM = "slam dunk"
SENTENCES = {
    "syntax": ("{said}", "not a move of this game", "moves look like x3, @/3, x7D or @+2/3"),
    "syntax tiles": ("{said}", "not all of it is tiles", "tiles look like +5, -2, x3, /4 or D+"),
    "syntax sign": (SLAM, "with × or ÷", "a slam dunk adds or subtracts"),
    "syntax double": (SLAM, "with a double", "no double in a slam dunk"),
    "deal seat": ("{kind} {seat}", "no such holding", "each seat has a display and a rack"),
    "deal size": ("{tiles}", "the {where} has {count}", "count your tiles"),
    "deal tile": ("{tile}", "not a tile of the {where}", "this tile cannot be there"),
    "deal alike": ("{tile}", "a set has only {copies}", "these tiles cannot all be there"),
    "turn": ("{move}", "you drew {drawn}", "first name the tiles you drew"),
    "turn refill": ("refill", "nothing was drawn", "a refill comes after a play"),
    "level": ("{tile}", "the set has {lowest} to {highest}", "other numbers are not in this game"),
    "held display": ("{tile}", "not on the display", WHAT_YOU_HOLD),
    "held rack": ("{tile}", "not in the rack", WHAT_YOU_HOLD),
    "held none": ("{tile}", "nothing left to play", WHAT_YOU_HOLD),
    "supply": ("{tile}", "none left in the set", "all of yours are played"),
    "supply pile": ("{tile}", "not in your pile", "you hold or have played it"),
    "double-black": ("{move}", "there is no black double", "only a coloured tile can be doubled"),
    "slam-level": (SLAM, "not in the {level} game", "only the full game has slam dunks"),
    "slam-target": (SLAM, "on your own score", "a slam dunk is for the other score"),
    "slam-once": (SLAM, "your second slam dunk", "each player has one slam dunk a round"),
    "slam-early": ("turn {turn}", "not before turn {first}", "slam dunks come after three rounds"),
    "negative": ("{sum}", "below 0", "a score can never be negative", "{most}"),
    "negative slam": ("{sum}", "below 1", "a slam dunk must leave something to divide", "{most}"),
    "inexact": ("{sum}", "remainder {rest}", "a division must leave no remainder", "{low} or {high} would divide"),
    "inexact small": ("{sum}", "remainder {rest}", "a division must leave no remainder", "{high} would divide"),
    "refill": ("{tiles}", "you drew {drawn}", "name every tile you drew"),
    "must-play": ("pass", "you can play", "a turn is missed only when nothing can be played"),
}
"""Code, and what tells its rows apart → the figure, what it contradicts, the rule, what would be accepted."""


class Refused(game.Refused):
    """A refusal of Prime Attactics."""

    sentences = SENTENCES

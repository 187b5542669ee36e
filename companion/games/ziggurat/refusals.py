"""What Ziggurat refuses, in sentences. Refusals are raised where their rules are checked."""

from companion import game

ONCE = "the set has each domino once"
SENTENCES = {
    "syntax": ("{said}", "a play is like 3-6 e4d4", "say two pips, then the cell of each"),
    "syntax domino": ("{said}", "a domino is like 3-6", "say two pips with a - between"),
    "deal seat": ("{kind} {seat}", "the seats are 1 to {players}", "there is no such hand"),
    "deal size": ("{dominoes} of {size}", "the hand of {who}", "each gets the same number"),
    "deal set": ("{who}", "the set ends at {top}-{top}", "a domino is not of this set"),
    "deal twice": ("{who}", "a domino twice", ONCE),
    "deal both": ("{who}", "{other} has one too", ONCE, "which one stays secret"),
    "set": ("{domino}", "the set ends at {top}-{top}", "there is no such domino"),
    "held": ("{domino}", "not in the hand", "play only what you hold"),
    "supply": ("{domino}", "it is on the table", ONCE),
    "supply other": ("{domino}", "another hand has it", ONCE),
    "adjacent": ("{cells}", "they share no edge", "a domino covers two cells side by side"),
    "adjacent same": ("{cells}", "the same cell twice", "a domino covers two cells side by side"),
    "anchor": ("{cells}", "the middle is d4", "the first domino covers d4 and e4 or d5"),
    "occupied": ("{cells}", "a domino lies there", "build only when the base is complete"),
    "occupied both": ("{cells}", "a domino lies there", "build only when the base is complete"),
    "frame columns": ("{number} columns", "{first} to {last}", "the base is 4×4", "4 is the most"),
    "frame rows": ("{number} rows", "{first} to {last}", "the base is 4×4", "4 is the most"),
    "touch": ("{cells}", "no domino is beside it", "it must share an edge with another domino"),
    "gap": ("{cells}", "{cell} could not be filled", "the base must become a full 4×4"),
    "gap somewhere": ("{cells}", "a gap would stay", "the base must become a full 4×4"),
    "vacant": ("{cells}", "nothing lies on {low}", "no domino over an empty cell"),
    "vacant low": ("{cells}", "{low} is {high} high", "level {level} needs two cells {ground} high"),
    "uneven": ("{cells}", "{first} high and {second} high", "heights must be equal", "{free} are still free"),
    "level": ("{cells}", "both are {high} high", "level {level} must be filled first", "{free} are still free"),
}
"""Code, and what tells its rows apart → the figure, what it contradicts, the rule, what would be accepted."""


class Refused(game.Refused):
    """A refusal of Ziggurat."""

    sentences = SENTENCES
    of_others = ("supply other",)

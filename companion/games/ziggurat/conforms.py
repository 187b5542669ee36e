"""Never imported: lets the type checker prove that this game's modules implement the protocols of a game."""

from companion.game import Rules
from companion.game.board import Board
from companion.game.coach import Coach
from companion.game.entry import Entry
from companion.game.screen import Screen
from companion.games.ziggurat import board, coach, entry, rules, screen

RULES: Rules[rules.State, rules.Move] = rules
ENTRY: Entry = entry
SCREEN: Screen = screen
BOARD: Board = board
COACH: Coach[rules.State] = coach.COACH

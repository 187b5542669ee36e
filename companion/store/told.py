"""What the store tells the players of its files and disks: sentences, and as values what has happened."""

from enum import Enum
from typing import NamedTuple

from companion.languages import joined as in_order


class Happened(Enum):
    """What a sentence tells; whoever has no room for the sentence says it in a few words of its own."""

    DAMAGED = "rounds were damaged, or are gone"
    MENDED = "files were damaged, and nothing is lost"
    LAST_ENTRY = "the last entry may be missing"
    CUT = "the last entries may be missing"
    NO_ROOM = "the disk is full"
    AWAY = "the second file is in the data folder, for its disk is away"
    FOREIGN = "the second file is in the data folder, for its disk is another table's"
    BACK = "the second file is on its own disk"


class Told(NamedTuple):
    """Sentences for the players, "" for none, and what they tell."""

    words: str = ""
    happened: frozenset[Happened] = frozenset()

    def and_then(self, other: "Told") -> "Told":
        """Both, one after the other."""
        return Told(joined(self.words, other.words), self.happened | other.happened)


def told(happened: Happened, words: str) -> Told:
    """A sentence that tells one thing."""
    return Told(words, frozenset((happened,)))


def joined(said: str, sentence: str) -> str:
    """Sentences and one more, which is not said twice."""
    if sentence in said:
        return said
    return in_order((said, sentence), " ") if said else sentence

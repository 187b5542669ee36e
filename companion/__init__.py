"""The referee at the table: rules, records, entry, screens and store."""

__version__ = "0.7.11"


class Unusable(Exception):
    """Something that comes from outside cannot be used: arguments, a file, a setting, the store, a socket.

    The text is one sentence, which is told to whoever gave it; `sentence` is the same as a text of the catalogues, and
    `short` its form for the panel. `status` is the exit status of a command that ends with it.
    """

    status = 2

    def __init__(self, sentence: str, short: str = "") -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.short = short or sentence

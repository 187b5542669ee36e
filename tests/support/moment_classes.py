"""Every kind of moment that the program has."""

from __future__ import annotations

import pkgutil
from importlib import import_module

import companion.moments
from companion.session.model import Moment


def kinds_of_moments() -> list[type[Moment]]:
    """The classes of moments in the program, found and not listed."""
    for module in pkgutil.walk_packages(companion.moments.__path__, "companion.moments."):
        import_module(module.name)
    found, todo = [], [Moment]
    while todo:
        kinds = todo.pop().__subclasses__()
        todo += kinds
        found += [kind for kind in kinds if kind.__module__.startswith("companion.") and not kind.__subclasses__()]
    return found

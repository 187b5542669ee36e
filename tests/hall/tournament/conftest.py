"""A hall with tournaments."""

from evening_hall import hall, shortest

__all__ = ["hall", "shortest"]

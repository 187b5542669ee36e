"""A club server with tournaments, and a browser at its pages."""

from tournament_night import client, hall, organiser, shortest

__all__ = ["client", "hall", "organiser", "shortest"]

"""A club server with tournaments, and a browser at its pages."""

from tournament_night import client, organiser, shortest_record, tournament_night

__all__ = ["client", "organiser", "shortest_record", "tournament_night"]

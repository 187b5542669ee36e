"""The club server's web pages: for the television, for tournaments, and for what the organiser may do.

Read `television` first. Of the modules about tournaments each imports only those before it: `player_lists`, `forms`,
`tournament_pages`.
"""

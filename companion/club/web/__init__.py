"""The hall's web pages: the television, the tournaments, and what the organiser may do.

Read `television` first; of tournaments each file knows those before it: `player_lists`, `forms`,
`tournament_pages`.
"""

"""The hall's web pages: the television, the tournaments, and what the organiser may do.

Read `app` first, then `television`; of tournaments each file knows those before it: `player_lists`, `forms`,
`tournament_views`, `tournament_pages`.
"""

"""Web pages for the big screen and for phones, served by a process beside the table's.

Read `app` first, then `table_client`, which is connected to the table's socket, and then the pages: `player_pages` and
`host_pages`.
"""

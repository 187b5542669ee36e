"""Web pages for the big screen and for phones, served by a process beside the table's.

Read `app` first, then `table_client`, which follows the table by its socket, and the pages,
`player_pages` and `host_pages`.
"""

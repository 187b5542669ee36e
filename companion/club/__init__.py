"""A club night with many tables: an `uplink` beside each table sends to one `hall` through an MQTT broker.

Nothing depends on the broker's memory: a table's store keeps every round, the hall says which rounds it has, and the
uplink sends the others again. docs/hall.md describes topics and messages. The table's own program takes
offers of pairings at its public socket, and knows nothing else of the club.

Read `messages` and `mqtt` first, which both sides use; `database` is the club's file, `broker_access` the broker's
accounts. Of what runs beside a table read `uplink`, then `backlog`; of
the hall `hall`, then `intake`. Of tournaments each file knows those before it: `tournament`, `next_round`,
`tie_breaks`, `exports`, `tournament_changes`, `tournament_store`, and `desk`, which looks after pairings at the tables.
The pages are in the folder `web`.
"""

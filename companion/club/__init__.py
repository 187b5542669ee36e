"""A club night with many tables: an uplink beside each table sends to one club server through an MQTT broker.

    table ──(public socket)── uplink ══(MQTT)══ broker ══(MQTT)══ club server ── pages
                                 │                                    │
                            data folder                           club's file

Nothing depends on the broker's memory. A table's store has every round, the club server says which rounds it has, and
the uplink sends the others again. docs/hall.md describes topics and messages. The table's own program takes offers of
pairings at its public socket, and knows nothing else of the club.

Read `mqtt_messages` and `broker_client` first, which both sides use; `club_database` is the club's file,
`broker_access` the broker's accounts. Of what runs beside a table read `uplink`, then `backlog`; of the server
`club_server`, then `club_store`. Of the modules about tournaments each imports only those before it: `tournament`,
`next_round`, `tie_breaks`, `tournament_exports`, `tournament_changes`, `tournament_store`, and `tournament_director`,
which offers pairings at the tables. The pages are in the folder `web`.
"""

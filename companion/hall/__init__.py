"""A club night of many tables: `uplink` beside each table, `intake` where they come together; a broker only carries.

The table's store is the outbox, so a broker may lose all that it has: what the hall has taken in it says, and whatever
it has not is sent again. docs/hall.md describes topics and messages. A table knows nothing of this.
"""

"""Who plays whom: the FIDE (Dutch) System and the Berger tables; pure. Read `next_round` first: it runs apart."""

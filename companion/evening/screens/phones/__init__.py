"""Who is let in with a phone, and what the phones of players and of the host may ask for."""

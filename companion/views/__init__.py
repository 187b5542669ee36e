"""What others than those at the box may see of a session, as plain data: everybody, and each player's own phone.

Read `public` first, then `phone_view`.
"""

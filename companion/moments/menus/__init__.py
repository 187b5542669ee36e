"""The main menu, the menu "more" and what they lead to.

Read `menu` first.
"""

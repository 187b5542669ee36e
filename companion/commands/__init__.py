"""The commands: the module of a command has `main(arguments) -> exit status`, and only that module is imported.

What commands share, and parts of long ones, is in `parts`; none of it is a command.
"""

"""The commands: each is a function `(arguments) -> exit status`, and only its own module is imported.

`companion.__main__` lists the commands and their modules. The other modules have what several commands share:
`options`, `text_streams`, `command_store`, `exported_text` and `table_startup`. `host_process` is a program of its own.
"""

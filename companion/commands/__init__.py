"""The commands: the module of a command has `main(arguments) -> exit status`, and only that module is imported.

`companion.__main__` lists the commands. The other modules hold what several of them share (`options`, `streams`,
`opened_store`, `exported_text`, `table`, `session_settings`), or what one of them imports late.
"""

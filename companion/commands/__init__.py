"""The commands: each is a function `(arguments) -> exit status`, and only the module that has it is imported.

`companion.__main__` lists the commands and their modules. The other modules hold what several of them share: `options`,
`streams`, `opened_store`, `exported_text` and `table`. `host_process` is a program of its own.
"""

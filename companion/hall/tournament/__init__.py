"""A club evening's tournament: who plays whom, the standings, and what comes back from the tables.

Each file knows those before it: `model`, the folder `pairs`, `standings`, `store`; what is changed: `players`,
`settings`, `collecting`, `rounds`, and `desk`, which looks after all of it while the hall runs; what is shown: `lists`,
`choices`, `exports`, `trf`, `views`, `forms`, `pages`, `paper`.
"""

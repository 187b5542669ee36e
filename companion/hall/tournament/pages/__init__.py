"""The tournaments on pages, on paper and in files; what organisers send with their forms.

Each file knows those before it: `lists`, `choices`, `exports`, `trf`, `views`, `forms`, `tournament_pages`, `paper`.
"""

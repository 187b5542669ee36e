"""Web pages for the big screen and for phones, served by a process beside the table's."""

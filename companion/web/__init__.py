"""The web beside the table: pages for the big screen and for phones, served by a process of its own."""

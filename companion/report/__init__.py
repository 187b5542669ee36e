"""Evening reports: facts computed from stored rounds, and the pages that show them."""

"""What an evening tells when it is looked back at: facts, counted from what is kept, and the pages that show them."""

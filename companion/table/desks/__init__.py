"""What works beside the loop in threads, each for its own requests: look backs, hints, the box, phones, the hall.

Read `desks` first: it opens and closes all of them.
"""

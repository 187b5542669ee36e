        lines.append(("○", "Turning point", f"{reported.summary.winners[0]} leads for good from {ahead}"))

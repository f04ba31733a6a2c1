"""Numbers in, numbers out: rates, intervals, paired tests and curves, each the same on every machine."""

"""Rules before records: what a registration fixes, whether it came first, and whether it still stands."""

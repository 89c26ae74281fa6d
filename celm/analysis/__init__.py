"""Records become findings: pure functions of tidy frames."""

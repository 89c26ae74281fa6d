"""What every room may use: seeds, checks of arguments, threads, whole files; imports nothing of ours."""

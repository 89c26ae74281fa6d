"""The benchmark of the library against its peers and against what no arrangement can avoid: make bench."""

"""Analyses that belong to no single paper: every file here that holds an Analysis stands on the page by itself."""

"""From conf/ and a command line to studies: the schema that Hydra knows, entries, overrides, identities, sweeps."""

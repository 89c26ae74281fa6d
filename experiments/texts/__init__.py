"""What people read: README, documentation and article take every number of the findings from here."""

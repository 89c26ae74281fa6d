"""celm: constrained extreme learning machines and the replication of the paper that proposed them."""

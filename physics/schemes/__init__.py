"""Ways of taking a step: one linear solve, Newton on positions, backward Euler, plain PGS."""

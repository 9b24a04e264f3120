"""What is added to a world: keys, checks, mass and help of its `add_…` calls, before it is made."""

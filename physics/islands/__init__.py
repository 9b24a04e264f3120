"""Islands of bodies that hang together, and sleeping: islands at rest are left out of the step."""

"""Levels played by scripts that look at what happens, and by lazy ones that do not."""

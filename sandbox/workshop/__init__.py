"""Building a level by hand: what the mouse does to a draft of it, and what is shown meanwhile.

`Builder` is the counterpart of `sandbox.app.player.Player`: it has a camera, a pointer and tools,
and gives scenes; but nothing moves, and everything that is done is a change of the level's text
(`levels.draft`). The panels are in `sandbox.ui`.
"""

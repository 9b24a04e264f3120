"""What a new level begins with: ground, light and a view; the rest is up to its builder."""

_THREE = """format = 1
title = "My level"
hint = "Say here what to do."

[camera]
position = [6, 5, 13]
target = [0, 1.2, 0]

[bodies.ground]
shape = "plane"
fixed = true
friction = 0.8
"""

_TWO = """format = 1
title = "My level"
hint = "Say here what to do."
dimension = 2

[camera]
target = [0, 3]
height = 11

[bodies.ground]
shape = "plane"
fixed = true
friction = 0.8
"""

NEW = {"3-D": _THREE, "2-D": _TWO}

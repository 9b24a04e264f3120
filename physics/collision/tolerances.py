"""Every tolerance of collision detection: unit, reason, what breaks when it is changed."""

# Contacts are reported up to this gap [m] even at rest, so that a resting body that has been
# lifted by rounding keeps its contacts and their impulses. Larger costs rows, smaller loses them.
REST_MARGIN = 1e-3

# [m/s²] A body at rest may be accelerated by this much within the step before it is looked at
# again: the margin grows by ACCELERATION h². Below gravity, bodies sink by up to g h² on landing.
ACCELERATION = 10.0

# The reference face of a manifold changes only if another axis separates by this share of the
# shape's size more. Without it feature ids flicker between equally good faces.
FACE_PREFERENCE = 2e-3

# Edge directions whose cross product is shorter than this (of unit edges) are parallel: the face
# axes already cover them, and the normalised product would be noise.
PARALLEL_EDGES = 1e-3

# Core distances below this [m] have no reliable direction; the separating-axis test takes over.
CORE_TOUCH = 1e-7

# Conservative advancement stops this far [m] before the touch, where the normal is still sharp.
SWEEP_TARGET = 1e-4

# Two contact normals of one pair whose cosine exceeds this belong to one manifold (about 8°).
SAME_NORMAL = 0.99

# A capsule lies on a face, and gets two contact points, if the sine of its slope is below this.
LYING = 0.1

# An edge of a mesh whose neighbours bend outward by less than this sine is inner surface: it can
# be slid over and must not stop anything.
FLAT_EDGE = 0.02

# A point this far [m] behind a mesh triangle still is in front of it, plus what it may have
# moved: a sheet has no inside, so beyond this the other side's triangles decide.
SHEET_DEPTH = 0.02

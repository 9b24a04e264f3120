"""Every tolerance of collision detection: unit, reason, what breaks when it is changed."""

# Contacts are reported up to this gap [m] even at rest, so that a resting body that has been
# lifted by rounding keeps its contacts and their impulses. Larger costs rows, smaller loses them.
REST_MARGIN = 1e-3

# [m/s²] A body at rest may be accelerated by this much within the step before it is looked at
# again: the margin grows by ACCELERATION h². Below gravity, bodies sink by up to g h² on landing.
ACCELERATION = 10.0

# Share of the smaller shape's size up to which two that move along together are looked at ahead, as
# one of them may be stopped within the step. 0 lets what falls together sink into each other.
COMMON_WAY = 0.25

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

# A corner of the polygon that stands for a rim is turned towards what it touches if the sine of the
# tilt exceeds this. Below, rounding would turn it about at random, and impulses with it; above, a
# standing cylinder would tip over a side of the polygon instead of its rim.
ALIGNED_RIM = 1e-4

# What rests tends aside, as on a slope, if its way within the step does by more than this share of
# its way across the plane of contact: a pin a hundred times as high as wide tips there. Smaller
# takes the last trembling of what comes to rest for a slope.
LEANING = 0.01

# Cylinders and cones are led apart by an inner solid this share of their smallest size inside, as
# the direction of an overlap must be known. Smaller leaves deep overlaps to the polygons, larger
# blunts the direction where a rim meets an edge.
INNER_SHARE = 0.1

# A one-way platform is touched where the cosine of the contact's direction with its own exceeds
# this (60°): its rims and its back let everything pass.
ONE_WAY_CONE = 0.5

# A new contact with a one-way platform must not be deeper than this [m]: what comes from behind is
# let through until it has come out. Smaller loses what lands fast, larger lifts what passes.
ONE_WAY_DEPTH = 5e-3

# An edge of a mesh whose neighbours bend outward by less than this sine is inner surface: it can
# be slid over and must not stop anything.
FLAT_EDGE = 0.02

# A point this far [m] behind a mesh triangle still is in front of it, plus what it may have
# moved: a sheet has no inside, so beyond this the other side's triangles decide.
SHEET_DEPTH = 0.02

# Radius of the ball that keeps a centre from passing a surface, in half widths of its body where it
# is thinnest. Smaller lets bodies sink in by more than half, larger stops them before they touch.
CENTRE_SHARE = 0.5

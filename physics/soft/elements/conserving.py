"""Tolerances of steps that conserve: unit, reason, and what breaks when they are changed."""

# Poisson's ratio that stands for ½, at which the bulk modulus would be infinite: λ = 5e4 μ, volume
# kept to 1e-5 of a strain. Nearer to ½ the matrix loses digits that stiff solids need.
NEARLY_INCOMPRESSIBLE = 0.49999

# m/s: Newton's corrections of elements stop when no velocity changes by more and no momentum per
# mass is left, but for round-off. Momenta are kept whatever it is (physics/soft/solve/momenta.py).
ELEMENT_TOLERANCE = 1e-5

# m/s, of momentum per mass: where something touches, what elements may leave to the next step, a
# hundredth of what gravity gives. Velocities go on changing there as contacts close, which is slow.
TOUCHING_TOLERANCE = 1e-3

# Corrections with one factor: a body that turns by 0.1 rad in a step needs four or five, by 0.4 rad
# a dozen; beyond this many a new factor at the newest positions is cheaper.
ELEMENT_CORRECTIONS = 14

# Times that a step's elements are linearised anew before backward Euler takes it; crushed bodies
# need two.
LINEARISATIONS = 4

# m: seams are closed to it within every step; what rounding leaves of positions is a tenth of it.
SEAM_TOLERANCE = 1e-7

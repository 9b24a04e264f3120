"""When sweeps over contacts stop, and what is solved directly: unit, reason, what breaks."""

# Share of a group's fastest normal speed: sweeps stop when no speed changes by more. At rest that
# speed is g h, and a pyramid creeps by a few times this share of it.
CONTACT_SHARE = 3e-5

# Share of its fastest normal speed to which a group too large for a direct solution is swept: less
# spends sweeps on creep that nobody sees, ten times more lets thirty boxes of 1 and 100 kg sag.
LARGE_SHARE = 1e-4

# m/s below which no group need converge, whatever its share: that is creep of 0.1 mm in a minute;
# 0 would sweep resting groups to rounding.
CONTACT_TOLERANCE = 1e-6

# m/s of normal speed from which on a group is in motion and may be solved less exactly; smaller
# lets slow stacks creep, larger spends exactness on rubble.
FAST_CONTACT = 0.5

# Share of a moving group's speed beyond FAST_CONTACT that its tolerance grows by; larger makes
# rubble bounce.
FAST_SHARE = 2e-3

# Sweeps after which a large group that meets faster than FAST_IMPACT is left: bodies that rain on a
# pile press it together for some steps, then it is solved as ever. Fewer let it interpenetrate.
FAST_SWEEPS = 12

# m/s of normal speed from which on FAST_SWEEPS bounds a large group's sweeps; smaller
# also takes stacks that merely topple for rubble.
FAST_IMPACT = 3.0

# Contacts up to which a group is always solved exactly, in motion too: it costs little, and single
# things are looked at closely.
FAST_GROUP = 40

# Contacts up to which a group in motion may be solved directly whatever its masses; larger groups
# of like masses converge sooner by sweeps.
FEW_CONTACTS = 8

# Ratio of effective masses within which a group counts as of like masses: boxes, balls and capsules
# of one mass differ by less than ten. Larger leaves groups to sweeps that do not end.
LIKE_MASSES = 30.0

# Contacts times sweeps of one island in one step, however often it is solved: bounds the time of a
# step; smaller leaves large groups unsolved for longer.
SWEEP_BUDGET = 60_000

# Factorising n rows costs as much as n³ over this many updates of a contact: what direct solutions
# take of SWEEP_BUDGET. Larger lets them take longer.
FACTOR_SHARE = 600.0

# Sweeps that SWEEP_BUDGET never cuts below, however large the group: the next step goes on from
# there, and with fewer it would never get anywhere.
LEAST_SWEEPS = 30

# Updates in a row of the points of one pair within a sweep, as these are coupled most; 1 needs more
# sweeps.
PAIR_UPDATES = 2

# Rounds of sweeps per contact before the direct solution is tried; fewer pay its cube where sweeps
# would have converged.
DIRECT_AFTER = 0.25

# Sweeps before the direct solution is tried where there is rolling friction, which it leaves as it
# finds it: a ball that is held on a slope by it needs some twenty. Fewer let it creep.
ROLLING_SWEEPS = 32

# Direct solutions of one group in one solve: sweeps between them may change which contacts
# slide, but each costs the cube of its rows.
DIRECT_ATTEMPTS = 3

# Share of the diagonal that the direct solution adds to it, so that redundant contacts share their
# load; repeating undoes it. 0 fails on four points under one box.
DIRECT_SHIFT = 1e-9

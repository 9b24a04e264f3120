"""Every tolerance and constant of the engine: unit, reason, and what breaks when it is changed."""

# --- adaptive treatment -----------------------------------------------------------------------
THETA = 1.0  # share of h²k added as inertia; below 1/4 a tight chain of any mass ratio vibrates
ALPHA = 1.0  # share of the body's own inertia that needs no help; larger adds less, rings more
SIGMA = (
    0.6  # share of the fluctuating momentum of the added inertia that is given up; 0 rings, 1 drags
)
BETA = 0.2  # weight of the newest velocity in the running mean; smaller calls more motion vibration

# --- position solve ---------------------------------------------------------------------------
NEWTON_TOLERANCE = 1e-9  # m or rad; a hundred times below what a joint gap can be seen at
NEWTON_ITERATIONS = 8  # beyond it the step is handed to the guard
CHORD_RATE = 0.1  # a frozen Jacobian must shrink the error by this, else it is evaluated anew

# --- linear solver ----------------------------------------------------------------------------
REDUNDANCY = 1e-10  # ε of rows in closed loops, relative to 1/effective mass; 0 fails on redundant
# rows, 1e-9 leaves visible drift at a million to one
INERTIAL_ALPHA = 1.0  # α of [Andrews17, Eq. 10]

# --- bounded rows -----------------------------------------------------------------------------
LIMIT_RECOVERY = 0.2  # share of a limit's violation taken back per step; 1 throws limbs about
LIMIT_PUSH_SPEED = 1.0  # m/s or rad/s; no violation is taken back faster, however short the step
ROPE_PULL_SPEED = 10.0  # m/s; a rope found too long is taken in no faster. Winches are slower;
# within a short part of a step a rope 1 m too long would pull at 1e5 m/s
BLURRED_SWING = 0.05  # rad; nearer to its axis than this a limb has no direction of swing to stop
IMMOVABLE = 1e-12  # of what its bodies would give way alone; a bounded row that gives way by less
# is held by other joints, and an impulse could only blow up
LIMIT_MARGIN = 0.05  # m or rad; a limit closer than this (plus its motion) takes part in the step
IMPACT_MARGIN = 0.5  # m or rad; the same where contacts may change the motion within the step
LIMIT_MISS = 3e-3  # m or rad by which a step may end beyond a limit before it is taken again: a
# fifth of the excess is taken back per step, so it stays below five times this, 0.9°
ACCEPTED_LIMIT_MISS = 0.025  # m or rad; 1.4°: beyond it the step is taken in shorter parts
RETAKES = 5  # of one step, each with better aims at limits and contacts; two are enough as a rule,
# a limb that turns by a radian in a step needs more
BLURRED_TWIST = 3.0  # 1/cos(swing/2); a twist limit rests where the limb is swung by more than
# 141°: near half a turn tiny motions would count as half turns of twist
SWEEP_TOLERANCE = 1e-7  # m/s; sweeps of bounded rows stop when no speed changes by more
MAX_SWEEPS = 200  # sweeps of bounded rows and contacts; [Tournier15] used 200
MIX_DEPTH = 4  # earlier sweeps that are combined; more remember what no longer holds

# --- contacts ---------------------------------------------------------------------------------
CONTACT_SHARE = 3e-5  # sweeps over a group of contacts stop when no speed changes by more than this
# share of its fastest normal speed; at rest that is g h, and a pyramid creeps by a few times that
LARGE_SHARE = 1e-4  # the same for groups that are too large for a direct solution
CONTACT_TOLERANCE = 1e-6  # m/s; whatever that share is
FAST_CONTACT = 0.5  # m/s; a group that meets faster is in motion, and need not be exact:
FAST_SHARE = 2e-3  # of the speed beyond that may be left,
FAST_SWEEPS = 12  # or so many sweeps are enough where it meets faster than
FAST_IMPACT = 3.0  # m/s: bodies that rain on a pile press it together for some steps,
FAST_GROUP = 40  # if it has more contacts than this; fewer are always exact
FEW_CONTACTS = 8  # groups with more, in motion, without joints and with effective masses within
LIKE_MASSES = 30.0  # times of each other are never solved directly: sweeps end sooner. Boxes, balls
# and capsules of one mass differ by less than ten
SWEEP_BUDGET = 60_000  # contacts times sweeps of one group in one solve: bounds the time of a step,
LEAST_SWEEPS = 30  # but never to fewer sweeps than this; the next step goes on from there
CONTACT_VISITS = 2  # of the points of one pair in a sweep, as these are coupled most
LANES = 2  # groups that may be solved at the same time, each with scratch of its own
SHARED_CONTACTS = 256  # beyond the largest group from which on a second thread is asked to help:
# some 0.5 ms of work, where asking takes 0.1 ms
DIRECT_CONTACTS = 64  # groups up to this size are solved directly when sweeps alone do not end
DIRECT_AFTER = 0.25  # rounds of sweeps per contact before that is tried: it costs the cube
ROLLING_SWEEPS = 32  # before that is tried where there is rolling friction, which a direct solution
# leaves as it finds it: a ball that is held on a slope by it needs some twenty
DIRECT_ATTEMPTS = 3
DIRECT_SHIFT = 1e-9  # of the diagonal: redundant contacts share their load; repeating undoes it
DIVERGED_SHARE = (
    3.0  # of a group's fastest speed: sweeps that still change speeds by more than this
)
DIVERGED_SPEED = 1.0  # and this, m/s, in the end have diverged
CONTACT_SLOP = 2e-5  # m of overlap or gap that is left alone; 0 keeps resting stacks busy
CONTACT_RECOVERY = 0.2  # share of the rest of an overlap pushed out per step; 1 overshoots on edges
CONTACT_PUSH_SPEED = 1.0  # m/s; no overlap is pushed out faster, however deep
CONTACT_MISS = 2e-3  # m by which the contact of a jointed body may end too deep before the step is
# taken again with a better aim; smaller repeats steps for what nobody can see
ACCEPTED_MISS = 0.05  # m; deeper than that by more the step is taken in shorter parts
LEAST_HEIGHT = 0.25  # share of a jointed body's height above what it touches that a step must leave
FORESEEN_MOTION = 0.25  # m a jointed body may be off its course, where contacts were looked for;
UNSEEN_MOTION = (
    0.12  # m of that for a small body that nothing touches: it would pass a wall unseen.
)
# Smaller cuts the steps of every gram on a stiff spring into dozens of parts
WILD_MOTION = 1.0  # m a body may be off its course where nothing was near: more may cross a wall,
# less cuts the steps of every whip
OFF_COURSE = 0.01  # m, and
OFF_COURSE_SHARE = 0.25  # radii of gyration: who is off its course by more must not have crossed a
# surface unseen. Smaller only asks more often
CROSSED_DEPTH = 1e-3  # m beyond it that a middle may be: points without size rest on surfaces
BLOW_SHARE = 4.0  # of the fastest body's way in a step, for bodies without joints: an impact gives
# up to twice its speed, and there may be a second one in the same step
SETTLE_SPEED = 2e-3  # m/s; speeds of pushing out below it may stay: they lift by less than 1e-6 m
SETTLE_TOLERANCE = 2e-4  # m/s to which a larger group is settled: a tenth of what may stay anyway
BOUNCE_SPEED = 0.2  # m/s; slower impacts do not bounce, or nothing would come to rest

# --- sleeping ---------------------------------------------------------------------------------
SLEEP_SPEED = 1e-2  # m/s (turning: times the radius of gyration) below which a body may be at rest;
# a head that pivots between neck and floor has nothing to stop it and rolls on at 7 mm/s
SLEEP_TIME = 0.5  # s that all of an island must have been at rest; shorter freezes what turns
REST_INTERVAL = 8  # steps between two looks at who is at rest

# --- the guard --------------------------------------------------------------------------------
ACCEPTED_ERROR = (
    2e-5  # m or rad left by Newton with which a step still counts as solved: a fifth of
)
# the tenth of a millimetre that a joint may gape; nets under 1e5 : 1 do not get below 3e-6
LENIENT_ERROR = (
    1e-3  # m or rad; accepted before everything is held still, and from then on for some
)
LENIENT_STEPS = 60  # steps: loops of rigid joints at 1e9 : 1 may not get below 1e-4 m for long
ENERGY_SHARE = 0.003  # of m·g·size + kinetic energy that one step may gain from nothing
HALVINGS = 10  # parts of a step are halved so often before it is solved implicitly; at 0.1 s a
# cable that snaps taut under 15 t needs parts of 0.4 ms
RESCUE_ATTEMPTS = 300  # parts tried in one step; bounds the hiccup
RESCUE_CREDIT = 1200  # parts tried in a row of bad steps; a million to one going taut takes 290
STUCK_STEPS = 3  # standstills in a row after which what cannot be solved is put to sleep
LAST_ATTEMPTS = 16  # parts tried before holding still, whatever was spent before
RESCUE_REFILL = 15  # parts that every step earns back: the lasting cost of what stays unsolvable
IMPLICIT_HALVINGS = 4  # backward Euler is tried whole and in 2, 4, 8, 16 parts
IMPLICIT_ITERATIONS = 30
IMPLICIT_TOLERANCE = 1e-9  # m or rad, as NEWTON_TOLERANCE
IMPLICIT_TURN = 0.5  # rad; larger rotations in one iteration leave Newton's basin
STRAY_SPEED = 30.0  # m/s by which a body may move faster than its speeds before and after the step
# say; pushing apart what overlaps takes less. More is a contact that was not solved
RUNAWAY_SPEED = 1e7  # m/s; beyond it a world without the guard counts as diverged

# --- solver "pgs" -----------------------------------------------------------------------------
PGS_SWEEPS = 50  # what engines spend on a frame
PGS_FEEDBACK = 0.2  # share of φ/h steered back per step; 1 makes unconverged sweeps explode

# --- hands ------------------------------------------------------------------------------------
GRAB_FREQUENCY = 12.0  # rad/s of the mouse spring on whatever mass it meets; higher yanks
GRAB_ACCELERATION = 300.0  # m/s²; the spring's force never accelerates that mass by more

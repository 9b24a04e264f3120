"""Tolerances and constants of the engine: unit, reason, and what breaks when one is changed.

Those of detection alone are in `collision/tolerances.py`, those of sweeps over contacts in
`contact/solver/convergence.py`.
"""

# --- rounding ---------------------------------------------------------------------------------

# What is divided by counts as at least this, so that what cannot move divides by no zero; larger
# would be a mass or a mobility that bodies have.
NOT_ZERO = 1e-300

# m: points nearer than this have no direction between them but that of rounding; smaller turns
# contacts about at random, larger takes contacts of thin things for none.
NO_DIRECTION = 1e-9

# rad: what turns by less within a step is not bent by it; smaller spends Newton on bodies at rest,
# larger lets tops drift.
STILL_TURN = 1e-9

# Share of its turn at which Newton on a free spin stops, some digits above rounding: larger loses
# angular momentum step by step, smaller never ends.
SPIN_TOLERANCE = 1e-13

# Sine of a swing below which it has no plane of its own; smaller divides rounding by rounding,
# larger takes swings near to straight for straight.
STRAIGHT_SWING = 1e-6

# --- adaptive stabilization -------------------------------------------------------------------

# Share of h²k added as inertia; below 1/4 a tight chain of any mass ratio vibrates, more drags.
THETA = 1.0

# Share of the body's own inertia that needs no help; larger adds less and rings more.
ALPHA = 1.0

# Inertia against relative turning that a torque τ needs no help with, h²|τ| over it. K̃ of a dot-1
# row is ±τ/2 across its axis: leapfrog holds up to 8, 4 for two joints. Smaller drags every whip.
TORQUE_HELD = 4.0

# h²|τ| over the largest inertia that a slender body holds, having next to none about its axis;
# larger takes chains of hinges at 1e6 : 1 apart, smaller drags.
TORQUE_HELD_SLENDER = 0.25

# Share of its distance that a joint may lie beside the line of a body's other joints: rounding of
# what was placed; larger leaves a slender link's spin to the forces of such joints.
ON_THE_LINE = 1e-9

# Share of the fluctuating momentum of the added inertia that is given up; 0 rings, 1 drags.
SIGMA = 0.6

# Weight of the newest velocity in the running mean; smaller takes more motion for vibration.
BETA = 0.2

# --- position solve ---------------------------------------------------------------------------

# m or rad at which Newton stops: a hundred times below what a joint gap can be seen at; larger
# lets joints drift from step to step.
NEWTON_TOLERANCE = 1e-9

# Corrections of one step, which converges in two or three; a step that needs more than this is
# refused and recovered.
NEWTON_ITERATIONS = 8

# Factor by which a correction with the old Jacobian must shrink the error, else the Jacobian is
# evaluated anew; larger saves factorisations and spends corrections.
CHORD_RATE = 0.1

# Times that a substep without solution is tried again with added inertia as of four times the
# forces. Fewer cut what is jerked into substeps.
STIFFENINGS = 3

# m or rad by which a joint must gape to count as found apart; smaller takes what Newton leaves.
APART = 1e-4

# 1/s: share of its gap that it then closes by; larger snaps, smaller is seen for longer.
CLOSING_RATE = 20.0

# m/s or rad/s at which it closes at most; larger passes what is in the way.
CLOSING_SPEED = 10.0

# (hω)² up to which a compliant row is a spring that rings; what is stiffer cannot be resolved by
# the step, which holds its end length instead. 4 is where leapfrog itself would become unstable.
RESOLVED = 4.0

# m by which a rope may be too long before it holds: rounding. Larger lets it creep.
ROPE_EXCESS = 1e-9

# m that a rope may be shorter than its length and still be supposed to hold: what a taut one is off
# by. Larger makes slack ropes need one more round.
ROPE_NEAR = 1e-6

# Share of the strongest rope's impulse, and m/s on its own bodies, by which a rope must push to let
# go: less is rounding of what others carry. Smaller lets taut ropes flicker, larger lets them push.
ROPE_PUSH = 1e-9

# Solutions of one substep in which ropes may tighten and let go: two or three do; a net that is hit
# takes more, and goes on in shorter substeps.
ROPE_ROUNDS = 12

# --- linear solver ----------------------------------------------------------------------------

# ε of rows in closed loops, relative to 1/effective mass; 0 fails on redundant rows, 1e-9 leaves
# visible drift at a million to one.
REDUNDANCY = 1e-10

# ε of the projection that takes self-stress from the forces of loops, relative to the rows' own
# weight: far above rounding, far below what the rest of a loop resists with; smaller than 1e-10 is
# lost in rounding, larger than 1e-5 takes from forces that are needed.
SELF_STRESS_SHIFT = 1e-7

# Regularisation of rows in closed loops under the linear schemes, relative to 1/effective mass:
# rows that repeat each other share their forces, which K̃ is made of. With 0 a figure that holds on
# with two hands is torn off within steps; 1e-6 lets loops sag.
LINEAR_COMPLIANCE = 1e-9

# --- bounded rows -----------------------------------------------------------------------------

# Share of a limit's violation taken back per step; 1 throws limbs about, 0.01 lets them
# hang beyond it for seconds.
LIMIT_RECOVERY = 0.2

# m/s or rad/s: no violation of a limit is taken back faster, however short the step; without it a
# substep of recovery would throw limbs.
LIMIT_PUSH_SPEED = 1.0

# rad: nearer to its axis than this a limb has no direction of swing to stop; smaller divides by
# the sine of nothing.
BLURRED_SWING = 0.05

# Share of what its bodies would give way alone; a bounded row that gives way by less is held by
# other joints, and an impulse could only blow up. Larger lets grams on tonnes through walls.
IMMOVABLE = 1e-12

# m or rad: a limit closer than this, plus its motion, takes part in the step; smaller misses limits
# that are reached within it, larger solves rows that do nothing.
LIMIT_MARGIN = 0.05

# m or rad: a limit closer than this takes part where contacts may change the motion in the step;
# smaller misses limits that an impact throws a limb at.
IMPACT_MARGIN = 0.5

# m or rad by which a step may end beyond a limit before it is retried: a fifth of the excess is
# taken back per step, so it stays below five times this, 0.9°.
LIMIT_MISS = 3e-3

# m or rad by which a step may end beyond a limit and still be accepted, 1.4°; larger shows, smaller
# cuts the steps of limbs that are hit into substeps.
ACCEPTED_LIMIT_MISS = 0.025

# Retries of one step, each with corrected targets of limits and contacts: two are enough as a rule,
# a limb that turns by a radian in a step needs more; fewer send such steps to recovery.
RETRIES = 5

# 1/cos(swing/2): a twist limit rests where the limb is swung by more than 141°; near half a turn
# tiny motions would count as half turns of twist.
BLURRED_TWIST = 3.0

# m/s: sweeps over bounded rows without contacts stop when no speed changes by more; larger lets
# motors and limits creep.
SWEEP_TOLERANCE = 1e-7

# Sweeps over bounded rows and contacts in one solve, as in [Tournier15]; fewer leave heavy stacks
# unsolved, more make the worst step slower.
MAX_SWEEPS = 200

# Earlier rounds that Anderson acceleration combines; fewer converge more slowly, more remember what
# no longer holds.
ANDERSON_DEPTH = 4

# --- contacts: groups -------------------------------------------------------------------------

# Groups that may be solved at the same time, each with scratch of its own: one for each thread of
# jit/threads.py; more would be memory that no thread uses.
LANES = 2

# Contacts up to which a group is solved directly where sweeps alone do not converge; its
# cost grows with the cube.
DIRECT_CONTACTS = 64

# --- contacts: targets ------------------------------------------------------------------------

# m of overlap or gap that is left alone; 0 keeps resting stacks busy, as rounding decides anew in
# every step who carries the load.
CONTACT_SLOP = 2e-5

# Share of the rest of an overlap that is pushed out per step; 1 overshoots on edges, 0.01
# leaves what was spawned too near for seconds.
CONTACT_RECOVERY = 0.2

# m/s: no overlap is pushed out faster, however deep; larger makes spawned overlaps explode.
CONTACT_PUSH_SPEED = 1.0

# m by which the contact of a jointed body may end too deep before the step is retried; smaller
# repeats steps for what nobody can see.
CONTACT_MISS = 2e-3

# m by which the contact of a jointed body may end too deep and the step still be accepted; larger
# shows, smaller cuts steps into substeps.
ACCEPTED_MISS = 0.05

# Share of the height of a jointed body's centre above what it touches, or of its own extent if that
# is less, that a step must leave: never nothing, however often; 0 lets light bodies be turned over
# into walls.
LEAST_HEIGHT = 0.25

# m/s: speeds of pushing out below this may stay after the step, as they lift by less than 1e-6 m;
# 0 would run the restitution pass for every resting stack.
RELAXATION_SPEED = 2e-3

# m/s to which the restitution pass solves a larger group: a tenth of what may stay anyway; smaller
# sweeps piles for speeds that RELAXATION_SPEED lets stay.
RELAXATION_TOLERANCE = 2e-4

# m/s of approach below which an impact does not bounce; with 0 nothing would come to rest.
BOUNCE_SPEED = 0.2

# --- continuous detection ---------------------------------------------------------------------

# m that a body may end within or beyond another, at least, before it counts as tunnelled: contacts
# that were seen are left to their rows. Larger lets thin things sink in.
TUNNELLING_DEPTH = 1e-3

# Times that a step is solved again with contacts found along the way that bodies took: what one way
# struck throws them along another. Fewer freeze more of what is struck hard, more are slower then.
MOST_WAYS = 3

# --- sleeping ---------------------------------------------------------------------------------

# m/s (turning: times the radius of gyration) below which a body may be at rest. Smaller keeps a
# head awake that rolls about its neck at 7 mm/s, larger freezes what still creeps.
SLEEP_SPEED = 1e-2

# s that all of an island must have been at rest; shorter freezes what only turns back.
SLEEP_TIME = 0.5

# Steps between two looks at who is at rest; 1 would look at all bodies in every step, more only
# puts them to sleep later.
REST_INTERVAL = 8

# m: what comes closer than this to a sleeping body within a step wakes it; smaller lets it hit what
# still sleeps and does not give way, larger wakes what is passed by.
WAKE_DISTANCE = 1e-4

# --- acceptance of a step ---------------------------------------------------------------------

# m or rad left by Newton with which a step still counts as solved: a fifth of the tenth of a
# millimetre that a joint may gape; nets under 1e5 : 1 do not get below 3e-6. Smaller cuts those
# into substeps, larger is seen.
ACCEPTED_ERROR = 2e-5

# Share of the kinetic energy an island has had of late, with soft bodies also of the elastic, by
# which it may rise above its ledger: a whip swings by some per cent and comes back. Smaller refuses
# such swings, larger lets things take off.
LEDGER_SHARE = 0.02

# How many times that much smooth motion may lose and win back; smaller drains what whips, larger
# would let motion that has come apart win back what it lost by that.
SMOOTH_LOSS = 4.0

# s within which smooth motion gets back the energy that changes of its substeps cost: shorter than
# a swing, longer than a whip, whose energy is not known as well.
CONSERVED_WITHIN = 0.25

# s within which kinetic energy counts as of late: longer than what swings takes to come back.
# Shorter takes swings for gains, longer lets gain what was fast once.
LEDGER_TIME = 5.0

# m/s by which a body may move faster than its speeds before and after the step say: pushing apart
# what overlaps takes less. More is a contact that was not solved.
STRAY_SPEED = 5.0

# Times the momentum of all that presses that a contact may push with; smaller refuses toggles.
JAMMED = 1e6

# m/s beyond which a state counts as run away, and the world as diverged where no step is refused;
# smaller stops what only flies fast, larger shows nonsense for some frames more.
RUNAWAY_SPEED = 1e7

# Share of its kinetic energy that an island may give up at once where it has risen above its
# ledger; more is first tried in shorter substeps. Smaller repeats what whips on and on, larger is
# seen.
DRAINED_SHARE = 0.01

# --- substeps and recovery ---------------------------------------------------------------

# rad that the lever of a joint may turn in a substep. Smaller takes more substeps of everything
# that whips; larger leaves Newton's basin.
SUBSTEP_TURN = 0.3

# rad that a body may turn in a substep whose joints need not follow: beyond half a turn its angular
# momentum has no angular velocity that Newton finds. Smaller takes more substeps of what spins.
SUBSTEP_SPIN = 1.5

# rad in a step beyond which a body whips: up to WHIP_SUBSTEPS substeps follow it if they spare it
# added inertia, which takes energy along. Smaller costs substeps, larger loses energy of whips.
WHIP_TURN = 0.1

# Substeps, a power of 2, that a whip is worth; what needs more is stiff, and gets inertia.
WHIP_SUBSTEPS = 4

# rad that a spring may go through of its period in a substep: leapfrog's energy swings by an eighth
# of its square, 1 %. Smaller takes more substeps, larger is seen in energies.
SUBSTEP_PHASE = 0.3

# Substeps that a step of an island is cut into beforehand, a power of 2. With fewer, whips are left
# to recovery; with more, everything that spins is slower.
MOST_SUBSTEPS = 8

# Shortest substep as a share of the step, 1/this, a power of 4 apart from the longest: a cable that
# snaps taut under 15 t at 0.1 s needs 0.4 ms. Less far down, such cables are crossed implicitly;
# farther, the hitch is longer.
SHORTEST_SUBSTEP = 1024

# Substeps tried in one step of an island before it takes the dissipative way: bounds the hitch.
# Fewer brake what could have been followed.
MOST_TRIES = 48

# Substeps tried after a step without solution; more makes what lasts expensive, fewer brake it.
FEW_TRIES = 4

# Times that what turns too fast is braked in one step of an island whose tries are used up, each
# with a quarter of the tries anew; fewer freeze what whips about, more make the worst step slower.
MOST_BRAKES = 3

# Newton iterations of one step of backward Euler: limited rotations make it slow far from the
# solution; fewer give up on limbs that turn by several radians.
IMPLICIT_ITERATIONS = 30

# m or rad at which backward Euler stops, far below what is seen; larger lets joints drift apart.
IMPLICIT_TOLERANCE = 1e-9

# rad that a body may turn in one iteration of backward Euler: larger rotations leave Newton's
# basin, smaller ones need more iterations.
IMPLICIT_TURN = 0.5

# --- solver "pgs" -----------------------------------------------------------------------------

# Sweeps over all rows per step: what engines spend on a frame. Fewer let chains stretch further,
# more make it slower than the direct solver that it is compared with.
PGS_SWEEPS = 50

# Share of φ/h that is steered back per step; 1 makes unconverged sweeps explode.
PGS_FEEDBACK = 0.2

# --- hands ------------------------------------------------------------------------------------

# rad/s of the mouse spring on whatever mass it meets; higher yanks, lower lags behind the hand.
GRAB_FREQUENCY = 12.0

# m/s²: the spring's force never accelerates that mass by more; without it a wall would be no
# obstacle to the hand.
GRAB_ACCELERATION = 300.0

# --- piles ------------------------------------------------------------------------------------

# Ratio of the masses of two bodies that touch up to which sweeps carry the heavier on the lighter;
# larger lets heavy things sink into light ones, smaller solves rubble exactly.
PILE_MASS_RATIO = 12.0

# Substeps of an island of free bodies that touch: what sweeps leave unsolved grows with their
# square. Fewer let tall piles sag and sway.
PILE_SUBSTEPS = 8

# Sweeps in each of them, besides one that relaxes; with 1 tall piles never come to rest.
PILE_SWEEPS = 2

# Sweeps in a substep in which something is hit that bounces: where balls stop before they part must
# be as symmetric as they are. Fewer break a rack of balls askew.
IMPACT_SWEEPS = 24

# Updates in a row of the points of one patch within a sweep; 1 needs more sweeps.
PATCH_UPDATES = 2

# Share of its force by which a patch may still change in an update; larger lets stacks rock.
PATCH_SHARE = 0.003

# Share of its impulse that an overlap lets go in an update; smaller lets walls sway, larger sag.
PILE_LEAK = 0.04

# Share of an overlap that a substep pushes out; smaller lets piles sag, larger throws.
PILE_RECOVERY = 0.055

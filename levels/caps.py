"""Caps on what a level file may ask for: a stranger's file can be slow, but never endless."""

MAX_FILE_BYTES = 4_000_000  # all files together; 5,000 hand-written particles are about 400 kB
MAX_SHARED_CHARACTERS = 200_000  # of a level as text; a shipped one has 1,100 to 2,400
MAX_COMMAS = 200_000  # about as many values in lists; 50,000 particles have 100,000
MAX_LIST = 50_000  # entries of one list
MAX_LINE_CHARACTERS = 4_000  # dotted keys cost quadratic time in their length
MAX_FILES = 64  # a level with all its includes and prefabs
MAX_READINGS = 256  # times that any of them is included or taken as a prefab
MAX_TAKEN_OVER = 100_000  # entries that includes and prefabs bring, each as often as it is brought
MAX_INCLUDE_DEPTH = 8
MAX_PREFABS = 2_000  # things placed from prefabs, those within prefabs too
MAX_COPIES = 20_000  # entries that `repeat` makes, as many as there can be bodies
MAX_PROP_COPIES = 250  # of props; each of them may build thousands of parts
MAX_COPIED_VALUES = 400_000  # numbers and texts in all copies together
MAX_WAITING = 50  # rounds in which props that hang on later ones are placed
MAX_NESTING = 12  # tables within tables; the deepest documented key needs 5
MAX_BODIES = 20_000
MAX_PARTICLES = 50_000
MAX_JOINTS = 150_000
MAX_SOFT = 100  # cloths and solids; each has caps of its own
MAX_MESH_BYTES = 20_000_000  # of one mesh file
MAX_MESH_NODES = 10_000  # of one cloth or solid, as many as a cloth of 100 x 100 has
MAX_MESH_CELLS = 40_000
MAX_ITEMS = 50_000  # entries of one section
MAX_GROUPS = 16  # collision groups are bits of one 16-bit mask
MAX_RULES = 500  # triggers, expectations, scripted inputs
MAX_ACTIONS = 50  # of one trigger
MAX_COUNTERS = 200  # counters, timers
MAX_PATH = 1_000  # points of a path
MAX_SPAWNED = 500  # things that triggers have put in and that are still there
MAX_PUSHES = 200  # forces that act for a while, at one time
MAX_DRIVEN_SPEED = 1e4  # m/s, rad/s: of what moves by formula

# Physics multiplies up to five of them, so that nothing a level writes can overflow or vanish.
LARGEST_NUMBER = 1e30
SMALLEST_NUMBER = 1e-30  # of those that are not zero
MAX_COORDINATE = 1e6  # m, m/s …: entries of points, sizes and velocities

MAX_EXPRESSION_CHARACTERS = 500
MAX_EXPRESSION_NODES = 200
MAX_EXPRESSION_DEPTH = 30

MAX_PROBLEMS_SHOWN = 20
MAX_PROBLEMS = 50  # errors; after that nobody looks for more
MAX_SUGGESTIONS = 500  # words that are compared with a misspelt one

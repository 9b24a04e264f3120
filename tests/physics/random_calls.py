"""Random calls of everything public that a world has, good and bad ones mixed.

Arguments are drawn by the names of parameters: mostly what fits, sometimes anything at all.
"""

import inspect
import math
import random
from collections.abc import Callable
from typing import Any

import numpy as np

from physics import (
    JOINTS,
    SOFT_MATERIALS,
    SOLVERS,
    STABILIZATIONS,
    Box,
    Capsule,
    Deformable,
    Handle,
    Hull,
    Plane,
    Sphere,
    Spring,
    World,
)
from physics.callbacks import KINDS as CALLBACKS
from physics.names import BODIES, KINDS, SOFT

NAN, INF = math.nan, math.inf
BAD = 0.12  # share of arguments that are drawn from JUNK
MOST_THINGS = 14  # then something is removed before more is added
JUNK: tuple[Any, ...] = (
    None, True, -1, 0, 7, 10**30, 10**400, -0.5, 1e300, NAN, INF, -INF, "", "nobody", "x y", b"a",
    (), (1,), (1, 2, 3), (0, NAN, 0), (1e200, 0, 0), [[1, 2, 3]], [[1, 2], [3]], {}, {"a": 1},
    set(), object(), np.zeros(3), np.zeros((2, 3)), np.array(["a"]), 1j, lambda: 0, Sphere, World,
    Handle("body", 1, 0), Handle("joint", 0, 0, "stranger", 10**9),
)  # fmt: skip
SHAPES = (
    Sphere(0.1),
    Box((0.2, 0.3, 0.4)),
    Capsule(0.1, 0.3),
    Plane((0, 1, 0), -2.0),
    Hull([(0, 0, 0), (0.3, 0, 0), (0, 0.3, 0), (0, 0, 0.3)]),
)
BY_CALL = ("name", "kind", "handle", "a", "b", "size", "value")  # what fits depends on the call
SETTINGS = ("rate", "gravity", "stabilization", "solver", "sleeping", "alpha")
MOTOR = {"speed": 1.0, "max_force": 10.0}
FITTING = {  # values of joint parameters
    "number": 2.0,
    "flag": True,
    "pair": (-1.0, 1.0),
    "vector": (0, 2, 0),
    "point": (0, 2, 0),
    "direction": (0, 1, 0),
    "table": {"target": 0.2},  # of a servo
}
OFTEN = (
    ["set"] * 3 + ["step"] * 12 + ["snapshot", "restore"] * 2 + ["add_joint"] * 8
    # refused for most joints: of more coordinates than one, in loops, without a motor
    + ["inverse_dynamics"] * 8 + ["motor_force"] * 4 + ["articulation"] * 4
    + ["add_body", "add_particle", "add_solid", "add_cloth", "grab", "set_joint"] * 2
)  # fmt: skip
TAKES = {  # words in a method that tell the kinds of its handle
    "self.soft(handle)": SOFT,
    "_names.joint(": ("joint",),
    "_names.body(": BODIES,
    "dense.matrices(": BODIES,
}
NOT_CALLED = {"soft_body"}  # hands out the insides, for tools


def listener(*_: object) -> None:
    """What worlds are told to call after a step."""


def public_calls(kind: type) -> list[str]:
    """Names of the public methods."""
    return [
        name
        for name, member in inspect.getmembers(kind, inspect.isfunction)
        if not name.startswith("_") and name not in NOT_CALLED
    ]


class Caller:
    """Draws calls for one world from a seeded stream."""

    def __init__(self, seed: int, stranger: World) -> None:
        self.random = random.Random(seed)
        self.count = 0
        self.world = World(rate=60, dimension=2 if seed % 5 == 4 else 3)
        self.world.add_body("floor", Box((9, 1, 9)), position=(0, -1.5, 0), fixed=True)
        self.old: list[Any] = [*stranger.handles(), stranger.snapshot()]  # of another world
        self.snapshots: list[Any] = []
        self.calls = public_calls(World) + OFTEN
        self.soft_calls = public_calls(Deformable)

    # --- one call -------------------------------------------------------------------------------

    def draw(self) -> tuple[str, Callable[[], Any]]:
        """What is called, in words, and the call."""
        world, pick = self.world, self.random
        if not world.handles():
            return "World.add_body", lambda: world.add_body("floor", SHAPES[3], fixed=True)
        if len(world.handles()) > MOST_THINGS:
            return "World.remove", lambda: world.remove(pick.choice(world.handles()[1:]))
        name = pick.choice(self.calls)
        if name == "set":
            key = pick.choice(SETTINGS)
            value = self.argument(key)
            return f"{key} = {value!r}", lambda: setattr(world, key, value)
        owner: Any = world
        softs = [h for h in world.handles() if h.kind in ("cloth", "solid")]
        if softs and pick.random() < 0.2:
            owner, name = world.soft(pick.choice(softs)), pick.choice(self.soft_calls)
        given, named = self.arguments(getattr(owner, name))
        words = f"{type(owner).__name__}.{name}(*{given!r}, **{named!r})"[:500]
        return words, lambda: getattr(owner, name)(*given, **named)

    def arguments(self, call: Callable[..., Any]) -> tuple[list[Any], dict[str, Any]]:
        given, named = [], {}
        for key, parameter in inspect.signature(call).parameters.items():
            if parameter.kind == parameter.VAR_KEYWORD:
                named |= self.joint_parameters(given)
            elif parameter.kind == parameter.KEYWORD_ONLY:
                needed = parameter.default is parameter.empty
                if needed or self.random.random() < 0.3:
                    named[key] = self.argument(key, call)
            elif parameter.default is parameter.empty or self.random.random() < 0.7:
                given.append(self.argument(key, call))
        return given, named

    def argument(self, key: str, call: Any = None) -> Any:
        if self.random.random() < BAD:
            return self.random.choice([*JUNK, *self.old])
        fitting = getattr(self, f"_{key}", None)
        if fitting is None:
            return self.random.choice((0, 1, 0.3, 2.0, (0.1, 0.2, 0.3)))
        return fitting(call) if key in BY_CALL else fitting()

    def joint_parameters(self, given: list[Any]) -> dict[str, Any]:
        """A few of the kind's own parameters, or of another kind's."""
        kind = given[0] if given and isinstance(given[0], str) else ""
        known = JOINTS.get(kind, JOINTS[self.random.choice(sorted(JOINTS))])
        chosen = {}
        for key, parameter in known.parameters.items():
            required = "stiffness" in key or key.startswith("wheel")
            if required or self.random.random() < (0.4 if key == "motor" else 0.1):
                bad = self.random.random() < BAD
                fits = MOTOR if key == "motor" else FITTING[parameter.kind]
                chosen[key] = self.random.choice(JUNK) if bad else fits
        return chosen

    # --- what fits a parameter of that name -----------------------------------------------------

    def _point(self) -> tuple[float, ...]:
        return tuple(self.random.uniform(-1.0, 1.0) for _ in range(3))

    _position = _target = _at = _at_a = _at_b = _center = _origin = _wind = _axis = _point
    _motion = _normal = _direction = _force = _torque = _impulse = _velocity = _point
    _angular_velocity = _gravity = _point

    def _handle(self, call: Any) -> Any:
        """Something of the world, mostly of the kind that the call is for."""
        source, handles = inspect.getsource(call), self.world.handles()
        wanted = next((kinds for words, kinds in TAKES.items() if words in source), KINDS)
        if self.random.random() < BAD:
            wanted = KINDS
        likely = [handle for handle in handles if handle.kind in wanted]
        handle = self.random.choice(likely or handles)
        return handle.name if self.random.random() < 0.3 else handle

    def _body(self) -> Any:
        bodies = [h for h in self.world.handles() if h.kind in ("body", "particle")]
        return self.random.choice(bodies or self.world.handles())

    _other = _body

    def _accelerations(self) -> dict[Any, float]:
        return {self.random.choice(self.world.handles("joint") or self.world.handles()): 1.0}

    def _a(self, call: Any) -> Any:
        pairs = ("add_joint", "ignore_contacts")  # of bodies, not of points
        return self._body() if call.__name__ in pairs else self._point()

    _b = _a

    def _function(self) -> Callable[..., None]:
        return listener

    def _grab(self) -> Any:
        return self.random.choice(self.world.handles("grab") or self.world.handles())

    def _name(self, call: Any) -> str:
        if call is not None and call.__name__ in ("find", "name"):
            return self.random.choice(self.world.handles()).name
        self.count += 1
        return f"thing {self.count}"

    def _names(self) -> list[str]:
        return [self._name(None) for _ in range(self.random.randrange(3))]

    def _kind(self, call: Any) -> str:
        kinds = {"add_joint": sorted(JOINTS), "on": sorted(CALLBACKS)}
        return self.random.choice(kinds.get(call.__name__, ["body"]))

    def _value(self, call: Any) -> Any:
        return self._orientation() if call.__name__ == "set_orientation" else self._point()

    def _orientation(self) -> tuple[float, ...]:
        return self.random.choice(((1, 0, 0, 0), (0.6, 0.8, 0, 0)))

    def _shape(self) -> Any:
        return self.random.choice(SHAPES)

    def _n(self) -> int:
        return self.random.randrange(4)

    def _flag(self) -> bool:
        return self.random.random() < 0.3

    _fixed = _keyframed = _self_collision = _flag

    def _sleeping(self) -> bool:
        return True

    def _twin(self) -> bool:
        return False

    def _positive(self) -> float:
        return self.random.choice((0.5, 1.0, 2.0))

    _alpha = _mass = _density = _radius = _max_distance = _breaks_at = _young = _thickness = (
        _positive
    )
    _weft = _creep = _yield_strain = _positive

    def _fraction(self) -> float:
        return self.random.choice((0.0, 0.1, 0.4))

    _friction = _restitution = _rolling_friction = _poisson = _damping = _fraction
    _stretch = _shear = _bend = _rigidity = _normal_drag = _tangent_drag = _fraction

    def _rate(self) -> float:
        return self.random.choice((30, 60, 120))

    def _group(self) -> int:
        return self.random.choice((1, 2, 0xFFFF))

    _mask = _group

    def _locked(self) -> str:
        return self.random.choice(("", "z", "rx ry"))

    def _stabilization(self) -> str:
        return self.random.choice(sorted(STABILIZATIONS))

    def _solver(self) -> str:
        return self.random.choice((*SOLVERS, "auto", "iterative"))

    def _material(self) -> str:
        return self.random.choice(sorted(SOFT_MATERIALS))

    def _model(self) -> str:
        return self.random.choice(("links", "membrane"))

    def _size(self, call: Any) -> tuple[float, ...]:
        return (0.5, 0.6, 0.7) if call.__name__ == "add_solid" else (0.5, 0.6)

    def _rows(self) -> int:
        return self.random.choice((2, 3))

    _columns = _rows

    def _cells(self) -> tuple[int, ...]:
        return (1, 1, self.random.choice((1, 2)))

    def _ball(self) -> float | None:
        return self.random.choice((None, 0.3))

    def _none(self) -> None:
        return None

    _mesh = _start = _none

    def _nodes(self) -> list[int]:
        return [self.random.randrange(5) for _ in range(self.random.randrange(3))]

    _pins = _numbers = _nodes

    def _pairs(self) -> list[tuple[int, int]]:
        return [(0, 1)] * self.random.randrange(2)

    def _points(self) -> list[Any]:
        return [self._point() for _ in range(self.random.randrange(3))]

    def _positions(self) -> Any:
        """Of the nodes of some soft body, perhaps of the right one."""
        softs = [h for h in self.world.handles() if h.kind in SOFT]
        return self.world.node_positions(self.random.choice(softs)) if softs else ()

    def _velocities(self) -> Any:
        return np.zeros_like(self._positions())

    def _springs(self) -> list[Spring]:
        return [Spring(0, (0, 1, 0), 10.0)] * self.random.randrange(2)

    def _snapshot(self) -> Any:
        """One of this world, sometimes with something missing or foreign in it."""
        if not self.snapshots:
            return {}
        saved = dict(self.random.choice(self.snapshots))
        damage = self.random.randrange(4)
        if damage == 0:
            saved.pop(self.random.choice(sorted(saved)))
        elif damage == 1:
            part = self.random.choice(sorted(saved))
            saved[part] = self.random.choice((None, {}, 7, {"arrays": {}}))
        elif damage == 2:
            part = self.random.choice([p for p in sorted(saved) if isinstance(saved[p], dict)])
            key = self.random.choice(sorted(saved[part]))
            saved[part] = {k: v for k, v in saved[part].items() if k != key}
        return saved

    def remember(self, result: Any) -> None:
        """Handles may be removed meanwhile, snapshots be restored later."""
        if isinstance(result, Handle):
            self.old = [*self.old[-8:], result]
        elif isinstance(result, dict) and "bodies" in result:
            self.snapshots = [*self.snapshots[-2:], result]


def fingerprint(world: World) -> tuple[Any, ...]:
    """The state and everything the user can list."""
    joints = [
        (world.joint(h).kind, repr(world.joint(h).parameters)) for h in world.handles("joint")
    ]
    settings = world.rate, world.gravity.tolist(), world.stabilization, world.solver, world.sleeping
    forces = world._bodies.arrays.force.tobytes()
    handles = [(h, h.name) for h in world.handles()]
    asleep = [world.asleep(h) for h in world.handles() if h.kind in ("body", "particle")]
    grabs = [world.grab_point(h).tolist() for h in world.handles("grab")]
    softs = [soft_state(world, h) for h in world.handles() if h.kind in ("cloth", "solid")]
    return world.hash(), handles, joints, settings, forces, world.time, asleep, grabs, softs


def soft_state(world: World, handle: Handle) -> tuple[Any, ...]:
    soft = world.soft(handle)
    item = soft.item
    air = (item.air.wind.tolist(), *list(vars(item.air).values())[1:])
    seams = [(seam.nodes, seam.body, seam.breaks_at) for seam in item.seams]
    cuts = soft.cut_threads().tolist(), soft.cut_elements().tolist()
    return soft.pinned().tolist(), air, seams, cuts, item.body.options.solver, sorted(item.hands)

"""A toy world behind the public interface of physics: points that fall onto a floor.

The game's logic (picking, tools, time, history) is tested against it in milliseconds; the real
engine plays in the tests that start the program.
"""

import copy
from dataclasses import dataclass, field, fields
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

from levels.level_tables import Parameter
from physics import Energy, Handle, JointInfo, Stats
from physics.contact.events import CONTACT
from physics.shapes import Box, Plane, Sphere


class FakeWorld:
    """Bodies without rotation; distance joints are kept by projection."""

    def __init__(self, dimension: int = 3) -> None:
        self.dimension = dimension
        self.rate, self.time = 60, 0.0
        self.gravity = (0.0, -9.81, 0.0)
        self.stabilization, self.solver = "adaptive", "direct"
        self.x, self.v = np.zeros((0, 3)), np.zeros((0, 3))
        self.names: list[str] = []
        self.shapes: list[Any] = []
        self.fixed: list[bool] = []
        self.masses: list[float] = []
        self.gone: set[int] = set()
        self.links: dict[Handle, tuple[Handle, Handle, float]] = {}
        self.grabbed: tuple[int, np.ndarray] | None = None
        self.scatter = 0.0  # m/s of noise per step, to make it diverge

    @property
    def h(self) -> float:
        return 1.0 / self.rate

    @property
    def stats(self) -> Stats:
        nothing: dict[str, Any] = {field.name: 0 for field in fields(Stats)}
        words = {"solver": self.solver, "stabilization": self.stabilization}
        return Stats(**{**nothing, **words, "guard": {}, "times": {}, "soft": {}})

    def add(
        self, name: str, shape: Any, at: Any, *, mass: float = 1.0, fixed: bool = False
    ) -> Handle:
        self.x = np.vstack((self.x, np.asarray(at, float)))
        self.v = np.vstack((self.v, np.zeros(3)))
        self.names.append(name)
        self.shapes.append(shape)
        self.fixed.append(fixed)
        self.masses.append(mass)
        return Handle("particle" if shape is None else "body", len(self.names) - 1, 0)

    def link(self, a: Handle, b: Handle) -> Handle:
        joint = Handle("joint", len(self.links), 0)
        self.links[joint] = (a, b, float(np.linalg.norm(self.x[a.slot] - self.x[b.slot])))
        return joint

    def step(self, n: int = 1) -> None:
        for _ in range(n):
            free = ~np.array(self.fixed)
            self.v[free] += self.h * np.asarray(self.gravity)
            self.x[free] += self.h * self.v[free]
            for a, b, length in self.links.values():
                self._project(a.slot, b.slot, length)
            if self.grabbed is not None:
                self.x[self.grabbed[0]] = self.grabbed[1]
            low = free & (self.x[:, 1] < 0.5)
            self.x[low, 1], self.v[low, 1] = 0.5, 0.0
            self.x[free] += self.scatter
            self.time += self.h

    def _project(self, a: int, b: int, length: float) -> None:
        along = self.x[b] - self.x[a]
        apart = float(np.linalg.norm(along)) or 1.0
        wa, wb = float(not self.fixed[a]), float(not self.fixed[b])
        fix = along / apart * (apart - length) / max(wa + wb, 1.0)
        self.x[a] += wa * fix
        self.x[b] -= wb * fix

    # the reading half of the interface
    def handles(self, kind: str | None = None) -> list[Handle]:
        bodies = [
            Handle("particle" if shape is None else "body", i, 0)
            for i, shape in enumerate(self.shapes)
            if i not in self.gone
        ]
        everything = [*bodies, *self.links]
        return [h for h in everything if kind is None or h.kind == kind]

    def name(self, handle: Handle) -> str:
        return self.names[handle.slot]

    def find(self, name: str) -> Handle:
        for handle in self.handles():
            if handle.kind != "joint" and self.names[handle.slot] == name:
                return handle
        raise ValueError(f'there is no "{name}"')

    def shape(self, handle: Handle) -> Any:
        return self.shapes[handle.slot]

    def mass(self, handle: Handle) -> float:
        return self.masses[handle.slot]

    def is_fixed(self, handle: Handle) -> bool:
        return self.fixed[handle.slot]

    def is_particle(self, handle: Handle) -> bool:
        return self.shapes[handle.slot] is None

    def is_broken(self, handle: Handle) -> bool:
        return handle not in self.links

    def position(self, handle: Handle) -> np.ndarray:
        return self.x[handle.slot].copy()

    def center_of_mass(self, handle: Handle) -> np.ndarray:
        return np.zeros(3)

    def orientation(self, handle: Handle) -> np.ndarray:
        return np.array((1.0, 0, 0, 0))

    def velocity(self, handle: Handle) -> np.ndarray:
        return self.v[handle.slot].copy()

    def poses(self) -> tuple[np.ndarray, np.ndarray]:
        return self.x.copy(), np.tile((1.0, 0, 0, 0), (len(self.x), 1))

    def joint(self, handle: Handle) -> JointInfo:
        a, b, length = self.links[handle]
        ends, axis = (self.x[a.slot], self.x[b.slot]), np.array((0.0, 0.0, 1.0))
        return JointInfo("distance", a, b, *ends, axis, {"length": length})

    def joint_force(self, handle: Handle) -> tuple[np.ndarray, np.ndarray]:
        return np.array((0.0, 10.0, 0.0)), np.zeros(3)

    def joint_error(self, handle: Handle) -> float:
        a, b, length = self.links[handle]
        return abs(float(np.linalg.norm(self.x[a.slot] - self.x[b.slot])) - length)

    def constraint_error(self) -> float:
        return 0.0

    def contacts(self) -> np.ndarray:
        """The ball, slot 1, presses on the ground, slot 0."""
        table = np.zeros(1, CONTACT)
        table["a"], table["normal"], table["impulse"] = 1, (0, 1, 0), 1.0
        return table

    def added_by_stabilization(self) -> tuple[np.ndarray, np.ndarray]:
        return np.zeros(len(self.x)), np.zeros(len(self.links))

    def asleep(self, handle: Handle) -> bool:
        return False

    # it has no cloths and no solids
    def node_positions(self, handle: Handle) -> np.ndarray:
        raise ValueError("there is no soft body here")

    def triangles(self, handle: Handle) -> np.ndarray:
        raise ValueError("there is no soft body here")

    def threads(self, handle: Handle) -> np.ndarray:
        raise ValueError("there is no soft body here")

    def springs(self, handle: Handle) -> list[tuple[int, np.ndarray]]:
        raise ValueError("there is no soft body here")

    def soft_body(self, handle: Handle) -> Any:
        raise ValueError("there is no soft body here")

    def mass_near(self, handle: Handle, point: Any) -> float:
        raise ValueError("there is no soft body here")

    def grab_point(self, grab: Handle) -> np.ndarray:
        raise ValueError("nothing is held by a handle here")

    def energy(self) -> Energy:
        kinetic = 0.5 * float(np.sum(self.v**2))
        return Energy(kinetic, 0.0, 0.0, kinetic)

    def hash(self) -> str:
        return self.x.tobytes().hex()[:32]


@dataclass
class FakeLevel:
    """What a toy says of itself."""

    name: str = "toy"
    title: str = "Toy"
    hint: str = "Drag anything."
    digest: str = "toy"
    look: Any = None
    camera: Any = None
    default: Any = None
    path: Path = Path("toy.toml")
    parameters: dict[str, Parameter] = field(
        default_factory=lambda: {"load": Parameter(default=100.0, min=1.0, max=1e6, unit="kg")}
    )

    def changed(self) -> bool:
        return False

    def session(self, *, scripted: bool = False, **given: Any) -> "FakeSession":
        return toy()


@dataclass
class FakeSession:
    """A session that applies commands by their verbs."""

    world: FakeWorld
    plan: Any = None
    tick: int = 0
    generation: int = 0
    given: dict[str, float] = field(default_factory=dict)
    handles: dict[str, Handle] = field(default_factory=dict)
    joints: dict[str, Handle] = field(default_factory=dict)
    on_command: Any = None
    held: set[str] = field(default_factory=set)
    values: dict[str, float] = field(default_factory=lambda: {"load": 100.0})
    grabs: dict[int, Handle] = field(default_factory=dict)
    expecting: bool = True
    scripted: bool = False
    status: str = "playing"
    stars: int = 0
    shown_counters: list[tuple[str, float]] = field(default_factory=list)
    log: list[Any] = field(default_factory=list)
    branch: Any = None

    def __post_init__(self) -> None:
        self._queue: list[Any] = []
        self.events: list[Any] = []
        self.softs: dict[str, Handle] = {}
        self.level = FakeLevel()

    @property
    def time(self) -> float:
        return self.world.time

    def keys(self) -> dict[str, Any]:
        drive = SimpleNamespace(name="slew", forward="a", back="d")
        return {"a": drive, "d": drive}

    def name_of(self, handle: Any) -> str:
        both = (*self.handles.items(), *self.joints.items())
        return next((name for name, other in both if other == handle), "")

    def commands(self, since: int = 0) -> list[Any]:
        return []

    def listen(self, listener: Any) -> None:
        self.on_command = listener

    def issue(self, command: Any) -> None:
        self._queue.append(command)

    def step(self, count: int = 1) -> list[Any]:
        self.events = []
        for _ in range(count):
            for command in self._queue:
                self.log.append(command)
                self._apply(command)
            self._queue.clear()
            self.world.step()
            self.tick += 1
        return self.events

    def _apply(self, command: Any) -> None:
        verb = command.verb
        if verb == "grab":
            self.world.grabbed = (self.handles[command.body].slot, np.array(command.point))
        elif verb == "drag" and self.world.grabbed is not None:
            self.world.grabbed = (self.world.grabbed[0], np.array(command.target))
        elif verb == "drop":
            self.world.grabbed = None
        elif verb == "cut":
            self.world.links.pop(self.joints.pop(command.joint), None)
        elif verb == "delete":
            self.world.gone.add(self.handles.pop(command.body).slot)
        elif verb == "spawn":
            at = command.table["position"]
            self.handles[command.name] = self.world.add(command.name, Sphere(0.4), at)
        elif verb == "key":
            (self.held.add if command.down else self.held.discard)(command.key)
        elif verb == "option":
            setattr(self.world, command.name, command.value)
        elif verb == "restart":
            self.world.time = 0.0

    def is_finite(self) -> bool:
        return bool(np.isfinite(self.world.x).all() and np.abs(self.world.x).max() < 1e6)

    def set_option(self, name: str, value: Any) -> None:
        setattr(self.world, name, value)

    def save(self, path: Path) -> None:
        path.write_text(self.level.title, encoding="utf-8")

    def snapshot(self) -> Any:
        names = (dict(self.handles), dict(self.joints), self.tick)
        return SimpleNamespace(
            snapshot=copy.deepcopy(self.world.__dict__), private={"names": names, "things": {}}
        )

    def restore(self, state: Any) -> None:
        self.world.__dict__.update(copy.deepcopy(state.snapshot))
        handles, joints, self.tick = state.private["names"]
        self.handles, self.joints = dict(handles), dict(joints)


def toy(dimension: int = 3) -> FakeSession:
    """A floor, a ball to drag, and a weight on a two-piece rope."""
    world = FakeWorld(dimension)
    session = FakeSession(world)
    handles = {
        "ground": world.add("ground", Plane(), (0, 0, 0), fixed=True),
        "ball": world.add("ball", Sphere(0.5), (0, 3, 0)),
        "hook": world.add("hook", None, (3, 6, 0), fixed=True),
        "knot": world.add("knot", None, (3, 5, 0)),
        "weight": world.add("weight", Box((0.8, 0.8, 0.8)), (3, 4, 0), mass=50.0),
    }
    session.handles = handles
    session.joints = {
        "rope.0": world.link(handles["hook"], handles["knot"]),
        "rope.1": world.link(handles["knot"], handles["weight"]),
    }
    return session


class FakePreparation:
    """Compiles nothing: it is done after so many looks at it."""

    def __init__(self, names: list[str], looks: int, failed: str | None = None) -> None:
        self.names, self.looks, self.seen = names, looks, 0
        self.failed: str | None = None
        self._fails_with = failed
        self.closed = False

    def poll(self) -> None:
        assert not self.closed
        self.seen += 1
        if self._fails_with and self.seen >= self.looks:
            self.failed = self._fails_with

    @property
    def done(self) -> bool:
        return self.seen >= self.looks and not self._fails_with

    @property
    def share(self) -> float:
        return min(1.0, self.seen / self.looks)

    @property
    def seconds_left(self) -> float:
        return 10.0 * (self.looks - self.seen)

    @property
    def current(self) -> list[str]:
        return self.names[:2]

    def close(self) -> None:
        self.closed = True


ENDLESS = 10**9  # looks: not done before `finish`


@dataclass
class FakeKernels:
    """Stands in for what `sandbox.preparing` knows: kernels of these names are not compiled."""

    missing: list[str] = field(default_factory=lambda: ["detection", "first forces"])
    looks: int = 4
    failed: str | None = None
    started: list[FakePreparation] = field(default_factory=list)

    def start(self, names: list[str], *, gently: bool = False) -> FakePreparation:
        self.started.append(FakePreparation(names, self.looks, self.failed))
        return self.started[-1]

    def finish(self) -> None:
        for preparation in self.started:
            preparation.seen = preparation.looks

    def install(self, monkeypatch: Any) -> "FakeKernels":
        for name, stand_in in (
            ("needed", lambda level: list(self.missing)),
            ("unready", lambda names: [name for name in names if name in self.missing]),
            ("missing", lambda level: list(self.missing)),
            ("missing_for", lambda option, value: list(self.missing)),
            ("rest", lambda level: list(self.missing)),
            ("weight", lambda name: 20.0),
            ("start", self.start),
        ):
            monkeypatch.setattr(f"sandbox.preparing.{name}", stand_in)
        return self

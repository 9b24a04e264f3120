"""What `sandbox run --out` notes of every step, and the failures on the way.

The files are described in `sandbox run --help` and in levels/GUIDE.md.
"""

import shutil
from pathlib import Path

import numpy as np

from levels import Session
from sandbox.messages import MachineProblem, UsageProblem, error
from sandbox.tables import (
    Constants,
    CsvWriter,
    Floats,
    NpzWriter,
    ParquetWriter,
    Part,
    Rows,
    Table,
    TableWriter,
)

_SPATIAL = ("x", "y", "z")
_VELOCITY = ("vx", "vy", "vz")
_WRITERS: dict[str, type[TableWriter]] = {
    ".npz": NpzWriter,
    ".csv": CsvWriter,
    ".parquet": ParquetWriter,
}


class Trajectory:
    """Notes the bodies, joints and nodes that exist at the start; call `after_step` once per step.

    A disk that fails is told once and ends the noting, not the run; `failure` says it again.
    """

    def __init__(self, session: Session, path: Path, seconds: float) -> None:
        if path.suffix not in _WRITERS:
            raise UsageProblem(f"{path.name}: trajectories are .npz, .csv or .parquet")
        self.session, self.path = session, path
        self.failure = ""
        self.names, self.joints = list(session.handles), list(session.joints)
        self.numbers = {name: i for i, name in enumerate(self.names)}
        self.nodes = {
            name: len(session.world.node_positions(handle))
            for name, handle in session.softs.items()
        }
        self.tables = self._tables()
        self._body_labels = [(name,) for name in self.names]
        self._joint_labels = [(name,) for name in self.joints]
        self._node_labels = [(name, i) for name, count in self.nodes.items() for i in range(count)]
        self._writer = self._open(seconds)
        self.after_step()

    def _tables(self) -> tuple[Table, ...]:
        bodies = (
            Part("positions", _SPATIAL),
            Part("orientations", ("qw", "qx", "qy", "qz")),
            Part("velocities", _VELOCITY),
            Part("angular_velocities", ("wx", "wy", "wz")),
        )
        energies = (Part("energies", ("kinetic", "potential", "elastic", "total")),)
        forces = Part("joint_forces", ("fx", "fy", "fz")), Part("joint_torques", ("tx", "ty", "tz"))
        contacts = (
            Part("contact_points", _SPATIAL),
            Part("contact_normals", ("nx", "ny", "nz")),
            Part("contact_depths", ("depth",), flat=True),
            Part("contact_forces", ("force",), flat=True),
            Part("contact_frictions", ("gx", "gy", "gz")),
        )
        nodes = Part("node_positions", _SPATIAL), Part("node_velocities", _VELOCITY)
        numbered = ("contact_steps", "contact_a", "contact_b")
        return (
            Table("bodies", ("name",), bodies, len(self.names)),
            Table("energies", (), energies, 1),
            Table("joints", ("name",), forces, len(self.joints)),
            Table("contacts", ("a", "b"), contacts, None, numbered),
            Table("nodes", ("name", "node"), nodes, sum(self.nodes.values())),
        )

    def _open(self, seconds: float) -> TableWriter:
        """A place that cannot be written, or is too small, is told before anything moves."""
        kind = _WRITERS[self.path.suffix]
        self._check_room(seconds, kind.bytes_per_number)
        constants: Constants = {
            "names": np.array(self.names, dtype=np.str_),
            "joint_names": np.array(self.joints, dtype=np.str_),
            "soft_names": np.array(list(self.nodes), dtype=np.str_),
            "node_softs": np.repeat(np.arange(len(self.nodes)), list(self.nodes.values())),
        }
        try:
            return kind(self.path, self.tables, constants)
        except OSError as problem:
            raise UsageProblem(f"cannot write {self.path}: {problem.strerror}") from None

    def _check_room(self, seconds: float, bytes_per_number: float) -> None:
        columns = sum((table.rows or 0) * len(table.columns) for table in self.tables)
        steps = seconds * self.session.world.rate
        needed = bytes_per_number * columns * steps
        free = shutil.disk_usage(self.path.resolve().parent).free
        if needed > free:
            raise MachineProblem(
                f"{self.path} needs about {needed / 1e9:.2g} GB while it is written, but only "
                f"{free / 1e9:.2g} GB are free there"
            )

    def after_step(self) -> None:
        if self.failure:
            return
        try:
            for table, rows in zip(self.tables, self._measured(), strict=True):
                self._writer.add(table, self.session.time, rows)
        except OSError as problem:
            self._fail(problem)

    def close(self, whole: bool) -> list[Path]:
        """The files that are in place now; of a run that was interrupted they say so."""
        if self.failure:
            return []
        suffix = self.path.suffix
        path = self.path if whole else self.path.with_suffix(f".interrupted{suffix}")
        try:
            return self._writer.finish(path)
        except OSError as problem:
            self._fail(problem)
            return []

    def drop(self) -> None:
        """Leave nothing behind; what is in place stays."""
        self._writer.drop()

    def _fail(self, problem: OSError) -> None:
        self.drop()
        kept = "; the old file is as it was" if self.path.exists() else ""
        self.failure = f"cannot write {self.path}: {problem.strerror or problem}{kept}"
        error(self.failure)

    # --- one step -------------------------------------------------------------------------------

    def _measured(self) -> tuple[Rows, ...]:
        """In the order of the tables."""
        energy = Rows([()], np.array([self.session.world.energy()], dtype=float))
        return self._bodies(), energy, self._joints(), self._contacts(), self._nodes()

    def _bodies(self) -> Rows:
        session, world = self.session, self.session.world
        values = np.full((len(self.names), 13), np.nan)
        for i, name in enumerate(self.names):
            handle = session.handles.get(name)
            if handle is not None:
                values[i, :3], values[i, 3:7] = world.position(handle), world.orientation(handle)
                values[i, 7:10] = world.velocity(handle)
                values[i, 10:] = world.angular_velocity(handle)
        return Rows(self._body_labels, values)

    def _joints(self) -> Rows:
        values = np.full((len(self.joints), 6), np.nan)
        for i, name in enumerate(self.joints):
            handle = self.session.joints.get(name)
            if handle is not None:
                values[i, :3], values[i, 3:] = self.session.world.joint_force(handle)
        return Rows(self._joint_labels, values)

    def _contacts(self) -> Rows:
        session = self.session
        found = session.world.contacts()
        handles = session.handles if len(found) else {}
        names = {handle.slot: name for name, handle in handles.items()}
        labels = [
            (names.get(int(a), ""), names.get(int(b), ""))
            for a, b in zip(found["a"], found["b"], strict=True)
        ]
        numbers = [[self.numbers.get(name, -1) for name in pair] for pair in labels]
        rate = session.world.rate  # a force is an impulse over the length of the step
        columns: list[Floats] = [
            found["point"],
            found["normal"],
            found["depth"][:, None],
            rate * found["impulse"][:, None],
            rate * found["friction"],
        ]
        return Rows(labels, np.hstack(columns), np.array(numbers, dtype=float).reshape(-1, 2))

    def _nodes(self) -> Rows:
        session = self.session
        blocks = [np.zeros((0, 6))]
        for name, count in self.nodes.items():
            handle = session.softs.get(name)
            block = np.full((count, 6), np.nan)
            if handle is not None and len(session.world.node_positions(handle)) == count:
                block[:, :3] = session.world.node_positions(handle)
                block[:, 3:] = session.world.node_velocities(handle)
            blocks.append(block)
        return Rows(self._node_labels, np.concatenate(blocks))

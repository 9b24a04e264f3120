"""A checked document becomes a Plan: materials applied, prefabs placed, props built, joints named.

Order matters only where names do: bodies and particles first, then props (a prop may hang on
another, so they are tried until no more can be placed), then joints, which may use any of them.
"""

from collections.abc import Callable, Mapping
from itertools import islice
from typing import Any

from levels import level_tables
from levels.caps import MAX_PREFABS, MAX_TAKEN_OVER, MAX_WAITING
from levels.conversions import (
    appearance_of,
    density_of,
    frame_of,
    look_of,
    options_of,
    shape_of,
)
from levels.document import Document
from levels.frames import Frame, added, vec
from levels.joint_planner import JointPlanner
from levels.materials import MATERIALS
from levels.moving_parts import add_families, add_moving, start_of
from levels.physics_options import ParticleOptions
from levels.plain_data import TomlTable
from levels.plan import Collision, Group, Plan, PlannedBody, PlannedParticle
from levels.problems import EnoughProblems, LevelError, Place, Problem, did_you_mean, listing
from levels.props import PropTable, Site
from levels.resolve import default_values
from levels.table_checks import Checked, checked_document
from physics.shapes.base import Shape


class Planner:
    """Fills `plan` from checked documents; problems are collected, not raised."""

    def __init__(self, problems: list[Problem]) -> None:
        self.plan = Plan()
        self.problems = problems
        # placed so far, those that were only weighed too
        self.prefabs = self.taken_over = 0

    def add(self, checked: Checked, frame: Frame, scope: str = "", heavier: float = 1.0) -> None:
        """Add everything of `checked`, placed at `frame`, named under `scope`."""
        part = _Part(self, checked, frame, scope, heavier)
        self.plan.doubtful |= {scope + name for name in checked.doubtful}
        for name, body in checked.bodies.items():
            if isinstance(body, level_tables.PrefabUse):
                self._guard(part.prefab, name, body, scope)
            else:
                self._guard(part.body, name, body, scope)
        for name, particle in checked.particles.items():
            self._guard(part.particle, name, particle, scope)
        self._props(part, dict(checked.props))
        for name, joint in checked.joints.items():
            self._guard(part.joint, name, joint, scope)
        self.plan.removed += [scope + name for name in checked.header.removed]
        for name, zone in checked.zones.items():
            self.plan.zones[scope + name] = zone
        add_moving(self.plan, checked, frame, scope)
        add_families(self.plan, checked, scope)

    def _guard(self, add: Callable[[str, Any], None], name: str, model: Any, scope: str) -> None:
        try:
            add(name, model)
        except LevelError as error:
            self.problems.extend(error.problems)
            self.plan.doubtful.add(scope + name)
            if self.plan.full:
                raise EnoughProblems from None

    def count_prefab(self, document: Document, place: Place) -> None:
        """Prefabs of prefabs multiply: a few short files can ask for more than ever ends."""
        self.prefabs += 1
        self.taken_over += document.size()
        message = ""
        if self.prefabs > MAX_PREFABS:
            message = f"prefabs are used more than {MAX_PREFABS:,} times in all"
        elif self.taken_over > MAX_TAKEN_OVER:
            message = f"prefabs bring more than {MAX_TAKEN_OVER:,} entries"
        if message:
            self.problems.append(Problem(message, place))
            raise EnoughProblems

    def _props(self, part: "_Part", waiting: dict[str, PropTable]) -> None:
        """Props in file order; one that names a later prop waits for it."""
        for _ in range(MAX_WAITING):
            failures: dict[str, LevelError] = {}
            for name, model in waiting.items():
                try:
                    part.prop(name, model)
                except LevelError as error:
                    failures[name] = error
                    if self.plan.full:
                        self.problems.extend(error.problems)
                        raise EnoughProblems from None
            if len(failures) == len(waiting):
                for name, failure in failures.items():
                    self.problems.extend(failure.problems)
                    self.plan.doubtful.add(part.scope + name)
                return
            waiting = {name: waiting[name] for name in failures}
        if waiting:
            message = f"props hang on later ones more than {MAX_WAITING} deep"
            place = part.place("props", next(iter(waiting)))
            self.problems.append(Problem(message, place.key(), "write those first"))


class _Part:
    """One document being placed: the level itself, or a prefab inside it."""

    def __init__(
        self, owner: Planner, checked: Checked, frame: Frame, scope: str, heavier: float
    ) -> None:
        self.owner = owner
        self.plan = owner.plan
        self.checked = checked
        self.frame = frame
        self.scope = scope
        self.heavier = heavier

    def place(self, *keys: str | int) -> Place:
        return self.checked.document.place(*keys)

    def body(self, name: str, model: level_tables.Body) -> None:
        place = self.place("bodies", name)
        material = self._material(model.material, place)
        shape = shape_of(model, place)
        self.plan.add_body(
            PlannedBody(
                self.scope + name,
                shape,
                start_of(model, shape, self.frame),
                place,
                **self._weight(model, shape, material),
                options=options_of(model, material),
                collision=Collision(model.group, tuple(model.ignores)),
                look=look_of(model, material),
                frames={key: vec(point) for key, point in model.frames.items()},
                never_touches=tuple((self.scope, written) for written in model.never_touches),
            )
        )

    def _weight(
        self, model: level_tables.Body, shape: Shape, material: level_tables.Material | None
    ) -> dict[str, float]:
        """Mass or density; a compound of dense parts has its mass."""
        if model.mass is not None:
            return {"mass": model.mass * self.heavier}
        if getattr(shape, "weighs", False) and not model.fixed:
            return {"mass": shape.mass_properties(1.0).mass * self.heavier}
        return {"density": density_of(model, material) * self.heavier}

    def particle(self, name: str, model: level_tables.Particle) -> None:
        self.plan.add_particle(
            PlannedParticle(
                self.scope + name,
                model.mass * self.heavier,
                self.frame.point(model.position),
                self.place("particles", name),
                self.frame.velocity_at(model.position, model.velocity),
                ParticleOptions.model_construct(
                    **{key: getattr(model, key) for key in ParticleOptions.model_fields}
                ),
                Collision(model.group, tuple(model.ignores)),
                look=appearance_of(model),
            )
        )

    def prop(self, name: str, model: PropTable) -> None:
        section = "cloths" if name in self.checked.cloths else "props"
        frame = frame_of(model) if isinstance(model, level_tables.Turned) else Frame()
        site = Site(
            self.scope + name,
            self.plan,
            self.place(section, name),
            frame.within(self.frame),
            self.scope,
            self.checked.header.dimension,
            appearance_of(model),
            self.checked.document.meshes,
        )
        site.group.kind = model.kind
        undo = _Undo(self.plan)
        try:
            model.build(site)
        except LevelError:
            undo()  # it may be tried again once another prop exists
            raise
        except ValueError as error:  # physics refuses a shape
            undo()
            raise LevelError([Problem(f'"{site.name}": {error}', site.place.key())]) from None
        self.plan.groups[site.name] = site.group

    def prefab(self, name: str, use: level_tables.PrefabUse) -> None:
        document = self.checked.document.prefabs[use.prefab]
        place = self.place("bodies", name)
        self.owner.count_prefab(document, place.child("prefab"))
        checked = self._checked_prefab(document, use, place)
        group = Group(self.scope + name, "prefab")
        tables: list[TomlTable] = [self.plan.bodies, self.plan.particles, self.plan.joints]
        before = [len(table) for table in tables]
        heavier = self._heavier(checked, use, place)
        scope = f"{self.scope}{name}."
        self.owner.add(checked, frame_of(use).within(self.frame), scope, heavier)
        bodies, particles, joints = (
            list(islice(table, size, None)) for table, size in zip(tables, before, strict=True)
        )
        group.members, group.joints = bodies + particles, joints
        group.root = self._root(checked, scope, group, place)
        self.plan.groups[group.name] = group

    def _checked_prefab(
        self, document: Document, use: level_tables.PrefabUse, place: Place
    ) -> Checked:
        values = default_values(document)
        for key, value in use.parameters.items():
            if key not in values:
                raise LevelError(
                    [
                        Problem(
                            f'"{use.prefab}" has no parameter "{key}"',
                            place.child("parameters", key).key(),
                            did_you_mean(key, values),
                            f"its parameters: {listing(values)}" if values else "",
                        )
                    ]
                )
            values[key] = value
        checked = checked_document(document, values, self.owner.problems)
        for key, value in use.parameters.items():
            spec = checked.parameters.get(key)
            reason = spec.refuses(value) if spec else None
            if reason:
                raise LevelError([Problem(f"{key}: {reason}", place.child("parameters", key))])
        return checked

    def _heavier(self, checked: Checked, use: level_tables.PrefabUse, place: Place) -> float:
        """The factor that brings the prefab's parts to the total mass asked for."""
        if use.mass is None:
            return self.heavier
        trial = Planner([])
        trial.prefabs, trial.taken_over = self.owner.prefabs, self.owner.taken_over
        try:
            trial.add(checked, Frame())
        except EnoughProblems:
            self.owner.problems += trial.problems
            raise
        self.owner.prefabs, self.owner.taken_over = trial.prefabs, trial.taken_over
        masses = [body.weight() for body in trial.plan.bodies.values() if not body.fixed]
        masses += [particle.mass for particle in trial.plan.particles.values()]
        if not masses:
            raise LevelError([Problem("the prefab has nothing to weigh", place.child("mass"))])
        return self.heavier * use.mass / added(masses)

    def _root(self, checked: Checked, scope: str, group: Group, place: Place) -> str:
        written = checked.header.root
        if written is None:
            if not group.members:
                raise LevelError([Problem("the prefab holds no bodies", place.child("prefab"))])
            return group.members[0]
        return self.plan.body(written, checked.document.place("root"), scope)

    def joint(self, name: str, model: level_tables.JointCommon) -> None:
        place = self.place("joints", name)
        planner = JointPlanner(self.plan, self.checked, self.frame, self.scope)
        self.plan.add_joint(planner.joint(name, model, place))

    def _material(self, name: str | None, place: Place) -> level_tables.Material | None:
        if name is None:
            return None
        known: Mapping[str, level_tables.Material] = {**MATERIALS, **self.checked.materials}
        if name not in known:
            note = f"known materials: {listing(known, 30)}"
            where = place.child("material")
            hint = did_you_mean(name, known)
            raise LevelError([Problem(f'unknown material "{name}"', where, hint, note)])
        return known[name]


class _Undo:
    """Takes back what a failed prop has added."""

    def __init__(self, plan: Plan) -> None:
        self.tables: list[TomlTable] = [
            plan.bodies, plan.particles, plan.joints, plan.softs
        ]  # fmt: skip
        self.sizes = [len(table) for table in self.tables]
        self.plan, self.drives = plan, len(plan.drives)

    def __call__(self) -> None:
        for table, size in zip(self.tables, self.sizes, strict=True):
            for name in list(table)[size:]:
                del table[name]
        del self.plan.drives[self.drives :]

"""A checked joint becomes a planned one: what it holds, where, along which axis, and its drives."""

from collections.abc import Sequence

from levels import level_tables
from levels.conversions import appearance_of
from levels.frames import Frame, Vec, distance
from levels.key_names import split_keys
from levels.plain_data import TomlTable, TomlValue
from levels.plan import Drive, Plan, PlannedJoint
from levels.problems import LevelError, Place, Problem
from levels.table_checks import Checked
from physics import JOINTS

_TOGETHER = 1e-3  # m: anchors closer than this count as one point; authors round to millimetres


class JointPlanner:
    """Joints of one document, which is placed at `frame` and whose names are under `scope`."""

    def __init__(self, plan: Plan, checked: Checked, frame: Frame, scope: str) -> None:
        self.plan, self.checked, self.frame, self.scope = plan, checked, frame, scope

    def joint(self, name: str, model: level_tables.JointCommon, place: Place) -> PlannedJoint:
        ends = self._ends(model, place)
        bodies = [body for body, _ in ends]
        if len(bodies) == 2 and bodies[0] == bodies[1]:
            raise LevelError(
                [Problem(f'"{name}" joins "{bodies[0]}" to itself', place.child("bodies"))]
            )
        planned = PlannedJoint(
            self.scope + name,
            model.kind,
            bodies[0],
            bodies[1] if len(bodies) == 2 else None,
            place,
            axis=self._axis(model, name, place),
            parameters=self._parameters(name, model, place),
            look=appearance_of(model),
        )
        self._anchors(planned, model, [anchor for _, anchor in ends])
        return planned

    def _ends(self, model: level_tables.JointCommon, place: Place) -> list[tuple[str, Vec | None]]:
        """Both ends; if both are wrong, both are reported."""
        ends: list[tuple[str, Vec | None]] = []
        wrong: list[Problem] = []
        failed = False
        for i in range(len(model.bodies)):
            try:
                ends.append(self._end(model, i, place))
            except LevelError as error:
                wrong += error.problems
                failed = True
        if failed:
            raise LevelError(wrong)
        return ends

    def _end(self, model: level_tables.JointCommon, i: int, place: Place) -> tuple[str, Vec | None]:
        """Body and, if a frame was named, its world point."""
        written, where = model.bodies[i], place.child("bodies", i)
        found = self.plan.find(written, self.scope)
        if found is not None:
            return found, None
        anchor = self.plan.anchor(written, where, self.scope)
        assert anchor.body is not None
        return anchor.body, anchor.point

    def _axis(self, model: level_tables.JointCommon, name: str, place: Place) -> Vec | None:
        written = getattr(model, "axis", None)
        if written is not None:
            return self.frame.direction(written)
        if not JOINTS[model.kind].needs_axis:
            return None
        if self.checked.header.dimension == 2 and JOINTS[model.kind].flat_axis:
            return (0.0, 0.0, 1.0)
        raise LevelError(
            [Problem(f'joint "{name}" has no "axis"', place.key(), "for example axis = [0, 1, 0]")]
        )

    def _anchors(self, planned: PlannedJoint, model: TomlValue, points: list[Vec | None]) -> None:
        """Where the joint holds: `at`, `at_a`/`at_b`, or the frames named in `bodies`."""
        if JOINTS[model.kind].anchors == "separate":
            ends = [*points, None][:2]
            planned.at_a = self._point(model.at_a, planned.place.child("at_a")) or ends[0]
            planned.at_b = self._point(model.at_b, planned.place.child("at_b")) or ends[1]
            if planned.b is None and planned.at_b is None:
                raise LevelError(
                    [
                        Problem(
                            f"this {model.kind} joint has only one end",
                            planned.place.child("bodies"),
                            "name a second body, or a world point at_b = [x, y, z]",
                        )
                    ]
                )
            return
        given = [point for point in points if point is not None]
        if model.at is not None:
            at = self._point(model.at, planned.place.child("at"))
            given = [at, *given] if at is not None else given
        planned.at = given[0] if given else None
        for other in given[1:]:
            apart = distance(given[0], other)
            if apart > _TOGETHER:
                raise LevelError(
                    [
                        Problem(
                            f"the two ends of this {model.kind} joint are {apart:.3g} m apart",
                            planned.place.child("bodies"),
                            "move the bodies together, or use a distance joint or a rope",
                        )
                    ]
                )

    def _point(self, value: TomlValue, place: Place) -> Vec | None:
        if value is None:
            return None
        if isinstance(value, str):
            return self.plan.anchor(value, place, self.scope).point
        return self.frame.point(value)

    def _fixed_point(self, value: TomlValue, place: Place) -> Vec | None:
        """A point of the world; a frame may name it if its body never moves."""
        if isinstance(value, str):
            owner = self.plan.anchor(value, place, self.scope).body
            body = None if owner is None else self.plan.bodies.get(owner)
            if body is None or not body.fixed:
                raise LevelError(
                    [
                        Problem(
                            f'"{value}" is on "{owner}", which moves',
                            place,
                            "name a frame of a body that is fixed, or a world point [x, y, z]",
                        )
                    ]
                )
        return self._point(value, place)

    def _parameters(self, name: str, model: level_tables.JointCommon, place: Place) -> TomlTable:
        parameters: TomlTable = {}
        for key, parameter in JOINTS[model.kind].parameters.items():
            value: TomlValue = getattr(model, key, None)
            if value is None:
                continue
            if parameter.kind == "point":
                value = self._fixed_point(value, place.child(key))
            if parameter.kind == "direction":
                value = self.frame.direction(value)
            if isinstance(value, level_tables.Keys):
                limits = getattr(model, key.replace("servo", "limits"), None)
                value = self._drive(name, key, value, place, limits)
            parameters[key] = tuple(value) if isinstance(value, list) else value
        return parameters

    def _not_both(self, name: str, key: str, place: Place) -> None:
        for program in self.checked.programs:
            if program.keys[:3] == ("joints", name, key):
                message = "keys and a formula both drive this joint"
                raise LevelError([Problem(message, place.child(key), "keep one of them")])

    def _drive(
        self,
        name: str,
        key: str,
        table: level_tables.Keys,
        place: Place,
        limits: Sequence[float] | None,
    ) -> dict[str, float]:
        """The table physics gets; keys, if any, become a Drive of the level. They move the target
        of a servo no further than the limits of its joint."""
        settings = table.model_dump(exclude={"keys"}, exclude_none=True)
        speed = settings.get("speed", 0.0)
        is_servo = "target" in type(table).model_fields
        if is_servo:
            settings.pop("speed", None)
        if table.keys is None:
            return settings
        self._not_both(name, key, place)
        forward, back = split_keys(table.keys, place.child(key, "keys"))
        if speed == 0.0:
            raise LevelError(
                [Problem("keys need a speed", place.child(key, "keys"), "add speed = 1.0")]
            )
        if not is_servo:
            settings["speed"] = 0.0
        joint = self.scope + name
        low, high = limits if is_servo and limits is not None else (None, None)
        self.plan.drives.append(
            Drive(
                joint,
                "servo" if is_servo else "motor",
                (joint,),
                forward,
                back,
                speed,
                settings=settings,
                start=settings.get("target", 0.0),
                table=key,
                low=low,
                high=high,
            )
        )
        return settings

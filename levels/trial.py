"""The part of a level that physics has to be asked about after a change.

While a level is being built by hand, every change is tried on the engine before it counts. Of two
hundred bodies such a change moves one, so the rest is not asked about again: a thing that was taken
as it stands, in a world of the same settings, would be taken again. A joint is asked about when it
or a body it holds is another.
"""

from collections.abc import Mapping

from levels.alike import alike
from levels.plan import Plan, PlannedJoint


def changed_part(plan: Plan, taken: Plan) -> Plan:
    """What is different from a plan that physics took whole, with the bodies that joints need."""
    moved = _changed(plan.bodies, taken.bodies) | _changed(plan.particles, taken.particles)
    joints = _changed(plan.joints, taken.joints)
    joints |= {name for name, joint in plan.joints.items() if not moved.isdisjoint(_ends(joint))}
    asked = moved.union(*(_ends(plan.joints[name]) for name in joints))
    found = plan.copy()
    found.bodies = {name: body for name, body in plan.bodies.items() if name in asked}
    found.particles = {name: grain for name, grain in plan.particles.items() if name in asked}
    found.joints = {name: joint for name, joint in plan.joints.items() if name in joints}
    return found


def _ends(joint: PlannedJoint) -> tuple[str, ...]:
    return (joint.a,) if joint.b is None else (joint.a, joint.b)


def _changed(now: Mapping[str, object], before: Mapping[str, object]) -> set[str]:
    return {name for name, thing in now.items() if not alike(thing, before.get(name))}

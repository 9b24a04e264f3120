"""From the checked table of one body to what the plan needs: shape, surface, weight, looks."""

import re
from typing import Any

from levels import level_tables
from levels.frames import Frame, from_degrees, vec
from levels.physics_options import BodyOptions, Surface
from levels.problems import LevelError, Place, Problem
from physics import SHAPES


def frame_of(model: level_tables.Turned) -> Frame:
    orientation = model.orientation or [1.0, 0.0, 0.0, 0.0]
    turned = from_degrees(model.rotation) if model.rotation else tuple(orientation)
    return Frame(
        vec(model.position),
        turned,  # type: ignore[arg-type]
        vec(model.velocity),
        vec(model.angular_velocity),
    )


def shape_of(model: Any, place: Place) -> Any:
    kind: Any = SHAPES[model.shape]
    given = {field.name: getattr(model, field.name) for field in kind.fields}
    try:
        shape = kind(**{name: value for name, value in given.items() if value is not None})
    except ValueError as error:
        raise LevelError([_shape_problem(str(error), place)]) from None
    if not shape.finite_convex and not model.fixed:
        where = place.child("fixed") if "fixed" in model.model_fields_set else place.child("shape")
        raise LevelError([Problem(f"a {model.shape} cannot move", where, "add fixed = true")])
    return shape


def _shape_problem(text: str, place: Place) -> Problem:
    """Physics says `Box.size.x is 0 …`; an author knows the key as "size"."""
    match = re.match(r"\w+\.((\w+)[.\w\[\]]*) (.*)", text, re.DOTALL)
    if not match:
        return Problem(text, place.child("shape"))
    return Problem(f'"{match[1]}" {match[3]}', place.child(match[2]))


def density_of(model: level_tables.Body, material: level_tables.Material | None) -> float:
    if model.density is not None:
        return model.density
    return material.density if material else 1000.0


def options_of(model: level_tables.Body, material: level_tables.Material | None) -> BodyOptions:
    """What the body says itself, else its material, else the default."""
    keys = BodyOptions.model_fields
    values = {key: getattr(model, key) for key in keys}
    values["keyframed"] = values["keyframed"] or model.motion is not None
    for key in Surface.model_fields if material is not None else ():
        if key not in model.model_fields_set:
            values[key] = getattr(material, key)
    return BodyOptions.model_construct(**values)


def appearance_of(model: level_tables.Appearance) -> level_tables.Appearance:
    return level_tables.Appearance(
        color=model.color, pattern=model.pattern, gloss=model.gloss, hidden=model.hidden
    )


def look_of(
    model: level_tables.Body, material: level_tables.Material | None
) -> level_tables.Appearance:
    surface = material or level_tables.Material()
    return level_tables.Dress(
        color=model.color or surface.color,
        pattern=model.pattern or surface.pattern,
        gloss=model.gloss,
        hidden=model.hidden,
        ornament=model.ornament,
    )

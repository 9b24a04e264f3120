"""From the checked table of one body to what the plan needs: shape, surface, weight, looks."""

import dataclasses
import re

from levels import level_tables
from levels.frames import Frame, from_degrees, vec
from levels.physics_options import BodyOptions, Surface
from levels.plain_data import TomlValue
from levels.problems import LevelError, Place, Problem, did_you_mean, listing
from physics import SHAPES, Part
from physics.definitions.mass import shape_center
from physics.shapes import has_mass
from physics.shapes.base import Shape


def frame_of(model: level_tables.Turned) -> Frame:
    orientation = model.orientation or [1.0, 0.0, 0.0, 0.0]
    turned = from_degrees(model.rotation) if model.rotation else tuple(orientation)
    return Frame(
        vec(model.position),
        turned,  # type: ignore[arg-type]
        vec(model.velocity),
        vec(model.angular_velocity),
    )


def body_frame(model: level_tables.Body, shape: Shape) -> Frame:
    """Where its centre of mass is, of a body placed by that or by its shape's origin."""
    frame = frame_of(model)
    if model.origin is None:
        return frame
    center = model.center_of_mass
    if center is None:
        center = shape_center(shape).tolist()
    at = Frame(vec(model.origin), frame.orientation).point(center)
    return Frame(at, frame.orientation, frame.velocity, frame.angular_velocity)


def shape_of(model: TomlValue, place: Place) -> Shape:
    kind = SHAPES[model.shape]
    given = {field.name: getattr(model, field.name) for field in kind.fields}
    if "parts" in given:
        given["parts"] = [
            part_of(part, place.child("parts", k)) for k, part in enumerate(model.parts)
        ]
    try:
        shape = kind(**{name: value for name, value in given.items() if value is not None})
    except ValueError as error:
        raise LevelError([_shape_problem(str(error), place)]) from None
    if not has_mass(shape) and not (model.fixed or model.keyframed):
        where = place.child("fixed") if "fixed" in model.model_fields_set else place.child("shape")
        raise LevelError([Problem(f"a {model.shape} cannot move", where, "add fixed = true")])
    return shape


def part_of(model: TomlValue, place: Place) -> Part:
    """One part of a compound."""
    known = [name for name in SHAPES if name != "compound"]
    if model.shape not in known:
        note, hint = f"shapes of parts: {listing(known, 40)}", did_you_mean(model.shape, known)
        problem = Problem(f'unknown shape "{model.shape}"', place.child("shape"), hint, note)
        raise LevelError([problem])
    kind = SHAPES[model.shape]
    own = [field.name for field in kind.fields]
    written = [
        key for key in model.model_fields_set if key not in level_tables.PartCommon.model_fields
    ]
    for key in sorted(written):
        if key not in own:
            note = f"keys of a {model.shape}: {listing(own, 40)}"
            raise LevelError([Problem(f'unknown key "{key}"', place.child(key), note=note)])
    optional = {f.name for f in dataclasses.fields(kind) if f.default is not dataclasses.MISSING}
    for key in own:
        if key not in written and key not in optional:
            raise LevelError([Problem(f'this {model.shape} has no "{key}"', place)])
    if model.orientation is not None and model.rotation is not None:
        raise LevelError([Problem("keep one of orientation and rotation", place.child("rotation"))])
    turned = from_degrees(model.rotation) if model.rotation else model.orientation
    surface = {key: getattr(model, key) for key in Surface.model_fields}
    try:
        shape = kind(**{key: getattr(model, key) for key in own if key in written})
        return Part(
            shape, vec(model.position), tuple(turned or (1.0, 0.0, 0.0, 0.0)), model.density,
            **surface,
        )  # fmt: skip
    except ValueError as error:
        raise LevelError([_shape_problem(str(error), place)]) from None


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

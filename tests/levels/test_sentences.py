"""Whatever can be written into a level, a world or the settings is told in a full sentence."""

import re
from collections.abc import Iterator

import pytest

from levels import level_tables, motion_tables, rule_tables, section_tables, view_tables
from levels.kinds import joint_models, part_model, prop_models, shape_models
from levels.physics_options import ParticleOptions
from levels.repeat import Repeat
from levels.values import Table
from physics.constraints import JOINTS
from physics.constraints.parameters import Parameter
from physics.definitions.body_keys import BODY_KEYS
from physics.shapes import SHAPES
from physics.soft.models import CLOTH_PARAMETERS, SOLID_PARAMETERS
from sandbox.settings import Settings

VERBS = set(
    re.findall(
        "[a-z]+",
        """
        is are has have does do reads runs run takes take keeps keep stays stay must may can
        belongs passes moves move pulls pull turns turn spins meets meet gives give breaks break
        begins begin wins come comes holds hold happens happen asks sits sit points point shows
        stands stand looks names name resists rises pushes push drives drive steer stops stop
        acts act consists touches touch brakes collides stretch stretches records rest shines
        winds slew slews sets frames decide replaces tears chooses says say lasts call calls
        faces goes go blows reaches bends drag drags collide would carries damp starts swings
        swing falls fall
        """,
    )
)


def _joint_parameters() -> Iterator[tuple[str, Parameter]]:
    for kind in JOINTS.values():
        for one in kind.parameters.values():
            for part in (one, *one.fields):
                yield f"{kind.name}.{part.name}", part


def _tables() -> set[type[Table]]:
    rooms = (level_tables, motion_tables, rule_tables, section_tables, view_tables)
    own = {
        table
        for room in rooms
        for table in vars(room).values()
        if isinstance(table, type) and issubclass(table, Table)
    }
    made = (shape_models(), joint_models(), prop_models())
    return {
        *own,
        Repeat,
        ParticleOptions,
        part_model(),
        *(m for some in made for m in some.values()),
    }


def _sentences() -> Iterator[tuple[str, str, str]]:
    """Where, the sentence, the unit it has to name."""
    for table in sorted(_tables(), key=lambda table: table.__name__):
        for key, field in table.model_fields.items():
            if key != "shape":  # says what the shape is
                yield f"{table.__name__}.{key}", field.description or "", ""
    for key, field in Settings.model_fields.items():
        yield f"settings.{key}", field.description or "", ""
    declared = [*_joint_parameters(), *BODY_KEYS.items()]
    declared += [*CLOTH_PARAMETERS.items(), *SOLID_PARAMETERS.items()]
    declared += [(f"{name}.{f.name}", f) for name, kind in SHAPES.items() for f in kind.fields]
    for key, one in declared:
        yield key, one.doc, one.unit


def test_every_key_has_a_sentence_of_its_own_with_its_unit() -> None:
    found = list(_sentences())
    assert len(found) > 400
    wrong = [
        f"{where}: {text}"
        for where, text, unit in found
        if not re.fullmatch(r'[A-Z`"].*\.', text)
        or len(text.split()) < 4
        or not VERBS & set(re.findall(r"[a-z]+", text.split(";")[0].lower()))
        or not all(part in text for part in unit.split(" or "))
    ]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("table", [level_tables.Body, joint_models()["hinge"]])
def test_editors_find_the_unit_of_what_physics_declares(table: type[Table]) -> None:
    schema = table.model_json_schema()["properties"]
    key = "rolling_friction" if table is level_tables.Body else "breaks_at"
    assert schema[key]["unit"] == ("m" if table is level_tables.Body else "N")

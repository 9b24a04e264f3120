"""Tables of a level file that only pictures know: camera, light, scenery."""

from typing import Annotated

from pydantic import Field

from levels.values import (
    Axis,
    Color,
    Name,
    NotNegative,
    Number,
    Ornament,
    Palette,
    Positive,
    Table,
    Vector,
)


class Camera(Table):
    """Where the player looks from at the start."""

    position: Vector | None = Field(
        default=None, description="The eye is here, in m; left out, the whole level is framed."
    )
    target: Vector | None = Field(default=None, description="The camera looks at this point, in m.")
    field_of_view: Annotated[float, Field(ge=5, le=120)] = Field(
        default=45.0, description="The picture shows this angle from bottom to top, in degrees."
    )
    follow: Name | None = Field(
        default=None, description="The camera keeps this body in the middle."
    )
    height: Positive | None = Field(
        default=None,
        description="In two dimensions the picture shows this height from bottom to top, in m.",
    )


class Scenery(Table):
    """Something to look at that takes no part in the physics."""

    ornament: Ornament = Field(description="It is this ornament.")
    position: Vector = Field(description="Its centre is here, in m.")
    size: Vector = Field(description="It is this long along its x, y and z axes, in m.")
    turn: Number = Field(
        default=0.0, description="It is turned about the vertical by this angle, in degrees."
    )
    color: Color | None = Field(
        default=None,
        description='It is drawn in this colour, a name or "#rrggbb"; left out, the game chooses '
        "one.",
    )
    on: Name | None = Field(
        default=None,
        description="This body carries it; position and turn are in the axes of the body then.",
    )


class Look(Table):
    """Light and air."""

    palette: Palette | None = Field(
        default=None, description="This palette sets light, sky and ground together."
    )
    sky: Palette | None = Field(
        default=None, description="The sky is taken from this other palette."
    )
    sun: Axis | None = Field(
        default=None, description="The sun stands in this direction; any length but zero will do."
    )
    fog: NotNegative | None = Field(
        default=None, description="Fog takes away this share of the light, in 1/m; 0 is clear air."
    )
    exposure: Positive | None = Field(
        default=None,
        description="The picture has this brightness; 1 is ordinary, and left out the palette "
        "says it.",
    )
    grid: bool = Field(default=True, description="If true, a grid is drawn on the ground.")
    scenery: list[Scenery] = Field(
        default=[],
        description="These trees, rocks and people who watch are drawn and take no part in the "
        "physics.",
    )

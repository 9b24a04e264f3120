"""A chain of rigid links with ball joints; each link can only swing so far against the last."""

import math
from itertools import pairwise
from typing import Annotated

from pydantic import Field

from levels.frames import along, distance, lerp, subtract
from levels.props.curves import tangent
from levels.props.prop import Line, Site, prop, ropes_collision
from levels.values import NotNegative, Positive
from physics import Capsule


@prop("chain")
class Chain(Line):
    """A chain between two ends, or hanging free from one."""

    links: Annotated[int, Field(ge=1, le=2000)] = Field(
        default=10, description="The chain has this many links."
    )
    link_mass: Positive = Field(default=1.0, description="One link has this mass, in kg.")
    radius: Positive = Field(
        default=0.06, description="The links are this thick, measured as a radius in m."
    )
    swing: Annotated[float, Field(gt=0, le=180)] = Field(
        default=180.0,
        description="A link can swing this far against its neighbour, in degrees; 180 is free.",
    )
    compliance: NotNegative = Field(
        default=0.0, description="Every joint gives way by this much, in m/N; at 0 it is rigid."
    )
    breaks_at: Positive | None = Field(
        default=None,
        description="A joint of the chain breaks at this force, in N; left out, none does.",
    )

    def build(self, site: Site) -> None:
        start = site.anchor("from", self.from_)
        end = site.anchor("to", self.to) if self.to is not None else None
        route = self.route(site, start.point, end.point if end else None, self.length)
        points = route.laid(site, self.links)
        total = route.total(points)
        shape = Capsule(radius=self.radius, length=distance(points[0], points[1]))
        links = [
            site.body(
                str(i),
                shape,
                lerp(a, b, 0.5),
                along(subtract(b, a)),
                mass=self.link_mass,
                friction=self.friction,
                collision=ropes_collision(self.self_collision),
            )
            for i, (a, b) in enumerate(pairwise(points))
        ]
        hold = {"breaks_at": self.breaks_at, "compliance": self.compliance or None}
        site.joint("top", "ball", links[0], start.body, at=points[0], **hold)
        limit = math.radians(self.swing) if self.swing < 180 else None
        for i, (a, b) in enumerate(pairwise(links)):
            axis = tangent(points[i], points[i + 1])
            site.joint(
                f"joint{i}", "ball", a, b, at=points[i + 1], axis=axis, swing_limit=limit, **hold
            )
        if end is not None:
            site.joint("bottom", "ball", links[-1], end.body, at=points[-1], **hold)
        group = site.group
        group.rest_length, group.segment_length = total, total / self.links
        group.radius, group.root, group.lines = self.radius, links[-1], [links]

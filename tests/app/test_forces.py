"""The forces on a body, as a free-body diagram lists them."""

import numpy as np
import pytest

from levels import load
from sandbox.app.body_forces import forces_on, total
from sandbox.app.overlays import OVERLAYS, add_overlays, inertia_box
from sandbox.app.player import Player
from tests.app.desk import Desk
from tests.app.fakes import toy

HANGING = """
format = 1
title = "A crate on a rope above a crate on the ground"
[bodies.ground]
shape = "plane"
fixed = true
[bodies.low]
shape = "box"
size = [1, 1, 1]
mass = 30
position = [4, 0.5, 0]
[bodies.high]
shape = "box"
size = [1, 1, 1]
mass = 20
position = [0, 5, 0]
[joints.rope]
kind = "distance"
bodies = ["high"]
at_a = [0, 5.5, 0]
at_b = [0, 8, 0]
length = 2.5
"""


def test_joints_and_contacts_carry_the_weight(tmp_path) -> None:
    path = tmp_path / "hanging.toml"
    path.write_text(HANGING, encoding="utf-8")
    session = load(path).session()
    session.step(60)
    weight, rope = forces_on(session, session.handles["high"])
    assert (weight.source, rope.source) == ("gravity", "rope")
    assert weight.vector == pytest.approx((0, -20 * 9.81, 0))
    assert rope.vector == pytest.approx((0, 20 * 9.81, 0), rel=1e-3, abs=1e-3)
    weight, ground = forces_on(session, session.handles["low"])
    assert ground.source == "contact with ground"
    assert ground.vector == pytest.approx((0, 30 * 9.81, 0), rel=1e-2, abs=1.0)
    assert total([weight, ground]).size < 0.02 * weight.size


def test_a_joint_pulls_its_two_bodies_in_opposite_directions() -> None:
    session = toy()
    upper, lower = (
        {force.source: force.vector for force in forces_on(session, session.handles[name])}
        for name in ("knot", "weight")
    )
    assert np.array_equal(upper["rope.1"], -lower["rope.1"])


def test_the_box_of_a_box_is_itself() -> None:
    from physics.shapes import Box, Sphere

    axes, half = inertia_box(Box((2.0, 1.0, 0.4)))
    corner = np.abs(axes) @ half
    assert corner == pytest.approx((1.0, 0.5, 0.2))
    _, half = inertia_box(Sphere(1.0))
    assert half == pytest.approx(np.full(3, np.sqrt(3 / 5)))


def test_centres_and_inertia_are_drawn_on_what_can_move() -> None:
    player = Player(toy())
    player.state.overlays = {"inertia"}
    scene = player.scene()
    add_overlays(scene, player)
    assert len(scene.glow["rod"]) == 2 * 12  # a ball and a weight, twelve edges each
    assert len(scene.glow["ball"]) == 2 + 1
    middle = scene.glow["ball"]["position"][-1]
    assert middle == pytest.approx(np.array((3 * 50, 3 + 4 * 50, 0)) / 51, rel=1e-5)


def test_the_panel_lists_what_acts_on_the_body_that_was_clicked(desk: Desk, monkeypatch) -> None:
    from sandbox.ui import forces

    listed: list[str] = []
    line = forces._line

    def noted(force, *rest) -> None:
        listed.append(force.source)
        line(force, *rest)

    monkeypatch.setattr(forces, "_line", noted)
    desk.key("F7")
    assert "forces" in desk.player.state.open
    assert not listed  # nothing is selected yet
    desk.player.state.selected = desk.session.handles["ball"]
    desk.run(0.2)
    assert {"gravity", "sum"} <= set(listed)
    assert desk.game.interface.layout.place("forces") is not None


def test_every_overlay_with_colours_explains_them(desk: Desk, monkeypatch) -> None:
    from sandbox.ui import legend

    told: set[str] = set()
    monkeypatch.setattr(legend, "_bar", lambda text, fonts: told.add(text.partition(",")[0]))
    monkeypatch.setattr(
        legend, "_dots", lambda entries, fonts: told.update(entry.text for entry in entries)
    )
    desk.player.state.open.clear()
    for overlay in OVERLAYS.values():
        desk.player.state.overlays = {overlay.name}
        told.clear()
        desk.run(0.2)
        assert len(told) == len(overlay.legend), overlay.name

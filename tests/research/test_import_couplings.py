"""Joints that follow others, rotors, torques and planes of imported models, beside MuJoCo."""

from pathlib import Path
from typing import Any

import mujoco
import numpy as np
import pytest

from levels import load
from levels.importers import import_model
from tests.research.mujoco_reference import compare, reference, swinging, up

_WHEELS = """<mujoco model="wheels"><compiler angle="radian"/><worldbody>
  <body name="first" pos="0 0 1"><joint name="lead" axis="0 1 0" {first}/>
    <inertial pos="0.2 0 0.05" mass="2" diaginertia="0.02 0.03 0.025"/></body>
  <body name="second" pos="1 0 1"><joint name="follow" axis="0.6 0 0.8"/>
    <inertial pos="0 0.1 0" mass="1" diaginertia="0.02 0.03 0.025"/></body>
  </worldbody>{rest}</mujoco>"""
_FOLLOW = """<equality><joint joint1="follow" joint2="lead" polycoef="0 -1.5 0 0 0"
  solref="0.0005 1" solimp="0.9999 0.9999 0.001"/></equality>"""


def _written(folder: Path, text: str, name: str = "model.xml") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def _ends(path: Path, folder: Path, controls: dict[str, float], seconds: float = 0.25) -> Any:
    """Where both engines have the bodies at the end: differences, and how far they went."""
    imported = import_model(path)
    model, data = reference(path, imported, actuated=True)
    world = swinging(imported, folder, 960)
    begun = {name: world.position(name) for name in ("first", "second")}
    for name, value in controls.items():
        data.actuator(name).ctrl = value
        imported.control(world, name, value)
    while data.time < seconds - 1e-9:
        mujoco.mj_step(model, data)
    world.step(round(seconds * 960))
    there = {name: up(data.body(name).xipos) for name in begun}
    return (
        max(float(np.linalg.norm(world.position(name) - there[name])) for name in begun),
        max(float(np.linalg.norm(there[name] - begun[name])) for name in begun),
        imported,
        world,
    )


def test_what_follows_on_a_fixed_base_is_a_gear(tmp_path: Path) -> None:
    """Both ways: the follower's weight turns the leader too."""
    path = _written(tmp_path, _WHEELS.format(first="", rest=_FOLLOW))
    apart, went, imported, world = _ends(path, tmp_path, {})
    assert 'kind = "gear"' in imported.text
    assert not imported.unsupported
    lead, follow = world.joint_value("lead"), world.joint_value("follow")
    assert follow == pytest.approx(-1.5 * lead, abs=1e-6)
    assert went > 0.05
    assert apart < 2e-3  # MuJoCo holds its equalities softly


def test_mimic_is_read_from_urdf(tmp_path: Path) -> None:
    link = (
        '<link name="{}"><inertial><origin xyz="0.2 0 0"/><mass value="1"/>'
        '<inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial></link>'
    )
    joint = (
        '<joint name="{0}" type="{3}"><parent link="{1}"/><child link="{2}"/>'
        '<origin xyz="0.5 0 0"/><axis xyz="0 1 0"/><limit lower="-1" upper="1"/>{4}</joint>'
    )
    mimic = '<mimic joint="lead" multiplier="0.5"/>'
    links = "".join(link.format(name) for name in ("base", "a", "b", "c", "d"))
    joints = (
        joint.format("lead", "base", "a", "revolute", "")
        + joint.format("geared", "base", "b", "revolute", mimic)
        + joint.format("led", "a", "c", "revolute", mimic)
        + joint.format("lost", "base", "d", "revolute", '<mimic joint="nobody"/>')
    )
    path = _written(tmp_path, f'<robot name="r">{links}{joints}</robot>', "robot.urdf")
    found = import_model(path, tmp_path / "robot.toml")
    said = "\n".join(found.unsupported)
    assert '"led" follows "lead" by a servo' in said
    assert '"lost": mimic of "nobody"' in said
    assert '"geared"' not in said
    session = load(tmp_path / "robot.toml").session()
    session.step(240)
    values = {name: session.world.joint_value(name) for name in ("lead", "geared", "led")}
    assert abs(values["lead"]) > 0.1
    assert values["geared"] == pytest.approx(0.5 * values["lead"], abs=1e-6)
    assert values["led"] == pytest.approx(0.5 * values["lead"], abs=0.05)


def test_a_planar_joint_slides_and_turns_in_its_plane(tmp_path: Path) -> None:
    text = """<robot name="r"><link name="base"/><link name="puck"><inertial>
      <origin xyz="0.1 0 0"/><mass value="1"/>
      <inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial></link>
      <joint name="table" type="planar"><parent link="base"/><child link="puck"/>
      <axis xyz="0 0.6 0.8"/></joint></robot>"""
    found = import_model(_written(tmp_path, text, "r.urdf"), tmp_path / "r.toml")
    world = load(tmp_path / "r.toml").build()
    normal = up((0.0, 0.6, 0.8))
    before = world.position("puck")
    world.set_angular_velocity("puck", tuple(2.0 * normal))
    world.step(120)
    moved = world.position("puck") - before
    assert abs(float(moved @ normal)) < 1e-6
    down = -9.81 * (np.array((0.0, 1.0, 0.0)) - 0.8 * normal)
    assert float(np.linalg.norm(moved)) == pytest.approx(
        0.5 * float(np.linalg.norm(down)) * 0.25, rel=0.05
    )
    assert all("planar" not in what for what in found.unsupported)


def test_a_rotor_on_a_fixed_base_is_inertia(tmp_path: Path) -> None:
    path = _written(tmp_path, _WHEELS.format(first='armature="0.01"', rest=""))
    apart, went, imported, _ = _ends(path, tmp_path, {})
    assert not imported.unsupported
    assert went > 0.05
    assert apart < 2e-3
    heavy = _written(tmp_path, _WHEELS.format(first='armature="5"', rest=""))
    assert any("armature 5" in what for what in import_model(heavy).unsupported)
    assert compare(heavy, tmp_path).swing_error < 5e-3


def test_torques_are_told_by_their_controls(tmp_path: Path) -> None:
    motors = """<actuator><motor name="push" joint="lead" gear="4" ctrlrange="-1 1"/>
      <general name="pull" joint="follow" gear="2"/></actuator>"""
    path = _written(tmp_path, _WHEELS.format(first="", rest=motors))
    apart, went, imported, world = _ends(path, tmp_path, {"push": 3.0, "pull": -0.7})
    assert imported.actuators == ["push", "pull"]
    assert world.motor_force("lead") == pytest.approx(4.0), "beyond its range it is clamped"
    assert went > 0.1
    assert apart < 5e-3
    with pytest.raises(KeyError, match="push"):
        imported.control(world, "shove", 1.0)

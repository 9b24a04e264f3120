"""Handles and snapshots know their world; what a world shows of itself; no misspelt settings."""

import inspect
import pickle
from typing import Any

import numpy as np
import pytest

from physics import Box, Handle, Sphere, World
from tests.physics.random_calls import fingerprint


def pair() -> World:
    """Two boxes on a hinge, under a cloth that lies on one of them."""
    world = World()
    world.add_body("base", Box((1, 0.2, 1)), position=(0, -0.1, 0), fixed=True)
    world.add_body("door", Box((0.5, 0.1, 0.1)), mass=1.0, position=(0.5, 0.5, 0))
    world.add_joint("hinge", "door", "base", at=(0.2, 0.5, 0), axis=(0, 0, 1), name="hinge")
    return world


def draped() -> World:
    world = pair()
    world.add_cloth("sheet", rows=3, columns=3, position=(0, 1, 0))
    return world


# --- handles and snapshots ------------------------------------------------------------------------


def test_a_handle_of_another_world_is_refused() -> None:
    here, there = pair(), pair()
    for call in (here.position, here.remove, here.name, here.is_broken):
        with pytest.raises(ValueError, match=r'"door".* belongs to another world'):
            call(there.find("door"))
    with pytest.raises(ValueError, match="another world"):
        here.add_joint("distance", here.find("door"), there.find("base"))


def test_what_is_no_handle_is_a_type_error() -> None:
    for wrong in (None, 3, [], (1, 2), object()):
        with pytest.raises(TypeError, match="give a handle or a name"):
            pair().position(wrong)  # type: ignore[arg-type]


def test_a_snapshot_of_another_world_is_refused() -> None:
    here, there = pair(), pair()
    there.step(3)
    before = fingerprint(here)
    with pytest.raises(ValueError, match=r"taken of another world.*twin=True"):
        here.restore(there.snapshot())
    assert fingerprint(here) == before


def test_a_twin_takes_over_the_moment_and_the_handles() -> None:
    here, there = draped(), draped()
    door = there.find("door")
    there.step(5)
    late = there.add_body("late", Sphere(0.1), mass=1.0, position=(0, 3, 0))
    saved, at = there.snapshot(), there.hash()
    here.restore(saved, twin=True)
    assert here.hash() == at
    assert here.position(door).tolist() == there.position(door).tolist()
    assert here.mass(late) == 1.0
    assert here.find("late").world != late.world
    there.step(4)
    assert here.hash() == at, "two worlds share something"
    here.step(4)
    assert here.hash() == there.hash()


def test_a_twin_gets_a_soft_body_of_its_own() -> None:
    """Also one that it was built without."""
    here, there = pair(), draped()
    there.step(2)
    here.restore(there.snapshot(), twin=True)
    at = there.hash()
    here.step(3)
    assert there.hash() == at
    there.step(3)
    assert here.hash() == there.hash()


def test_a_twin_of_another_dimension_is_refused() -> None:
    flat, deep = World(dimension=2), World()
    ball = deep.add_body("ball", Sphere(0.1), mass=1.0)
    flat.add_body("ball", Sphere(0.1), mass=1.0)
    before = fingerprint(flat)
    with pytest.raises(ValueError, match='its part "settings" does not fit'):
        flat.restore(deep.snapshot(), twin=True)
    assert fingerprint(flat) == before
    with pytest.raises(ValueError, match="another world"):
        flat.position(ball)


@pytest.mark.parametrize("part", list(pair().snapshot()))
def test_a_snapshot_that_lacks_a_part_changes_nothing(part: str) -> None:
    world = draped()
    saved = dict(world.snapshot())
    del saved[part]
    world.step(3)
    world.gravity = (0, -1, 0)
    before = fingerprint(world)
    with pytest.raises(ValueError, match=f"lacks {part}"):
        world.restore(saved)
    assert fingerprint(world) == before


def test_a_snapshot_with_a_foreign_part_changes_nothing() -> None:
    world = pair()
    saved = {**world.snapshot(), "weather": 3}
    world.step(3)
    before = fingerprint(world)
    with pytest.raises(ValueError, match="holds weather, which no world has"):
        world.restore(saved)
    assert fingerprint(world) == before


def test_a_damaged_snapshot_changes_nothing_and_the_motion_goes_on() -> None:
    """Whatever is missing deep inside, also where arrays have grown since."""
    world, undisturbed = draped(), draped()
    saved = world.snapshot()
    for each in (world, undisturbed):
        each.add_particles([f"p{i}" for i in range(40)], position=(3, 3, 3), mask=0)
        each.step(3)
    before = fingerprint(world)
    for part, entries in saved.items():
        for key in entries if isinstance(entries, dict) else ():
            damaged = {**saved, part: {k: v for k, v in entries.items() if k != key}}
            with pytest.raises(ValueError, match=f'its part "{part}" does not fit'):
                world.restore(damaged)
            assert fingerprint(world) == before, (part, key)
    world.step(5)
    undisturbed.step(5)
    assert world.hash() == undisturbed.hash()


def test_a_snapshot_may_be_taken_after_one_of_two_soft_bodies_went() -> None:
    world = World()
    for i in range(2):
        world.add_solid(f"block {i}", cells=(1, 1, 1), position=(0, 1.02 * i, 0), pins=[0])
    world.step(3)
    world.remove("block 0")
    saved, at = world.snapshot(), world.hash()
    world.step(2)
    world.restore(saved)
    assert world.hash() == at


def test_restoring_across_a_cut_brings_back_the_bits() -> None:
    world = World()
    world.add_body("ground", Box((4, 1, 4)), position=(0, -0.5, 0), fixed=True)
    flat = (0.7071067811865476, 0.7071067811865476, 0, 0)
    world.add_cloth("sheet", rows=5, columns=5, position=(0, 0.02, 0), orientation=flat)
    world.step(20)
    saved, at = world.snapshot(), world.hash()
    world.cut("sheet", (-1, 0.02, 0.1), (1, 0.02, 0.1), (0, 1, 0))
    world.step(2)
    world.restore(saved)
    assert world.hash() == at


def test_handles_survive_pickling() -> None:
    world = pair()
    door = pickle.loads(pickle.dumps(world.find("door")))
    assert world.position(door).tolist() == [0.5, 0.5, 0.0]


# --- nothing half done ----------------------------------------------------------------------------


def test_a_refused_body_leaves_no_ghost() -> None:
    world, undisturbed = pair(), pair()
    for wrong in ({"group": "x"}, {"mask": None}, {"friction": -1}, {"mass": None}):
        with pytest.raises(ValueError, match="new"):
            world.add_body("new", Sphere(0.1), **{"mass": 1.0, **wrong})
    for each in (world, undisturbed):
        each.add_body("new", Sphere(0.1), mass=1.0, position=(0, 2, 0))
        each.step(40)
    assert world.hash() == undisturbed.hash()
    assert world.find("new").slot == undisturbed.find("new").slot


def test_sewing_points_is_all_or_nothing() -> None:
    world = draped()
    before = fingerprint(world)
    with pytest.raises(ValueError, match="points must be finite"):
        world.attach_points("sheet", [(0, 1, 0), (np.nan, 0, 0)], "door")
    with pytest.raises(ValueError, match="nodes must lie in 0 … 8, not 99"):
        world.attach("sheet", [0, 99], "door")
    with pytest.raises(ValueError, match="velocities"):
        world.set_nodes("sheet", np.ones((9, 3)), np.ones((8, 3)))
    assert fingerprint(world) == before


def test_collisions_of_joined_bodies_may_be_switched() -> None:
    world = pair()
    world.set_joint("hinge", collide=True)
    assert world.joint("hinge").parameters["collide"]
    world.step(2)
    world.set_joint("hinge", collide=False)
    world.remove("hinge")
    world.add_joint("ball", "door", "base", at=(0.2, 0.5, 0), collide=True, name="ball")
    world.set_joint("ball", collide=False)
    world.remove("door")
    world.step(2)


def test_what_is_handed_out_cannot_change_the_world() -> None:
    world = World()
    world.add_body("wheel", Sphere(0.1), mass=1.0)
    motor = {"speed": 1.0, "max_force": 5.0}
    world.add_joint("hinge", "wheel", at=(0, 0, 0), axis=(0, 0, 1), motor=motor, name="axle")
    world.joint("axle").parameters["motor"]["speed"] = np.nan
    assert world.joint("axle").parameters["motor"]["speed"] == 1.0
    with pytest.raises(ValueError, match="read-only"):
        np.multiply(world.gravity, 2.0, out=world.gravity)
    assert (2 * world.gravity).tolist() == [0, -19.62, 0]


# --- what a world shows of itself -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("shown", "words"),
    [
        (lambda w: w, "World(2 bodies, 1 joints, 1 cloths; t = 0.0333333 s; 60 Hz, adaptive"),
        (lambda w: w.find("door"), '<body "door">'),
        (lambda w: w.soft("sheet"), '<cloth "sheet">'),
        (lambda w: w.joint("hinge"), 'JointInfo(hinge of <body "door"> and <body "base"> at ('),
        (lambda w: w.energy(), "Energy(kinetic "),
        (lambda w: w.stats, "Stats(2 steps; adaptive, direct; "),
    ],
)
def test_reprs_are_readable(shown: Any, words: str) -> None:
    world = draped()
    world.step(2)
    assert repr(shown(world)).startswith(words)
    assert len(repr(shown(world))) < 400


@pytest.mark.parametrize(
    ("name", "hint"),
    [("gravitiy", '"gravity"'), ("Rate", '"rate"'), ("solvr", '"solver"'), ("color", "settings:")],
)
def test_a_misspelt_setting_is_refused(name: str, hint: str) -> None:
    with pytest.raises(AttributeError, match=hint):
        setattr(World(), name, 1.0)


def test_records_cannot_be_changed() -> None:
    world = pair()
    for record in (world.find("door"), world.stats, world.joint("hinge"), world.energy()):
        with pytest.raises((AttributeError, TypeError)):
            record.knid = "x"  # type: ignore[union-attr]


def test_the_docstring_lists_every_public_call() -> None:
    listed = inspect.getdoc(World) or ""
    soft = [name for name in vars(World) if "self.soft(handle)" in _source(name)]
    for name in vars(World):
        if not name.startswith(("_", "set_")) and name not in soft:
            assert name in listed, name


def _source(name: str) -> str:
    member = vars(World)[name]
    return inspect.getsource(member) if inspect.isfunction(member) else ""


def test_a_soft_object_does_what_the_calls_do() -> None:
    world = draped()
    sheet = world.soft("sheet")
    assert isinstance(sheet.handle, Handle)
    assert sheet.positions().tolist() == world.node_positions("sheet").tolist()
    sheet.pin([0, 2])
    assert world.pinned_nodes("sheet").tolist() == [0, 2]
    sheet.attach([4], "door")
    assert len(world.seams("sheet", "door")) == 1
    world.remove("sheet")
    with pytest.raises(ValueError, match="removed"):
        sheet.positions()

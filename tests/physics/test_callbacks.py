"""Functions that are called after a step: what they hear, when, and what they may do."""

from typing import Any

import pytest

from physics import Plane, Sphere, World


def _world() -> World:
    world = World(rate=120)
    world.add_body("ground", Plane((0, 1, 0)), fixed=True)
    world.add_body("ball", Sphere(0.1), mass=1, position=(0, 0.3, 0), restitution=0.8)
    world.add_body("weight", Sphere(0.1), mass=5, position=(3, 2, 0))
    world.add_joint("distance", "weight", at_b=(3, 4, 0), breaks_at=10.0, name="thread")
    return world


@pytest.mark.parametrize("at_once", [1, 7, 200])
def test_every_event_is_told_in_its_own_step(at_once: int) -> None:
    world, heard = _world(), []
    world.on("contact_begin", lambda a, b, point, impulse: heard.append((world.time, "begin")))
    world.on("contact_end", lambda a, b: heard.append((world.time, "end")))
    world.on("broken", lambda handle, name: heard.append((world.time, name)))
    other, expected = _world(), []
    for _ in range(0, 200, at_once):
        world.step(min(at_once, 200))
    for _ in range(round(world.time * 120)):
        other.step()
        for kind, *data in other.events():
            word = data[1] if kind == "broken" else kind.removeprefix("contact_")
            expected.append((other.time, word))
    assert heard == expected
    assert {word for _, word in heard} == {"begin", "end", "thread"}
    assert world.hash() == other.hash()


def test_events_of_one_call_are_still_all_there() -> None:
    world, plain, steps = _world(), _world(), []
    world.on("step", lambda: steps.append(world.time))
    world.step(150)
    plain.step(150)
    assert len(steps) == 150
    assert [e[0] for e in world.events()] == [e[0] for e in plain.events()]
    assert world.hash() == plain.hash()


def test_a_force_acts_during_the_whole_call() -> None:
    worlds = _world(), _world()
    worlds[0].on("step", lambda: None)
    for world in worlds:
        world.apply_force("ball", (3, 0, 0))
        world.step(10)
    assert worlds[0].hash() == worlds[1].hash()


def test_a_listener_may_change_the_world_but_not_step_it() -> None:
    world = _world()
    world.on("contact_begin", lambda a, b, *_: world.set_velocity("ball", (0, 5, 0)))
    world.step(60)
    assert world.position("ball")[1] > 0.5
    world.on("step", lambda: world.step())
    with pytest.raises(ValueError, match="cannot take steps itself"):
        world.step()
    assert world.time > 0


def test_listeners_can_leave_and_are_checked() -> None:
    world, heard = _world(), []

    def listen() -> None:
        heard.append(1)
        world.off(listen)

    world.on("step", listen)
    world.step(5)
    assert heard == [1]
    with pytest.raises(ValueError, match="is not called"):
        world.off(listen)
    with pytest.raises(ValueError, match="contact_begin"):
        world.on("contact_begn", listen)
    with pytest.raises(ValueError, match="cannot be called"):
        world.on("step", 3)


@pytest.mark.parametrize(
    ("kind", "function"),
    [
        ("step", lambda one: None),
        ("step", Sphere),  # wants a radius
        ("contact_end", lambda a: None),
        ("contact_begin", lambda a, b, point, impulse, more: None),
        ("broken", lambda *, handle, name: None),
    ],
)
def test_a_listener_that_cannot_take_what_it_is_told_is_refused(kind: str, function: Any) -> None:
    """When it is given, not in the middle of a later step."""
    world = _world()
    with pytest.raises(ValueError, match=f"what {kind} tells"):
        world.on(kind, function)
    world.on(kind, lambda *told: None)
    world.on(kind, lambda a=0, b=0, point=0, impulse=0: None)
    world.on("step", dict)  # whose signature is not known
    world.step(2)


def test_going_back_keeps_the_listeners() -> None:
    world, heard = _world(), []
    world.on("step", lambda: heard.append(1))
    moment = world.snapshot()
    world.step(3)
    world.restore(moment)
    world.step(3)
    assert len(heard) == 6

"""Live numbers, overlays and sound: what the physics looks and sounds like."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from sandbox.app.overlays import add_overlays
from sandbox.app.player import Player
from sandbox.app.traces import LENGTH, Traces
from sandbox.audio import Sound
from sandbox.audio.sound import MATERIALS, Impact, material_of
from tests.app.fakes import toy


class CountingWorld:
    """A world that has swept seven times more after every step."""

    def __init__(self) -> None:
        self.steps = 0

    def energy(self) -> Any:
        return SimpleNamespace(kinetic=1.0 * self.steps, potential=2.0, total=3.0)

    @property
    def stats(self) -> Any:
        return SimpleNamespace(
            sweeps=7 * self.steps,
            newton=2 * self.steps,
            residual=1e-6,
            guard={"halved": self.steps // 100},
            times={"rows": 1e-4, "solve": 2e-4},
        )


def test_counters_become_numbers_per_step() -> None:
    world, traces = CountingWorld(), Traces()
    for _ in range(5 * LENGTH // 2):
        world.steps += 1
        traces.record(world.steps / 60, world, 10.0)
    assert len(traces) == LENGTH
    assert (traces.column("sweeps") == 7).all()
    assert (traces.column("newton") == 2).all()
    time = traces.column("time")
    assert np.allclose(np.diff(time), 1 / 60)
    assert time[-1] == pytest.approx(world.steps / 60)
    assert traces.column("solve")[-1] == pytest.approx(2e-4)
    assert traces.stages == ("rows", "solve")
    assert traces.recent_guard(100 / 60) == 1


def test_the_watched_joint_is_the_one_clicked() -> None:
    player = Player(toy())
    assert player.monitor.watched_name  # without a click: one in the middle of a rope
    joint = player.session.joints["rope.0"]
    player.state.joint = joint
    assert player.monitor.watched_name == "rope.0"
    player.update(0.1)
    assert player.monitor.traces.last("force") == pytest.approx(10.0)


def test_added_inertia_is_drawn_as_large_as_it_is() -> None:
    player = Player(toy())
    ratio = np.zeros(5)
    ratio[3], ratio[4] = 1e-2, 1e3
    player.world.added_by_stabilization = lambda: (ratio, np.zeros(2))
    player.state.overlays = {"stabilization"}
    scene = player.scene()
    add_overlays(scene, player)
    radius = scene.glow["ball"]["radius"]
    assert len(radius) == 2
    assert radius[1] > 1.5 * radius[0]


def test_added_damping_is_drawn_on_joints() -> None:
    player = Player(toy())
    player.world.added_by_stabilization = lambda: (np.zeros(5), np.array((0.0, 4.0)))
    player.state.overlays = {"stabilization"}
    scene = player.scene()
    add_overlays(scene, player)
    assert len(scene.glow["ball"]) == 1


def test_a_friction_cone_opens_with_the_coefficient() -> None:
    from physics.contact.events import CONTACT

    player = Player(toy())
    table = np.zeros(2, CONTACT)
    table["normal"], table["impulse"] = (0.0, 1.0, 0.0), 1.0
    table["coefficient"] = 0.3, 0.9
    player.world.contacts = lambda: table
    player.state.overlays = {"contacts"}
    scene = player.scene()
    add_overlays(scene, player)
    half = scene.glow["cone"]["half"]
    assert half[:, 0] / (2 * half[:, 1]) == pytest.approx((0.3, 0.9), rel=1e-5)


class Mixer:
    """Counts what is played."""

    def __init__(self) -> None:
        self.played: list[Any] = []

    def Sound(self, wave: Any) -> Any:
        def play(**options: Any) -> Any:
            self.played.append(len(wave))
            return SimpleNamespace(set_volume=lambda *volumes: None)

        return SimpleNamespace(
            play=play, set_volume=lambda v: None, get_num_channels=lambda: 0, get_volume=lambda: 1.0
        )

    def quit(self) -> None:
        return


@pytest.fixture
def sound(monkeypatch: pytest.MonkeyPatch) -> tuple[Sound, Mixer]:
    mixer = Mixer()
    monkeypatch.setattr("sandbox.audio.sound._open_mixer", lambda: mixer)
    heard = Sound()
    mixer.played.clear()  # the wind
    return heard, mixer


def test_a_rope_creaks_when_its_tension_rises(sound: tuple[Sound, Mixer]) -> None:
    heard, mixer = sound
    for i in range(200):
        assert not heard.strain(1000.0, i / 60) or i < 60  # steady: quiet once it is known
    mixer.played.clear()
    assert heard.strain(1600.0, 4.0)
    assert len(mixer.played) == 1
    assert not heard.strain(1700.0, 4.1)  # not again at once
    assert not heard.strain(5.0, 9.0)  # slack


def test_impacts_sound_by_impulse_and_material(sound: tuple[Sound, Mixer]) -> None:
    heard, mixer = sound
    player = Player(toy())
    player.update(0.05)
    for material in MATERIALS:
        player.monitor.impacts = [Impact(np.zeros(3), 30.0, 10.0, material)]
        heard.hear(player, muted=False)
    assert len(mixer.played) == len(MATERIALS)
    assert len(set(mixer.played)) == len(MATERIALS)  # metal rings longest, stone shortest
    player.monitor.impacts = [Impact(np.zeros(3), 1e-3, 10.0)]
    heard.hear(player, muted=False)
    player.monitor.impacts = [Impact(np.zeros(3), 30.0, 10.0)]
    heard.hear(player, muted=True)
    assert len(mixer.played) == len(MATERIALS)
    assert player.monitor.impacts == []


def test_what_a_body_sounds_like() -> None:
    look = SimpleNamespace(pattern="wood", color=None)
    assert material_of(look) == "wood"
    assert material_of(SimpleNamespace(pattern=None, color="steel")) == "metal"
    assert material_of(None) == "plain"

"""A building yard made by hand: every kind of thing the renderer can draw, without physics."""

import numpy as np

from sandbox.render import rotations
from sandbox.render.look import STUDIO, Look, linear
from sandbox.render.ornaments import ornament_parts
from sandbox.render.scene import Scene, Sheet, box, capsule, cylinder, smooth, sphere, tubes
from sandbox.render.view import View

VIEW = View(eye=(7.5, 7.4, 41.0), target=(2.2, 8.3, 0.0), fov=np.radians(32.0))


def _place(scene: Scene, kind: str, half, at, color, orientation=(1.0, 0, 0, 0)) -> None:
    for mesh, rows in ornament_parts(kind, half, color).items():
        turn = np.broadcast_to(np.array(orientation, float), (len(rows), 4))
        rows["position"] = rotations.rotate(turn, rows["position"].astype(float)) + at
        rows["orientation"] = rotations.multiply(turn, rows["orientation"].astype(float))
        scene.add(mesh, rows)


def _crane(scene: Scene) -> None:
    scene.add(
        "box", box((4.4, 0.5, 4.4), color="concrete", pattern="concrete", position=(-3, 0.25, 0))
    )
    _place(scene, "truss", (0.85, 6.6, 0.85), (-3, 7.1, 0), "yellow")
    turn = rotations.about((0, 1, 0), -0.25)
    spin = lambda p: rotations.rotate(np.array([turn]), np.array([p], float))[0] + (-3, 14.2, 0)  # noqa: E731
    _place(scene, "boom", (6.9, 0.62, 0.55), spin((8.2, 0.5, 0)), "yellow", turn)
    _place(scene, "truss", (2.0, 0.2, 0.5), spin((-2.6, 0.0, 0)), "yellow", turn)
    _place(scene, "weight", (0.9, 0.95, 0.8), spin((-4.2, -0.8, 0)), "grey", turn)
    _place(scene, "cab", (0.75, 0.85, 0.7), spin((0.6, -0.35, 1.15)), "cream", turn)
    scene.add("box", box((1.9, 0.45, 1.9), color="charcoal", position=(-3, 13.85, 0)))
    _place(scene, "truss", (0.22, 1.9, 0.22), spin((0.0, 2.0, 0)), "yellow", turn)
    peak = spin((0, 3.9, 0))
    lines = [(peak, spin((9.5, 1.1, 0))), (peak, spin((-4.2, 0.2, 0)))]
    trolley = spin((9.6, -0.35, 0))
    scene.add("box", box((1.1, 0.4, 1.0), color="charcoal", position=trolley, orientation=turn))
    hook = np.array([trolley[0] + 0.9, 8.4, trolley[2]])
    lines += [
        (np.add(trolley, (s * 0.25, 0, 0)), np.add(hook, (s * 0.12, 0.3, 0))) for s in (-1, 1)
    ]
    load = hook - (0, 2.6, 0)
    lines += [(hook, np.add(load, (sx * 1.1, 0.85, sz * 0.55))) for sx in (-1, 1) for sz in (-1, 1)]
    ropes = [tubes(np.array(line), 0.045, color="cable", pattern="plain") for line in lines]
    _place(scene, "hook", (0.26, 0.34, 0.2), hook, "red")
    _place(scene, "container", (1.6, 0.9, 0.85), load, "mint", rotations.about((0, 1, 0), 0.15))
    scene.tubes = np.concatenate((scene.tubes, *ropes))


def _person(scene: Scene, at: np.ndarray) -> None:
    """Sitting on the edge of a box, hands on its knees."""
    limb = lambda r, a, b, c: _limb(scene, r, at + a, at + b, c)  # noqa: E731
    limb(0.24, (0, 0.42, 0), (0, 0.92, 0), "blue")
    limb(0.2, (0, 0.2, 0), (0, 0.35, 0), "charcoal")
    for s in (-1, 1):
        limb(0.11, (s * 0.30, 0.98, 0), (s * 0.42, 0.62, 0.14), "blue")
        limb(0.085, (s * 0.42, 0.60, 0.14), (s * 0.30, 0.38, 0.5), "skin")
        limb(0.14, (s * 0.15, 0.2, 0.05), (s * 0.18, 0.2, 0.62), "charcoal")
        limb(0.12, (s * 0.18, 0.18, 0.62), (s * 0.18, -0.42, 0.66), "charcoal")
        limb(0.11, (s * 0.18, -0.52, 0.68), (s * 0.18, -0.54, 0.86), "red")
    scene.add("ball", sphere(0.27, color="skin", position=np.add(at, (0, 1.5, 0.02))))


def _limb(scene: Scene, radius, a, b, color) -> None:
    along = np.asarray(b, float) - a
    length = float(np.linalg.norm(along))
    turn = rotations.between(np.array((0.0, 1, 0)), along[None] / length)[0]
    scene.add(
        "ball", capsule(radius, length, color=color, position=(np.add(a, b)) / 2, orientation=turn)
    )


def _banner(scene: Scene) -> None:
    n, m = 40, 26
    u, v = np.meshgrid(np.linspace(0, 1, n), np.linspace(0, 1, m), indexing="ij")
    x = 9.4 + 5.6 * u
    y = 5.0 - 3.8 * v - 0.75 * np.sin(np.pi * u) * (1 - 0.4 * v)
    z = 6 + 0.42 * np.sin(9.5 * u + 1.3 * v) * (0.25 + v) * np.sin(np.pi * u) ** 0.5
    points = np.stack((x, y, z), axis=-1).reshape(-1, 3)
    index = np.arange(n * m).reshape(n, m)
    a, b, c, d = index[:-1, :-1], index[1:, :-1], index[:-1, 1:], index[1:, 1:]
    triangles = np.concatenate([np.stack(t, -1).reshape(-1, 3) for t in ((a, b, c), (b, d, c))])
    uv = np.stack((u * 4.0, v * 3.0), axis=-1).reshape(-1, 2)
    scene.sheets.append(
        Sheet(points, triangles, uv, linear("red"), linear("cream"), pattern="stripes")
    )
    for px in (9.35, 15.05):
        _place(scene, "post", (0.09, 2.75, 0.09), (px, 2.75, 6), "steel")


def _loose(scene: Scene) -> None:
    rng = np.random.default_rng(4)
    colors = ["red", "yellow", "teal", "red", "cream", "sand", "cream", "red", "yellow", "cream"]
    rows = [4, 3, 2, 1]
    i = 0
    for level, count in enumerate(rows):
        for k in range(count):
            at = (6.2 + 1.5 * k + 0.72 * level, 0.72 + 1.44 * level, 1.5 + rng.uniform(-0.1, 0.1))
            turn = rotations.about((0, 1, 0), rng.uniform(-0.06, 0.06))
            scene.add("box", box((1.42,) * 3, color=colors[i], position=at, orientation=turn))
            i += 1
    for r, color, x, z, pattern in (
        (0.95, "blue", 3.0, 6.0, "plain"),
        (0.75, "red", 0.2, 9.0, "ball"),
        (0.5, "white", 1.4, 9.9, "plain"),
        (0.62, "yellow", 6.8, 8.6, "plain"),
    ):
        scene.add("ball", sphere(r, color=color, gloss=0.8, position=(x, r, z), pattern=pattern))
    scene.add(
        "box",
        box(
            (1.4,) * 3,
            color="blue",
            position=(5.2, 0.7, 8.8),
            orientation=rotations.about((0, 1, 0), 0.3),
        ),
    )
    _place(scene, "crate", (0.75,) * 3, (3.8, 0.75, 9.4), "sand", rotations.about((0, 1, 0), -0.2))
    scene.add("box", box((2.0,) * 3, color="sand", pattern="wood", position=(-8.2, 1.0, 4)))
    _person(scene, np.array((-8.2, 2.0, 4.75)))
    _place(
        scene,
        "truck",
        (2.6, 1.15, 1.05),
        (-9.2, 1.15, -4.5),
        "red",
        rotations.about((0, 1, 0), -0.5),
    )


def _fence(scene: Scene) -> None:
    for x in (-4.2, 0.6):
        _place(scene, "post", (0.12, 1.1, 0.12), (x, 1.1, 11.5), "brown")
    x = np.linspace(-4.2, 0.6, 14)
    y = 2.1 - 1.1 * (1 - ((x + 1.8) / 2.4) ** 2)
    curve = smooth(np.stack((x, y, np.full_like(x, 11.5)), axis=1), 3)
    scene.tubes = np.concatenate((scene.tubes, tubes(curve, 0.075)))


def yard(look: Look = STUDIO) -> Scene:
    scene = Scene(look=look, center=(2.5, 5.0, 3.0), radius=19.0)
    _crane(scene)
    _banner(scene)
    _loose(scene)
    _fence(scene)
    return scene


def drum() -> Scene:
    """One cylinder; the smallest scene there is."""
    scene = Scene(radius=4.0, center=(0, 1, 0))
    scene.add("cylinder", cylinder(1.0, 2.0, bevel=0.1, color="coral", position=(0, 1, 0)))
    return scene

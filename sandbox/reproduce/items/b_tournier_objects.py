"""[Tournier15]: continuous materials (§4.2) and complex objects (§4.3)."""

import math
from typing import Any

import numpy as np

from physics import Box, Part, Sphere, World
from sandbox.reproduce.item import Result, at_least, at_most, holds, item, near, short
from sandbox.reproduce.outcomes import run, step_seconds
from sandbox.reproduce.played import judge_level
from sandbox.reproduce.scenes import OURS, PAPERS, UNTREATED, Scene, chain

SOURCE = "[Tournier15]"
LIMBS = (  # parent, centre, joint, size, mass: a doll that hangs by one hand from link 9
    (9, (0, -0.3, 0), (0, 0, 0), (0.08, 0.6, 0.08), 3.0),
    (10, (0, -0.75, 0), (0, -0.6, 0), (0.3, 0.3, 0.2), 15.0),
    (11, (0, -1.05, 0), (0, -0.9, 0), (0.25, 0.3, 0.2), 12.0),
    (11, (0, -0.5, 0.15), (0, -0.6, 0.15), (0.2, 0.2, 0.2), 5.0),
    (11, (0, -0.8, -0.3), (0, -0.65, -0.2), (0.08, 0.3, 0.08), 2.0),
    (14, (0, -1.1, -0.3), (0, -0.95, -0.3), (0.07, 0.3, 0.07), 1.5),
    (12, (0, -1.4, 0.1), (0, -1.2, 0.1), (0.12, 0.4, 0.12), 7.0),
    (16, (0, -1.8, 0.1), (0, -1.6, 0.1), (0.1, 0.4, 0.1), 4.0),
    (17, (0, -2.05, 0.1), (0, -2.0, 0.1), (0.2, 0.1, 0.1), 1.0),
    (12, (0, -1.4, -0.1), (0, -1.2, -0.1), (0.12, 0.4, 0.12), 7.0),
    (19, (0, -1.8, -0.1), (0, -1.6, -0.1), (0.1, 0.4, 0.1), 4.0),
    (20, (0, -2.05, -0.1), (0, -2.0, -0.1), (0.2, 0.1, 0.1), 1.0),
)

END = (4.0, 0.0, 0.0)  # of the liana


def ragdoll(h: float, **settings: Any) -> Scene:
    """Ten links of a liana, horizontal, and twelve limbs with limits at its end."""
    scene = chain(1.0, h, length=0.4, mass=0.5, **settings)
    world = scene.world
    world.remove("load")
    scene.load = None
    bodies = list(scene.links)
    for k, (parent, centre, at, size, mass) in enumerate(LIMBS):
        place = np.add(centre, END)
        limb = world.add_body(f"limb {k}", Box(size), mass=mass, position=place, mask=0)
        world.add_joint("ball", limb, bodies[parent], at=np.add(at, END),
                        swing_limit=1.0)  # fmt: skip
        bodies.append(limb)
        scene.releasable += mass * 9.81 * 5.0
    scene.links = bodies
    return scene


def _shaken(scene: Scene, seconds: float) -> tuple[bool, float]:
    """Twice a second a push of 500 N to and fro at the hip; whether it stayed closed, and a gap."""
    world, worst = scene.world, 0.0
    for k in range(round(seconds / world.h)):
        push = 500.0 * math.copysign(1.0, math.sin(4 * math.pi * k * world.h))
        world.apply_force("limb 1", (0.0, 0.0, push))
        world.step()
        if world.diverged:
            return False, math.inf
        worst = max(worst, world.constraint_error())
    return worst < 0.05, worst


@item(
    SOURCE, "§4.3: a ragdoll on a liana",
    conditions="""Twelve rigid bodies with joint limits on a liana of ten ball joints, h = 0.01
    s; 5 s of swinging from the horizontal, then 5 s shaken by 500 N to and fro at 2 Hz.""",
    left_open="""Sizes and masses of the limbs (62.5 kg in all), links of 0.4 m and 0.5 kg,
    limits of 1 rad. The paper takes 200 sweeps of projected Gauss-Seidel, here the joints are
    solved directly and the limits by sweeps over them.""",
    why="""Limits stop limbs abruptly; what "geometric" does there depends on steering gaps
    back.""",
)  # fmt: skip
def ragdoll_on_a_liana(quick: bool) -> Result:
    result = Result()
    seconds = 2.0 if quick else 5.0
    for name in (UNTREATED, PAPERS, OURS):
        scene = ragdoll(0.01, stabilization=name)
        found = run(scene, seconds)
        stable, gap = found.holds(gap=0.05), found.gap
        if stable:
            stable, shaken = _shaken(scene, seconds)
            gap = max(gap, shaken)
        paper = "unstable" if name == UNTREATED else "stable when shaken"
        ours = f"gap {short(gap)} m, gain {short(100 * found.gain)} %"
        result.add(name, paper, ours, holds(stable != (name == UNTREATED)))
    rate = 1.0 / step_seconds(ragdoll(0.01).world, 0.2)
    result.add("frames/s", "70", f"{rate:.0f}", at_least(rate, 70.0), True)
    return result


@item(
    SOURCE, "§4.3: bow, trampoline, knee",
    conditions="""Levels that play their own input: bow (frame of 10 GPa, string of ten
    inextensible links, h = 0.005 s), trampoline (mat c = 1e-10, springs k = 5e3, hard contacts,
    h = 0.01 s), knee (bones in contact, ligaments soft up to 5 % strain and stiff beyond).
    Frames a second: median.""",
    left_open="sizes, masses, who jumps.",
    why="A level is more than the paper's scene: who jumps is a doll of many bodies.",
    limit=600,
)  # fmt: skip
def bow_trampoline_knee(quick: bool) -> Result:
    result = Result()
    seconds = 2.0 if quick else 8.0
    judge_level(result, "bow", seconds, 85.0, "shoots")
    judge_level(result, "trampoline", seconds, 35.0)
    judge_level(result, "knee", seconds, 11.0)
    return result


def _knee(cruciate: bool) -> World:
    """Condyles on a plateau, ligaments of two phases; the tibia may slide and not turn."""
    world = World(rate=200, gravity=(0, 0, 0), sleeping=False)
    condyles = [Part(Sphere(0.03), position=(0, 0, side)) for side in (-0.025, 0.025)]
    world.add_body("femur", parts=condyles, position=(0, 0.03, 0), fixed=True, friction=0.01)
    world.add_body("tibia", Box((0.08, 0.02, 0.1)), mass=3.0, position=(0, -0.01, 0),
                   locked="rx ry rz", friction=0.01)  # fmt: skip
    ligaments = [
        ((0.015, 0.02, 0), (-0.02, -0.005, 0)),
        ((0, 0.035, 0.045), (0, -0.015, 0.045)),
        ((0, 0.035, -0.045), (0, -0.015, -0.045)),
    ]
    if cruciate:
        ligaments.append(((-0.02, 0.02, 0), (0.02, -0.005, 0)))
    for above, below in ligaments:
        length = math.dist(above, below)
        ends: dict[str, Any] = {"at_a": below, "at_b": above}
        world.add_joint("spring", "tibia", "femur", stiffness=1e4, damper=100.0, length=length,
                        collide=True, **ends)  # fmt: skip
        world.add_joint("distance", "tibia", "femur", slack=True, compliance=1e-7,
                        length=1.05 * length, collide=True, **ends)  # fmt: skip
    return world


@item(
    SOURCE, "Figure 8: the Lachman test",
    conditions="""Two condyles on a plateau in contact, ligaments as soft springs with a stiff
    one-way row from 5 % strain on, the tibia pulled forward with 100 N: how far it comes, with
    and without the anterior cruciate ligament. Then a muscle: its row shortened by 1 cm.""",
    left_open="""Geometry of a schematic knee; 10 kN/m below and 1e4 kN/m above the limit; the
    tibia does not turn; h = 0.005 s.""",
)  # fmt: skip
def figure_8_lachman(quick: bool) -> Result:
    result, ways = Result(), {}
    for cruciate in (True, False):
        world = _knee(cruciate)
        for _ in range(400):
            world.apply_force("tibia", (100.0, 0, 0))
            world.step()
        ways[cruciate] = 1e3 * float(world.position("tibia")[0])
    result.add("with the ligament, mm", "normal (small)", short(ways[True]),
               at_most(ways[True], 5.0))  # fmt: skip
    result.add("without, mm", "excessive", short(ways[False]),
               holds(ways[False] > 1.5 * ways[True]))  # fmt: skip
    rate = 1.0 / step_seconds(_knee(True), 0.1)
    result.add("frames/s", "11", f"{rate:.0f}", at_least(rate, 11.0), True)
    return result


def _hung_strain(vertical: bool) -> tuple[float, float]:
    """A strip hung by its upper edge, warp along or across gravity: stretch, and by theory."""
    E, weft, mass, thickness = 1e5, 2e4, 0.05, 1e-3
    world = World(rate=100, sleeping=False)
    cloth = world.add_cloth(
        "strip", size=(0.2, 1.0), rows=26, columns=6, mass=mass, model="membrane",
        young=weft if vertical else E, weft=E if vertical else weft, poisson=0.0,
        thickness=thickness, pins=range(6), damping=0.02, stepping="euler",
    )  # fmt: skip
    world.step(600)
    heights = world.node_positions(cloth)[:, 1]
    stretch = float(np.ptp(heights)) - 1.0
    modulus = E if vertical else weft
    return stretch, mass * 9.81 / (2 * modulus * thickness * 0.2)


@item(
    SOURCE, "Figure 6, left: anisotropic sheet pulled",
    conditions="""A strip of 0.2 x 1 m pulled by its own weight, moduli 1e5 and 2e4 Pa across
    each other: stretch over F L/(2 E A), with the stiff and with the soft direction along
    gravity.""",
    left_open="""The paper shows a picture. Ours are triangles with an orthotropic law instead
    of quads; 0.05 kg, 1 mm, ν = 0.""",
    why="""Green strain of a stretch by s is s + s²/2, so that a law linear in it is stiffer
    than F L/(2 E A) by a few per cent, and the weights of the edges differ by half a row.""",
)  # fmt: skip
def figure_6_anisotropic_sheet(quick: bool) -> Result:
    result = Result()
    found = {}
    for vertical, name in ((True, "stiff direction along the pull"), (False, "soft direction")):
        stretch, theory = _hung_strain(vertical)
        found[vertical] = stretch
        result.add(f"{name}: stretch, m", short(theory), short(stretch), near(stretch, theory, 0.2))
    ratio = found[False] / found[True]
    result.add("soft over stiff", "5", short(ratio), near(ratio, 5.0, 0.25))
    return result


@item(
    SOURCE, "Figure 6, right: four bodies of four materials",
    conditions="The level materials: cubes of four materials that fall on each other.",
    left_open="""The paper has rigid, plastic, Neo-Hookean and meshless armadillos; no time is
    given.""",
    limit=600,
)  # fmt: skip
def figure_6_four_materials(quick: bool) -> Result:
    result = Result()
    judge_level(result, "materials", 1.0 if quick else 5.0, 0.0)
    return result


@item(
    SOURCE, "§4.2: compliance and stiffness forms agree on a soft cantilever",
    conditions="""A beam of 1 x 0.2 x 0.2 m, 1e5 Pa, ν = 0.3, clamped at one end, at rest under
    its weight: "stvk" is in rows of compliance, "corotational" and "neo_hookean" in stiffness
    form.""",
    left_open="size, 100 kg/m³, 10 x 2 x 2 cells, damped until it rests.",
)  # fmt: skip
def cantilever_both_forms(quick: bool) -> Result:
    result, tips = Result(), {}
    for material in ("stvk", "corotational", "neo_hookean"):
        world = World(rate=100, sleeping=False)
        solid = world.add_solid(
            "beam", size=(1.0, 0.2, 0.2), cells=(5, 1, 1) if quick else (10, 2, 2), young=1e5,
            density=100.0, material=material, damping=0.1, stepping="euler",
        )  # fmt: skip
        start = world.node_positions(solid)
        world.pin_nodes(solid, np.flatnonzero(start[:, 0] < start[:, 0].min() + 1e-9).tolist())
        world.step(400)
        end = start[:, 0] > start[:, 0].max() - 1e-9
        tips[material] = float((start - world.node_positions(solid))[end, 1].mean())
    for material, tip in tips.items():
        result.add(f"{material}: tip, m", "similar", short(tip), near(tip, tips["stvk"], 0.05))
    return result

"""An imported model beside MuJoCo's own reading of the same file: masses, axes, free swing.

What a level has not (armatures and actuators that were listed) and what is a matter of contact is
switched off there, and limits and contacts here, so that both swing freely under the same forces.
"""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
from numpy.typing import NDArray

from levels import load
from levels.importers import Imported, import_model
from physics import World

Floats = NDArray[np.float64]

GRAVITY = (3.0, 2.0, -9.0)  # m/s², askew: what stands upright swings, too


def up(points: Any) -> Floats:
    """MuJoCo's z up to our y up."""
    p = np.asarray(points, float)
    return np.stack([p[..., 0], p[..., 2], -p[..., 1]], axis=-1)


@dataclass
class Comparison:
    """Largest differences over all moving bodies and joints."""

    bodies: int
    joints: int
    mass: float  # kg, ours
    mass_error: float  # of the sum, as a share
    place_error: float  # m, of the centres of mass
    inertia_error: float  # of principal moments, as a share of the largest
    axis_error: float  # sine of the angle between joint axes
    swing_error: float  # m, after `seconds` of free swing
    swing: float  # m, how far the furthest went meanwhile
    unsupported: list[str]


def reference(path: Path, imported: Imported, actuated: bool = False) -> tuple[Any, Any]:
    """Model and data, without what the level has not."""
    model = mujoco.MjModel.from_xml_path(str(path))
    for i in range(model.njnt):
        name = mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_JOINT, i)
        if any(what.startswith(f'joint "{name}": armature') for what in imported.unsupported):
            first = model.jnt_dofadr[i]
            last = model.jnt_dofadr[i + 1] if i + 1 < model.njnt else model.nv
            model.dof_armature[first:last] = 0.0
    model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONTACT
    model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_LIMIT
    for i in range(model.nu):
        name = mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_ACTUATOR, i)
        if any(f'actuator "{name}"' in what for what in imported.unsupported):
            model.actuator_gainprm[i], model.actuator_biasprm[i] = 0.0, 0.0
    if not actuated:
        model.actuator_ctrllimited[:] = 0  # targets are zero, as in the level
    model.opt.integrator = mujoco.mjtIntegrator.mjINT_RK4
    model.opt.timestep = 1e-4
    model.opt.gravity[:] = GRAVITY
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    return model, data


def swinging(imported: Imported, folder: Path, rate: float) -> World:
    """The level without limits and contacts."""
    text = re.sub(r"^limits = .*\n", "", imported.text, flags=re.MULTILINE)
    path = folder / "swinging.toml"
    path.write_text(text, encoding="utf-8")
    world = load(path).build(rate=rate)
    world.sleeping = False
    world.gravity = up(GRAVITY)
    handles = world.handles("body")
    for i, a in enumerate(handles):
        for b in handles[i + 1 :]:
            world.ignore_contacts(a, b)
    return world


def compare(path: Path, folder: Path, seconds: float = 0.25, rate: float = 960) -> Comparison:
    imported = import_model(path)
    model, data = reference(path, imported)
    world = swinging(imported, folder, rate)
    pairs = _pairs(imported, model)
    begun = {name: world.position(name) for name in pairs}
    place = max(float(np.abs(begun[n] - up(data.xipos[b])).max()) for n, b in pairs.items())
    inertia = max(_inertia_error(imported, name, model, body) for name, body in pairs.items())
    axes, joints = _axis_error(world, imported, model, data)
    mass = sum(link.moments.mass for link in imported.model.links.values() if not link.fixed)
    whole = sum(float(model.body_mass[i]) for i in _moving(model))
    _run(model, data, seconds)
    world.step(round(seconds * rate))
    ends = {name: up(data.xipos[body]) for name, body in pairs.items()}
    swing = max(float(np.linalg.norm(ends[name] - begun[name])) for name in pairs)
    apart = max(float(np.linalg.norm(world.position(name) - ends[name])) for name in pairs)
    return Comparison(
        len(pairs), joints, mass, abs(mass - whole) / whole, place, inertia, axes, apart, swing,
        imported.unsupported,
    )  # fmt: skip


def _run(model: Any, data: Any, seconds: float) -> None:
    """With steps as small as it needs: without their rotors, fingers with servos are fast."""
    for _ in range(3):
        for _ in range(round(seconds / model.opt.timestep)):
            mujoco.mj_step(model, data)
        if not data.warning[mujoco.mjtWarning.mjWARN_BADQACC].number:
            return
        mujoco.mj_resetData(model, data)
        model.opt.timestep *= 0.1
    raise AssertionError("MuJoCo runs away")


def _moving(model: Any) -> list[int]:
    """Bodies that any joint above them moves."""
    return [i for i in range(1, model.nbody) if model.body_weldid[i] != 0]


def _pairs(imported: Imported, model: Any) -> dict[str, int]:
    """Our links and MuJoCo's bodies that are the same; those with parts welded on are left to the
    sum of masses and to the swing of the others."""
    found = {}
    for i in _moving(model):
        name = mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_BODY, i)
        welded = any(model.body_weldid[k] == i for k in range(model.nbody) if k != i)
        if name in imported.model.links and not welded and model.body_weldid[i] == i:
            found[name] = i
    assert found
    return found


def _inertia_error(imported: Imported, name: str, model: Any, body: int) -> float:
    if any(joint.child == name and joint.armature for joint in imported.model.joints):
        return 0.0  # a rotor may be in it; the swing tells whether it is right
    ours = np.sort(np.linalg.eigvalsh(np.array(imported.model.links[name].moments.inertia)))
    theirs = np.sort(model.body_inertia[body])
    return float(np.abs(ours - theirs).max() / theirs.max())


def _axis_error(world: World, imported: Imported, model: Any, data: Any) -> tuple[float, int]:
    worst, count = 0.0, 0
    names = {world.name(handle) for handle in world.handles("joint")}
    for joint in imported.model.joints:
        i = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_JOINT, joint.written or joint.name)
        if i < 0 or joint.name not in names or joint.freedom not in ("turn", "slide"):
            continue
        axis = np.asarray(world.joint(joint.name).axis)
        worst = max(worst, float(np.linalg.norm(np.cross(axis, up(data.xaxis[i])))))
        if joint.freedom == "turn":
            at = np.asarray(world.joint(joint.name).anchor_a) - up(data.xanchor[i])
            worst = max(worst, float(np.linalg.norm(np.cross(at, axis))))
        count += 1
    return worst, count

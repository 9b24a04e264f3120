"""MuJoCo's deformable grid ("flex"): a clamped beam let go, for comparison with solids here."""

import time
from dataclasses import dataclass

INTEGRATORS = ("Euler", "discrete")  # those that its elasticity takes
_MODEL = """<mujoco><option timestep="{h}" gravity="0 0 -9.81" integrator="{integrator}"><flag
autoreset="disable"/></option><size memory="200M"/><worldbody><flexcomp name="flex" type="grid"
dim="3" count="{count}" spacing="{gap} {gap} {gap}" mass="{mass}" radius="0.001"><contact
selfcollide="none"/><elasticity young="{young}" poisson="{poisson}"/><pin id="{pins}"/></flexcomp>
</worldbody></mujoco>"""


@dataclass(frozen=True)
class Beam:
    """Square, along x; SI units."""

    length: float
    side: float
    young: float
    poisson: float
    density: float


def cantilever(
    beam: Beam, h: float, across: int, integrator: str, seconds: float
) -> tuple[list[float], float]:
    """Sag of the tip after every step, empty if it diverged or is refused; processor seconds."""
    import mujoco

    mujoco.set_mju_user_warning(lambda _: None)
    along = round(across * beam.length / beam.side)
    counts = (along + 1, across + 1, across + 1)
    text = _MODEL.format(
        h=h,
        integrator=integrator,
        count=" ".join(map(str, counts)),
        gap=beam.side / across,
        mass=beam.density * beam.length * beam.side**2,
        young=beam.young,
        poisson=beam.poisson,
        pins=" ".join(str(k) for k in range(counts[1] * counts[2])),
    )
    try:
        model = mujoco.MjModel.from_xml_string(text)
    except ValueError:
        return [], 0.0
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    start = data.flexvert_xpos.copy()
    end = start[:, 0] > start[:, 0].max() - 1e-9
    heights, spent = [], 0.0
    for _ in range(round(seconds / h)):
        began = time.process_time()
        mujoco.mj_step(model, data)
        spent += time.process_time() - began
        if any(warning.number for warning in data.warning):
            return [], spent
        heights.append(float((start - data.flexvert_xpos)[end, 2].mean()))
    return heights, spent

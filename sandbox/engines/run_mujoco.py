"""MuJoCo: a tree of hinges; pins that close a loop are equality constraints."""

import numpy as np

from sandbox.engines.engine import Floats
from sandbox.engines.planar import Bar, Mechanism, Pin


def _bar_element(mechanism: Mechanism, i: int, above: tuple[float, float, float]) -> str:
    """Nested bodies; `above` is where the origin of the parent is and how it is turned."""
    holding, _ = mechanism.tree()
    bar = mechanism.bars[i]
    number = holding[i]
    pin = None if number is None else mechanism.pins[number]
    x, y = _turned(bar.x - above[0], bar.y - above[1], -above[2])
    turn = bar.angle - above[2]
    joint = ""
    if pin is not None:
        px, py = bar.local(pin.x, pin.y)
        kind = 'type="ball"' if mechanism.balls else 'type="hinge" axis="0 0 1"'
        joint = f'<joint name="j{i}" {kind} pos="{px:.17g} {py:.17g} 0"/>'
    below = [
        k for k, held in enumerate(holding) if held is not None and mechanism.pins[held].b == i
    ]
    here = (bar.x, bar.y, bar.angle)
    inner = "".join(_bar_element(mechanism, k, here) for k in below)
    return (
        f'<body name="b{i}" pos="{x:.17g} {y:.17g} 0" euler="0 0 {turn:.17g}">{joint}'
        f'<geom type="box" size="{bar.length / 2:.17g} {bar.width / 2:.17g} {bar.width / 2:.17g}" '
        f'mass="{bar.mass:.17g}" contype="0" conaffinity="0"/>{inner}</body>'
    )


def _turned(x: float, y: float, angle: float) -> tuple[float, float]:
    c, s = float(np.cos(angle)), float(np.sin(angle))
    return c * x - s * y, s * x + c * y


def _model_text(mechanism: Mechanism, h: float, setting: str) -> str:
    holding, closing = mechanism.tree()
    roots = [i for i, held in enumerate(holding) if held is None or mechanism.pins[held].b < 0]
    tree = "".join(_bar_element(mechanism, i, (0.0, 0.0, 0.0)) for i in roots)
    equalities = "".join(_equality(mechanism.bars, pin, h) for pin in closing)
    integrator, _, damped = setting.partition(", ")
    damping = '<default><joint damping="0.1"/></default>' if damped else ""
    return (
        f'<mujoco><compiler angle="radian"/>{damping}<option timestep="{h:.17g}" '
        f'gravity="0 -9.81 0" integrator="{integrator}">'
        '<flag autoreset="disable" energy="enable"/></option>'
        f"<worldbody>{tree}</worldbody><equality>{equalities}</equality></mujoco>"
    )


def _equality(bars: list[Bar], pin: Pin, h: float) -> str:
    x, y = bars[pin.a].local(pin.x, pin.y)
    other = f'body2="b{pin.b}" ' if pin.b >= 0 else ""
    return (
        f'<connect body1="b{pin.a}" {other}anchor="{x:.17g} {y:.17g} 0" '
        f'solref="{2 * h:.17g} 1" solimp="0.9999 0.9999 0.001"/>'
    )


class _Running:
    def __init__(self, mechanism: Mechanism, h: float, setting: str) -> None:
        import mujoco

        mujoco.set_mju_user_warning(lambda _: None)  # divergence is looked for
        self._engine = mujoco
        self._model = mujoco.MjModel.from_xml_string(_model_text(mechanism, h, setting))
        self._data = mujoco.MjData(self._model)
        holding, _ = mechanism.tree()
        for i, held in enumerate(holding):
            if held is not None:
                below = mechanism.pins[held].b
                spin = mechanism.bars[i].omega - (mechanism.bars[below].omega if below >= 0 else 0)
                address = self._model.joint(f"j{i}").dofadr[0]
                self._data.qvel[address + (2 if mechanism.balls else 0)] = spin
        mujoco.mj_forward(self._model, self._data)
        self._numbers = [self._model.body(f"b{i}").id for i in range(len(mechanism.bars))]

    def step(self, n: int) -> None:
        self._engine.mj_step(self._model, self._data, n)

    def places(self) -> Floats:
        self._engine.mj_kinematics(self._model, self._data)  # a step leaves poses of its start
        self._engine.mj_comPos(self._model, self._data)
        place = self._data.xipos[self._numbers]
        turn = self._data.xmat[self._numbers]
        return np.stack([place[:, 0], place[:, 1], np.arctan2(turn[:, 3], turn[:, 0])], axis=1)

    def speeds(self) -> Floats:
        count = len(self._numbers)
        if any(warning.number for warning in self._data.warning):
            return np.full((count, 3), np.inf)
        self._engine.mj_forward(self._model, self._data)
        found, one = np.zeros((count, 3)), np.zeros(6)
        kind = self._engine.mjtObj.mjOBJ_BODY
        for i, number in enumerate(self._numbers):
            self._engine.mj_objectVelocity(self._model, self._data, kind, number, one, 0)
            found[i] = (one[3], one[4], one[2])
        return found


def build(mechanism: Mechanism, h: float, setting: str) -> _Running:
    return _Running(mechanism, h, setting)

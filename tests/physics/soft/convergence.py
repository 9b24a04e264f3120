"""Beams of tetrahedra against theory under refinement, as numbers and as a picture.

    python -m tests.physics.soft.convergence --plot convergence.svg

Pull and push (ΔL/L = F/YA), twist (θ = 2τL(1+ν)/(YK)) and a cantilever, of the beams that
test_soft_verification.py asserts. Linear elements hold a uniform stress exactly, so pull and push
lie at the material's own non-linearity for every mesh; the others fall with the
1.6th power of the cell (fitted over these meshes; the square is reached only in the limit).
"""

import argparse
import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from tests.physics.soft import test_soft_verification as beams

CELLS = (4, 6, 8, 12, 16, 24)
Curve = list[tuple[float, float]]  # cells across the beam and relative error


def pull_error(cells: int, sign: float, material: str = "stvk") -> float:
    """Of the elongation of a 2 m beam pulled (or pushed) by a strain of 1e-6."""
    strain = 1e-6 * sign
    body = beams.beam((2 * cells, cells, cells), (2.0, 1.0, 1.0), material=material, density=1e-3)
    body.gravity[:] = 0.0
    rest = body.x.copy()
    pull = beams.uniform([strain * beams.YOUNG, 0.0, 0.0])
    body.state.force[:] = beams.face_load(body, 2.0, pull) - beams.face_load(body, 0.0, pull)
    body.find_equilibrium(1e-13, horizon=0.02)
    ends = [body.x[np.abs(rest[:, 0] - x) < 1e-9, 0].mean() for x in (0.0, 2.0)]
    return float(abs(((ends[1] - ends[0]) / 2.0 - 1.0) / strain - 1.0))


def curves(cells: Sequence[int] = CELLS) -> dict[str, Curve]:
    """Relative errors; pull and push only up to eight cells, where they are exact already."""
    few = [n for n in cells if n <= 8]
    return {
        "pull": [(n, pull_error(n, 1.0)) for n in few],
        "push": [(n, pull_error(n, -1.0)) for n in few],
        "twist": [(n, abs(1.0 - beams.twist_ratio(n))) for n in cells],
        "cantilever": [(n, abs(1.0 - beams.cantilever_ratio(n))) for n in cells],
    }


def order(curve: Curve) -> float:
    """Negative slope of the error over the number of cells, both logarithmic."""
    n, error = np.log(np.array(curve)).T
    return float(-np.polyfit(n, error, 1)[0])


_WIDTH, _HEIGHT, _MARGIN = 640, 440, 70
_COLORS = ("#2a6f97", "#e07a5f", "#3d405b", "#81b29a")


def draw(found: dict[str, Curve]) -> str:
    """The curves in logarithmic axes, with the 2 % line, as SVG."""
    every = [point for curve in found.values() for point in curve]
    low_n, high_n = min(n for n, _ in every), max(n for n, _ in every)
    low_e = 10.0 ** math.floor(math.log10(min(e for _, e in every)))
    high_e = 10.0 ** math.ceil(math.log10(max(e for _, e in every)))

    def place(n: float, error: float) -> tuple[float, float]:
        across = math.log(n / low_n) / math.log(high_n / low_n)
        up = math.log(error / low_e) / math.log(high_e / low_e)
        return (
            _MARGIN + across * (_WIDTH - 2 * _MARGIN),
            _HEIGHT - _MARGIN - up * (_HEIGHT - 2 * _MARGIN),
        )

    parts = [_text(_WIDTH / 2, _HEIGHT - 18, "cells across the beam")]
    parts.append(_text(_WIDTH / 2, 28, "relative error against theory"))
    for power in range(round(math.log10(low_e)), round(math.log10(high_e)) + 1):
        y = place(low_n, 10.0**power)[1]
        parts += [_line([(_MARGIN, y), (_WIDTH - _MARGIN, y)], "#dddddd")]
        parts.append(_text(_MARGIN - 28, y + 4, f"1e{power}"))
    for n in sorted({n for n, _ in every}):
        parts.append(_text(place(n, low_e)[0], _HEIGHT - _MARGIN + 20, f"{n:g}"))
    aim = [place(low_n, 0.02), place(high_n, 0.02)]
    parts += [_line(aim, "#999999", dashed=True), _text(aim[1][0] + 22, aim[1][1] + 4, "2 %")]
    for color, (name, curve) in zip(_COLORS, found.items(), strict=True):
        points = [place(n, e) for n, e in curve]
        parts += [_line(points, color), *(_dot(x, y, color) for x, y in points)]
        parts.append(_text(points[-1][0], points[-1][1] - 9, f"{name} ({order(curve):.1f})", color))
    size = f'width="{_WIDTH}" height="{_HEIGHT}" viewBox="0 0 {_WIDTH} {_HEIGHT}"'
    style = 'font-family="sans-serif" font-size="12" text-anchor="middle"'
    white = f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="white"/>'
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} {style}>', white, *parts, "</svg>\n"
    ])  # fmt: skip


def _line(points: Sequence[tuple[float, float]], color: str, dashed: bool = False) -> str:
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    dash = ' stroke-dasharray="5 4"' if dashed else ""
    return f'<polyline points="{path}" fill="none" stroke="{color}" stroke-width="1.5"{dash}/>'


def _dot(x: float, y: float, color: str) -> str:
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{color}"/>'


def _text(x: float, y: float, text: str, color: str = "#333333") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" fill="{color}">{text}</text>'


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--plot", type=Path, help="where to write the picture (.svg)")
    parser.add_argument("--most", type=int, default=CELLS[-1], help="finest mesh, cells across")
    given = parser.parse_args()
    found = curves([n for n in CELLS if n <= given.most])
    for name, curve in found.items():
        errors = "  ".join(f"{n:g}: {100 * error:.4f} %" for n, error in curve)
        print(f"{name:>10}  {errors}   order {order(curve):.2f}")
    if given.plot:
        given.plot.write_text(draw(found), encoding="utf-8")
        print(f"written: {given.plot}")


if __name__ == "__main__":
    main()

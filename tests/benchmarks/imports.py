"""Imported robots beside MuJoCo's reading of the same files: masses, axes, free swing.

    python -m tests.benchmarks imports robot.urdf humanoid.xml

Without files it takes the MuJoCo models that Gymnasium ships. The swing is a quarter of a second
without contacts and limits, at several rates: its error is that of the step.
"""

import argparse
import tempfile
from pathlib import Path

RATES = (240, 960)


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="imports")
    parser.add_argument("files", nargs="*", type=Path, help=".urdf or .xml")
    parser.add_argument("--listed", action="store_true", help="print what is not taken over, too")
    options = parser.parse_args(arguments)
    heads = "bodies joints    mass kg    mass place m inertia    axis  swing m"
    print(f"{'model':26} {heads}" + "".join(f"  {f'error, {rate}/s':>13}" for rate in RATES))
    for path in options.files or _shipped():
        _compare(path, options.listed)


def _shipped() -> list[Path]:
    import gymnasium

    folder = Path(gymnasium.__file__).parent / "envs" / "mujoco" / "assets"
    names = "ant half_cheetah hopper humanoid inverted_double_pendulum pusher_v5 walker2d_v5"
    return [folder / f"{name}.xml" for name in names.split()]


def _compare(path: Path, listed: bool) -> None:
    from tests.research.mujoco_reference import compare

    with tempfile.TemporaryDirectory() as folder:
        found = [compare(path, Path(folder), rate=rate) for rate in RATES]
    first = found[0]
    errors = "".join(f"  {one.swing_error:11.1e} m" for one in found)
    print(
        f"{path.name:26} {first.bodies:6} {first.joints:6} {first.mass:10.4f} "
        f"{first.mass_error:7.0e} {first.place_error:7.0e} {first.inertia_error:7.0e} "
        f"{first.axis_error:7.0e} {first.swing:8.3f}{errors}",
        flush=True,
    )
    for what in first.unsupported if listed else ():
        print(f"    not taken over: {what}")

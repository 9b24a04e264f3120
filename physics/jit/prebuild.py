"""Kernels compiled beforehand for every processor of a kind, carried by a wheel.

    python -m physics.jit.prebuild dist/

compiles all tasks of `physics.prepare` for a baseline processor and builds a wheel of this platform
that holds them. Kernels are named by the sources they are made of and by the versions of Python,
Numba and llvmlite, so the wheel pins those, and one that does not fit is never used: a processor
without the baseline's instructions, or sources that were edited, compile as usual.

The baseline is x86-64-v3 (AVX2 and FMA: Intel since 2013, AMD since 2015) or any arm64. The results
are the same bits as those of kernels compiled for the processor itself.
"""

import argparse
import ast
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from importlib.util import find_spec
from pathlib import Path

from physics.jit.prebuilt import FOLDER, NOTE
from physics.jit.sources import PACKAGE

# processor for LLVM, and what a machine must have to run code made for it
_BASELINES = {
    "x86_64": ("x86-64-v3", ("avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe")),
    "amd64": ("x86-64-v3", ("avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe")),
    "aarch64": ("generic", ()),
    "arm64": ("generic", ()),
}


def _baseline() -> tuple[str, tuple[str, ...]]:
    machine = platform.machine().lower()
    if machine not in _BASELINES:
        raise SystemExit(f"no baseline is known for {machine}; known: {', '.join(_BASELINES)}")
    return _BASELINES[machine]


def _environment(cache_home: Path) -> dict[str, str]:
    """Compile for the baseline into a cache of our own."""
    processor, _ = _baseline()
    return os.environ | {
        "NUMBA_CPU_NAME": processor,
        "NUMBA_CPU_FEATURES": "",
        "XDG_CACHE_HOME": str(cache_home),
    }


def build_kernels(folder: Path) -> None:
    """Compiles everything for the baseline and puts it into the folder."""
    with tempfile.TemporaryDirectory() as name:
        home = Path(name)
        environment = _environment(home)
        subprocess.run([sys.executable, "-m", "physics.prepare"], env=environment, check=True)
        asked = "from physics.jit.cache import target; print(repr(target()))"
        answer = subprocess.run(
            [sys.executable, "-c", asked],
            env=environment, check=True, capture_output=True, text=True, encoding="utf-8",
        )  # fmt: skip
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        for path in sorted((home / "taut" / "kernels").iterdir()):
            shutil.copyfile(path, folder / path.name)
    note = {"target": ast.literal_eval(answer.stdout), "needs": _baseline()[1]}
    (folder / NOTE).write_text(json.dumps(note, indent=1), encoding="utf-8")


def _pinned(text: str) -> str:
    """pyproject.toml with the versions that the kernels were compiled with."""
    import llvmlite
    import numba

    pins = f'"numba=={numba.__version__}",\n    "llvmlite=={llvmlite.__version__}",'
    pinned, count = re.subn(r'"numba>=[^"]*",', pins, text)
    if count != 1:
        raise SystemExit("pyproject.toml does not name numba as it used to")
    return pinned


def build_wheel(out: Path) -> Path:
    """A wheel of this platform and Python that carries the kernels."""
    root = PACKAGE.parent
    with tempfile.TemporaryDirectory() as name:
        copy = Path(name) / "source"
        shutil.copytree(root, copy, ignore=_not_source)
        project = copy / "pyproject.toml"
        project.write_text(_pinned(project.read_text(encoding="utf-8")), encoding="utf-8")
        build_kernels(copy / FOLDER.relative_to(root))
        made = Path(name) / "made"
        (copy / "setup.cfg").write_text(_tags(), encoding="utf-8")
        words = ("wheel", "--no-deps", "--quiet", "--wheel-dir", made, copy)
        subprocess.run([*_pip(), *map(str, words)], check=True)
        (tagged,) = made.glob("*.whl")
        out.mkdir(parents=True, exist_ok=True)
        return Path(shutil.move(tagged, out / tagged.name))


def _not_source(folder: str, names: list[str]) -> set[str]:
    left_out = {"build", "dist", "__pycache__", "prebuilt", "tests"}
    return {name for name in names if name.startswith(".") or name in left_out}


def _tags() -> str:
    """Only this Python on this platform may install the wheel."""
    python = f"cp{sys.version_info[0]}{sys.version_info[1]}"
    return f"[bdist_wheel]\npython_tag = {python}\nplat_name = {sysconfig.get_platform()}\n"


def _pip() -> list[str]:
    """pip of this environment, or of the Python that made it: the README's has none of its own."""
    if find_spec("pip"):
        return [sys.executable, "-m", "pip"]
    base = str(getattr(sys, "_base_executable", sys.executable))
    return [base, "-m", "pip", "--python", sys.executable]


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m physics.jit.prebuild",
        description="Build a wheel with compiled kernels for this platform. Takes some minutes.",
    )
    parser.add_argument("out", type=Path, help="folder for the wheel")
    print(build_wheel(parser.parse_args().out))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())

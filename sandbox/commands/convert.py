"""`sandbox convert`: robots and meshes into levels, and runs of levels into glTF."""

import argparse
import json
from pathlib import Path

from levels.exit_codes import ExitCode
from sandbox.messages import MachineProblem, Progress, UsageProblem, tell, warn
from sandbox.options import add_values, checked_variant, parse_values, writable
from sandbox.preparing import prepare_level

HELP = "Turn a robot (URDF, MJCF) or mesh into a level, or a run of a level into glTF."
EXAMPLES = (
    "sandbox convert robot.urdf robot.toml",
    "sandbox convert humanoid.xml humanoid.toml",
    "sandbox convert rock.stl rock.toml --decompose",
    "sandbox convert crane crane.glb --seconds 8",
)
DETAILS = """
From .urdf, .xml (MJCF), .obj, .off, .ply, .stl, .vtk or .msh to a level file; what the file has and
levels have not is listed by name, and at the top of the level. From a level to .glb or .gltf: every
body as a mesh with its motion, cloths and solids as shapes; Blender opens both.

--json prints one object: format 1; written (file), and of a robot bodies, joints, unsupported
  [texts]; of a film frames, seconds
"""
_MODELS = (".urdf", ".xml", ".obj", ".off", ".ply", ".stl", ".vtk", ".msh")


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("source", metavar="FROM", help="a model, or a level by name or file")
    parser.add_argument("target", metavar="TO", help=".toml; or .glb, .gltf")
    add_values(parser)
    parser.add_argument("--seconds", type=float, default=10.0, help="length of a film")
    parser.add_argument("--rate", type=float, default=30.0, help="frames of a film a second")
    parser.add_argument(
        "--decompose", action="store_true", help="cut meshes into convex pieces (CoACD)"
    )
    parser.add_argument("--free", action="store_true", help="let the root of a URDF go")
    parser.add_argument("--json", action="store_true", help="print the summary as JSON")


def run(arguments: argparse.Namespace) -> int:
    target = writable(arguments.target)
    try:
        if Path(arguments.source).suffix.lower() in _MODELS:
            return _import(arguments, target)
        return _film(arguments, target)
    except ValueError as problem:
        raise UsageProblem(str(problem)) from None
    except ImportError as problem:
        raise MachineProblem(str(problem)) from None


def _import(arguments: argparse.Namespace, target: Path) -> int:
    from levels import load
    from levels.importers import import_model

    if target.suffix != ".toml":
        raise UsageProblem(f"{target}: a model becomes a level file, which ends in .toml")
    made = import_model(
        arguments.source, target, decompose=arguments.decompose, free=arguments.free
    )
    load(target)  # whoever made it, a level must load
    bodies, joints = len(made.model.links), len(made.model.joints)
    if arguments.json:
        summary = {"format": 1, "written": str(target), "bodies": bodies, "joints": joints}
        print(json.dumps({**summary, "unsupported": made.unsupported}))
        return ExitCode.PASSED
    tell(f"{target}: {bodies} bodies, {joints} joints")
    for what in made.unsupported:
        warn(f"  not taken over: {what}")
    return ExitCode.PASSED


def _film(arguments: argparse.Namespace, target: Path) -> int:
    from levels import load
    from sandbox.gltf import filmed, write_gltf

    if target.suffix not in (".glb", ".gltf"):
        raise UsageProblem(f"{target}: a level becomes a .glb or .gltf file")
    if not 0 < arguments.seconds <= 3600 or not 1 <= arguments.rate <= 1000:
        raise UsageProblem("--seconds is above 0 and at most 3600, --rate from 1 to 1000")
    level, values = load(arguments.source), parse_values(arguments.values)
    checked_variant(level, values)
    prepare_level(level)
    with Progress(target.name) as progress:
        session = level.session(scripted=True, **values)
        film = filmed(session, arguments.seconds, arguments.rate, progress)
    write_gltf(film, target)
    if arguments.json:
        summary = {"format": 1, "written": str(target), "frames": len(film.times)}
        print(json.dumps({**summary, "seconds": film.times[-1]}))
    else:
        tell(f"{target}: {len(film.times)} frames, {len(film.bodies)} bodies")
    return ExitCode.PASSED

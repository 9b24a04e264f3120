"""`sandbox decompose`: a mesh as convex pieces, written as the parts of a level's body."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from sandbox.messages import MachineProblem, UsageProblem, tell
from sandbox.options import write_for_user

if TYPE_CHECKING:
    from physics import Compound

HELP = "Print a closed mesh as convex pieces: a compound body for a level."
EXAMPLES = (
    "sandbox decompose anvil.obj --write anvil.toml",
    "sandbox decompose anvil.obj --name anvil --scale 0.01 --most 12",
)


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("mesh", metavar="FILE", help=".obj, .off, .ply, .stl or .vtk, closed")
    parser.add_argument("--name", help="of the body; default: the file's")
    parser.add_argument("--scale", type=float, default=1.0, help="metres per unit of the file")
    parser.add_argument("--most", type=int, default=32, help="pieces at most")
    parser.add_argument(
        "--concavity", type=float, default=0.05, help="how far a piece may fill in hollows"
    )
    parser.add_argument("--write", metavar="FILE", help="write to a file instead of printing")


def run(arguments: argparse.Namespace) -> int:
    from physics.shapes.decomposition import decompose
    from physics.soft.meshes.mesh_files import load_triangles

    path = Path(arguments.mesh)
    try:
        vertices, triangles = load_triangles(path)
        shape = decompose(
            vertices * arguments.scale, triangles, concavity=arguments.concavity,
            most_parts=arguments.most,
        )  # fmt: skip
    except ValueError as error:
        raise UsageProblem(str(error)) from None
    except RuntimeError as error:
        raise MachineProblem(str(error)) from None
    text = body_table(arguments.name or path.stem, shape)
    if not arguments.write:
        tell(text, end="")
        return 0
    write_for_user(Path(arguments.write), text)
    tell(f"wrote {len(shape.parts)} parts to {arguments.write}")
    return 0


def body_table(name: str, shape: "Compound") -> str:
    """A [bodies.*] table with hulls as parts."""
    from physics import Hull

    lines = [f"[bodies.{name}]", 'shape = "compound"', "density = 1000", "parts = ["]
    for hull in (part.shape for part in shape.parts if isinstance(part.shape, Hull)):
        points = ", ".join(
            "[" + ", ".join(f"{value:.9g}" for value in point) + "]"
            for point in hull.vertices.tolist()
        )
        lines.append(f'    {{ shape = "hull", points = [{points}] }},')
    return "\n".join([*lines, "]"]) + "\n"

"""`sandbox render`: a video of a level, without a window."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from levels.exit_codes import ExitCode
from sandbox.messages import Interrupted, MachineProblem, UsageProblem, tell
from sandbox.options import add_level, add_values, checked_variant, parse_values
from sandbox.preparing import prepare_level

if TYPE_CHECKING:
    from levels import Session

HELP = "Render a level to a video or a picture, without a window."
EXAMPLES = (
    "sandbox render crane --seconds 8 --out crane.mp4",
    "sandbox render liana --size 1920x1080 --quality high",
    "sandbox render million --set weight=1e6 --seconds 2 --out million.png",
)


def configure(parser: argparse.ArgumentParser) -> None:
    add_level(parser)
    add_values(parser)
    parser.add_argument("--seconds", type=float, default=10.0, help="length of the video")
    parser.add_argument(
        "--out",
        metavar="FILE",
        help=".mp4, .gif, .webp, or .png of the last moment; default: LEVEL.mp4",
    )
    add_picture(parser)


def add_picture(parser: argparse.ArgumentParser) -> None:
    """How large and how fine."""
    parser.add_argument("--size", default="1280x720", help="WIDTHxHEIGHT in pixels")
    parser.add_argument("--quality", choices=("low", "medium", "high"), default="high")


def run(arguments: argparse.Namespace) -> int:
    from levels import load

    level = load(arguments.level)
    values = parse_values(arguments.values)
    checked_variant(level, values)
    out = Path(arguments.out or f"{level.name}.mp4")
    size = parse_size(arguments.size)
    if not 0 < arguments.seconds <= 3600:
        raise UsageProblem(f"--seconds {arguments.seconds:g}: must be above 0 and at most 3600")
    prepare_level(level)
    from sandbox.app.divergence import diverged

    session = level.session(scripted=True, **values)
    tell(str(rendered(session, arguments.seconds, out, size, arguments.quality)))
    return ExitCode.DIVERGED if diverged(session) else ExitCode.PASSED


def rendered(
    session: "Session",
    seconds: float,
    out: Path,
    size: tuple[int, int],
    quality: str,
    **options: int,
) -> Path:
    """The file with the picture; whatever stands in its way is a problem with a sentence."""
    try:
        from sandbox.record import render_video
    except ImportError as error:
        raise MachineProblem(f"cannot render: {error}; `sandbox doctor` says what to do") from None
    try:
        return render_video(session, seconds, out, size, quality, **options)
    except ValueError as error:
        raise UsageProblem(str(error)) from None
    except OSError as error:
        raise MachineProblem(f"cannot write {out}: {error.strerror or error}") from None
    except KeyboardInterrupt:
        kept = f"; {out} is as it was" if out.exists() else ""
        raise Interrupted(f"there is no new video{kept}") from None


def parse_size(text: str) -> tuple[int, int]:
    width, _, height = text.lower().partition("x")
    if not (width.isdigit() and height.isdigit()):
        raise UsageProblem(f'--size {text}: write WIDTHxHEIGHT, for example "1280x720"')
    if not (16 <= int(width) <= 7680 and 16 <= int(height) <= 4320):
        raise UsageProblem(f"--size {text}: between 16x16 and 7680x4320")
    return int(width) // 2 * 2, int(height) // 2 * 2

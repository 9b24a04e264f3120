"""`sandbox doctor`: what works on this machine, and the command that mends what does not."""

import argparse
import json
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version

HELP = "Say what works on this machine: OpenGL, display, sound, caches, versions."
EXAMPLES = ("sandbox doctor", "sandbox doctor --json")

_PACKAGES = (
    "numpy", "scipy", "numba", "pydantic", "tomlkit", "tree-sitter", "tree-sitter-toml",
    "pygame-ce", "moderngl", "imgui-bundle", "imageio-ffmpeg", "pillow",
)  # fmt: skip
_PROBE_SECONDS = 60  # a driver that hangs must not hang the doctor


@dataclass(frozen=True)
class Finding:
    """One line of the report; `cure` is a command or a sentence, empty when all is well."""

    what: str
    works: bool
    detail: str
    cure: str = ""
    needed: bool = False  # without it nothing runs at all


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print the findings as JSON")


def run(arguments: argparse.Namespace) -> int:
    findings = [check() for check in _CHECKS]
    if arguments.json:
        print(json.dumps([asdict(finding) for finding in findings]))
    else:
        for finding in findings:
            print(f"{'ok' if finding.works else '--'}  {finding.what:14} {finding.detail}")
            if finding.cure:
                print(f"    {'':14} → {finding.cure}")
    return 4 if any(finding.needed and not finding.works for finding in findings) else 0


_OTHER_CACHE = 'export XDG_CACHE_HOME="$(mktemp -d)"'
# Where OpenGL without a window and with one comes from, by the system's package manager.
_SYSTEM_PACKAGES = {
    "apt-get": {"egl": "libegl1 libgl1-mesa-dri", "gl": "libgl1 libgl1-mesa-dri"},
    "dnf": {"egl": "mesa-libEGL mesa-dri-drivers", "gl": "mesa-libGL mesa-dri-drivers"},
    "pacman": {"egl": "mesa", "gl": "mesa"},
    "zypper": {"egl": "Mesa-libEGL1 Mesa-dri", "gl": "Mesa-libGL1 Mesa-dri"},
    "apk": {"egl": "mesa-egl mesa-dri-gallium", "gl": "mesa-gl mesa-dri-gallium"},
}
_INSTALL = {"pacman": "-S", "apk": "add"}  # all others say "install"


def _pip(*packages: str) -> str:
    return f"{sys.executable} -m pip install {' '.join(packages)}"


def _system_packages(what: str) -> str:
    """The command for this machine's package manager; Debian's where none is known."""
    found = next((name for name in _SYSTEM_PACKAGES if shutil.which(name)), "apt-get")
    sudo = "" if getattr(os, "geteuid", lambda: 0)() == 0 else "sudo "
    return f"{sudo}{found} {_INSTALL.get(found, 'install')} {_SYSTEM_PACKAGES[found][what]}"


def _python() -> Finding:
    good = sys.version_info >= (3, 11)
    text = f"{platform.python_version()} on {platform.system()} {platform.machine()}"
    return Finding("python", good, text, "" if good else "install Python 3.11 or newer", True)


def _packages() -> Finding:
    found, missing = [], []
    for package in _PACKAGES:
        try:
            found.append(f"{package} {version(package)}")
        except PackageNotFoundError:
            missing.append(package)
    cure = _pip(*missing) if missing else ""
    detail = ", ".join(found) + (f"; missing: {', '.join(missing)}" if missing else "")
    return Finding("packages", not missing, detail, cure, needed=True)


def _cores() -> Finding:
    return Finding("processor", True, f"{os.cpu_count()} cores")


def _kernel_cache() -> Finding:
    from physics.jit import cache_folder
    from physics.jit.prebuilt import prebuilt_target

    folder = cache_folder()
    if folder is None:
        return Finding("kernel cache", False, "no private, writable folder", _OTHER_CACHE)
    files = list(folder.glob("*.kernel"))
    state = f"{len(files)} compiled kernels" if files else "empty: the first start compiles"
    if prebuilt_target() is not None:
        state = f"{len(files)} compiled kernels beside those of the wheel"
    return Finding("kernel cache", True, f"{folder} ({state})", "")


def _display() -> Finding:
    from sandbox.commands.play import has_display

    if has_display():
        name = os.environ.get("WAYLAND_DISPLAY") or os.environ.get("DISPLAY") or "native"
        return Finding("display", True, name)
    return Finding("display", False, "none", "without one: sandbox render crane --out crane.mp4")


_WINDOWLESS = """
import moderngl
context = moderngl.create_standalone_context({options})
print(context.info["GL_RENDERER"], "| OpenGL", context.version_code)
"""


def _gl(what: str, options: str, cure: str) -> Finding:
    return _probe(what, _WINDOWLESS.format(options=options), cure)


def _probe(what: str, code: str, cure: str) -> Finding:
    """Tried in another process: a crashing driver then costs one line, not the report."""
    try:
        done = subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            timeout=_PROBE_SECONDS,
            check=False,
            encoding="utf-8",
            errors="replace",
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return Finding(what, False, type(error).__name__, cure)
    if done.returncode == 0:
        return Finding(what, True, done.stdout.strip())
    lines = done.stderr.strip().splitlines()
    return Finding(what, False, lines[-1] if lines else f"exit code {done.returncode}", cure)


def _egl() -> Finding:
    if sys.platform != "linux":
        return Finding("OpenGL (EGL)", True, "not needed on this system")
    return _gl("OpenGL (EGL)", "backend='egl', require=330", _system_packages("egl"))


def _window_gl() -> Finding:
    if sys.platform == "linux" and not os.environ.get("DISPLAY"):
        return Finding("OpenGL (window)", True, "not tried: there is no X display")
    cure = _system_packages("gl") if sys.platform == "linux" else _pip("moderngl", "pygame-ce")
    return _gl("OpenGL (window)", "require=330", cure)


def _audio() -> Finding:
    code = (
        "import os; os.environ['PYGAME_HIDE_SUPPORT_PROMPT'] = '1'\n"
        "import pygame\npygame.mixer.init()\nprint(pygame.mixer.get_init())"
    )
    return _probe("sound", code, "none is needed: the game is silent without a device")


def _video() -> Finding:
    try:
        import imageio_ffmpeg

        return Finding("video encoder", True, str(imageio_ffmpeg.get_ffmpeg_exe()))
    except (ImportError, RuntimeError) as error:
        return Finding("video encoder", False, str(error), _pip("imageio-ffmpeg"))


def _parquet() -> Finding:
    try:
        return Finding("parquet", True, f"pyarrow {version('pyarrow')}")
    except PackageNotFoundError:
        return Finding("parquet", False, "no pyarrow; .npz and .csv need none", _pip("pyarrow"))


def _settings() -> Finding:
    from sandbox.settings import settings_path

    path = settings_path()
    return Finding("settings", True, f"{path}" + ("" if path.exists() else " (not written yet)"))


def _physics() -> Finding:
    """The engine itself: one step of a small level."""
    from levels import load

    try:
        world = load("million").build()
        world.step(1)
    except Exception as error:  # whatever goes wrong is the finding
        cure = "please report this with the whole output of `sandbox doctor`"
        return Finding("physics", False, f"{type(error).__name__}: {error}", cure, needed=True)
    return Finding("physics", True, "one step of a level works", needed=True)


_CHECKS: tuple[Callable[[], Finding], ...] = (
    _python, _packages, _cores, _kernel_cache, _physics,
    _display, _egl, _window_gl, _audio, _video, _parquet, _settings,
)  # fmt: skip

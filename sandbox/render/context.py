"""OpenGL contexts, and what to tell someone who cannot have one.

The drivers' own words help nobody ("eglInitialize failed (0x3001)"), so each known text is turned
into one line that says what to install or set.
"""

from typing import TYPE_CHECKING

from levels.plain_data import TomlTable
from sandbox.messages import MachineProblem

if TYPE_CHECKING:
    import moderngl

REQUIRED = 330

_ADVICE = (
    ("libgl.so", "OpenGL is not installed; on Debian or Ubuntu: apt-get install libgl1"),
    ("libegl.so", "EGL is not installed; on Debian or Ubuntu: apt-get install libegl1"),
    ("0x3001", "there is no OpenGL driver; on Debian or Ubuntu: apt-get install libgl1-mesa-dri"),
    ("found 0 devices", "EGL found no device; a software one comes with libgl1-mesa-dri"),
    ("0x3009", "the driver has no OpenGL 3.3; a newer driver or libgl1-mesa-dri does"),
    ("cannot open display", "there is no display; set DISPLAY or render headless"),
)


class GraphicsError(MachineProblem):
    """No picture can be drawn here; the message says why and what to do."""


def advice(error: Exception) -> str:
    text = str(error)
    for key, line in _ADVICE:
        if key in text.lower():
            return line
    return f"OpenGL 3.3 is not available ({text})"


def offscreen_context() -> "moderngl.Context":
    """A context without a window: EGL where there is one, else the platform's own."""
    try:
        import moderngl
    except ImportError as error:
        raise GraphicsError(f"moderngl is not installed ({error})") from error
    failures: list[Exception] = []
    choices: tuple[TomlTable, ...] = ({"backend": "egl"}, {})
    for options in choices:
        try:
            context = moderngl.create_context(standalone=True, require=REQUIRED, **options)
        except Exception as error:  # the backends raise plain Exception
            failures.append(error)
            continue
        return _tidy(context)
    raise GraphicsError(advice(failures[0]))


def window_context() -> "moderngl.Context":
    """The context of the window that is current, be it GLX, EGL, WGL or CGL.

    `create_context` would look for GLX only when there has been a context before.
    """
    import moderngl

    try:
        moderngl.init_context()
        context = moderngl.get_context()
    except Exception as error:
        raise GraphicsError(advice(error)) from error
    if context.version_code < REQUIRED:
        raise GraphicsError(f"OpenGL 3.3 is needed, the driver has {context.version_code / 100}")
    return _tidy(context)


def _tidy(context: "moderngl.Context") -> "moderngl.Context":
    """Buffers that Python has forgotten wait to be released by `release_forgotten`: Python may
    forget them in any thread, OpenGL must be told in its own."""
    context.gc_mode = "context_gc"
    return context


def release_forgotten(context: "moderngl.Context") -> None:
    """Once a picture. `context.gc` does the same but stumbles over what was released already."""
    waiting = context.objects
    while waiting:
        release = getattr(waiting.popleft(), "release", None)
        if release is not None:
            release()


def renderer_name(context: "moderngl.Context") -> str:
    return str(context.info["GL_RENDERER"])

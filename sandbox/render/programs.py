"""Shader programs: one .glsl file each, both stages in it, with includes and variants.

A file is compiled twice, with VERTEX_SHADER and FRAGMENT_SHADER defined in turn. A variant is a set
of further defines: `programs.get("part", "DEPTH")`.
"""

import re
from importlib import resources
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import moderngl

_INCLUDE = re.compile(r'^#include "([\w.]+)"\s*$', re.MULTILINE)


def source(name: str) -> str:
    """The text of a shader file with its includes in place."""
    text = resources.files("shaders").joinpath(name).read_text(encoding="utf-8")
    return _INCLUDE.sub(lambda match: source(match.group(1)), text)


class Postponed(Exception):
    """A program was compiled, which is enough for one frame: draw the same again."""


class Programs:
    """Compiles on first use; the defines of the quality apply to all."""

    def __init__(self, context: "moderngl.Context", defines: dict[str, int]) -> None:
        self._context = context
        self._defines = defines
        self.one_a_frame = False  # Postponed once one is compiled, for windows that must answer
        self._cache: dict[tuple[str, tuple[str, ...]], moderngl.Program] = {}

    def get(self, name: str, *variant: str) -> "moderngl.Program":
        key = (name, variant)
        if key not in self._cache:
            self._cache[key] = self._compile(name, variant)
            if self.one_a_frame:
                raise Postponed
        return self._cache[key]

    def _compile(self, name: str, variant: tuple[str, ...]) -> "moderngl.Program":
        body = source(f"{name}.glsl")
        lines = [f"#define {word} {value}" for word, value in self._defines.items()]
        lines += [f"#define {word.replace('=', ' ')}" for word in variant]
        common = "\n".join(lines) + "\n" + body
        program = self._context.program(
            vertex_shader="#version 330 core\n#define VERTEX_SHADER\n" + common,
            fragment_shader="#version 330 core\n#define FRAGMENT_SHADER\n" + common,
        )
        block: Any = program.get("Frame", None)
        if block is not None:
            block.binding = 0
        return program

    def release(self) -> None:
        for program in self._cache.values():
            program.release()
        self._cache.clear()

"""Entries that belong together when a level is built by hand; physics knows nothing of it."""

from collections.abc import Iterator, Mapping
from typing import Annotated

from pydantic import Field

from levels.document import Document
from levels.problems import Problem, did_you_mean
from levels.values import Name, Table

_SECTIONS = ("bodies", "particles", "props", "cloths", "joints", "zones")


class Assembly(Table):
    """Entries that are selected, moved and copied as one when the level is built."""

    parts: Annotated[list[Name], Field(min_length=1, max_length=1000)] = Field(
        description='It consists of these bodies, props, joints and zones, for example ["frame", '
        '"wheel_left"].'
    )


def missing_parts(assemblies: Mapping[str, Assembly], document: Document) -> Iterator[Problem]:
    """What belongs together must be there."""
    if not assemblies:
        return
    sections = [document.data.get(section) for section in _SECTIONS]
    known = {name for entries in sections if isinstance(entries, dict) for name in entries}
    for name, assembly in assemblies.items():
        for k, part in enumerate(assembly.parts):
            if part not in known:
                yield Problem(
                    f'there is no "{part}" to be a part of "{name}"',
                    document.place("assemblies", name, "parts", k),
                    did_you_mean(part, known),
                )

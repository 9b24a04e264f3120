"""Types of data as files hold them, before anything has checked it."""

from collections.abc import Mapping, Sequence
from typing import Any

TomlValue = Any  # a text, number, flag, list or table; the models of levels/ say which is right
TomlTable = dict[str, TomlValue]
JsonTable = dict[str, Any]  # what json reads and writes: journals, replays, results

Given = float | str | bool | Sequence[float]  # a parameter or setting with which a level is built
GivenValues = Mapping[str, Given]

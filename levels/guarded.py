"""Objects that take no attribute they do not know: a misspelt one is an error, not a new one."""

import difflib
from typing import Any


class Guarded:
    """Attributes are those that `__init__` sets, annotations and properties of the class."""

    _complete = False

    def __init_subclass__(cls) -> None:
        begin = cls.__init__

        def __init__(self: Any, *arguments: Any, **options: Any) -> None:
            begin(self, *arguments, **options)
            object.__setattr__(self, "_complete", True)

        __init__.__wrapped__ = begin  # type: ignore[attr-defined]
        __init__.__doc__ = begin.__doc__
        cls.__init__ = __init__  # type: ignore[method-assign]

    def __setattr__(self, name: str, value: Any) -> None:
        if self._complete and not hasattr(self, name) and name not in type(self).__annotations__:
            near = difflib.get_close_matches(name, [*dir(self)], 1)
            hint = f'; did you mean "{near[0]}"?' if near else ""
            raise AttributeError(f'a {type(self).__name__} has no attribute "{name}"{hint}')
        super().__setattr__(name, value)

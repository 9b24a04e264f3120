"""The decorators of compiled code."""

from collections.abc import Callable
from typing import Any

from physics.jit.cache import KernelCache
from physics.jit.pipeline import compile_separately


def _compiled(function: Callable[..., Any], **options: Any) -> Any:
    dispatcher = compile_separately(function, **options)
    dispatcher._cache = KernelCache(function)
    return dispatcher


def kernel(function: Callable[..., Any]) -> Any:
    """Compile once, keep on disk."""
    return _compiled(function)


def kernel_without_lock(function: Callable[..., Any]) -> Any:
    """A kernel that lets other Python threads run meanwhile: entry of work shared by two threads.

    Its arrays must be nobody else's business until it returns.
    """
    return _compiled(function, nogil=True)

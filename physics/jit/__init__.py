"""Compiled code: the one decorator for kernels, where they are kept, and how they call each other.

decorate.py   `@kernel` and `@kernel_without_lock`
pipeline.py   what Numba does with a kernel: machine code for entry points only
hasten.py     less of Numba's bookkeeping in processes that only compile
cache.py      compiled entry points on disk: checked, healed, private
sources.py    which files a kernel is made of, so that a change of one is never missed
address.py    calling a kernel through its address, so that callers need not compile it again
threads.py    a second thread for compiled work
clock.py      processor cycles, for the time of each stage
"""

from physics.jit.address import address_of, call
from physics.jit.cache import cache_folder
from physics.jit.decorate import kernel, kernel_without_lock

__all__ = ["address_of", "cache_folder", "call", "kernel", "kernel_without_lock"]

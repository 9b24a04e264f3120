"""Compiling the engine before it is needed, in processes beside the one that waits for it.

    tasks.py        what there is to compile, in pieces that processes can share out
    processes.py    the processes, and how far they are
    __main__.py     `python -m physics.prepare`: compile everything, or the tasks named

A kernel that is not prepared compiles when it is first called, as ever; preparing only moves that
to both cores and out of the way.
"""

from physics.prepare.processes import Preparation
from physics.prepare.tasks import TASKS, Task, is_ready, later, tasks_for

__all__ = ["TASKS", "Preparation", "Task", "is_ready", "later", "tasks_for"]

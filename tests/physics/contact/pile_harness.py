"""Steps worlds of free bodies by `step_pile` alone, island by island."""

import time
from typing import Any

import numpy as np

from physics import World
from physics.collision import OK, detect
from physics.contact.pile.pile_step import step_pile
from physics.contact.solver.groups import group_contacts
from physics.jit import kernel
from physics.jit.clock import cycles
from physics.solver.graph import root
from physics.state import DYNAMIC, KEYFRAMED, STEPS


@kernel
def step_islands(scene, settings, lists, clock):
    """One step of all islands. `lists`: scratch, bodies by island."""
    bodies, rows, h = scene.bodies, scene.contacts, settings.h
    began = cycles()
    group_contacts(scene)
    _sort_bodies(scene, lists)
    clock[1] += cycles() - began
    began = cycles()
    groups = rows.groups[0]
    for g in range(lists[2, 0]):
        first, stop = (rows.group[g], rows.group[g + 1]) if g < groups else (0, 0)
        members = lists[0, lists[1, g] : lists[1, g + 1]]
        step_pile(scene, members, rows.order[first:stop], settings, h)
    clock[2] += cycles() - began
    for b in range(len(bodies.kind)):
        if bodies.kind[b] == KEYFRAMED:
            for i in range(3):
                bodies.position[b, i] += h * bodies.velocity[2 * b, i]
    scene.counters[STEPS] += 1


@kernel
def _sort_bodies(scene, lists):
    """Bodies by group, then those that touch nothing, each alone; writes lists."""
    bodies, rows = scene.bodies, scene.contacts
    parent, number = scene.label[0], scene.label[1]
    groups = rows.groups[0]
    total = groups
    for b in range(len(bodies.kind)):
        if bodies.kind[b] >= DYNAMIC and bodies.solved[2 * b]:
            g = number[root(parent, b)]
            if g < 0:
                g = total
                total += 1
            lists[3, b] = g
        else:
            lists[3, b] = -1
    for g in range(total + 1):
        lists[1, g] = 0
    for b in range(len(bodies.kind)):
        if lists[3, b] >= 0:
            lists[1, lists[3, b] + 1] += 1
    for g in range(total):
        lists[1, g + 1] += lists[1, g]
        lists[4, g] = lists[1, g]
    for b in range(len(bodies.kind)):
        if lists[3, b] >= 0:
            lists[0, lists[4, lists[3, b]]] = b
            lists[4, lists[3, b]] += 1
    lists[2, 0] = total


class Piles:
    """A world whose bodies are stepped by `step_pile`.

    Contacts are looked for once more along the velocities that a step gave, if `redetects`: what
    falls beside others that stop within the step.
    """

    def __init__(self, world: World, redetects: bool = True) -> None:
        self.world, self.redetects = world, redetects
        self.stepper = world._stores.stepping.ensure()
        self.context = self.stepper.context
        self.clock = np.zeros(4, np.int64)
        self.settings = world._stores.settings.of_step(1.0 / world.rate)
        count = len(self.context.bodies.kind)
        self.lists = np.zeros((5, count + 4), np.int64)
        self.bodies = self.context.bodies
        self.reach = 2.0  # steps ahead that contacts are looked for: what falls together

    @property
    def rows(self) -> Any:
        n = int(self.context.contacts.rows.count[0])
        return self.context.contacts.rows, n

    def _detect(self, velocity: Any) -> None:
        context, bodies, h = self.context, self.bodies, self.settings.h
        began = time.thread_time()
        state = (bodies.position, bodies.orientation, velocity, self.reach * h)
        status = detect(*state, context.collider())
        while status != OK:
            context.contacts.grow(status, context.arrays)
            status = detect(*state, context.collider())
        self.detecting = time.thread_time() - began

    def step(self, n: int = 1) -> None:
        scene, bodies = self.context.scene, self.bodies
        for _ in range(n):
            velocity = bodies.velocity.reshape(-1, 6)
            self._detect(velocity)
            if self.redetects:
                kept = (bodies.position, bodies.orientation, bodies.velocity, bodies.lag)
                saved = [array.copy() for array in kept]
                mu = self.rows[0].mu.copy()
                step_islands(scene, self.settings, self.lists, self.clock)
                ahead = velocity.copy()
                for array, old in zip(kept, saved, strict=True):
                    array[...] = old
                if len(mu) == len(self.rows[0].mu):
                    self.rows[0].mu[...] = mu
                self._detect(ahead)
            began = time.thread_time()
            step_islands(scene, self.settings, self.lists, self.clock)
            self.solving = time.thread_time() - began

    def overlap(self) -> float:
        rows, n = self.rows
        return float(max(-rows.gap[:n].min(initial=0.0), 0.0))

    def timed(self, n: int) -> Any:
        """Processor seconds of n steps, one by one."""
        spent = []
        for _ in range(n):
            self.step()
            spent.append(self.detecting + self.solving)
        return np.array(spent)

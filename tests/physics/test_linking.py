"""Kernels that share callees are linked whole, in whatever order their callers come."""

from physics.jit import kernel


@kernel
def leaf(x):
    total = 0.0
    for i in range(int(x)):
        total += x * i
    return total


@kernel
def call_optimised_away(x):
    if abs(x) < 0.0:
        return leaf(x)
    return x + 1.0


@kernel
def call_that_stays(x):
    return leaf(x) + 2.0


@kernel
def dead_call_first(x):
    return call_optimised_away(x) + call_that_stays(x)


@kernel
def dead_call_last(x):
    return call_that_stays(x) + call_optimised_away(x)


def test_a_call_that_was_optimised_away_does_not_lose_the_callee_for_others() -> None:
    """It did: the function was left out, and calling it jumped to address zero."""
    assert dead_call_first(3.0) == 15.0
    assert dead_call_last(3.0) == 15.0

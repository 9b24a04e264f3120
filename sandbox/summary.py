"""What a headless run came to, in a few lines on stdout."""

from levels.headless import Result, frozen_sentence
from sandbox.messages import error, tell


def print_summary(result: Result) -> None:
    speed = result.seconds / result.wall_seconds if result.wall_seconds else 0.0
    prepared = f", {result.prepare_seconds:.1f} s of preparation" * (result.prepare_seconds > 1)
    tell(
        f"{result.level}: {result.steps} steps, {result.seconds:g} s simulated in "
        f"{result.wall_seconds:.2f} s ({speed:.1f} x real time{prepared})"
    )
    for outcome in result.outcomes:
        mark = {"passed": "ok  ", "failed": "FAIL"}.get(outcome.state, "-   ")
        when = f" [{outcome.when:.2f} s: {outcome.values}]" if outcome.values else ""
        late = " (not reached)" if outcome.state == "unreached" else ""
        tell(f"  {mark} {outcome.name}{when}{late}")
    if result.status != "playing":
        tell(f"  {result.status}" + (f", {result.stars} of 3 stars" if result.stars else ""))
    guard = ", ".join(f"{kind} {count}" for kind, count in result.guard.items()) or "none"
    tell(
        f"  energy {result.energy_start:.6g} → {result.energy_end:.6g} J "
        f"(gain {result.energy_gain:+.2%})\n"
        f"  worst constraint error {result.worst_constraint_error:.2e} m, "
        f"guard interventions: {guard}\n"
        f"  state hash {result.hash}"
    )
    print_doubts(result)


def print_doubts(result: Result) -> None:
    """Why the motion is not to be trusted."""
    if result.frozen_steps:
        allowed = "" if result.allow_frozen else " (--allow-frozen lets the run pass)"
        error(f"{frozen_sentence(result.frozen_steps)}{allowed}")
    if result.diverged_at is not None:
        error(f"diverged at {result.diverged_at:.3f} s")

"""A level file with repeat, played by a script: its triggers, counters and goal."""

from pathlib import Path

from levels import load

LEVEL = """\
format = 1
[bodies.ground]
shape = "plane"
fixed = true
[bodies.ball]
repeat = { count = 5, step = [1, 0.5, 0] }
shape = "sphere"
radius = 0.2
position = [0, 1, 0]
[[on]]
repeat = 5
when = "touching('ball.{i}', 'ground')"
then = "count('landed')"
[goal]
win = "counter('landed') == 5"
"""


def main(steps: int = 90) -> None:
    Path("balls.toml").write_text(LEVEL, encoding="utf-8")
    session = load("balls.toml").session()
    session.step(steps)
    print(session, dict(session.tallies.counters))


if __name__ == "__main__":
    main()

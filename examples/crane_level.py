"""A shipped level played by a script: hold the key that slews the crane, watch the cable."""

from levels import load
from levels.commands import Key


def main(steps: int = 600) -> None:
    session = load("crane").session(load=100_000)
    session.issue(Key("a", True))
    for tick in range(steps):
        for event in session.step():
            if event.kind in ("say", "won", "lost", "broken"):
                print(f"{session.time:5.2f} s  {event.kind} {event.text}")
        if tick % 60 == 59:
            tension, stretch = session.tension("cable"), session.stretch("cable")
            print(f"{session.time:5.2f} s  {tension / 1e3:8.1f} kN, stretched by {stretch:.1e}")
    print(f"status {session.status}, recovered steps {session.guard_count()}")


if __name__ == "__main__":
    main()

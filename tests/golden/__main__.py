"""Run the scenes, print their hashes, exit 1 if one is not as recorded."""

import argparse
import sys

from tests.golden.record import LONG, SHORT, computed, recorded, write
from tests.golden.scenes import SCENES


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.golden", description=__doc__)
    parser.add_argument("words", nargs="*", help="only scenes whose name has one of these words")
    parser.add_argument("--short", action="store_true", help=f"only the first {SHORT} steps")
    parser.add_argument("--write", action="store_true", help="record what comes out")
    asked = parser.parse_args()
    if asked.short and asked.write:
        parser.error("--write records both marks; leave --short out")
    names = [n for n in SCENES if not asked.words or any(word in n for word in asked.words)]
    known = {} if asked.write else recorded()
    marks = (SHORT,) if asked.short else (SHORT, LONG)
    found, wrong = {}, 0
    for name in names:
        found[name] = computed(name, marks)
        for steps, digest in found[name].items():
            fits = asked.write or known.get(name, {}).get(steps) == digest
            wrong += not fits
            print(f"{digest}  {name}, {steps} steps{'' if fits else '  DIFFERS'}", flush=True)
    if asked.write:
        write(found)
    elif wrong:
        print(f"{wrong} states are not as recorded in tests/golden/hashes.json", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

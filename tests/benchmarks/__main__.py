"""`python -m tests.benchmarks` lists the benchmarks; with a name, and its options, it runs one."""

import ast
import importlib
import sys
from pathlib import Path

FOLDER = Path(__file__).parent


def benchmarks() -> dict[str, str]:
    """Name and first line of every benchmark."""
    found = {}
    for path in sorted(FOLDER.glob("[!_]*.py")):
        text = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
        found[path.stem] = text.split("\n")[0]
    return found


def main(arguments: list[str]) -> int:
    known = benchmarks()
    if arguments and arguments[0] in known:
        importlib.import_module(f"tests.benchmarks.{arguments[0]}").main(arguments[1:])
        return 0
    if arguments and arguments[0] not in ("-h", "--help"):
        print(f'there is no benchmark "{arguments[0]}"', file=sys.stderr)
    print("python -m tests.benchmarks NAME [--help]\n")
    for name, line in known.items():
        print(f"  {name:16}{line}")
    return 2 if arguments and arguments[0] not in ("-h", "--help") else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""The table of what one more of each noun takes: python -m tests.additions."""

import sys
import tempfile
from pathlib import Path

from tests.additions import check, copy_tree
from tests.additions.of_physics import ADDITIONS as OF_PHYSICS
from tests.additions.of_the_game import ADDITIONS as OF_THE_GAME


def main(wanted: list[str]) -> None:
    print("| noun | example | files | which |\n|---|---|---|---|")
    for addition in (*OF_PHYSICS, *OF_THE_GAME):
        if wanted and not any(word in addition.noun for word in wanted):
            continue
        with tempfile.TemporaryDirectory() as folder:
            copy_tree(Path(folder))
            check([addition], Path(folder))
        listed = ", ".join(f"`{path}`" for path in addition.files)
        remark = f": {addition.remark}" if addition.remark else ""
        print(
            f"| {addition.noun} | {addition.example} | {len(addition.files)} | {listed}{remark} |",
            flush=True,
        )


if __name__ == "__main__":
    main(sys.argv[1:])

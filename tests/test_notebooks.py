"""Every notebook of examples/ runs from its first cell to its last, and is kept without output."""

import json
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[1] / "examples" / "notebooks"
NOTEBOOKS = sorted(path.stem for path in FOLDER.glob("*.ipynb"))


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_it_runs(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    notebook = json.loads((FOLDER / f"{name}.ipynb").read_text(encoding="utf-8"))
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert notebook["cells"][0]["cell_type"] == "markdown", "it says what it is about"
    assert not any(cell["outputs"] for cell in cells)
    names: dict[str, object] = {}
    for number, cell in enumerate(cells):
        exec(compile("".join(cell["source"]), f"{name} [{number}]", "exec"), names)


def test_there_are_some() -> None:
    assert len(NOTEBOOKS) >= 3

"""Labels of zones stand where the zones are seen, in every view, and nowhere else."""

from types import SimpleNamespace

import pytest

from sandbox.render.view import View
from sandbox.ui import signs

ZONES = {
    "pad": SimpleNamespace(label="land here", hidden=False, center=(0, 1.5, 0), size=(2, 1, 2)),
    "behind": SimpleNamespace(label="not seen", hidden=False, center=(0, 1, 30), size=(1, 1, 1)),
    "secret": SimpleNamespace(label="hidden", hidden=True, center=(0, 1, 0), size=(1, 1, 1)),
    "plain": SimpleNamespace(label=None, hidden=False, center=(0, 1, 0), size=(1, 1, 1)),
}


def test_labels_stand_above_their_zones(monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[tuple[str, float, float]] = []
    monkeypatch.setattr(signs, "_sign", lambda text, x, y, _: written.append((text, x, y)))
    view = View(eye=(0, 2, 10), target=(0, 2, 0), aspect=2.0)
    game = SimpleNamespace(
        player=SimpleNamespace(
            session=SimpleNamespace(plan=SimpleNamespace(zones=ZONES)),
            camera=SimpleNamespace(view=lambda: view),
        ),
        tiles=lambda: [(0, 0, 400, 200), (400, 0, 400, 200)],
        interface=SimpleNamespace(layout=SimpleNamespace(scale=1.0)),
    )
    signs.signs(game)
    assert [text for text, _, _ in written] == ["land here", "land here"]
    # the top of the zone is where the view looks: in the middle of each of the two
    assert [(x, y) for _, x, y in written] == [
        (pytest.approx(200.0), pytest.approx(100.0)),
        (pytest.approx(600.0), pytest.approx(100.0)),
    ]

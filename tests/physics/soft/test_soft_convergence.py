"""The convergence command: its numbers on coarse meshes, and the picture it draws."""

import xml.etree.ElementTree as ElementTree

import pytest

from tests.physics.soft import convergence


def test_errors_fall_under_refinement_and_are_drawn(tmp_path, monkeypatch, capsys):
    target = tmp_path / "plot.svg"
    monkeypatch.setattr("sys.argv", ["convergence", "--most", "6", "--plot", str(target)])
    found = []
    curves = convergence.curves
    monkeypatch.setattr(
        convergence, "curves", lambda cells: found.append(curves(cells)) or found[0]
    )
    convergence.main()
    assert "order" in capsys.readouterr().out
    for name in ("twist", "cantilever"):
        errors = [error for _, error in found[0][name]]
        assert errors == sorted(errors, reverse=True)
        assert convergence.order(found[0][name]) > 1.3  # 1.5 this far from the limit of 2
    for name in ("pull", "push"):
        assert max(error for _, error in found[0][name]) < 1e-3
    drawing = ElementTree.parse(target).getroot()
    lines = drawing.findall("{http://www.w3.org/2000/svg}polyline")
    drawn = [line.attrib["stroke"] for line in lines]
    assert set(convergence._COLORS) <= set(drawn)


def test_order_of_a_square_law():
    assert convergence.order([(n, 3.0 / n**2) for n in (2, 4, 8)]) == pytest.approx(2.0)

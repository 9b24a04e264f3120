"""The benchmarks can be listed and run by name; what they measure is not judged here."""

import importlib
import inspect

import pytest

from tests.benchmarks.__main__ import benchmarks, main


def test_each_is_listed_with_what_it_measures(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    listed = capsys.readouterr().out
    for name, line in benchmarks().items():
        assert name in listed
        assert line in listed
        assert line.endswith(".")


@pytest.mark.parametrize("name", benchmarks())
def test_each_can_be_run_by_name(name: str) -> None:
    run = importlib.import_module(f"tests.benchmarks.{name}").main
    assert len(inspect.signature(run).parameters) == 1


def test_an_unknown_name_is_answered_by_the_list(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["chians"]) == 2
    printed = capsys.readouterr()
    assert 'no benchmark "chians"' in printed.err
    assert "chains" in printed.out

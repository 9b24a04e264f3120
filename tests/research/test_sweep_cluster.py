"""Sweeps on a Dask cluster: a real scheduler and workers that are killed in the middle."""

import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from levels.sweep import sweep
from levels.sweep.dask_cluster import connected, packed, unpacked
from levels.sweep.study import Study
from sandbox.cli import main
from tests.research.falling import falling

AXES = {"weight": "1:100:log4", "height": "1:50:lin3"}


@contextmanager
def _process(*words: str) -> Iterator["subprocess.Popen[bytes]"]:
    process = subprocess.Popen(
        [sys.executable, "-m", *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait()


@contextmanager
def _cluster(folder: Path) -> Iterator[tuple[str, Callable[[], "subprocess.Popen[bytes]"]]]:
    """Address of a scheduler, and what adds a worker, each a process of its own."""
    import json

    told = folder / "scheduler.json"
    with ExitStack() as stack:
        stack.enter_context(
            _process(
                "distributed.cli.dask_scheduler", "--port", "0", "--no-dashboard",
                "--host", "127.0.0.1", "--scheduler-file", str(told),
            )
        )  # fmt: skip
        deadline = time.monotonic() + 120
        while not told.exists():
            assert time.monotonic() < deadline, "no scheduler"
            time.sleep(0.05)
        address = json.loads(told.read_text(encoding="utf-8"))["address"]

        def worker() -> "subprocess.Popen[bytes]":
            return stack.enter_context(
                _process(
                    "distributed.cli.dask_worker", address, "--nthreads", "1", "--no-nanny",
                    "--no-dashboard", "--local-directory", str(folder),
                )
            )  # fmt: skip

        yield address, worker


@pytest.fixture
def level(tmp_path: Path) -> Path:
    return falling(tmp_path)


def test_lost_workers_change_nothing(level: Path) -> None:
    """One is killed; another joins; then the last of the first ones is killed, too, and with it
    everything that the sweep had sent to the cluster at its beginning."""
    expected = sweep(level, AXES, jobs=1)
    with _cluster(level.parent) as (address, worker):
        workers = [worker(), worker()]
        client = connected(address)
        client.wait_for_workers(2, timeout=120)

        def disturb(done: int, runs: int) -> None:
            if done == runs // 3:
                workers[0].send_signal(signal.SIGKILL)
                assert workers[0].wait() == -signal.SIGKILL
            elif done == runs // 2:
                workers.append(worker())
                before, deadline = set(client.nthreads()), time.monotonic() + 120
                while set(client.nthreads()) <= before:
                    assert time.monotonic() < deadline, "no third worker"
                    time.sleep(0.05)
                workers[1].send_signal(signal.SIGKILL)
                assert workers[1].wait() == -signal.SIGKILL

        table = sweep(level, AXES, client, progress=disturb)
        assert len(client.nthreads()) == 1
        client.close()
        assert main(
            ["sweep", str(level), "--set", "weight=1:100:log4", "--set", "height=1:50:lin3",
             "--scheduler", address, "--out", str(level.parent / "map.csv")]
        ) == 0  # fmt: skip
    assert table.digest() == expected.digest()
    written = (level.parent / "map.csv").read_text(encoding="utf-8").splitlines()
    assert [line.rpartition(",")[0] for line in written] == [
        line.rpartition(",")[0] for line in expected.to_csv().splitlines()
    ]


def test_no_scheduler_is_told(level: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["sweep", str(level), "--set", "weight=1,2", "--scheduler", "nonsense://x"]
    assert main([*words, "--out", str(level.parent / "map.csv")]) == 4
    assert "no Dask scheduler at nonsense://x" in capsys.readouterr().err


def test_the_files_of_a_level_travel_with_it(tmp_path: Path) -> None:
    """Includes in folders below, and those of the library, which stay at home."""
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "ground.toml").write_text(
        'format = 1\n[bodies.ground]\nshape = "plane"\nfixed = true\n', encoding="utf-8"
    )
    path = tmp_path / "carried.toml"
    path.write_text(
        'format = 1\ninclude = ["parts/ground"]\n[parameters]\nmass = { default = 1 }\n'
        '[bodies.truck]\nprefab = "vehicles/truck"\nposition = [0, 2, 0]\nmass = "=mass"\n',
        encoding="utf-8",
    )
    study = Study(path, {"mass": [1000, 2000]})
    parcel = packed(study.task, study.level)
    assert [name for name, _ in parcel.files] == ["carried.toml", "parts/ground.toml"]
    from levels import load

    task = unpacked(parcel)
    assert task.level != study.task.level
    assert load(task.level).digest == study.level.digest
    assert unpacked(parcel) == task

"""The files of a headless run. A failure is told when it happens and again at the end; it costs the
file, never the run or its summary."""

from pathlib import Path
from typing import Protocol

from levels import Session
from levels.files import Aside
from sandbox.messages import UsageProblem, error
from sandbox.replay_file import Recorder
from sandbox.trajectory import Trajectory


class Output(Protocol):
    """A file that grows with the run."""

    failure: str  # empty while all is well

    def after_step(self) -> None: ...
    def close(self, whole: bool) -> list[Path]: ...
    def drop(self) -> None: ...


class Recording:
    """A replay of the run, put in place when it is whole."""

    def __init__(self, session: Session, path: Path) -> None:
        self.path, self.failure = path, ""
        self._aside = aside_for(path)
        self._recorder = Recorder(session, self._aside.path)

    def after_step(self) -> None:
        if not self.failure:
            self._recorder.after_step()
            self._notice()

    def close(self, whole: bool) -> list[Path]:
        self._recorder.close()
        self._notice()
        if self.failure:
            return []
        path = self.path
        target = path if whole else path.with_name(f"{path.stem}.interrupted{path.suffix}")
        try:
            return [self._aside.put(target)]
        except OSError as problem:
            self._recorder.failure = problem.strerror or str(problem)
            self._notice()
            return []

    def drop(self) -> None:
        self._recorder.file.close()
        self._aside.drop()

    def _notice(self) -> None:
        if self._recorder.failure and not self.failure:
            self.failure = f"cannot write {self.path}: {self._recorder.failure}"
            error(self.failure)


def aside_for(path: Path) -> Aside:
    """A place that cannot be written is told before anything moves."""
    try:
        return Aside(path)
    except OSError as problem:
        raise UsageProblem(f"cannot write {path}: {problem.strerror or problem}") from None


class Outputs:
    """All files of a run: `after_step`, then `close`; leaving without closing leaves nothing."""

    def __init__(self) -> None:
        self._open: list[Output] = []
        self.written: list[Path] = []
        self.failures: list[str] = []

    def add_trajectory(self, session: Session, path: Path, seconds: float) -> None:
        self._open.append(Trajectory(session, path, seconds))

    def add_recording(self, session: Session, path: Path) -> None:
        self._open.append(Recording(session, path))

    def after_step(self) -> None:
        for output in self._open:
            output.after_step()

    def close(self, whole: bool) -> None:
        """Put everything in place; of a run that was cut short under names that say so."""
        for output in self._open:
            self.written += output.close(whole)
            if output.failure:
                self.failures.append(output.failure)

    def __enter__(self) -> "Outputs":
        return self

    def __exit__(self, *_: object) -> None:
        for output in self._open:
            output.drop()

"""Frames to files. A writer takes (height, width, 3) bytes; closing it finishes the file.

Files appear under their name only when complete: a crash leaves no half a video behind.
"""

from abc import ABC, abstractmethod
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from PIL import Image

from levels.files import Aside

Frame = npt.NDArray[np.uint8]

_ENCODER_STOPPED = "the video encoder stopped; is the disk full?"
_HEAD = 4096  # bytes of a whole MP4 within which its table of contents begins
_GIF_RATE = 25  # players round delays to 1/100 s and slow down anything faster


class Writer(ABC):
    """Context manager over a temporary file beside the target."""

    def __init__(self, path: Path, size: tuple[int, int], rate: int) -> None:
        self.path = path
        self.size = size
        self.rate = rate
        path.parent.mkdir(parents=True, exist_ok=True)
        self._aside = Aside(path)
        self._partial = self._aside.path

    @abstractmethod
    def add(self, frame: Frame) -> None: ...

    @abstractmethod
    def _finish(self) -> None: ...

    def close(self) -> Path:
        try:
            self._finish()
            self._aside.put()
        finally:
            self._aside.drop()
        return self.path

    def abandon(self) -> None:
        try:
            self._finish()
        finally:
            self._aside.drop()

    def __enter__(self) -> "Writer":
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None:
            self.close()
        else:
            self.abandon()


class VideoWriter(Writer):
    """H.264 in MP4 through the encoder that comes with imageio-ffmpeg."""

    def __init__(self, path: Path, size: tuple[int, int], rate: int) -> None:
        import imageio_ffmpeg

        super().__init__(path, size, rate)
        self._sink: Any = imageio_ffmpeg.write_frames(
            str(self._partial),
            size,
            fps=rate,
            codec="libx264",
            macro_block_size=2,
            quality=None,
            output_params=["-preset", "veryfast", "-crf", "18", "-movflags", "+faststart"],
        )
        try:
            self._sink.send(None)
        except BaseException:
            self._aside.drop()
            raise

    def add(self, frame: Frame) -> None:
        try:
            self._sink.send(np.ascontiguousarray(frame))
        except (OSError, StopIteration):  # its own words are the whole command line
            raise OSError(_ENCODER_STOPPED) from None

    def _finish(self) -> None:
        self._sink.close()
        with self._partial.open("rb") as file:
            if b"moov" not in file.read(_HEAD):  # the encoder itself tells nobody
                raise OSError(_ENCODER_STOPPED)


class AnimationWriter(Writer):
    """GIF or WebP; keeps the frames in memory, at most `_GIF_RATE` per second of them."""

    def __init__(self, path: Path, size: tuple[int, int], rate: int) -> None:
        super().__init__(path, size, rate)
        self._every = max(1, round(rate / _GIF_RATE))
        self._seen = 0
        self._frames: list[Image.Image] = []

    def add(self, frame: Frame) -> None:
        if self._seen % self._every == 0:
            image = Image.fromarray(frame)
            if self.path.suffix == ".gif":
                image = image.quantize(128, dither=Image.Dither.NONE)
            self._frames.append(image)
        self._seen += 1

    def _finish(self) -> None:
        if not self._frames:
            self._frames = [Image.new("RGB", self.size)]
        delay = round(1000 * self._every / self.rate)
        first, *rest = self._frames
        first.save(self._partial, save_all=True, append_images=rest, duration=delay, loop=0)


class PictureWriter(Writer):
    """A still: the last frame."""

    _last: Frame | None = None

    def add(self, frame: Frame) -> None:
        self._last = frame

    def _finish(self) -> None:
        last = self._last if self._last is not None else np.zeros((*self.size[::-1], 3), np.uint8)
        Image.fromarray(last).save(self._partial)


_WRITERS: dict[str, type[Writer]] = {
    ".mp4": VideoWriter,
    ".gif": AnimationWriter,
    ".webp": AnimationWriter,
    ".png": PictureWriter,
    ".jpg": PictureWriter,
}


def check_ending(path: Path) -> type[Writer]:
    """The writer for a file name's ending; ValueError names the endings there are."""
    kind = _WRITERS.get(path.suffix.lower())
    if kind is None:
        known = ", ".join(sorted(_WRITERS))
        raise ValueError(f'cannot write "{path.name}": the name must end in one of {known}')
    return kind


def open_writer(path: Path, size: tuple[int, int], rate: int) -> Writer:
    """The writer for a file name's ending, ready for frames."""
    return check_ending(path)(path, size, rate)


def even(size: tuple[int, int]) -> tuple[int, int]:
    """H.264 halves the colour resolution, so both edges must be even."""
    return (max(2, size[0] - size[0] % 2), max(2, size[1] - size[1] % 2))

"""The quality ladder, and the governor that climbs and descends it by measured frame time.

On a software renderer samples, shaded pixels and shadow taps cost; shadow-map size and the final
pass hardly do. Hence the rungs: give up multisampling first, then taps, then resolution.
"""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Quality:
    name: str
    shadow: int  # texels along an edge; 0 draws no shadows
    taps: int  # shadow samples per pixel: 1, 4, 9 or 16
    samples: int  # multisampling
    fxaa: bool
    detail: int  # bevel segments per 90°
    scale: float  # render resolution over output resolution
    occlusion: int  # screen-space occlusion samples; 0 leaves it out

    @property
    def direct(self) -> bool:
        """Surfaces write finished pixels; linear light is kept only where a later pass needs it."""
        return not (self.samples or self.occlusion)


LADDER: Final = (
    Quality("lowest", shadow=0, taps=0, samples=0, fxaa=False, detail=1, scale=0.5, occlusion=0),
    Quality("low", shadow=768, taps=1, samples=0, fxaa=True, detail=2, scale=0.667, occlusion=0),
    Quality("medium", shadow=1024, taps=4, samples=0, fxaa=True, detail=4, scale=1.0, occlusion=0),
    Quality("high", shadow=2048, taps=9, samples=4, fxaa=False, detail=6, scale=1.0, occlusion=10),
    Quality(
        "ultra", shadow=4096, taps=16, samples=4, fxaa=False, detail=8, scale=2.0, occlusion=16
    ),
)

QUALITIES: Final = {quality.name: quality for quality in LADDER}

_SHADOWLESS = 1 / 18  # s per frame above which even shadows are given up

_SOFTWARE = ("llvmpipe", "softpipe", "swrast", "software")


def is_software(renderer_name: str) -> bool:
    return any(word in renderer_name.lower() for word in _SOFTWARE)


def default_quality(renderer_name: str) -> Quality:
    """Software rasterisers start low; anything with a GPU starts high."""
    return QUALITIES["low" if is_software(renderer_name) else "high"]


class Governor:
    """Moves one rung when the frame time has been off target for a second; never to ultra."""

    def __init__(self, quality: Quality, target: float = 1 / 30) -> None:
        self.quality = quality
        self.target = target  # s per frame above which we step down
        self._average = target * 0.7
        self._side_thread = 0.0

    def update(self, frame: float) -> bool:
        """Feed one frame time; true when the quality has changed."""
        self._average += 0.1 * (min(frame, 1.0) - self._average)
        rung = LADDER.index(self.quality)
        slow = self.target if LADDER[max(rung - 1, 0)].shadow else max(self.target, _SHADOWLESS)
        if self._average > slow and rung > 0:
            step = -1
        elif self._average < self.target * 0.3 and rung < len(LADDER) - 2:
            step = 1
        else:
            self._side_thread = 0.0
            return False
        self._side_thread += frame
        if self._side_thread < (1.0 if step < 0 else 4.0):
            return False
        self.quality = LADDER[rung + step]
        self._side_thread, self._average = 0.0, self.target * 0.7
        return True

"""Golden images: small pictures kept beside the tests.

Tolerance: the mean difference over all channels may be 2.0 of 255, and no more than 2 % of the
pixels may differ by more than 40. Drivers round edges and filters differently; a lost shadow, a
wrong colour or a missing object is far outside. `TAUT_GOLDEN=write pytest tests/render` rewrites
them; such a commit says why.
"""

import os
from pathlib import Path

import numpy as np
from PIL import Image

FOLDER = Path(__file__).parent / "golden"
MEAN = 2.0
OUTLIER, OUTLIERS = 40, 0.02
_LARGEST = 30_000  # bytes


def check(name: str, image: np.ndarray) -> None:
    path = FOLDER / f"{name}.png"
    if os.environ.get("TAUT_GOLDEN") == "write":
        FOLDER.mkdir(exist_ok=True)
        Image.fromarray(image).quantize(256, kmeans=4, dither=Image.Dither.NONE).save(
            path, optimize=True
        )
    assert path.stat().st_size <= _LARGEST
    golden = np.asarray(Image.open(path).convert("RGB"), float)
    assert image.shape == golden.shape
    difference = np.abs(image.astype(float) - golden)
    assert difference.mean() <= MEAN, f"{name}: mean difference {difference.mean():.2f}"
    share = (difference.max(axis=2) > OUTLIER).mean()
    assert share <= OUTLIERS, f"{name}: {share:.1%} of the pixels differ strongly"

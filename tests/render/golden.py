"""Golden images: small pictures kept beside the tests.

Tolerance: the mean difference over all channels may be 2.0 of 255, no more than 2 % of the pixels
may differ by more than 40, and the mean colour of no block of 15 x 15 pixels by more than 5.
Drivers round edges and filters differently, and the pictures are kept as JPEG (which takes 1.3 of
the mean and 0.9 of a block); a lost shadow is 11 in a block, see `test_sabotage`.
`TAUT_GOLDEN=write pytest tests/render` rewrites them; such a commit says why.
"""

import os
from pathlib import Path

import numpy as np
from PIL import Image

FOLDER = Path(__file__).parent / "golden"
MEAN = 2.0
OUTLIER, OUTLIERS = 40, 0.02
BLOCK, BLOCK_MEAN = 15, 5.0
_LARGEST = 30_000  # bytes


def check(name: str, image: np.ndarray) -> None:
    path = FOLDER / f"{name}.jpg"
    if os.environ.get("TAUT_GOLDEN") == "write":
        FOLDER.mkdir(exist_ok=True)
        Image.fromarray(image).save(path, quality=95, subsampling=0, optimize=True)
    assert path.stat().st_size <= _LARGEST
    golden = np.asarray(Image.open(path).convert("RGB"), float)
    assert image.shape == golden.shape
    difference = image.astype(float) - golden
    size = np.abs(difference)
    assert size.mean() <= MEAN, f"{name}: mean difference {size.mean():.2f}"
    share = (size.max(axis=2) > OUTLIER).mean()
    assert share <= OUTLIERS, f"{name}: {share:.1%} of the pixels differ strongly"
    worst = float(np.abs(_blocks(difference)).max())
    assert worst <= BLOCK_MEAN, f"{name}: a block differs by {worst:.1f}"


def _blocks(difference: np.ndarray) -> np.ndarray:
    """Means of whole blocks; a rest at the right and below is left out."""
    rows, columns = difference.shape[0] // BLOCK, difference.shape[1] // BLOCK
    whole = difference[: rows * BLOCK, : columns * BLOCK]
    return np.asarray(whole.reshape(rows, BLOCK, columns, BLOCK, 3).mean(axis=(1, 3)))

"""Groups of arrays: what a type says about its numbers, however NumPy writes it."""

from typing import Annotated, Any, NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from physics.schema import allocate, fields


class Old(NamedTuple):
    number: Annotated[np.ndarray[tuple[Any, ...], np.dtype[np.int64]], "n"]


class Usual(NamedTuple):
    number: Annotated[NDArray[np.int64], "n"]


class New(NamedTuple):
    number: Annotated[list[np.int64], "n"]  # an alias with one argument, as NDArray is since 2.5


@pytest.mark.parametrize("group", [Old, Usual, New])
def test_the_number_type_is_found(group: Any) -> None:
    assert fields(group)["number"].dtype == np.int64
    assert allocate(group, n=3).number.shape == (3,)

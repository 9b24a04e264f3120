"""Every level that ships, half a second in, against its golden picture."""

import moderngl
import numpy as np
import pytest

from levels import shipped
from sandbox.app.player import Player
from sandbox.record.offline import Studio, session_of
from tests.render.golden import check

SIZE = (240, 135)


@pytest.mark.parametrize("name", shipped())
def test_a_level_looks_as_it_did(context: moderngl.Context, name: str) -> None:
    studio = Studio("medium", context)
    session = session_of(name)
    player = Player(session, SIZE[1])
    player.camera.aspect = SIZE[0] / SIZE[1]
    player.aim_camera()
    for _ in range(round(0.5 * session.world.rate)):
        player.step_once()
    player.view.hold()
    picture = studio.picture(player, SIZE)
    studio.close()
    assert picture.std() > 8.0  # there is something to see
    assert np.isfinite(player.shown.positions).all()
    check(f"level_{name}", picture)

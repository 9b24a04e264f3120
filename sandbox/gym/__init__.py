"""Environments for learning, by the interface of Gymnasium.

    import gymnasium
    import sandbox.gym  # registers taut/…

    env = gymnasium.make("taut/Crane-v0")

taut/Level-v0            any level file: keys are actions, bodies and drives are observed
taut/Crane-v0            set the truck down without swinging it
taut/Liana-v0            swing across the ravine and let go in time
taut/StandUp-v0          rise from a crouch and keep standing
taut/LunarLander-v0      the classic, on this engine; taut/LunarLanderContinuous-v0
taut/BipedalWalker-v0    the classic; taut/BipedalWalkerHardcore-v0

`make_vec(id, n)` steps n of them in one process, on threads.
"""

try:
    import gymnasium
except ImportError:
    raise ImportError(
        "environments for learning need Gymnasium: pip install 'taut[gym]'", name="gymnasium"
    ) from None

from sandbox.gym.registered import ENVIRONMENTS, register_all
from sandbox.gym.threaded import ThreadedVectorEnv, make_vec

__all__ = ["ENVIRONMENTS", "ThreadedVectorEnv", "gymnasium", "make_vec", "register_all"]

register_all()

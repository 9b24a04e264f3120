"""The stores that a world is made of, each of which owns, saves and restores its part."""

from physics.body_store import BodyStore
from physics.contact.contact_store import ContactStore
from physics.event_log import EventLog
from physics.hands import HandStore
from physics.islands.sleeping import Sleeping
from physics.joint_store import JointStore
from physics.names import NameTable
from physics.snapshot import Store
from physics.softs import Softs
from physics.state import VectorLike
from physics.step_records import StepRecords
from physics.step_time import StepTime
from physics.stepper_cache import StepperCache
from physics.world_settings import WorldSettings


class Stores:
    """All parts of one world."""

    def __init__(
        self,
        rate: float,
        gravity: VectorLike,
        stabilization: str,
        solver: str,
        dimension: int,
        alpha: float = 1.0,
    ) -> None:
        self.settings = WorldSettings(dimension, gravity, stabilization, solver, alpha)
        self.time = StepTime(rate)
        self.names = NameTable()
        self.bodies = BodyStore()
        self.joints = JointStore()
        self.contacts = ContactStore()
        self.rest = Sleeping(self.contacts)
        self.softs = Softs(self.names.world)
        self.hands = HandStore(self.bodies, self.joints, self.softs)
        self.records = StepRecords()
        self.events = EventLog()
        self.stepping = StepperCache(
            self.settings, self.time, self.bodies, self.joints, self.contacts, self.rest,
            self.softs, self.records,
        )  # fmt: skip

    def by_name(self) -> dict[str, Store]:
        """In the order in which they are restored: the stepper looks at what it steps, and names
        come last, so that a refused snapshot makes no handles valid."""
        parts = dict(vars(self))
        parts["names"] = parts.pop("names")
        return parts

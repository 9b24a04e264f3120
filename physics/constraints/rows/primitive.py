"""What a row primitive says about itself, so that nobody has to ask for it by name."""

from dataclasses import dataclass

from physics.state import (
    COSINE,
    DRAGS,
    KEEPS_TURN,
    LENGTH,
    ROLLS,
    TIES,
    TRANSLATES,
    TURNS,
    TWIST,
    VECTOR,
)


@dataclass(frozen=True)
class Primitive:
    """The traits of one kind of row; `bits` is what kernels read from elements.traits."""

    name: str
    translates: bool = False  # J has a part in the linear nodes; φ is in m, else in rad
    turns: bool = False  # J has a part in the angular nodes wherever the anchors are
    vector: bool = False  # fills the three rows of its element, and K̃ couples no two nodes
    length: bool = False  # a way between two points: one-sided it is a rope, not a limit
    ties: bool = False  # K̃ couples the two bodies also while the row is a rope
    cosine: bool = False  # measures the cosine of an angle; J vanishes where that angle does
    twist: bool = False  # measures an angle that means nothing at half a turn of swing
    drags: bool = False  # its K̃ in translation must not be damped [Andrews17, §5.4]
    keeps_turn: bool = False  # keeps unwrapped angles in elements.turn: one such row in an element
    rolls: bool = False  # bearings hold the centres: the turn of a body alone can always fulfil it

    @property
    def bits(self) -> int:
        chosen = (
            (self.translates, TRANSLATES),
            (self.turns, TURNS),
            (self.vector, VECTOR),
            (self.length, LENGTH),
            (self.ties, TIES),
            (self.cosine, COSINE),
            (self.twist, TWIST),
            (self.drags, DRAGS),
            (self.keeps_turn, KEEPS_TURN),
            (self.rolls, ROLLS),
        )
        return sum(bit for has, bit in chosen if has)

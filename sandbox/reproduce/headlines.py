"""What must not fall. A headline names a number of an item and the bound it has to keep."""

from collections.abc import Iterable
from dataclasses import dataclass

from sandbox.reproduce.runner import Finished

SLACK = 1.25  # a ratio of times may be worse by that much


@dataclass(frozen=True)
class Headline:
    """`least` or `most` of a metric. Optional ones may be missing, as without a peer."""

    text: str
    metric: str
    least: float | None = None
    most: float | None = None
    optional: bool = False

    def keeps(self, value: float) -> bool:
        above = self.least is None or value >= self.least
        return above and (self.most is None or value <= self.most)

    @property
    def bound(self) -> str:
        parts = [f"≥ {self.least:g}" if self.least is not None else ""]
        parts.append(f"≤ {self.most:g}" if self.most is not None else "")
        return " and ".join(filter(None, parts))


# Ratios are medians of runs taken in turn within one process. Their bounds are what was measured
# when they were last set, times SLACK; set them anew when a change makes them better.
HEADLINES = (
    Headline("cells of the stability map that are lost", "map_lost", most=0),
    Headline("energy left after 40 s of swinging, share", "energy_left", least=0.998),
    Headline("energy gained anywhere on the map, share", "map_gain", most=0.02),
    # the aim is 1.9: what is not reached yet cannot fall, so its bound is what there is
    Headline("order of accuracy, pendulum", "order", least=1.9),
    Headline(
        "chain of 100, time over a reference kernel's", "chain_over_reference", most=SLACK * 2.2
    ),
    Headline(
        "chain of 100, time over MuJoCo's", "chain_over_mujoco", most=SLACK * 0.092, optional=True
    ),
)


@dataclass(frozen=True)
class Judged:
    """A headline and its number; None where it was not measured."""

    headline: Headline
    value: float | None

    @property
    def kept(self) -> bool:
        if self.value is None:
            return self.headline.optional
        return self.headline.keeps(self.value)


def judge(finished: Iterable[Finished]) -> list[Judged]:
    """Every headline that belongs to what was computed."""
    metrics: dict[str, float] = {}
    for one in finished:
        metrics.update(one.result.metrics)
    return [Judged(headline, metrics.get(headline.metric)) for headline in HEADLINES]

"""Materials every level may name without defining them. Rough engineering values."""

from levels.level_tables import Material


def _material(**keys: object) -> Material:
    return Material.model_validate(keys)


MATERIALS: dict[str, Material] = {
    "steel": _material(
        friction=0.4, restitution=0.1, density=7850.0, color="steel", pattern="metal"
    ),
    "wood": _material(friction=0.5, restitution=0.1, density=600.0, color="wood", pattern="wood"),
    "stone": _material(friction=0.7, restitution=0.05, density=2400.0, color="stone"),
    "concrete": _material(
        friction=0.7, restitution=0.05, density=2400.0, color="concrete", pattern="concrete"
    ),
    "rubber": _material(friction=1.0, restitution=0.7, density=1100.0, color="charcoal"),
    "ice": _material(friction=0.03, restitution=0.05, density=917.0, color="sky"),
    "cork": _material(friction=0.6, restitution=0.4, density=200.0, color="sand"),
    "flesh": _material(
        friction=0.6, restitution=0.0, rolling_friction=0.005, density=1000.0, color="skin"
    ),
}

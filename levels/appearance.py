"""Names a level may use for how things look. Physics never sees them; the renderer draws them."""

# sRGB, because that is what people pick
COLORS: dict[str, str] = {
    "yellow": "#f5b619",
    "orange": "#ee8434",
    "red": "#e2553d",
    "coral": "#ef7d6b",
    "pink": "#e58fb0",
    "violet": "#8a72c9",
    "blue": "#3d8ad6",
    "navy": "#2f4d7d",
    "sky": "#7fb8e0",
    "teal": "#3fb8a0",
    "mint": "#62cdb3",
    "green": "#6bb05a",
    "olive": "#8f9a4b",
    "sand": "#dba85e",
    "wood": "#b98349",
    "brown": "#7a563c",
    "skin": "#f0c9a0",
    "cream": "#f1ece1",
    "white": "#f4f2ee",
    "grey": "#a9a7a4",
    "concrete": "#b4b1ac",
    "steel": "#8d939b",
    "slate": "#59616c",
    "charcoal": "#3d4046",
    "black": "#26272b",
    "rope": "#c99a52",
    "cable": "#2e2f33",
    "stone": "#9a948b",
    "earth": "#8b7357",
    "grass": "#86a65d",
}

# in the order of the shaders
PATTERNS: tuple[str, ...] = (
    "plain",
    "wood",
    "concrete",
    "hazard",
    "ball",
    "rope",
    "metal",
    "weave",
    "stripes",
    "glow",
    "tyre",
    "panel",
    "grass",
    "checker",
)

ORNAMENTS: tuple[str, ...] = (
    "banner",
    "boom",
    "bush",
    "cab",
    "cliff",
    "cloud",
    "container",
    "crate",
    "fence",
    "hook",
    "lamp",
    "pad",
    "person",
    "pine",
    "post",
    "rock",
    "sitter",
    "sling",
    "tree",
    "truck",
    "truss",
    "weight",
    "wheel",
)

PALETTES: tuple[str, ...] = ("studio", "dusk", "forest", "night", "paper")

# What triggers can play; the game makes them from noise and sines, as all its sounds.
SOUNDS: tuple[str, ...] = (
    "alarm",
    "bell",
    "click",
    "drum",
    "fanfare",
    "horn",
    "pop",
    "thud",
    "whistle",
)

"""What keys do while a level is built: name, key by default, and what the help page calls it."""

from sandbox.workshop.build_tools import TOOLS

BUILD_ACTIONS: tuple[tuple[str, str, str], ...] = (
    ("test", "T", "Test the level, and come back"),
    ("save", "F5", "Save the level"),
    ("leave", "B", "Back to playing"),
    ("undo", "Ctrl+Z", "Undo"),
    ("redo", "Ctrl+Y", "Redo"),
    ("move", "W", "Handles: move"),
    ("rotate", "E", "Handles: rotate"),
    ("scale", "R", "Handles: size"),
    *((tool.name, tool.key, f"Tool: {tool.name}") for tool in TOOLS if tool.key),
    ("snap", "G", "Grid on or off"),
    ("copy", "Ctrl+C", "Copy"),
    ("cut", "Ctrl+X", "Cut"),
    ("paste", "Ctrl+V", "Paste"),
    ("duplicate", "Ctrl+D", "Duplicate"),
    ("mirror", "M", "A mirrored copy, left and right"),
    ("mirror_depth", "Shift+M", "A mirrored copy, front and back"),
    ("turn", "Q", "A quarter turn"),
    ("group", "Ctrl+G", "Group"),
    ("ungroup", "Ctrl+U", "Ungroup"),
    ("select_all", "Ctrl+A", "Select everything"),
    ("delete", "Delete", "Delete"),
    ("frame", "F", "Look at the selection"),
    ("share", "Ctrl+L", "Copy the level as a line of text"),
    ("cancel", "Escape", "Stop, unselect, leave"),
)

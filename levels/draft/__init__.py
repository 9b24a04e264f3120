"""A level being made by hand: its text is the truth, and every change of it can be taken back.

`Draft` holds the text and the level it says; the other modules are what can be done to it: place
and shape things (`shaping`, `sizing`), copy them and keep them as parts (`fragments`, `parts`),
connect them (`connecting`), change one key (`fields`), say what the level is about (`about`).
Nothing here knows of a window.
"""

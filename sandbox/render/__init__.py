"""Pictures of a scene with OpenGL 3.3; knows nothing of physics except in `adapter`.

Read `scene` (what is drawn), then `renderer` (in which order), then the shaders.
Nothing here imports moderngl before a context is asked for.
"""

"""A level being played, without the window: camera, time keeping, tools, overlays, rewind, the run
beside it. Plain Python with tests; interface, videos and the window are made of it."""

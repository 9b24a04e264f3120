"""Motion for other programs: a run of a level as glTF, which Blender and browsers open.

tessellate.py     shapes as triangles
film.py           where everything was, frame by frame
gltf_document.py  the file, by pygltflib
"""

from sandbox.gltf.film import Film, filmed
from sandbox.gltf.gltf_document import write_gltf

__all__ = ["Film", "filmed", "write_gltf"]

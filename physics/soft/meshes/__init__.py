"""Meshes of nodes, triangles and tetrahedra, before and while they are soft bodies.

primitives.py     grids of cloth, boxes and balls of tetrahedra
mesh_topology.py  edges, faces, hinges and orientation from the cells alone
mesh_files.py     reading .msh, .vtk, .obj …; fill.py fills a closed surface with tetrahedra
surface.py        which triangles touch, and how; embedding.py finds the element around a point
cutting.py        what a cut goes through, and the surface that is left
"""

"""Contacts of soft bodies.

shape_contact.py   nodes and triangles against the shapes of the world
nearest_point.py   the nearest point of any shape to a point
self_contact.py    a surface against itself: node_triangle.py and edge_edge.py, found by a grid
soft_rows.py       the rows that all of them, and attachments, become
"""

"""Contact points of two polytopes, given the separating axis.

Face case: the incident face of the other polytope, cut by the side planes of the reference face
(Sutherland and Hodgman), gives the overlap of the two faces; its corners within the margin of the
reference plane are the contact points. Edge case: the closest points of the two edges.

Identities: a corner of the incident face keeps its number; a corner made by cutting edge (i, j)
with side s gets a number mixed from the three, so it is the same in the next step if the faces are.
"""

import math

from physics.collision.closest import segment_segment
from physics.collision.manifold import add_candidate, mix
from physics.collision.sat import EDGES, FACE_A
from physics.collision.vec import along, cross, dot, load, scale, store, sub
from physics.jit import kernel


@kernel
def incident_face(p, n):
    """The face of p that looks most against n."""
    best, face = math.inf, -1
    for f in range(len(p.normals)):
        x = dot(load(p.normals, f), n)
        if x < best:
            best, face = x, f
    return face


@kernel
def _start_polygon(p, face, work):
    """Copies the corners of the face (or, without faces, the segment); returns their number."""
    count = p.faces[face, 1] if face >= 0 else len(p.points)
    for k in range(count):
        corner = p.loop[p.faces[face, 0] + k] if face >= 0 else k
        store(load(p.points, corner), work.clip[0], k)
        work.clip_id[0, k] = corner + 1
    return count


@kernel
def cut(count, closed, side, origin, slack, number, source, work):
    """Keeps what lies at side·(x - origin) ≥ -slack; from row `source` to the other one."""
    points, ids = work.clip[source], work.clip_id[source]
    kept, kept_ids = work.clip[1 - source], work.clip_id[1 - source]
    out = 0
    for k in range(count):
        m = (k + 1) % count
        p, q = load(points, k), load(points, m)
        here = dot(side, sub(p, origin)) + slack
        there = dot(side, sub(q, origin)) + slack
        if here >= 0.0:
            store(p, kept, out)
            kept_ids[out] = ids[k]
            out += 1
        if (here >= 0.0) != (there >= 0.0) and (closed or k + 1 < count):
            store(along(p, sub(q, p), here / (here - there)), kept, out)
            kept_ids[out] = mix(mix(min(ids[k], ids[m]), max(ids[k], ids[m])), number + 1)
            out += 1
    return out


@kernel
def _clip_to_face(p, face, n, count, closed, slack, work):
    """Cuts the polygon in row 0 by all side planes; returns (count, row it ended in)."""
    row = 0
    first, corners = p.faces[face]
    for k in range(corners):
        origin = load(p.points, p.loop[first + k])
        edge = sub(load(p.points, p.loop[first + (k + 1) % corners]), origin)
        side = cross(n, edge)
        side = scale(side, 1.0 / math.sqrt(dot(side, side)))
        count = cut(count, closed, side, origin, slack, k, row, work)
        row = 1 - row
        if count == 0:
            break
    return count, row


@kernel
def face_contacts(p, face, q, p_is_b, radii, margin, slack, work):
    """Adds the corners of the clipped incident face of q; radii is the sum of both roundings."""
    n = load(p.normals, face)
    plane = dot(n, load(p.points, p.loop[p.faces[face, 0]]))
    incident = incident_face(q, n)
    count = _start_polygon(q, incident, work)
    count, row = _clip_to_face(p, face, n, count, count > 2, slack, work)
    tag = mix(2 * face + (1 if p_is_b else 0), incident + 2)
    for k in range(count):
        x = load(work.clip[row], k)
        gap = dot(n, x) - plane
        if gap - radii <= margin:
            on_p = along(x, n, -gap)
            feature = mix(tag, work.clip_id[row, k])
            if p_is_b:
                add_candidate(x, on_p, n, gap, feature, work)
            else:
                add_candidate(on_p, x, scale(n, -1.0), gap, feature, work)


@kernel
def edge_contact(a, i, b, j, n, work):
    """Adds the closest points of edge i of a and edge j of b."""
    a0, a1 = load(a.points, a.edges[i, 0]), load(a.points, a.edges[i, 1])
    b0, b1 = load(b.points, b.edges[j, 0]), load(b.points, b.edges[j, 1])
    s, t = segment_segment(a0, a1, b0, b1)
    on_a, on_b = along(a0, sub(a1, a0), s), along(b0, sub(b1, b0), t)
    gap = dot(n, sub(on_a, on_b))
    add_candidate(on_a, on_b, n, gap, mix(mix(i + 1, j + 1), 7), work)


@kernel
def axis_contacts(a, b, axis, radii, margin, slack, work):
    """Adds the contact points for the axis that sat.separate found."""
    kind, in_a, in_b, n = axis
    if kind == EDGES:
        edge_contact(a, in_a, b, in_b, n, work)
    elif kind == FACE_A:
        face_contacts(a, in_a, b, False, radii, margin, slack, work)
    else:
        face_contacts(b, in_b, a, True, radii, margin, slack, work)

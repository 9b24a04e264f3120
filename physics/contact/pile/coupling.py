"""How the points of one patch see each other's impulses, and what undoes that.

S = n·M⁻¹·n of up to four points, and (S + ε D)⁻¹ with D its diagonal: once for a patch that
overlaps, whose ε lets a share of the impulse go, and once for one that does not. Four points of a
plane have an S of rank three: what lies in the fourth direction moves nothing, and ε keeps it from
growing.

Columns are those of the patch's row in `pile_rows.py`.
"""

from physics.jit import kernel
from physics.params import PILE_LEAK

COUPLING, SOFTLY, HARDLY = 80, 104, 114  # S by rows; the inverses' upper halves by rows
MOST_POINTS = 4  # of a patch whose points are updated together
_NEARLY = 1e-3  # ε of several points of which none overlaps: larger leaves more to the next sweep


@kernel
def set_coupling(listed, start, end, along, P):
    """S of the points of a patch along n, zero where there is none, and its inverses; writes P."""
    p, count = listed[start], end - start
    for i in range(MOST_POINTS):
        for j in range(MOST_POINTS):
            total = 0.0
            if i < count and j < count:
                c, d = listed[start + i], listed[start + j]
                total = along
                for k in range(6):
                    total += P[c, k] * P[d, 6 + k]
            P[p, COUPLING + MOST_POINTS * i + j] = total
    invert_coupling(P, p, PILE_LEAK / (1.0 - PILE_LEAK), SOFTLY)
    invert_coupling(P, p, _NEARLY if count > 1 else 0.0, HARDLY)


@kernel
def invert_coupling(P, p, spring, at):
    """(S + spring·diag S)⁻¹ of the patch's points, its upper half by rows; writes P[p]."""
    K = P[p]
    a00, a11, a22, a33 = 1.0, 1.0, 1.0, 1.0
    a01, a02, a03, a12, a13, a23 = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    grow = 1.0 + spring
    d0, d1, d2, d3 = K[80], K[85], K[90], K[95]
    if d0 > 0.0:
        a00 = d0 * grow
    if d1 > 0.0:
        a11, a01 = d1 * grow, K[81]
    if d2 > 0.0:
        a22, a02, a12 = d2 * grow, K[82], K[86]
    if d3 > 0.0:
        a33, a03, a13, a23 = d3 * grow, K[83], K[87], K[91]
    s = 1.0 / (a00 * a11 - a01 * a01)
    p00, p01, p11 = s * a11, -s * a01, s * a00
    t00, t01 = a02 * p00 + a12 * p01, a02 * p01 + a12 * p11
    t10, t11 = a03 * p00 + a13 * p01, a03 * p01 + a13 * p11
    r00 = a22 - (t00 * a02 + t01 * a12)
    r01 = a23 - (t00 * a03 + t01 * a13)
    r11 = a33 - (t10 * a03 + t11 * a13)
    s = 1.0 / (r00 * r11 - r01 * r01)
    i22, i23, i33 = s * r11, -s * r01, s * r00
    i02, i03 = -(t00 * i22 + t10 * i23), -(t00 * i23 + t10 * i33)
    i12, i13 = -(t01 * i22 + t11 * i23), -(t01 * i23 + t11 * i33)
    K[at] = p00 - (t00 * i02 + t10 * i03) if d0 > 0.0 else 0.0
    K[at + 1] = p01 - (t00 * i12 + t10 * i13)
    K[at + 2], K[at + 3] = i02, i03
    K[at + 4] = p11 - (t01 * i12 + t11 * i13) if d1 > 0.0 else 0.0
    K[at + 5], K[at + 6] = i12, i13
    K[at + 7] = i22 if d2 > 0.0 else 0.0
    K[at + 8] = i23
    K[at + 9] = i33 if d3 > 0.0 else 0.0

"""The five treatments of geometric stiffness: what is added to the mass matrix, M̃ - M.

K̃ = ∂(Jᵀλ)/∂x, from the previous step's λ, is the stiffness of the transverse motion that a tight
chain allows. Where h²k/m is large an ordinary step makes that motion explode.

    none        nothing
    geometric   -h² sym(K̃), its positive part                         [Tournier15, Eq. 21]
    inertial    h B, B = diag((h²k - 4αm)₊/2h), k the column norms      [Andrews17, Eqs. 11-13]
    constraint  the same b per constraint row, as damping B'            [Andrews17, §4.3-4.4]
    adaptive    G = (θh²k - αm)₊, isotropic per body and per pair, its momentum carried along

Each writes system.added (blocks of single nodes) and elements.K (blocks of coupled elements).
"""

NONE, GEOMETRIC, INERTIAL, CONSTRAINT, ADAPTIVE = range(5)
STABILIZATIONS = ("none", "geometric", "inertial", "constraint", "adaptive")

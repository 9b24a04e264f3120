"""Other ways to step the same cloth or solid, to be compared with: not a second engine.

| stepping | what it is | what it cannot do |
|---|---|---|
| explicit | x += h v, then v += h f(x)/m | gains energy at any step; explodes when h ω > 0 for long |
| symplectic | v += h f(x)/m, then x += h v | explodes when h ω > 2 |
| implicit | backward Euler by Newton | throws energy away |
| pbd | constraints projected one by one [Müller07] | its stiffness is that of h and the iterations |
| xpbd | the same with multipliers [Macklin16] | stretches as iterations are few |
| projective | local projections, one global solve with a constant matrix [Bouaziz14] | as xpbd; ν = 0 |

The first three see threads as springs and touch by penalties; of the others what touches is put
where it belongs. Rigid bodies feel what is pushed a step later. Soft bodies stepped like this touch
shapes and themselves, no other soft bodies.
"""

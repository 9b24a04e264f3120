"""Other ways to step the same cloth or solid, to be compared with: not a second engine.

| stepping | what it is | what is wrong with it |
|---|---|---|
| explicit | x += h v, v += h f(x)/m | gains energy at any step |
| symplectic | v += h f(x)/m, then x += h v | explodes when h ω > 2 |
| implicit | backward Euler by Newton | throws energy away |
| pbd | constraints one by one [Müller07] | stiffness depends on h and on the iterations |
| xpbd | the same with multipliers [Macklin16] | stretches when iterations are few |
| projective | local steps, a global one [Bouaziz14] | the same, and ν = 0 |

The first three see threads as springs and touch by penalties; the others put what touches where it
belongs. Rigid bodies feel a push a step later. Soft bodies stepped like this touch shapes and
themselves, but no other soft bodies. One that explodes stops and is named in the statistics.
"""

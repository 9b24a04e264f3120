"""Soft bodies together with rigid ones.

coupled_solve.py  one soft body and the rigid bodies it meets, in one solve
rigid_side.py     where the rigid bodies would go, and how they give way; rigid_response.py: kernels
resting.py        contacts of the rigid bodies with each other, as rows of that solve
ledger.py         what all of them together have gained from nothing, and its end
"""

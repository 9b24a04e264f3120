"""Engines that are measured beside each other on the same scenes; all but ours are optional.

planar.py     mechanisms of bars and pins in a plane, which every engine can build
exact.py      what such a mechanism does: the same equations, solved to twelve digits
engine.py     what an engine is, and the list of them
run_*.py      one engine each
"""

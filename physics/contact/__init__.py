"""Contacts as rows of the step: detected points → rows → impulses → events.

contact_rows.py    Jacobians and target speeds of all contacts
responses.py       what unit impulses of contacts do to all that they push
contact_forces.py  what contacts press with, as forces on the bodies
packed.py          the same of bodies without joints, side by side for the row updates
contact_store.py   shapes and contact rows of a world, from Python
events.py          which pairs begin and cease to touch; contact points as records
pile/              islands of free bodies, stepped by themselves
solver/            impulses of contacts and of joints' bounded rows
"""

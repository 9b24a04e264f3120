"""Contacts as rows of the step: detected points → rows → impulses → events.

contact_rows.py    Jacobians, target speeds and responses of all contacts
packed.py          the same of bodies without joints, side by side for the row updates
contact_store.py   shapes and contact rows of a world, from Python
events.py          which pairs begin and cease to touch; contact points as records
solver/            impulses of contacts and of joints' bounded rows
"""

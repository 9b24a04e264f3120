"""Contacts as rows of the step: geometry → rows → projected sweeps → bounce → events."""

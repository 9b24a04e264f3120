"""The items, by source. A file here is found by being here."""

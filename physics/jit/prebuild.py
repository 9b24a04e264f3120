"""Kernels compiled beforehand for any processor of a kind, carried by a wheel."""


def prebuilt_target() -> str | None:
    return None

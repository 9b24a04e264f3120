"""Which commit of the sources this is, where they are in a repository."""

import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def revision() -> str:
    """Short hash, with a + where files differ from it; "" outside a repository."""
    found = git("rev-parse", "--short=10", "HEAD")
    if not found:
        return ""
    return found + ("+" if git("status", "--porcelain", "--untracked-files=no") else "")


def git(*arguments: str) -> str:
    """What a git command says; "" where it fails or there is none."""
    try:
        done = subprocess.run(
            ["git", *arguments], cwd=ROOT, capture_output=True, text=True, encoding="utf-8",
            timeout=60,
        )  # fmt: skip
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""

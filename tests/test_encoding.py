"""Files are UTF-8 on every machine: nobody leaves the encoding to the locale, and everything works
where the locale is another one and the terminal knows few letters."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.sources import parsed

ROOT = Path(__file__).parents[1]
PACKAGES = ("physics", "levels", "sandbox", "tests")
_FILES = {
    "read_text": 0,
    "write_text": 1,
    "open": None,
    "fdopen": None,
}  # where the encoding may be


def _source_files() -> list[Path]:
    return sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))


def _leaves_it_to_the_locale(call: ast.Call) -> bool:
    """Does a call read or write text without saying how?"""
    given = {keyword.arg: keyword.value for keyword in call.keywords}
    name = getattr(call.func, "attr", getattr(call.func, "id", ""))
    if "encoding" in given or None in given:
        return False
    if name in ("run", "Popen", "check_output", "check_call") and "text" in given:
        return True
    if name not in _FILES:
        return False
    if name in ("read_text", "write_text"):
        return len(call.args) <= (_FILES[name] or 0)
    return _is_file(call, name) and "b" not in _mode(call, name, given)


def _is_file(call: ast.Call, name: str) -> bool:
    """`open` is also a method of pictures, archives, systems and ourselves."""
    owner = getattr(call.func, "value", None)
    others = ("Image", "os", "self", "archive", "webbrowser", "zipfile", "wave")
    return not (name == "open" and getattr(owner, "id", "") in others)


def _mode(call: ast.Call, name: str, given: dict[str | None, ast.expr]) -> str:
    is_method = isinstance(call.func, ast.Attribute) and name == "open"
    position = 0 if is_method else 1
    mode = given.get("mode") or (call.args[position] if len(call.args) > position else None)
    return str(mode.value) if isinstance(mode, ast.Constant) else "r"


def test_every_file_is_opened_with_an_encoding() -> None:
    wrong = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in _source_files()
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.Call) and _leaves_it_to_the_locale(node)
    ]
    assert wrong == []


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("path.read_text()", True),
        ('path.read_text("utf-8")', False),
        ("path.write_text(text)", True),
        ('path.write_text(text, encoding="utf-8")', False),
        ("open(path)", True),
        ('open(path, "wb")', False),
        ('path.open("rb")', False),
        ("path.open()", True),
        ("subprocess.run(words, text=True)", True),
        ('subprocess.run(words, text=True, encoding="utf-8")', False),
    ],
)
def test_the_test_sees_it(text: str, wrong: bool) -> None:
    (node,) = (n for n in ast.walk(ast.parse(text)) if isinstance(n, ast.Call))
    assert _leaves_it_to_the_locale(node) is wrong


_LEVEL = """\
format = 1
title = "Kugel → Ω: 坂道"
hint = "fällt"
[bodies."kügel"]
shape = "sphere"
radius = 0.5
position = [0, 10, 0]
mass = 1
[[expect]]
name = "sie fällt → Ω 坂"
at = 0.1
check = "y('kügel') < 10"
"""

_ELSEWHERE = """
import locale, sys, warnings
warnings.filterwarnings("error", category=EncodingWarning, module=r"(physics|levels|sandbox)\\b")
assert "utf" not in locale.getencoding().lower(), locale.getencoding()
from sandbox.cli import main
codes = [main(arguments) for arguments in {verbs}]
assert sys.stdout.encoding == "cp1252"
sys.exit(codes != [0] * (len(codes) - 1) + [2])
"""


def test_everything_works_where_the_locale_is_not_utf8(tmp_path: Path) -> None:
    """As on Windows: text files would be read in another encoding, and the terminal is CP1252."""
    level, wrong = tmp_path / "kugel.toml", tmp_path / "wrong.toml"
    level.write_text(_LEVEL, encoding="utf-8")
    wrong.write_text(_LEVEL.replace('"sphere"', '"Ωsphere→"'), encoding="utf-8")
    replay = str(tmp_path / "kugel.replay")
    verbs = [
        ["list"],
        ["check", "crane", str(level)],
        ["run", str(level), "--record", replay, "--out", str(tmp_path / "run.csv")],
        ["run", str(level), "--json", "--replay", replay],
        ["replay", replay, "--level", str(level), "--to-test", str(tmp_path / "again.toml")],
        ["test", str(level), "--junit", str(tmp_path / "report.xml")],
        ["new", str(tmp_path / "new.toml")],
        ["schema", "--reference"],
        ["config", "set", "palette", "Ω"],
        ["config"],
        ["check", str(wrong)],
    ]
    environment = {
        **os.environ,
        "LC_ALL": "C",
        "PYTHONUTF8": "0",
        "PYTHONCOERCECLOCALE": "0",
        "PYTHONIOENCODING": "cp1252",
        "XDG_CONFIG_HOME": str(tmp_path),
    }
    code = _ELSEWHERE.format(verbs=ascii(verbs))
    done = subprocess.run(
        [sys.executable, "-X", "warn_default_encoding", "-c", code],
        capture_output=True, check=False, env=environment,
    )  # fmt: skip
    out, err = done.stdout.decode("cp1252"), done.stderr.decode("cp1252")
    assert done.returncode == 0, out + err
    assert "ok   sie fällt -> ? ?" in out
    assert 'unknown shape "?sphere->"' in err
    assert "sie fällt → Ω 坂" in (tmp_path / "report.xml").read_text(encoding="utf-8")
    assert "kügel" in (tmp_path / "run.csv").read_text(encoding="utf-8")

"""Every module has a name of its own and says what it is for."""

import ast

from tests.house import doubled, sources

# module names that mean two things, each of which is the field's word in its room
TWO_MEANINGS = {
    "adaptive.py",  # the stabilization and its scheme
    "schema.py",  # of arrays; a verb of the command line
    "sweep.py",  # along a way (CCD); over contacts; a verb of the command line
}


def test_a_module_name_means_one_thing() -> None:
    again = {
        name: paths for name, paths in doubled(sources(None)).items() if name not in TWO_MEANINGS
    }
    assert not again, f"rename one of each, so that a search by name finds one: {again}"


def test_every_module_says_what_it_is_for() -> None:
    silent = [
        path
        for path, text in sources(None).items()
        if text.strip() and ast.get_docstring(ast.parse(text)) is None
    ]
    assert not silent

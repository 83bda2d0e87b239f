"""The page on the Python API says what the docstrings say."""

import runpy

import kernel_builder
from tests.evaluation import ROOT
from tests.expected import Expected


def test_the_reference_is_what_the_docstrings_say(expected: Expected) -> None:
    write_reference = runpy.run_path(str(ROOT / "docs/generate/api.py"))["write_reference"]
    text = write_reference()
    # A default that is a path would be one of the machine that wrote the page.
    assert "Path(" not in text
    expected(ROOT / "docs" / "reference" / "api.md", text)


def test_every_function_says_what_it_takes_and_raises() -> None:
    functions = [name for name in kernel_builder.__all__ if name[0].islower()]
    assert functions == ["check_import", "render_ops", "upload"]
    for name in functions:
        text = getattr(kernel_builder, name).__doc__
        arguments = getattr(kernel_builder, name).__annotations__
        for word in (*(f"{each}:" for each in arguments if each != "return"), "Raises:"):
            assert word in text, (name, word)

"""Templates of cards that want out of the sandbox, or all of the machine."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.evaluation import build, evaluate, outputs_of, read_log
from tests.tiny_kernel import TinyKernel

HEAD = "---\nlibrary_name: kernels\n---\n"
ATTACKS = {
    "classes": ("{{ name.__class__.__mro__[1].__subclasses__() }}", "unsafe"),
    "classes by filter": ("{{ (name | attr('__class__')).__mro__ }}", "unsafe"),
    "globals of a function": ("{{ lipsum.__globals__['os'].environ }}", "unsafe"),
    "format": ("{{ '{0.__class__.__mro__}'.format(name) }}", "unsafe"),
    "a long text": ("{{ 'x' * 10 ** 9 }}", "not allowed"),
    "a longer text": ("{{ 'x' * 4000000000 }}", "MemoryError"),
    "a large number": ("{{ 9 ** 9 ** 9 }}", "not allowed"),
    "a large card": (
        "{% for i in range(99999) %}{{ i }} and so on, and on{% endfor %}",
        "a card of",
    ),
    "a file": ("{% include '/etc/passwd' %}", "no loader"),
}


@pytest.mark.attack(
    "build",
    "Jinja in the card: classes, files, 4 GB of text, powers",
    "a minimal card and a warning",
)
def test_a_template_that_wants_out(tmp_path: Path) -> None:
    for name, (template, why) in ATTACKS.items():
        kernel = TinyKernel(tmp_path / name, {"CARD.md": f"{HEAD}canary {template}\n"})
        drv = evaluate(f"{outputs_of(kernel.folder)}.card.drvPath")
        card = build(drv).read_text()
        assert card.startswith("---\nlibrary_name: kernels\nlicense: mit\n"), name
        assert "canary" not in card, name
        assert why in read_log(drv), name

"""Each step of a kernel says its kind, for `contents`, reports and the limit of jobs."""

import pytest

from kernel_builder.machine.room import COMPILES
from tests.derivation import closure_of
from tests.evaluation import ROOT, evaluate, outputs_of

FIVE = ROOT / "tests" / "golden" / "five"
# The kinds by the ends of names, which people read in logs.
ENDS = {
    "-device-code.o": "link",
    ".fatbin.o": "gather",
    ".hip": "translate",
    ".host.o": "host",
    ".o": "compile",
    "-check": "check",
    "-extension": "link",
}
VARIANTS = {
    "cpu": {"compile"},
    "cu130": {"compile", "device", "gather", "host", "whole"},
    "rocm72": {"compile", "device", "gather", "host", "translate"},
    "xpu20260": {"compile"},
}


@pytest.mark.parametrize("compute", VARIANTS)
def test_every_step_of_a_kernel_has_a_kind(compute: str) -> None:
    variant = f"torch213-cxx11-{compute}-x86_64-linux"
    drv = evaluate(f"({outputs_of(FIVE)}).redistributable.{variant}.drvPath")
    steps = [each for each in closure_of(drv) if each.name.startswith("five-")]
    assert [each.name for each in steps if "step" not in each.env] == []
    kinds = {each.env["step"] for each in steps}
    assert kinds & {*COMPILES, "gather", "translate"} == VARIANTS[compute]
    for each in steps:
        wanted = [ENDS[end] for end in ENDS if each.name.endswith(end)]
        assert not wanted or each.env["step"] in (wanted[0], "whole"), each.name

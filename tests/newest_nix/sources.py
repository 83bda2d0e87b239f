"""Files for a machine whose own apt has no Debian 12, whose packages kernels are built with."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

from tests.derivation import Derivation, closure_of
from tests.evaluation import (
    ROOT,
    SYSTEM,
    TEST_PACKAGES,
    VARIANT,
    evaluate,
    fetch,
    nix_string,
    outputs_of,
    path_of,
    realise,
    run_nix,
)
from tests.machines.debian import Debian

RELU = ROOT / "examples" / "relu"


def sources_of(*drvs: str) -> Iterator[Derivation]:
    """Yield the sources that derivations are made from."""
    for drv in drvs:
        yield from (item for item in closure_of(drv) if "outputHash" in item.env)


def bring_sources(machine: Debian) -> None:
    """Copy the tests' Python and the sources of relu's CPU variant into a machine's store.

    They come from the store of this machine, which fetches missing ones first.
    """
    python = evaluate(f"(import {path_of(TEST_PACKAGES)}).{SYSTEM}.testPython.drvPath")
    bundle = evaluate(f"(({outputs_of(RELU)}).bundleOf [ {nix_string(VARIANT)} ]).drvPath")
    sources = set(sources_of(bundle))
    paths = {path: item.path for item in sources for path in item.outputs.values()}
    missing = [drv for path, drv in paths.items() if not Path(path).exists()]
    if missing:
        fetch(*missing)
    (built,) = realise(python)
    closure = run_nix("nix-store", "--query", "--requisites", str(built)).split()
    argv = ["nix-store", "--export", *closure, *sorted(paths)]
    with subprocess.Popen(argv, stdout=subprocess.PIPE) as exported:
        answer = machine.ask("nix-store --import >/dev/null", stdin=exported.stdout)
    assert answer.code == exported.returncode == 0, answer

import subprocess
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

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
from tests.machines.debian import (
    HERE,
    Answer,
    CannotBeMadeError,
    Debian,
    debian,
    skip_without_debian,
)
from tests.skipping import skip

# The newest that can be made: on some days there is no unstable one.
SUITES = ("sid", "trixie")


@pytest.fixture(scope="module")
def newest() -> Iterator[Debian]:
    """The newest Debian, bare but for a checkout in `/src`."""
    skip_without_debian()
    said = []
    with ExitStack() as stack:
        for suite in SUITES:
            try:
                machine = stack.enter_context(debian(suite))
            except CannotBeMadeError as error:
                said.append(str(error))
                continue
            copy = [HERE / "copy-checkout.sh", machine.root / "src"]
            subprocess.run(copy, check=True)
            yield machine
            return
        skip("; ".join(said), installable=True)


@pytest.fixture(scope="module")
def first_run(newest: Debian) -> Answer:
    """The exit code and output of install.sh there."""
    return newest.ask("/src/install.sh")


@pytest.fixture(scope="module")
def installed(newest: Debian, first_run: Answer) -> Debian:
    """The newest Debian with Nix and an empty store."""
    assert first_run.code == 0, first_run
    return newest


@pytest.fixture(scope="module")
def supplied(installed: Debian) -> Debian:
    """The newest Debian with the sources of everything that is built there."""
    bring_sources(installed)
    return installed


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

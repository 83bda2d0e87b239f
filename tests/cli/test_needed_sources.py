"""The tests fetch sources only where a build needs one that the store lacks."""

from __future__ import annotations

import subprocess
from pathlib import Path

from kernel_builder import nix
from tests.cli.fake_kernel import SYSTEM
from tests.cli.store import Store
from tests.derivation import lacks_sources, read_derivation


def test_sources_that_the_store_lacks(store: Store, salt: str, tmp_path: Path) -> None:
    source = store.source(f"source-{salt}", salt.encode())
    derivation = store.instantiate(
        f'derivation {{ name = "step-{salt}"; system = "{SYSTEM}"; builder = "/bin/sh"; '
        f"source = {source}; args = [ ]; }}"
    )
    assert lacks_sources(derivation)
    file = tmp_path / f"source-{salt}"
    file.write_text(salt)
    nix.add_file(file)
    assert not lacks_sources(derivation)
    # A store path that nothing keeps, and that the fixture does not know.
    paths = [derivation, *store.outputs(next(iter(read_derivation(derivation).inputs)))]
    subprocess.run(["nix-store", "--delete", *paths], check=True, capture_output=True)

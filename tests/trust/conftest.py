"""Fixtures of trust: a Hub, a small Sigstore, and kernels of others."""

# ruff: noqa: F811 (fixtures of other suites, which are imported)
from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.conftest import salt  # noqa: F401  (fixtures)
from tests.hub.built import make_bundle
from tests.hub.conftest import bundle, client, hub, isolated, upload  # noqa: F401  (fixtures)
from tests.trust.sigstore_instance import CPU, Instance, Signing, run_instance
from tests.trust.strangers import kernel, run, secret  # noqa: F401  (fixtures)


@pytest.fixture
def instance() -> Iterator[Instance]:
    """A small Sigstore."""
    with run_instance() as running:
        yield running


@pytest.fixture
def signing(instance: Instance, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Signing:
    """Sign and check as a job on GitHub."""
    monkeypatch.delenv("SIGSTORE_ID_TOKEN", raising=False)
    for name in ("HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(name, str(tmp_path / "home"))
    for name, value in instance.environment.items():
        monkeypatch.setenv(name, value)
    return Signing(instance, instance.write_trust(tmp_path / "trust.json"))


@pytest.fixture
def signed(signing: Signing, tmp_path: Path) -> Path:
    """A bundle of one variant, signed."""
    bundle = make_bundle(tmp_path / "bundle", CPU)
    done = signing.sign(bundle)
    assert done.status == 0, done.stderr
    return bundle

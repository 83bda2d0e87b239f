"""Files that stay as they are: what a Hub does not keep, and what was fetched from it."""

from __future__ import annotations

import shutil
from pathlib import Path

from tests.hub.client import Uploader
from tests.hub.exchange import Hub
from tests.hub.test_upload import CPU, CUDA, files_of, writes


def test_a_fetched_repository_keeps_its_lists(upload: Uploader, bundle: Path, hub: Hub) -> None:
    """As the Hub has them: variants in build/, what lies beside them one folder higher."""
    upload(bundle)
    fetched = bundle.with_name("fetched")
    for name in (CPU, CUDA, "sandbox"):
        shutil.copytree(bundle / name, fetched / "build" / name)
    for name in ("provenance", "benchmarks"):
        shutil.copytree(bundle / name, fetched / name)
    hub.faults.reset()
    done = upload(fetched)
    assert done.stdout.startswith("v1: everything is there already\n")
    assert writes(hub) == []
    assert f"provenance/{CPU}.cdx.json" in files_of(hub)

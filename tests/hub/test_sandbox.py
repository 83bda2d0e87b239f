"""Whether a build was made in Nix's sandbox: what upload wants, and what it says on the Hub."""

from __future__ import annotations

import json
from pathlib import Path

from kernel_builder.variants.sandbox import OFF
from tests.hub.built import write_state
from tests.hub.client import REPO, Uploader
from tests.hub.exchange import Hub

CPU = "torch213-cxx11-cpu-x86_64-linux"
CUDA = "torch-cuda"


def test_a_build_without_a_sandbox_only_when_asked(
    upload: Uploader, bundle: Path, hub: Hub
) -> None:
    write_state(bundle / CPU, OFF)
    refused = upload(bundle)
    assert refused.status == 1
    assert "1 of 2 variants were not seen to be built in a sandbox" in refused.stderr
    assert f"at     {CPU}\n" in refused.stderr
    assert hub.faults.requests == []
    done = upload(bundle, "--allow-unsandboxed", "--json")
    assert done.status == 0
    assert json.loads(done.stdout)["sandbox"] == {CPU: "off", CUDA: "on"}
    repository = hub.repositories.get(REPO)
    told = repository.describe(repository.resolve("v1"))
    assert told == f"Sandbox: on ({CUDA})\nSandbox: off ({CPU})"
    assert repository.describe(repository.resolve("main")) == "", "the card is not built"

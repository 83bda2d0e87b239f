"""Fixtures of uploads: a server, a build to upload, and ways to upload it."""

import json
import time
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cli.fake_kernel import FakeKernel, forget
from tests.hub.built import make_bundle, state_inputs, write_variant
from tests.hub.client import TOKEN, Client, Uploader, point_library
from tests.hub.exchange import Hub
from tests.hub.server import serve


@pytest.fixture
def hub(tmp_path: Path) -> Iterator[Hub]:
    """A server that knows one token, which may write for `org`."""
    with serve(tmp_path / "server") as running:
        running.tokens[TOKEN] = {"org"}
        yield running


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    """A build with two variants, a card, benchmarks and lists of sources."""
    return make_bundle(tmp_path / "bundle", "torch213-cxx11-cpu-x86_64-linux", "torch-cuda")


@pytest.fixture
def build(tmp_path: Path) -> Callable[..., Path]:
    """Return builds of a commit of the kernel, each in a folder of its own."""

    def build(commit: str, *variants: str, dirty: bool = False) -> Path:
        folder = make_bundle(tmp_path / uuid.uuid4().hex, *variants)
        builder = {"version": "1.2", "commit": "b" * 40}
        origin = {"kernel-builder": builder, "kernel": {"commit": commit, "dirty": dirty}}
        for variant in variants:
            listed = (folder / "provenance" / f"{variant}.cdx.json").read_text()
            write_variant(folder / variant, provenance=origin, listed=listed)
        return folder

    return build


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Callable[..., FakeKernel]]:
    """Write kernels into one repository, kernels/, each with its variants.

    `inputs` stands for those of the variants; with None, the kernel does not state any.
    """
    made: list[FakeKernel] = []

    def make(name: str, *variants: str, inputs: str | None = "", **facts: Any) -> FakeKernel:
        (tmp_path / "kernels").mkdir(exist_ok=True)
        kernel = FakeKernel(tmp_path / "kernels" / name, uuid.uuid4().hex, repo_id=f"org/{name}")
        for variant in variants:
            stated = {"licences": {}, **state_inputs(variant, inputs or ""), **facts}
            text = "null" if inputs is None else f"builtins.fromJSON ''{json.dumps(stated)}''"
            kernel.add(variant, identity=text)
        kernel.write()
        made.append(kernel)
        return kernel

    yield make
    for each in made:
        forget(each.folder)


@pytest.fixture
def client(hub: Hub, tmp_path: Path) -> Client:
    home = tmp_path / "home"
    home.mkdir()
    return Client(hub, home)


@pytest.fixture(scope="session", autouse=True)
def isolated(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep this machine's tokens and proxy away."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HF_HOME", str(tmp_path_factory.mktemp("hf")))
        patch.setenv("NO_PROXY", "127.0.0.1")
        yield


@pytest.fixture
def upload(
    hub: Hub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> Uploader:
    """Upload to the server, within this process."""
    point_library(monkeypatch, hub.url, tmp_path / "library")
    wait = time.sleep
    monkeypatch.setattr(time, "sleep", lambda seconds: wait(min(seconds, 0.01)))
    return Uploader(hub, lambda: "".join(capfd.readouterr()))

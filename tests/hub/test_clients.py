"""From a kernel's folder to the Hub and back: a real build, and the public client that runs it."""

import contextlib
import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.evaluation import ROOT, VARIANT
from tests.hub.client import TOKEN, Client
from tests.hub.exchange import Hub
from tests.hub.server import serve
from tests.tiny_kernel import commit_all

OWNER = "kernel-builder-examples"
REPO = f"{OWNER}/silu-and-mul"

FILES = sorted(ROOT.glob("examples/*/build.toml"))

# The end of every way of loading it.
COMPARE = """
def compare(kernel):
    x = torch.randn(7, 2 * 96)
    wanted = torch.nn.functional.silu(x[..., :96]) * x[..., 96:]
    torch.testing.assert_close(kernel.silu_and_mul(x), wanted)
    print("equal", kernel.__name__)
"""
HEAD = "import sys, torch, kernels\nfrom pathlib import Path\n" + COMPARE


@pytest.fixture(scope="module")
def hub(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hub]:
    """A Hub for all tests here; each has a client, and with it a cache, of its own."""
    with serve(tmp_path_factory.mktemp("hub") / "server") as running:
        running.owners.add(OWNER)
        running.tokens[TOKEN] = {"org", OWNER}
        yield running


@pytest.fixture(scope="module")
def kernel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An example in a folder of its own, which is in no git repository."""
    folder = tmp_path_factory.mktemp("kernel") / "silu-and-mul"
    shutil.copytree(ROOT / "examples" / "silu-and-mul", folder)
    flake = folder / "flake.nix"
    flake.write_text(flake.read_text().replace("path:../..", str(ROOT)))
    return folder


@pytest.fixture(scope="module")
def uploaded(kernel: Path, hub: Hub, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The kernel, built and uploaded with one command; its bundle."""
    client = Client(hub, tmp_path_factory.mktemp("home"))
    # The garbage collector would know nothing of another folder's `result`.
    with contextlib.chdir(kernel):
        # The working tree of this repository may have changes.
        done = client("build-and-upload", str(kernel), "--allow-dirty", "--json")
    assert done.status == 0, done.stderr
    assert json.loads(done.stdout)["variants"] == [VARIANT]
    return kernel / "result"


@pytest.mark.usefixtures("uploaded")
def test_there_and_back(client: Client, hub: Hub) -> None:
    said = client.python(f'{HEAD}compare(kernels.get_kernel("{REPO}", version=1, backend="cpu"))')
    assert said.startswith("equal _silu_and_mul_cpu_")
    head = hub.repositories.get(REPO).resolve("v1")
    assert f"GET /api/kernels/{REPO}/tree/{head}/build" in hub.faults.requests
    # The second time, it comes from the cache of the client.
    hub.faults.reset()
    client.python(f'{HEAD}compare(kernels.get_kernel("{REPO}", version=1, backend="cpu"))')
    assert not [each for each in hub.faults.requests if each.startswith("GET /kernels/")]


def test_from_folders(uploaded: Path, client: Client, kernel: Path) -> None:
    shutil.copytree(uploaded.resolve(), kernel / "build")
    for folder in (uploaded, kernel, kernel / "build" / VARIANT):
        load = 'compare(kernels.get_local_kernel(Path(sys.argv[1]), backend="cpu"))'
        assert client.python(f"{HEAD}{load}", str(folder)).startswith("equal"), folder
    named = f'compare(kernels.get_kernel("{REPO}", version=1, backend="cpu"))'
    client.variables["LOCAL_KERNELS"] = f"{REPO}={kernel}"
    client.variables["HF_HUB_OFFLINE"] = "1"
    assert client.python(f"{HEAD}{named}").startswith("equal")
    shutil.rmtree(kernel / "build")


@pytest.mark.parametrize("build", FILES, ids=[file.parent.name for file in FILES])
def test_the_client_reads_each_build_toml_of_the_examples(build: Path) -> None:
    from kernels._rust import Build

    assert Build.open(build.parent).general.backends


def test_the_clients_own_digest_agrees(uploaded: Path, client: Client) -> None:
    program = f"""
import sys
from pathlib import Path
from kernels import install_kernel
from kernels._rust import Digest, DigestAlgorithm, Metadata
folders = [Path(sys.argv[1]), install_kernel("{REPO}", version=1, backend="cpu")]
for folder in folders:
    stated = Metadata.read_from_file(folder / "metadata.json").digest
    stated.validate(Digest.hash_variant(DigestAlgorithm.SHA256, folder))
    print(len(stated.files))
"""
    counts = client.python(program, str(uploaded / VARIANT)).split()
    assert counts[0] == counts[1] != "0"


@pytest.mark.usefixtures("uploaded")
def test_the_card_is_the_readme(
    hub: Hub, client: Client, kernel: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    readme = hub.repositories.get(REPO).read_file("README.md", "main").decode()
    # The card works for publishers whom the Hub does not list.
    monkeypatch.setattr(hub, "are_owners_trusted", False)
    (line,) = re.findall(r"(?m)^kernel = (get_kernel\(.*\))$", readme)
    load = "from kernels import get_kernel"
    assert client.python(f"{HEAD}{load}\ncompare({line})").startswith("equal")
    assert "- `silu_and_mul`" in readme
    done = client("fill-card", str(kernel), "-")
    assert (done.status, done.stdout) == (0, readme)


@pytest.mark.usefixtures("uploaded")
def test_upload_of_what_is_built(client: Client, kernel: Path) -> None:
    done = client.expect(0, "upload", str(kernel), "--allow-dirty")
    assert done.stdout.startswith("v1: everything is there already\n")
    build = kernel / "build.toml"
    text = build.read_text()
    build.write_text(text.replace("version = 1", "version = 2"))
    done = client("upload", str(kernel), "--allow-dirty")
    build.write_text(text)
    assert done.status == 1
    assert "found  2 in build.toml, 1 in what was built" in done.stderr


def test_from_nothing_to_the_hub(
    client: Client, hub: Hub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "first"
    steps = [["init", str(folder), "--name", "org/first", "--backends", "cpu"]]
    steps += [["build", str(folder), "--variant", VARIANT]]
    # The command line that made the kernel is the one that builds it.
    steps[0] += ["--kernel-builder", str(ROOT)]
    for number, words in enumerate(steps):
        if number:
            monkeypatch.chdir(folder)
        done = client.expect(0, *words)
    asked = ("upload", str(folder))
    done = client(*asked)
    assert "found  not built" in done.stderr
    done = client(*asked, "--partial")
    assert "these variants are not uploaded (1 problem)" in done.stderr
    assert "commit, build and upload again" in done.stderr
    commit = commit_all(folder)
    assert client(*steps[1]).status == 0
    metadata = json.loads((folder / "result" / VARIANT / "metadata.json").read_text())
    assert metadata["provenance"]["kernel"] == {"commit": commit, "dirty": False}
    # The working tree of this repository may have changes still.
    done = client.expect(0, *asked, "--partial", "--allow-dirty")
    program = """
import torch, kernels
kernel = kernels.get_kernel("org/first", version=1, backend="cpu")
x = torch.randn(1000)
torch.testing.assert_close(kernel.first(x), x + 1)
print("equal")
"""
    assert client.python(program) == "equal"
    assert "README.md" in hub.repositories.get("org/first").summarize()["refs/heads/main"]

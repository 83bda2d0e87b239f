"""The builders that download by themselves, and kernels of the Hub."""

import hashlib
import io
import json
import os
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pip
import pytest

from kernel_builder.hub.client import list_remote
from kernel_builder.messages.errors import KernelBuilderError
from tests.cli.conftest import store  # noqa: F401 (a fixture)
from tests.cli.fake_kernel import FakeKernel
from tests.cli.store import Store, make_wheel
from tests.evaluation import ROOT, call
from tests.hub.client import REPO, Client
from tests.hub.conftest import client, hub  # noqa: F401 (fixtures)
from tests.hub.exchange import Hub

ARCHIVE = ROOT / "pkgs/python/fetch-archive/download.py"
WHEEL = ROOT / "pkgs/python/fetch-wheel/download.py"
# Keeps what it was started with, and says what the test wants it to say.
PIP = """\
import os, sys
with open(os.environ["CALLS"], "a") as calls:
    print(os.environ["PIP_CERT"], *sys.argv[1:], file=calls)
print(os.environ["SAYS"])
sys.exit(1)
"""
FILE = "kbtest-1.0-py3-none-any.whl"


def run_builder(script: Path, folder: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    environment = {"PATH": os.environ["PATH"], "out": str(folder / "out"), **variables}
    return call(sys.executable, script, status=None, cwd=folder, env=environment)


def entry(name: str, kind: bytes = tarfile.REGTYPE, leads_to: str = "") -> tarfile.TarInfo:
    made = tarfile.TarInfo(name)
    made.type, made.linkname, made.mode = kind, leads_to, 0o6755
    return made


def unpack(folder: Path, *entries: tarfile.TarInfo) -> subprocess.CompletedProcess[str]:
    """Run the builder on an archive; each of its files holds one word."""
    (folder / "build").mkdir()
    with tarfile.open(folder / "a.tar.gz", "w:gz") as archive:
        for each in entries:
            content = b"word" if each.isreg() else b""
            each.size = len(content)
            archive.addfile(each, io.BytesIO(content))
    url = (folder / "a.tar.gz").as_uri()
    return run_builder(ARCHIVE, folder / "build", url=url)


@pytest.mark.attack("prefetch", "an archive that leaves its tree, or has a device", "refused")
@pytest.mark.parametrize(
    "entries",
    [
        [entry("../outside")],
        [entry("t/../../outside")],
        [entry("/tmp/outside")],
        [entry("link", tarfile.SYMTYPE, ".."), entry("link/outside")],
        [entry("link", tarfile.LNKTYPE, "../../a.tar.gz")],
        [entry("t/pipe", tarfile.FIFOTYPE)],
        [entry("t/device", tarfile.CHRTYPE)],
    ],
    ids=["up", "further up", "absolute", "through a link", "hard link", "pipe", "device"],
)
def test_a_hostile_archive(tmp_path: Path, entries: list[tarfile.TarInfo]) -> None:
    done = unpack(tmp_path, *entries)
    assert done.returncode != 0
    assert not (tmp_path / "outside").exists()
    assert not (tmp_path / "build" / "outside").exists()


def test_an_archive(tmp_path: Path) -> None:
    plain = entry("tree/plain")
    plain.mode = 0o644
    entries = [
        entry("tree/", tarfile.DIRTYPE),
        entry("tree/run"),
        plain,
        entry("tree/link", tarfile.SYMTYPE, "run"),
        entry("tree/same", tarfile.LNKTYPE, "tree/run"),
    ]
    done = unpack(tmp_path, *entries)
    assert done.returncode == 0, done.stderr
    out = tmp_path / "build" / "out"
    assert sorted(path.name for path in out.iterdir()) == ["link", "plain", "run", "same"]
    assert [(out / name).stat().st_mode & 0o7777 for name in ("run", "plain")] == [0o755, 0o644]
    assert (out / "link").readlink() == Path("run")
    assert (out / "same").read_text() == "word"


def fetch_wheel(
    folder: Path, says: str = "no", **variables: str
) -> tuple[subprocess.CompletedProcess[str], list[str]]:
    """Run the builder with a pip of ours; return how it ended, and the calls of pip."""
    calls = folder / "calls"
    (folder / "pip").mkdir()
    (folder / "pip" / "__main__.py").write_text(PIP)
    models = folder / "pip" / "_internal" / "models"
    models.mkdir(parents=True)
    for package in (folder / "pip", models.parent, models):
        (package / "__init__.py").touch()
    index = "class PyPI: netloc, file_storage_domain = 'index.test', 'files.test'\n"
    (models / "index.py").write_text(index)
    wanted = {"project": "kbtest", "version": "1.0", "file": FILE, "outputHash": "0" * 64}
    own = {"pip": str(folder), "certificates": "/bundle", "CALLS": str(calls), "SAYS": says}
    done = run_builder(WHEEL, folder, **wanted, **own, **variables)
    return done, calls.read_text().splitlines()


@pytest.mark.parametrize("named", ["", "/nowhere/ca.crt"])
def test_certificates_that_the_sandbox_lacks(tmp_path: Path, named: str) -> None:
    done, (call,) = fetch_wheel(tmp_path, PIP_CERT=named)
    assert call.startswith("/bundle ")
    assert ("PIP_CERT=/nowhere/ca.crt is not readable in the sandbox" in done.stderr) == bool(named)
    (tmp_path / "ca.crt").touch()
    shutil.rmtree(tmp_path / "pip")
    _, calls = fetch_wheel(tmp_path, PIP_CERT=str(tmp_path / "ca.crt"))
    assert calls[-1].startswith(f"{tmp_path}/ca.crt ")


REFUSED = "SSLError(CERTIFICATE_VERIFY_FAILED)"


@pytest.mark.parametrize(
    ("variables", "hosts"),
    [
        ({}, ["index.test", "files.test"]),
        ({"PIP_INDEX_URL": "https://mirror.test/simple"}, ["mirror.test"]),
    ],
)
def test_a_proxy_with_a_certificate_of_its_own(
    tmp_path: Path, variables: dict[str, str], hosts: list[str]
) -> None:
    _, calls = fetch_wheel(tmp_path, REFUSED, PIP_CERT="/nowhere", **variables)
    assert "--trusted-host" not in calls[0]
    assert [word for word in calls[1].split() if word.endswith(".test")] == hosts


@pytest.mark.attack("prefetch", "a proxy, and a login in PIP_INDEX_URL", "not sent to it")
def test_a_login_goes_to_nobody_in_the_middle(tmp_path: Path) -> None:
    address = "https://user:secret@mirror.test/simple"
    _, calls = fetch_wheel(tmp_path, REFUSED, PIP_CERT="/nowhere", PIP_INDEX_URL=address)
    assert "--trusted-host" not in "".join(calls)


def test_a_wheel_for_the_stable_abi_of_an_older_python(tmp_path: Path) -> None:
    """The tag names CPython 3.8, and the metadata need 3.10, as those of the Hub's client do."""
    metadata = "Metadata-Version: 2.1\nName: kbtest\nVersion: 1.0\nRequires-Python: >=3.10\n"
    more = {"kbtest-1.0.dist-info/METADATA": metadata}
    tags = "cp38-abi3-manylinux_2_17_x86_64"
    name, content = make_wheel("kbtest", "1.0", tags=tags, more=more)
    (tmp_path / "index").mkdir()
    (tmp_path / "index" / name).write_bytes(content)
    done = run_builder(
        WHEEL,
        tmp_path,
        project="kbtest",
        version="1.0",
        file=name,
        outputHash=hashlib.sha256(content).hexdigest(),
        pip=str(Path(pip.__file__).parents[1]),
        certificates="",
        PIP_NO_INDEX="1",
        PIP_FIND_LINKS=str(tmp_path / "index"),
    )
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "out").read_bytes() == content


# ruff: noqa: F811 (fixtures of other suites, which are imported)


BUILDER = ROOT / "pkgs/python/fetch-kernel/download.py"
LOCKER = ROOT / "pkgs/author/lock-kernels/lock.py"
ESCAPED = "escaped"


def publish(hub: Hub, path: str, salt: str) -> str:
    """Publish one file; return the commit, which is version 1."""
    repository = hub.repositories.get(REPO)
    repository.create(private=False)
    commit, _ = repository.commit(
        "main", None, "one file", [("add", path, salt.encode())], create_pr=False
    )
    repository.branch("v1", commit)
    return commit


@pytest.mark.attack("build", "a source that its derivation wants at another path", "refused")
def test_builder_of_what_arrived(kernel: FakeKernel, client: Client, tmp_path: Path) -> None:
    """Nix would start the builder, which sees the machine's network."""
    file, content = make_wheel("kbtest", "1.0", salt=str(tmp_path))
    (tmp_path / file).write_bytes(content)
    client.variables |= {
        "PIP_CONFIG_FILE": "/dev/null",
        "PIP_NO_INDEX": "1",
        "PIP_FIND_LINKS": str(tmp_path),
    }
    kernel.add("a-cpu")
    flake = kernel.write() / "flake.nix"
    attributes = {
        "sourceKind": "wheel", "project": "kbtest", "version": "1.0", "file": file,
        "outputHashAlgo": "sha256", "outputHashMode": "recursive",
        "outputHash": hashlib.sha256(content).hexdigest(),
    }  # fmt: skip
    added = " ".join(f"{name} = {json.dumps(value)};" for name, value in attributes.items())
    text = flake.read_text().replace('builder = "/bin/sh";', f'builder = "/bin/sh"; {added}')
    flake.write_text(text.replace("echo ${salt} > $out", "echo the builder has begun; exit 1"))
    done = client.expect(1, "build", str(kernel.folder))
    assert "its outputHashMode is wrong" in done.stderr
    assert "the builder has begun" not in done.stdout + done.stderr
    assert "left out" in done.stdout


def run_python(
    script: Path, folder: Path, client: Client, *words: str, **variables: str
) -> subprocess.CompletedProcess[str]:
    folder.mkdir()
    environment = {**client.environment, **variables}
    return call(sys.executable, script, *words, status=None, cwd=folder, env=environment)


def kernel_source(store: Store, commit: str, pinned: str) -> str:
    coordinates = {"sourceKind": "kernel", "repository": REPO, "commit": commit}
    source = store.source(
        "org-tiny", b"", outputHashMode="recursive", **{**coordinates, "outputHash": pinned}
    )
    return store.instantiate(source)


@pytest.mark.attack("build", "a file of the Hub whose name leads out of its folder", "refused")
@pytest.mark.parametrize("name", ["build/../../{}", "{} outside"])
def test_names(name: str, hub: Hub, client: Client, store: Store, tmp_path: Path) -> None:
    outside = tmp_path / ESCAPED
    path = str(outside) if name == "{} outside" else name.format(ESCAPED)
    commit = publish(hub, path, str(tmp_path))

    variables = {"out": str(tmp_path / "build" / "out"), "repository": REPO, "commit": commit}
    built = run_python(BUILDER, tmp_path / "build", client, **variables)
    assert built.returncode != 0
    assert "Invalid filename" in built.stderr

    wanted = tmp_path / "request.json"
    request = {"dependencies": [{"repo-id": REPO, "version": 1}], "repository": "org/[a-z]+"}
    wanted.write_text(json.dumps(request))
    locked = run_python(LOCKER, tmp_path / "locking", client, str(wanted))
    assert locked.returncode != 0
    assert "Invalid filename" in locked.stderr
    assert list((tmp_path / "locking").iterdir()) == []

    fetched = client.expect(1, "prefetch", kernel_source(store, commit, "0" * 64))
    assert f"the Hub lists names in {REPO} that are no files" in fetched.stderr
    assert list(tmp_path.rglob(ESCAPED)) == []


@pytest.mark.attack("any", "a name of the Hub with 300 folders in each other", "refused at once")
def test_deep_names() -> None:
    entry = SimpleNamespace(path="a/" * 300 + "x", blob_id="")
    hub: Any = SimpleNamespace(list_repo_tree=lambda *_, **__: [entry])
    with pytest.raises(KernelBuilderError, match="are no files"):
        list_remote(hub, REPO, "main")


@pytest.mark.attack("prefetch", "a kernel of the Hub with other files than were locked", "not used")
def test_other_files(hub: Hub, client: Client, store: Store, tmp_path: Path) -> None:
    commit = publish(hub, "build/a.py", str(tmp_path))
    pinned = "0" * 64
    wanted = kernel_source(store, commit, pinned)
    done = client.expect(1, "prefetch", wanted)
    assert "found  another file came under this name, sha256 " in done.stderr
    assert f"want   org-tiny, sha256 {pinned}" in done.stderr
    assert not store.has(wanted)

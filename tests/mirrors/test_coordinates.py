"""Coordinates of sources that would be options or lines of pip, apt, Nix and curl."""

import hashlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from kernel_builder.hub import REPOSITORY
from kernel_builder.machine.process import run
from kernel_builder.messages.errors import KernelBuilderError
from kernel_builder.mirrors import apt
from kernel_builder.mirrors.coordinates import read_source
from kernel_builder.nix.derivations import Derivation
from tests.cli.command_line import Cli
from tests.cli.debian_mirror import DebianMirror
from tests.cli.served import Server
from tests.cli.store import Store, make_wheel, wheel_source
from tests.evaluation import ROOT, evaluate, path_of

HASH = hashlib.sha256(b"").hexdigest()
WHEEL = {
    "sourceKind": "wheel",
    "name": "a_b-1.0-py3-none-any.whl",
    "outputHash": HASH,
    "project": "a.b",
    "version": "1.0",
    "file": "a_b-1.0-py3-none-any.whl",
}
DEB = {
    "sourceKind": "deb",
    "name": "a_1.deb",
    "outputHash": HASH,
    "package": "libc6-dev",
    "version": "1:2.36-9+deb12u7~1",
    "architecture": "amd64",
    "suite": "bookworm",
}
VENDOR = {
    "sourceKind": "vendor",
    "name": "file",
    "outputHash": HASH,
    "url": "https://host.test/file?a=b",
}
ARCHIVE = {
    "sourceKind": "archive",
    "name": "source",
    "outputHash": "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
    "url": "https://host.test/a/archive/v1.0.tar.gz",
    "file": "a-1.0.tar.gz",
    "repo": "a",
    "rev": "release/v1.0",
}


def derivation(environment: dict[str, str], out: str = "") -> Derivation:
    out = out or f"/nix/store/{'0' * 32}-{environment['name']}"
    return Derivation("/nix/store/x.drv", {"out": out}, {}, environment)


@pytest.mark.parametrize("right", [WHEEL, DEB, VENDOR, ARCHIVE])
def test_right(right: dict[str, str]) -> None:
    source = read_source(derivation(right))
    assert (source.name, source.sha256) == (right["name"], HASH)


HOSTILE = [
    (WHEEL, "project", "a\n--no-binary :all:"),
    (WHEEL, "project", "a --index-url http://evil"),
    (WHEEL, "project", "a @ file:///evil"),
    (WHEEL, "version", "1.0\n--find-links=/evil"),
    (WHEEL, "file", "../../evil-1.0-py3-none-any.whl"),
    (WHEEL, "file", "other-1.0-py3-none-any.whl"),
    (WHEEL, "outputHash", f"{HASH} --hash=sha256:{HASH}"),
    (WHEEL, "name", "../evil"),
    (WHEEL, "url", "file://\n--evil"),
    (DEB, "package", "-oDir::Bin::dpkg=/evil"),
    (DEB, "version", "1.0/$(touch x)"),
    (DEB, "architecture", "all\n"),
    (DEB, "suite", "bookworm main\ndeb [trusted=yes] http://evil x"),
    (DEB, "suite", "../evil"),
    (VENDOR, "url", "ext::sh -c evil"),
    (VENDOR, "url", "--option"),
    (VENDOR, "url", "https://host\r\nHost: evil/"),
    (ARCHIVE, "file", "../evil.tar.gz"),
    (ARCHIVE, "repo", "../../evil"),
    (ARCHIVE, "rev", "--output=/evil"),
]


@pytest.mark.attack("prefetch", "a line break in the `suite` of a package", "refused before apt")
@pytest.mark.attack("prefetch", "a hash with spaces, a file with /, an ext:: address", "refused")
@pytest.mark.parametrize(("right", "field", "value"), HOSTILE)
def test_hostile(right: dict[str, str], field: str, value: str) -> None:
    with pytest.raises(KernelBuilderError) as refused:
        read_source(derivation({**right, field: value}, f"/nix/store/{'0' * 32}-name"))
    (problem,) = refused.value.problems
    assert problem.at == "/nix/store/x.drv"
    assert problem.found.startswith(f"{field} = ")
    assert "\n" not in problem.found


def test_what_is_missing() -> None:
    lacking = {name: text for name, text in DEB.items() if name not in ("suite", "version")}
    with pytest.raises(KernelBuilderError, match=r"no version[\s\S]*no suite"):
        read_source(derivation(lacking))


@pytest.fixture
def proof(tmp_path: Path) -> Path:
    return tmp_path / "proof"


def pack_evil(links: Path, proof: Path) -> bytes:
    """Put an archive of sources, with a build backend of the attacker's, where pip looks."""
    tree = links / "evil-1.0"
    tree.mkdir()
    (tree / "setup.py").write_text(f"open({str(proof)!r}, 'w').write('ran')\n")
    run(["tar", "-C", str(links), "-czf", f"{tree}.tar.gz", "evil-1.0"])
    return (links / "evil-1.0.tar.gz").read_bytes()


@pytest.mark.attack("prefetch", "line breaks in a wheel's `project`", "refused before pip starts")
def test_lines_for_pip(offline: Cli, links: Path, store: Store, salt: str, proof: Path) -> None:
    sdist = hashlib.sha256(pack_evil(links, proof)).hexdigest()
    file, content = make_wheel("evil", "1.0", salt=salt)
    project = f"--no-binary :all:\nevil==1.0 --hash=sha256:{sdist}\nevil"
    drv = wheel_source(store, file, content, project=project)
    done = offline.expect(1, "prefetch", drv)
    assert f"at     {drv}" in done.stderr
    assert "found  project = " in done.stderr
    assert not proof.exists()


@pytest.mark.attack("prefetch", "pip set up with no-binary, and an archive of sources", "not built")
def test_no_archive_of_sources_is_built(
    offline: Cli, links: Path, store: Store, salt: str, proof: Path
) -> None:
    content = pack_evil(links, proof)
    drv = wheel_source(store, make_wheel("evil", "1.0", salt=salt)[0], content)
    offline.expect(1, "prefetch", drv, PIP_NO_BINARY=":all:", HF_TOKEN="hf_canaryCanary")
    assert not proof.exists()


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """Return a folder that other users can get to, as those below /tmp/pytest-of-root are not."""
    folder = Path(tempfile.mkdtemp(prefix="kernel-builder-test-"))
    folder.chmod(0o711)
    yield folder
    shutil.rmtree(folder)


@pytest.mark.skipif(shutil.which("apt-get") is None or os.geteuid() != 0, reason="no apt of root")
@pytest.mark.attack(
    "prefetch",
    "a mirror that attacks apt's downloader, started by root",
    "the downloader is not root",
)
def test_apt_steps_down(open_folder: Path, server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    mirror = DebianMirror(server.root, server.url, open_folder / "apt")
    mirror.put("kbtest-one", "1.0", b"content")
    mirror.publish()
    for name, text in mirror.configure().items():
        monkeypatch.setenv(name, text)
    place, state = open_folder / "place", open_folder / "state"
    place.mkdir()
    state.mkdir()
    apt.admit_downloader(place)
    view = apt.open_view(["amd64"], state)
    view.update(["bookworm"])
    said = view.download(["kbtest-one=1.0"], place)
    assert list(place.glob("*.deb"))
    assert (state / "lists" / "partial").owner() == apt.DOWNLOADER
    assert "unsandboxed" not in said


def test_repositories_are_those_of_the_library() -> None:
    assert evaluate(f"(import {path_of(ROOT / 'lib')}).values.repository.pattern") == REPOSITORY

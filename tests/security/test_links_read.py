"""Nothing of the machine is published through a link, a pipe or a device in a kernel's folder."""

import os
import stat
import subprocess
import time
from pathlib import Path

import pytest

from kernel_builder.hub.bundle import read_bundle
from kernel_builder.machine.files import list_files, open_file
from kernel_builder.messages.errors import KernelBuilderError
from kernel_builder.variants.copy import copy_bundle
from tests.build.one_step import BUSYBOX
from tests.cli import conftest as shared
from tests.cli.command_line import Cli
from tests.evaluation import ROOT, NixError, evaluate, outputs_of
from tests.hub.built import make_bundle
from tests.hub.client import Uploader
from tests.tiny_kernel import TinyKernel


@pytest.mark.parametrize("link", ["include/number.h", "include", "torch-ext/tiny/more.py"])
def test_no_link_leads_out_of_a_folder_without_a_flake(cli: Cli, tmp_path: Path, link: str) -> None:
    # Its text would be in the store, and perhaps in what is published.
    place = TinyKernel(tmp_path / "tiny").folder / link
    leads_to = tmp_path / "elsewhere"
    if place.exists():
        place.rename(leads_to)
    else:
        leads_to.touch()
    place.symlink_to(leads_to)
    done = cli("list-variants", str(tmp_path / "tiny"))
    assert done.status == 1
    assert (
        done.stderr
        == f"""\
error: links lead out of {tmp_path}/tiny (1 problem)

       at     {link}
       found  a link to {leads_to}
       want   files of the kernel: there is no flake.nix, so a build would read it
       fix    put the file or folder itself there, or write a flake.nix
"""
    )


def test_links_that_lead_nowhere_else(cli: Cli, tmp_path: Path) -> None:
    kernel = TinyKernel(tmp_path / "tiny")
    (kernel.folder / "include/number.h").rename(kernel.folder / "number.h")
    links = {
        "include/number.h": "../number.h",
        "result": "/nix/store",
        "lost": "/no/such",
        "round": "round",
        ".hidden/python": "/bin/sh",
        "venv/python": "/bin/sh",
    }
    kernel.write("venv/pyvenv.cfg", "")
    kernel.write(".hidden/any", "")
    for name, leads_to in links.items():
        (kernel.folder / name).symlink_to(leads_to)
    done = cli("list-variants", str(kernel.folder))
    assert done.status == 0, done.stderr


@pytest.mark.parametrize(
    "kind", ["link to a file", "link to a folder", "dangling", "pipe", "socket"]
)
def test_anything_else_is_an_error(tmp_path: Path, kind: str) -> None:
    folder = tmp_path / "folder"
    (folder / "below").mkdir(parents=True)
    (tmp_path / "secret").write_text("secret")
    odd = folder / "below" / "odd"
    if kind == "pipe":
        os.mkfifo(odd)
    elif kind == "socket":
        # A socket that is bound could not have so long a path.
        os.mknod(odd, stat.S_IFSOCK | 0o600)
    else:
        target = {"link to a file": "secret", "link to a folder": "folder", "dangling": "none"}
        odd.symlink_to(tmp_path / target[kind])
    with pytest.raises(KernelBuilderError, match=r"want +a regular file or a folder"):
        list_files(folder)
    with pytest.raises(KernelBuilderError, match="odd is not read"):
        open_file(odd)


CANARY = "-----BEGIN CANARY PRIVATE KEY-----"
CPU = "torch213-cxx11-cpu-x86_64-linux"
cli = shared.cli
COLLECT = ROOT / "pkgs/kernel/build-bundle/collect.sh"


@pytest.fixture
def key(tmp_path: Path) -> Path:
    """A file of the user's, outside of the kernel."""
    file = tmp_path / "home/id_rsa"
    file.parent.mkdir()
    file.write_text(CANARY)
    return file


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    return make_bundle(tmp_path / "bundle", CPU)


def holds(folder: Path, text: str = CANARY) -> bool:
    files = (path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
    return any(text.encode() in path.read_bytes() for path in files)


@pytest.mark.attack("build", "CARD.md is a link to a key", "refused at evaluation")
@pytest.mark.attack("build", "a link to a key in torch-ext/", "refused at evaluation")
@pytest.mark.parametrize(
    "name", ["CARD.md", "torch-ext/tiny/data.py", "benchmarks", "benchmarks/.hidden/data.csv"]
)
def test_nix_refuses_links_in_all_that_is_published(tmp_path: Path, key: Path, name: str) -> None:
    kernel = TinyKernel(tmp_path / "tiny")
    (kernel.folder / name).parent.mkdir(parents=True, exist_ok=True)
    (kernel.folder / name).symlink_to(key.parent if name == "benchmarks" else key)
    with pytest.raises(NixError, match=f"at +{name}\n +found +a symbolic link"):
        evaluate(f"{outputs_of(kernel.folder)}.bundle.drvPath")


@pytest.mark.attack("build", "a link in the files of a bundle", "the bundle's step fails")
def test_a_bundle_is_not_made_of_links(tmp_path: Path, bundle: Path, key: Path) -> None:
    programs = tmp_path / "programs"
    programs.mkdir()
    subprocess.run([BUSYBOX, "--install", "-s", programs], check=True)
    variables = {"PATH": str(programs), "parts": f"{bundle}/benchmarks benchmarks"}
    for name, status in (("whole", 0), ("linked", 1)):
        if status:
            (bundle / "benchmarks/data.csv").symlink_to(key)
        done = subprocess.run(
            [BUSYBOX, "sh", "-eu", str(COLLECT)],
            env={**variables, "out": str(tmp_path / name)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.returncode != 0) == bool(status), done.stderr
    assert f"at     {tmp_path}/linked/benchmarks/data.csv\n" in done.stderr


@pytest.mark.attack("build-and-copy", "a bundle with a link", "refused; nothing is copied")
@pytest.mark.attack(
    "build-and-copy", "a named pipe in benchmarks/", "refused at once; nobody waits for it"
)
@pytest.mark.attack(
    "build-and-copy", "a sparse file of 65 GiB in benchmarks/", "refused; nothing is copied"
)
@pytest.mark.parametrize("kind", ["link", "link to a folder", "pipe", "sparse"])
def test_nothing_but_files_is_copied_and_not_too_much(
    tmp_path: Path, bundle: Path, key: Path, kind: str
) -> None:
    odd = bundle / "benchmarks/odd"
    if kind == "pipe":
        os.mkfifo(odd)
    elif kind == "sparse":
        with odd.open("wb") as opened:
            opened.truncate(65 * 2**30)
    else:
        odd.symlink_to(key if kind == "link" else key.parent)
    started = time.monotonic()
    target = tmp_path / "build"
    with pytest.raises(KernelBuilderError, match="is not read"):
        copy_bundle(bundle, target, prune=True)
    assert time.monotonic() - started < 5
    assert not list(target.iterdir())


PLACES = ("benchmarks/data.csv", "CARD.md", f"provenance/{CPU}.cdx.json", f"{CPU}/data.py")


@pytest.mark.attack("upload", "a link to a key in the bundle", "refused; nothing is sent")
@pytest.mark.attack("upload", "CARD.md is a link to a key", "refused; nothing is sent")
@pytest.mark.parametrize("place", PLACES)
def test_no_link_is_uploaded(upload: Uploader, bundle: Path, key: Path, place: str) -> None:
    (bundle / place).unlink(missing_ok=True)
    (bundle / place).symlink_to(key)
    done = upload(bundle)
    assert done.status == 1
    assert "a symbolic link" in done.stderr
    assert not [each for each in upload.hub.faults.requests if each.startswith(("POST", "PUT"))]
    assert not holds(upload.hub.repositories.root)


@pytest.mark.attack("upload", "build/VARIANT is a link to a folder", "refused")
def test_a_variant_is_no_link(bundle: Path) -> None:
    elsewhere = bundle.with_name("elsewhere")
    (bundle / CPU).rename(elsewhere)
    (bundle / CPU).symlink_to(elsewhere)
    with pytest.raises(KernelBuilderError, match=r"found +a symbolic link"):
        read_bundle(bundle)


@pytest.mark.attack("upload", "build/ is a link to another folder", "refused")
def test_a_build_is_no_link(bundle: Path, tmp_path: Path) -> None:
    kernel = TinyKernel(tmp_path / "tiny").folder
    (kernel / "build").symlink_to(bundle)
    with pytest.raises(KernelBuilderError, match=r"found +a symbolic link"):
        read_bundle(kernel)

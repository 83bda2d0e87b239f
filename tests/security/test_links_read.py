"""Nothing of the machine is published through a link, a pipe or a device in a kernel's folder."""

import os
import stat
import subprocess
import time
from pathlib import Path
from uuid import uuid4

import pytest

from kernel_builder.hub.bundle import read_bundle
from kernel_builder.kernel.flakes import read_lock
from kernel_builder.machine.files import list_files, open_file
from kernel_builder.messages.errors import KernelBuilderError
from kernel_builder.variants.copy import copy_bundle
from tests.build.one_step import BUSYBOX
from tests.cli import conftest as shared
from tests.cli.command_line import Cli
from tests.evaluation import ROOT, SYSTEM, NixError, call, evaluate, outputs_of, path_of
from tests.hub.built import make_bundle
from tests.hub.client import Uploader
from tests.tiny_kernel import TinyKernel

# Links in a kernel without a flake, each with the file below it that a source includes.
SAID = {
    "LICENSE": "",
    "answer/.h/key": "",
    "common": "key.h",
    "include/number.h": "",
    "sub/result": "key.h",
    "torch-ext/tiny/more.py": "",
}
# Those that are no part of a kernel.
UNSAID = {
    ".h/key": "",
    ".hidden": "key.h",
    "build/key.h": "",
    "deps/venv/lib/key.h": "",
    "environment": "pyvenv.cfg",
}


@pytest.mark.attack("build", "a source includes a key through a link", "links are left out")
@pytest.mark.parametrize("by", ["name", "macro"])
def test_no_link_of_a_folder_without_a_flake_is_followed(cli: Cli, tmp_path: Path, by: str) -> None:
    kernel = TinyKernel(tmp_path / "tiny")
    kernel.write("deps/venv/pyvenv.cfg", "")
    canary, names = uuid4().hex, []
    for number, (name, below) in enumerate((SAID | UNSAID).items()):
        # Files in the store have their names.
        key = tmp_path / str(number) / (below or f"{canary}.h")
        key.parent.mkdir()
        key.write_text(f"// {canary}\n")
        place = kernel.folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.unlink(missing_ok=True)
        place.symlink_to(key.parent if below else key)
        names.append(os.path.normpath(f"../{name}/{below}"))
    includes = [f'#include "{name}"' for name in names] if by == "name" else ["#include KEY"]
    kernel.write("answer/answer.h", "\n".join(["#if 0", *includes, "#endif\n"]))
    done = cli.expect(0, "check-config", str(kernel.folder))
    shown = ", ".join([*sorted(SAID)[:5], f"and {len(SAID) - 5} more"])
    note = f"warning: tiny: links and files of other kinds are left out: {shown}\n"
    assert done.stderr.startswith(note)
    bundle = f"((import {path_of(ROOT)}).lib.{SYSTEM}.buildTorchExtensionBundle"
    # Without this program, links in the package are refused.
    (kernel.folder / "torch-ext/tiny/more.py").unlink()
    assert evaluate(f"{bundle} {path_of(kernel.folder)}).drvPath")
    ends = (f"-{canary}.h", "-key", "-key.h", "-pyvenv.cfg", "-number.h", "-LICENSE")
    stored = [each for each in Path("/nix/store").iterdir() if each.name.endswith(ends)]
    assert not [each for each in stored if each.is_file() and canary in each.read_text()]


def test_what_is_no_part_of_a_kernel_is_not_copied(cli: Cli, tmp_path: Path) -> None:
    kernel = TinyKernel(tmp_path / "tiny")
    links = {"result": "/nix/store/x", ".hidden/python": "/bin/sh", "venv/python": "/bin/sh"}
    for name in (*links, "build/large", "sub/.git/large", ".venv/large"):
        kernel.write(name, "")
    for name, leads_to in links.items():
        (kernel.folder / name).unlink()
        (kernel.folder / name).symlink_to(leads_to)
    kernel.write("venv/pyvenv.cfg", "")
    for large in kernel.folder.rglob("large"):
        os.truncate(large, 20 * 2**30)
    done = cli("list-variants", str(kernel.folder), TMPDIR=str(tmp_path))
    assert (done.status, done.stderr) == (0, "")
    assert [each.name for each in tmp_path.iterdir() if "kernel-builder" in each.name] == []
    (kernel.folder / "build").rename(kernel.folder / "data")
    assert "the largest file is" in cli("list-variants", str(kernel.folder)).stderr


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
        env = {**variables, "out": str(tmp_path / name)}
        done = call(BUSYBOX, "sh", "-eu", COLLECT, status=status, env=env)
    assert f"at     {tmp_path}/linked/benchmarks/data.csv\n" in done.stderr


@pytest.mark.attack("check-builds", "a named pipe beside Python files", "refused at once")
def test_no_check_waits_for_a_pipe(cli: Cli, bundle: Path) -> None:
    os.mkfifo(next(bundle.glob("torch*")) / "x.py")
    assert "found  a named pipe" in cli.expect(1, "check-builds", str(bundle)).stderr


@pytest.mark.attack("any", "flake.lock is a link to /dev/zero", "refused")
def test_a_lock_has_an_end(tmp_path: Path) -> None:
    (tmp_path / "flake.lock").symlink_to("/dev/zero")
    with pytest.raises(KernelBuilderError, match=r"found +a device"):
        read_lock(tmp_path)


@pytest.mark.attack("build-and-copy", "a bundle with a link", "refused; nothing is copied")
@pytest.mark.attack("build-and-copy", "a named pipe in benchmarks/", "refused at once")
@pytest.mark.attack("build-and-copy", "65 GiB in benchmarks/", "refused; nothing is copied")
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
    done = upload.expect(1, bundle)
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

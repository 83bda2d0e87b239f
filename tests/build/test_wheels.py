"""Wheels of a kernel's variants, and the folder of them that pip reads."""

from __future__ import annotations

import base64
import csv
import hashlib
import io
import json
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from packaging.metadata import Metadata
from packaging.utils import parse_wheel_filename

from tests.build.running import run_python
from tests.evaluation import ROOT, SYSTEM, build_again, build_flake, run_nix

KERNEL, MODULE = "rope-interleaved", "rope_interleaved"
LABEL = "torch.stable.abi210.cpu"


@pytest.fixture(scope="module")
def index() -> Path:
    """The folder of wheels of a kernel with one variant."""
    return build_flake(f"{ROOT}#examples.{KERNEL}.wheels")


@pytest.fixture(scope="module")
def wheel(index: Path) -> Path:
    (file,) = index.rglob("*.whl")
    return file


def test_its_name_says_what_it_is_for(wheel: Path) -> None:
    name, version, _, tags = parse_wheel_filename(wheel.name)
    assert (name, str(version)) == (KERNEL, f"1+{LABEL}")
    machine = SYSTEM.split("-")[0]
    assert {str(tag) for tag in tags} == {f"cp39-abi3-manylinux_2_28_{machine}"}


def test_its_contents(wheel: Path) -> None:
    variant = f"torch-stable-abi210-cpu-{SYSTEM}"
    published = build_flake(f"{ROOT}#examples.{KERNEL}.redistributable.{variant}")
    information = f"{MODULE}-1+{LABEL}.dist-info"
    with zipfile.ZipFile(wheel) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    for path in published.rglob("*"):
        if path.is_file() and path.parent.name != MODULE:
            assert files[f"{MODULE}/{path.relative_to(published)}"] == path.read_bytes()
    metadata = Metadata.from_email(files[f"{information}/METADATA"])
    assert [str(each) for each in metadata.requires_dist or ()] == ["torch>=2.10"]
    assert "components" in json.loads(files[f"{information}/sboms/kernel.cdx.json"])
    recorded = {
        row[0]: row[1] for row in csv.reader(io.StringIO(files[f"{information}/RECORD"].decode()))
    }
    for name, content in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        assert name == f"{information}/RECORD" or recorded[name] == f"sha256={digest}"


def test_pip_installs_it_and_its_own_tests_pass(index: Path, tmp_path: Path) -> None:
    where = tmp_path / "site"
    address = f"{index.as_uri()}/{LABEL}"
    pip = ("-m", "pip", "install", "--no-deps", "--no-cache-dir", "--target", str(where))
    argv = [sys.executable, *pip, "--index-url", address, "--require-hashes", "-r", "wanted"]
    (page,) = (index / LABEL / KERNEL).glob("*.html")
    (digest,) = re.findall("#sha256=([0-9a-f]{64})", page.read_text())
    (tmp_path / "wanted").write_text(f"{KERNEL}==1+{LABEL} --hash=sha256:{digest}\n")
    subprocess.run(argv, cwd=tmp_path, check=True, capture_output=True)
    tests = ROOT / "examples" / KERNEL / "tests"
    fast = ("-m", "pytest", "-q", "-p", "no:cacheprovider", "-m", "kernels_ci", str(tests))
    said = run_python(*fast, home=tmp_path, path=where, cwd=tmp_path)
    assert re.search(r"^[1-9]\d* passed", said, re.MULTILINE)


def test_the_same_bytes_again(index: Path) -> None:
    assert index.is_dir()
    name = f"{ROOT}#examples.{KERNEL}.wheels.torch-stable-abi210-cpu-{SYSTEM}.drvPath"
    build_again(run_nix("nix", "eval", "--raw", name).strip())

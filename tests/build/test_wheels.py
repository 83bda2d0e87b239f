"""Wheels of a kernel's variants, and the folder of them that pip reads."""

import base64
import csv
import hashlib
import io
import json
import re
import subprocess
import sys
import threading
import zipfile
from collections.abc import Iterator
from functools import partial
from http.server import ThreadingHTTPServer
from importlib.metadata import distribution
from pathlib import Path

import pytest
from packaging.metadata import Metadata
from packaging.utils import parse_wheel_filename

from tests.build.bare import PROGRAMS, make_environment, run
from tests.build.running import run_python
from tests.cli.served import Quiet
from tests.evaluation import ROOT, STABLE, SYSTEM, build_again, build_flake, run_nix

# A call of an operator, which reaches the library.
PROGRAM = """
import torch, rope_interleaved as kernel
found = kernel.rope(torch.ones(1, 1, 4), torch.zeros(1, 2), torch.ones(1, 2))
print(found.flatten().tolist())
"""
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
    published = build_flake(f"{ROOT}#examples.{KERNEL}.redistributable.{STABLE}")
    information = f"{MODULE}-1+{LABEL}.dist-info"
    with zipfile.ZipFile(wheel) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    for path in published.rglob("*"):
        if path.is_file() and path.parent.name != MODULE:
            assert files[f"{MODULE}/{path.relative_to(published)}"] == path.read_bytes()
    metadata = Metadata.from_email(files[f"{information}/METADATA"])
    assert [str(each) for each in metadata.requires_dist or ()] == ["torch>=2.10"]
    assert metadata.license_files == ["NOTICE"]
    notice = ROOT / "examples" / KERNEL / "NOTICE"
    assert files[f"{information}/licenses/NOTICE"] == notice.read_bytes()
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
    name = f"{ROOT}#examples.{KERNEL}.wheels.{STABLE}.drvPath"
    build_again(run_nix("nix", "eval", "--raw", name).strip())


@pytest.fixture
def served(index: Path) -> Iterator[str]:
    """The index behind a plain web server."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(index))) as server:
        threading.Thread(target=server.serve_forever).start()
        yield f"http://127.0.0.1:{server.server_port}/{LABEL}/"
        server.shutdown()


@pytest.mark.parametrize(
    ("program", "place", "projects"),
    [("pip", "folder", ("torch",)), ("uv", "server", ("torch", "kernels"))],
)
def test_a_bare_environment_imports_it(
    index: Path, served: str, tmp_path: Path, program: str, place: str, projects: tuple[str, ...]
) -> None:
    python = make_environment(tmp_path / "bare", *projects)
    address = served if place == "server" else (index / LABEL).as_uri()
    words = ("install", "--no-cache-dir", "--index-url", address, KERNEL)
    if program == "pip":
        run(sys.executable, "-m", "pip", "--isolated", "--python", python, *words)
    else:
        uv = (PROGRAMS / "uv", "pip", words[0], "--no-config", "--python", python, *words[1:])
        run(*uv, UV_NO_CACHE="1")
    assert "[-1.0, 1.0, -1.0, 1.0]\n" in run(python, "-c", PROGRAM, HOME=str(tmp_path))


def test_an_old_torch_is_refused(index: Path, tmp_path: Path) -> None:
    python = make_environment(tmp_path / "bare")
    (site,) = (tmp_path / "bare").glob("lib/python*/site-packages")
    (site / "torch-2.9.0.dist-info").mkdir()
    (site / "torch-2.9.0.dist-info/METADATA").write_text(
        "Metadata-Version: 2.1\nName: torch\nVersion: 2.9.0\n"
    )
    words = ("--index-url", (index / LABEL).as_uri(), KERNEL)
    argv = (sys.executable, "-m", "pip", "--isolated", "--python", str(python), "install", *words)
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert re.search(r"depends on torch>=2\.10", done.stdout + done.stderr)


def test_programs_that_check_wheels_agree(wheel: Path, tmp_path: Path) -> None:
    """auditwheel is given Torch's libraries, as it would judge those that the machine has."""
    file = tmp_path / wheel.name
    file.write_bytes(wheel.read_bytes())
    assert "PASSED" in run(PROGRAMS / "twine", "check", "--strict", file)
    audited = json.loads(run(PROGRAMS / "abi3audit", "--strict", "--report", file))
    (extension,) = audited["specs"][str(file)]["wheel"]
    assert extension["result"]["is_abi3_baseline_compatible"]
    assert extension["result"]["baseline"] == "3.9"
    libraries = Path(str(distribution("torch").locate_file("torch/lib"))).resolve()
    shown = run(PROGRAMS / "auditwheel", "show", "--ldpaths", libraries, file)
    assert f'"manylinux_2_28_{SYSTEM.split("-")[0]}"' in shown

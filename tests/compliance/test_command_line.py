"""`check-abi` and `check-builds` as real processes."""

import json
import shutil
from pathlib import Path

import pytest

from tests.cli.command_line import Cli
from tests.evaluation import ROOT, VARIANT, build, read_variant
from tests.tiny_kernel import TinyKernel


def run(*arguments: str | Path, cwd: Path | None = None) -> tuple[int, str, str]:
    done = Cli(cwd or ROOT)(*map(str, arguments))
    return done.status, done.stdout, done.stderr


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(read_variant(TinyKernel(tmp_path_factory.mktemp("tiny")).folder).drv)


@pytest.fixture
def kernel(tmp_path: Path, built: Path) -> Path:
    """A kernel's folder with its build, as `build-and-copy` leaves it."""
    variant = shutil.copytree(built, tmp_path / "kernel" / "build" / VARIANT)
    for path in (variant, *variant.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)
    return tmp_path / "kernel"


def test_a_variant_in_the_store_is_known_by_the_end_of_its_name(
    built: Path, tmp_path: Path
) -> None:
    link = tmp_path / "result"
    link.symlink_to(built)
    status, report, _ = run("check-abi", link)
    assert status == 0
    assert "\nABI of _tiny_cpu_" in report
    # Its Torch is in the store, so that symbols are compared.
    assert "all there" in report


def test_all_checks_of_a_kernel_with_its_builds(kernel: Path) -> None:
    status, report, errors = run("check-builds", cwd=kernel)
    assert status == 0, errors
    assert report.startswith(f"{VARIANT}:\nlayout: 5 files")
    assert "\nregistration: 3 Python files" in report
    assert "\nABI of _tiny_cpu_" in report
    # Facts come last. The import check of the build has recorded the operators.
    facts = " ".join(report.rpartition("\n  what ")[2].split())
    assert "size published - operator answer() -> int implemented for CPU symbols " in facts
    assert "symbols Torch " in facts
    assert facts.endswith("symbols left over none")
    (row,) = json.loads(run("check-builds", kernel, "--json")[1])["checks"][3:]
    assert (row["check"], row["passed"], row["targets"]) == ("facts", True, [])
    assert row["operators"] == [
        {"schema": "answer() -> int", "implemented": True, "without-fake": False}
    ]
    assert {"Torch", "Python", "system"} <= {each["provider"] for each in row["symbols"]}
    assert row["size"] == sum(file.stat().st_size for file in kernel.rglob("*") if file.is_file())


def test_every_check_is_heard(kernel: Path) -> None:
    variant = kernel / "build" / VARIANT
    module = variant / "__init__.py"
    module.write_text(module.read_text() + '\nimport torch\ntorch.library.Library("x", "DEF")\n')
    (binary,) = variant.glob("*.abi3.so")
    content = bytearray(binary.read_bytes())
    content += b"\0/nix/store/somewhere\0"
    binary.write_bytes(content)
    (variant / "__pycache__").mkdir()
    status, _, errors = run("check-builds", kernel)
    assert status == 1
    for words in (
        f"error: {VARIANT} is not laid out as a variant (3 problems)",
        "File hash mismatch for __init__.py",
        f"at     {VARIANT}/__init__.py:8",
        f"error: {VARIANT} does not load everywhere (1 problem)",
        "found  /nix/store/somewhere",
    ):
        assert words in errors
    status, _, errors = run("check-abi", kernel)
    assert (status, errors.count("error: ")) == (1, 1)
    status, report, _ = run("check-builds", kernel, "--json")
    assert status == 1
    checks = json.loads(report)["checks"]
    assert [each["check"] for each in checks if not each["passed"]] == [
        "layout",
        "registration",
        "abi",
    ]
    assert {each["variant"] for each in checks} == {VARIANT}
    assert [len(each["problems"]) for each in checks] == [3, 1, 1, 0]


def test_a_folder_without_a_build(tmp_path: Path) -> None:
    for command in ("check-abi", "check-builds"):
        status, _, errors = run(command, tmp_path)
        assert status == 1
        assert errors.startswith(f"error: {tmp_path} has no built variant (1 problem)\n")

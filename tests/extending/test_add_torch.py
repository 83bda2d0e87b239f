"""`add-torch` in a copy of the repository, with pip and a folder of made-up wheels."""

import hashlib
import json
from typing import Any

from lock.pins import dump
from tests.cli.command_line import Ran
from tests.evaluation import evaluate, path_of
from tests.extending.maintainer import Maintainer
from tests.tiny_kernel import BUILD, TinyKernel

MATRIX = "lib/matrix/matrix.json"
PINS = "lib/matrix/torch-pins.json"
REASONS = "docs/pins-without-row.json"
STATUS = "docs/reference/status.json"
LOCKS = "pkgs/torch/torch-wheel/locks"
TRITON = "pkgs/torch/triton-beside/locks"
LINUX = ("x86_64", "aarch64")
NEW = [
    '{"bundleBuild": true, "cpu": true, "systems": ["aarch64-darwin"], "torchVersion": "2.16"}',
    '{"bundleBuild": true, "cudaVersion": "13.2", '
    '"systems": ["x86_64-linux", "aarch64-linux"], "torchVersion": "2.16"}',
    '{"bundleBuild": true, "metal": true, "systems": ["aarch64-darwin"], "torchVersion": "2.16"}',
]


def mac_pin(maintainer: Maintainer) -> dict[str, str]:
    (file,) = maintainer.links.glob("torch-*-macosx_*.whl")
    sha256 = hashlib.sha256(file.read_bytes()).hexdigest()
    return {"file": file.name, "sha256": sha256, "version": file.name.split("-")[1]}


def publish(
    maintainer: Maintainer,
    version: str,
    toolkit: str,
    python: str = "cp311",
    machines: tuple[str, ...] = LINUX,
    label: str = "",
) -> dict[str, Any]:
    """Write a Torch, its dependencies and an older Torch; return the pins of the new one."""
    linux = 'platform_system == "Linux"'
    needs = (f"cuda-toolkit[cublas]=={toolkit}; {linux}", f"triton~=3.9.0; {linux}")
    tag = f"{python}-{python}"
    maintainer.put("cuda-toolkit", toolkit, 'nvidia-cublas; extra == "cublas"')
    maintainer.put("nvidia-cublas", "1")
    pins = {}
    for machine in machines:
        tags = f"{tag}-manylinux_2_28_{machine}"
        maintainer.put("torch", "2.14.0", tags=tags)
        maintainer.put("triton", "3.9.4", tags=tags)
        pins[f"{machine}-linux"] = maintainer.put("torch", version + label, *needs, tags=tags)
    maintainer.put("torch", version, *needs, tags=f"{tag}-macosx_14_0_arm64")
    return pins


def add_torch(maintainer: Maintainer, *words: str, **variables: str) -> Ran:
    return maintainer.run("add-torch", *words, **variables)


def test_the_newest(maintainer: Maintainer) -> None:
    pins = publish(maintainer, "2.16.0", "13.2.2")
    copy = maintainer.copy
    held = {name: (copy.root / name).read_text() for name in (MATRIX, PINS)}
    done = add_torch(maintainer)
    assert done.status == 0, done.stderr
    files = [f"{LOCKS}/2.16.0+cu132.json", f"{TRITON}/2.16.0.json"]
    written = {name for name in copy.touched() if name.startswith(("README", "docs/", "tests/"))}
    assert copy.touched() - written == {MATRIX, PINS, *files}
    assert "docs/reference/variants.md" in written
    row = "| 2.16 | cu132 | x86_64-linux, aarch64-linux | yes |"
    assert row in (copy.root / "docs/reference/variants.md").read_text()

    rows = "".join(f",\n  {row}" for row in NEW)
    assert (copy.root / MATRIX).read_text() == held[MATRIX].replace("\n]\n", f"{rows}\n]\n")
    new = {"2.16.0+cu132": pins}
    new |= {f"2.16.0+{name}": {"aarch64-darwin": mac_pin(maintainer)} for name in ("cpu", "metal")}
    assert (copy.root / PINS).read_text() == dump({**json.loads(held[PINS]), **new})
    loads, triton = map(maintainer.read, files)
    assert loads["want"] == ["torch===2.16.0"]
    assert set(loads["pins"]["aarch64-linux"]) == {
        "cuda-toolkit", "nvidia-cublas", "torch", "triton",
    }  # fmt: skip
    assert triton["want"] == ["triton===3.9.4"]
    copy.run_tests("graph/test_pins.py")

    _, _, rest = done.stdout.partition("\nleft to do by hand:\n")
    assert all(f"2.16.0+{compute}" in rest for compute in ("cpu", "cu126", "rocm72", "xpu20260"))
    assert "2.16.0+cu132" not in rest

    copy.commit()
    again = add_torch(maintainer)
    assert (again.status, again.stdout) == (0, "2.16.0+cpu, 2.16.0+cu132: already there\n")
    assert copy.touched() == set()


def test_a_patch_release_replaces_the_one_before(maintainer: Maintainer) -> None:
    pins = publish(maintainer, "2.15.1", "13.2.2")
    held = (maintainer.copy.root / MATRIX).read_text()
    done = add_torch(maintainer, "2.15.1", "--no-renew")
    assert done.status == 0, done.stderr
    files = {f"{LOCKS}/2.15.1+cu132.json", f"{TRITON}/2.15.1.json"}
    assert maintainer.copy.touched() == {MATRIX, PINS, REASONS, STATUS, *files}
    rows = held.replace('"torchVersion": "2.15"', '"torchVersion": "2.15.1"')
    assert (maintainer.copy.root / MATRIX).read_text() == rows
    assert maintainer.read(PINS)["2.15.1+cu132"] == pins
    assert maintainer.read(REASONS)["2.15.0+cu132"].endswith("have the names of 2.15.1")
    maintainer.copy.run_tests("graph/test_pins.py", "docs/test_status.py")


def test_a_patch_release_without_all_builds_has_a_reason(maintainer: Maintainer) -> None:
    pins = publish(maintainer, "2.15.1", "13.2.2", machines=("x86_64",))
    done = add_torch(maintainer, "2.15.1", "--no-renew")
    assert done.status == 0, done.stderr
    files = {f"{LOCKS}/2.15.1+cu132.json", f"{TRITON}/2.15.1.json"}
    assert maintainer.copy.touched() == {PINS, REASONS, *files}
    assert maintainer.read(PINS)["2.15.1+cu132"] == pins
    assert maintainer.read(PINS)["2.15.1+metal"] == {"aarch64-darwin": mac_pin(maintainer)}
    assert maintainer.read(REASONS)["2.15.1+cu132"].endswith("have the names of 2.15.0")
    maintainer.copy.run_tests("graph/test_pins.py")


LISTED = """((import ./.).lib.genKernelFlakeOutputs { self = { }; path = %s; })
.legacyPackages.x86_64-linux.variantDetails"""


def test_a_pre_release_stands_in_until_the_release(
    maintainer: Maintainer, tiny: TinyKernel
) -> None:
    copy, held = maintainer.copy, maintainer.read(MATRIX)
    refused = add_torch(maintainer, "2.16.0rc1")
    assert "fix    tools/bin/add-torch --pre 2.16.0rc1\n" in refused.stderr

    nightly = "2.16.0.dev20261120"
    pins = publish(maintainer, nightly, "13.2.2", label="+cu132")
    done = add_torch(maintainer, "--pre", "--no-renew")
    assert done.status == 0, done.stderr
    marked = [{**json.loads(row), "bundleBuild": False, "pre": nightly} for row in NEW]
    assert maintainer.read(MATRIX) == [*held, *marked]
    assert maintainer.read(PINS)[f"{nightly}+cu132"] == pins
    assert "once Torch 2.16.0 is out, `tools/bin/add-torch 2.16.0`" in done.stdout
    copy.run_tests("graph/test_pins.py", "docs/test_status.py")

    tiny.write("build.toml", BUILD.replace("cpu", "cuda").replace("answer.cpp", "answer.cu"))
    (tiny.folder / "answer/answer.cpp").rename(tiny.folder / "answer/answer.cu")
    listed = evaluate(LISTED.replace("./.", path_of(copy.root)) % path_of(tiny.folder))
    told = {each["name"]: (each["torchVersion"], each["bundle"]) for each in listed}
    assert told["torch216-cxx11-cu132-x86_64-linux"] == (f"{nightly}+cu132", False)

    publish(maintainer, "2.16.0", "13.2.2")
    done = add_torch(maintainer, "--no-renew")
    assert done.status == 0, done.stderr
    assert maintainer.read(MATRIX) == [*held, *map(json.loads, NEW)]
    files = {f"{LOCKS}/2.16.0+cu132.json", f"{TRITON}/2.16.0.json"}
    assert copy.touched() == {MATRIX, PINS, STATUS, *files}
    assert nightly not in (copy.root / STATUS).read_text() + (copy.root / PINS).read_text()


def test_a_pre_release_that_has_no_place(maintainer: Maintainer) -> None:
    for version, label, found in (
        ("2.15.1rc1", "", "lib/matrix/matrix.json has Torch 2.15, whose variants"),
        ("2.16.0.dev20261120", "+rocm7.2", "a build for rocm7.2"),
    ):
        publish(maintainer, version, "13.2.2", label=label)
        done = add_torch(maintainer, "--pre", version)
        assert (done.status, maintainer.copy.touched()) == (1, set())
        assert f"found  {found}" in done.stderr


def test_wheels_for_another_python_or_for_one_system_are_better_than_none(
    maintainer: Maintainer,
) -> None:
    publish(maintainer, "2.16.0", "13.2.2", "cp313", ("x86_64",))
    done = add_torch(maintainer, "--no-renew", "2.16.0")
    assert done.status == 0, done.stderr
    assert "\n- aarch64-linux: pip has no wheel for it\n" in done.stdout

    pins = publish(maintainer, "2.16.0", "13.2.2", "cp313")
    done = add_torch(maintainer, "--no-renew", "2.16.0")
    assert done.status == 0, done.stderr
    assert maintainer.read(PINS)["2.16.0+cu132"] == pins
    assert maintainer.read(f"{LOCKS}/3.13/2.16.0+cu132.json")["python"] == "3.13"
    assert maintainer.read(MATRIX)[-3:] == [json.loads(row) for row in NEW]
    maintainer.copy.run_tests("graph/test_pins.py")


def test_a_toolkit_that_is_not_there(maintainer: Maintainer) -> None:
    publish(maintainer, "2.16.0", "13.9.0")
    done = add_torch(maintainer, "2.16.0")
    assert done.status == 1
    assert "error: the Torch cannot be added yet (1 problem)\n" in done.stderr
    assert "found  no backends/cuda/releases/13.9.json\n" in done.stderr
    assert "fix    add the toolkit first (docs/extending.md, A toolkit), and run" in done.stderr
    assert maintainer.copy.touched() == set()


def test_a_torch_that_is_not_found(maintainer: Maintainer) -> None:
    publish(maintainer, "2.16.0", "13.2.2", "cp310")
    done = add_torch(maintainer, "2.16.0")
    assert done.status == 1
    assert "found  no torch===2.16.0 for CPython 3.11 or 3.13 on Linux\n" in done.stderr

    nowhere = {"PIP_NO_INDEX": "0", "PIP_INDEX_URL": "http://127.0.0.1:9", "PIP_FIND_LINKS": ""}
    done = add_torch(maintainer, **nowhere)
    assert done.status == 1
    assert "pip says: WARNING: Retrying" in done.stderr
    assert "Connection refused" in done.stderr

    done = add_torch(maintainer, KERNEL_BUILDER_PIP="/no/pip")
    assert done.status == 1
    assert "found  no pip\n" in done.stderr
    assert maintainer.copy.touched() == set()

"""Inputs of a variant: single files, and only the parts of Torch and Triton that they use."""

import json
from pathlib import Path

import pytest

from tests.derivation import Derivation, base_of, closure_of, read_derivation, sha256_of
from tests.evaluation import (
    ROOT,
    SYSTEM,
    VARIANT,
    Variant,
    evaluate,
    outputs_of,
    path_of,
    read_flake_variant,
    read_variant,
)
from tests.tiny_kernel import MODULE, TinyKernel

KERNEL = ROOT / "examples" / "silu-and-mul"
REGISTRATION = ROOT / "pkgs/compile/link-extension/registration.h"

SILU = "silu_and_mul_cpu/"
UNITS = {
    "torch-ext/torch_binding.cpp": {"torch-ext/torch_binding.h", ".kernel-builder/registration.h"},
    f"{SILU}silu_and_mul.cpp": {"torch-ext/torch_binding.h", f"{SILU}include/segment.h"},
    f"{SILU}segment/dispatch.cpp": {f"{SILU}include/segment.h", f"{SILU}include/segment_targets.h"},
}


@pytest.fixture(scope="module")
def variant() -> Variant:
    return read_variant(KERNEL)


def files_of(item: Derivation) -> dict[str, str]:
    """Return the kernel's files among the inputs of an object, with their store paths."""
    return {
        name: path for path, name in (line.split(" ", 1) for line in item.env["files"].splitlines())
    }


@pytest.mark.parametrize("unit", UNITS)
def test_an_object_is_given_its_unit_and_the_headers_it_reaches(
    variant: Variant, unit: str
) -> None:
    item = variant.read_object(unit)
    files = files_of(item)
    assert files.keys() == {unit, *UNITS[unit]}
    for name, path in files.items():
        generated = name.startswith(".kernel-builder/")
        origin = REGISTRATION if generated else KERNEL / name
        assert sha256_of(path) == sha256_of(origin), name


def test_an_object_has_no_other_source(variant: Variant) -> None:
    for unit in variant.objects:
        item = variant.read_object(unit)
        scripts = {path for path in item.sources if base_of(path) in ("compile.sh", "lay-out.sh")}
        assert len(scripts) == 2
        assert item.sources == scripts | set(files_of(item).values()), unit


def assert_single_files(drv: str) -> None:
    """Fail if a derivation has a folder of the kernel as input, other than its Python files."""
    modules = KERNEL / "torch-ext" / "silu_and_mul"
    files = [path for path in KERNEL.rglob("*") if path.is_file() and path.stat().st_size > 0]
    apart = {sha256_of(path) for path in files if modules not in path.parents}
    folders = {
        (item.name, source)
        for item in closure_of(drv)
        for source in item.sources
        if Path(source).is_dir()
    }
    assert "silu-and-mul-modules" in {base_of(source) for _, source in folders}
    for name, source in folders:
        held = {sha256_of(path) for path in Path(source).rglob("*") if path.is_file()}
        assert not held & apart, f"{name} is given {source}"


def test_no_derivation_sees_the_whole_kernel(variant: Variant) -> None:
    assert_single_files(variant.drv)


def test_no_derivation_sees_the_whole_flake() -> None:
    assert_single_files(read_flake_variant(str(KERNEL)).drv)


def test_the_flake_and_default_nix_give_the_same_objects(variant: Variant) -> None:
    flake = read_flake_variant(str(KERNEL))
    assert flake.objects == variant.objects
    assert flake.link == variant.link


def torch_inputs(item: Derivation) -> list[tuple[str, frozenset[str]]]:
    """Return the inputs that are Torch, with the outputs that are used."""
    return [
        (name, outputs)
        for name, outputs in (
            (read_derivation(drv).name, used) for drv, used in item.inputs.items()
        )
        if "torch-2" in name
    ]


def test_an_object_waits_for_the_headers_of_torch_only(variant: Variant) -> None:
    item = variant.read_object("torch-ext/torch_binding.cpp")
    assert torch_inputs(item) == [("headers-of-torch-2.13.0-cpu-wheel", frozenset({"out"}))]
    assert torch_inputs(variant.link) == [("torch-2.13.0-cpu", frozenset({"out"}))]


def test_a_unit_without_torch_is_given_neither_torch_nor_python(tmp_path: Path) -> None:
    tiny = TinyKernel(tmp_path)
    item = read_variant(tiny.folder).read_object("answer/answer.cpp")
    names = {read_derivation(drv).name for drv in item.inputs}
    assert names == {"busybox", "toolchain-gcc-12"}


# Python packages that no step of a build imports: they sign, upload, or check lists of sources.
NOT_FOR_BUILDS = (
    "cryptography cyclonedx-python-lib hf-xet packageurl-python pydantic rfc3161-client "
    "securesystemslib sigstore tuf urllib3"
)


@pytest.mark.parametrize("compute", ["cpu", "cu130"])
def test_a_build_has_no_package_for_signatures_or_uploads(compute: str) -> None:
    name = f"torch213-cxx11-{compute}-{SYSTEM}"
    built = evaluate(f"{outputs_of(ROOT / 'examples' / 'relu')}.redistributable.{name}.drvPath")
    needed = [item.name for item in closure_of(built)]
    unused = tuple(f"python-{project}-" for project in NOT_FOR_BUILDS.split())
    assert any(name.startswith("python-kernels-") for name in needed)
    assert [name for name in needed if name.startswith(unused)] == []


CHANGED = """overlays = [
  (_: previous: {
    @name@ = let old = previous.@name@; in old // derivation (old.drvAttrs // { changed = 1; });
  })
];"""


@pytest.mark.parametrize("package", ["toolchain", "pythonHeaders", "glibcStubs"])
def test_whatever_changes_the_extension_changes_its_name(tmp_path: Path, package: str) -> None:
    kernel = TinyKernel(tmp_path).folder
    before = read_variant(kernel)
    after = read_variant(kernel, arguments=CHANGED.replace("@name@", package))
    assert after.link.inputs.keys() != before.link.inputs.keys()
    assert after.extension != before.extension


# Variables by which `kernel-builder prefetch` gets a source.
COORDINATES = {
    "deb": {"package", "version", "architecture", "suite", "url"},
    "wheel": {"project", "version", "file"},
    "vendor": {"url"},
}


def test_every_source_says_where_it_comes_from(variant: Variant) -> None:
    found = set()
    for item in closure_of(variant.drv):
        if "outputHash" not in item.env:
            assert not item.env.get("builder", "").startswith("builtin:fetch"), item.name
            continue
        kind = item.env["sourceKind"]
        found.add(kind)
        missing = {key for key in COORDINATES[kind] if not item.env.get(key)}
        assert not missing, f"{item.name} lacks {missing}"
        assert item.env["outputHashMode"] == "flat"
        assert item.env["outputHashAlgo"] == "sha256"
        assert len(bytes.fromhex(item.env["outputHash"])) == 32
        assert item.outputs.keys() == {"out"}
        assert base_of(item.outputs["out"]) == item.name
    assert found == {"deb", "wheel"}


def test_a_kernel_may_have_another_version_of_a_python_package(tiny: TinyKernel) -> None:
    build = (tiny.folder / "build.toml").read_text()
    tiny.write("build.toml", build.replace("[torch]", 'python-depends = ["einops"]\n\n[torch]', 1))
    pin = {"version": "0.0.1", "file": "einops-0.0.1-py3-none-any.whl", "sha256": "0" * 64}
    pins = {"pins": {SYSTEM: {"einops": {**pin, "depends": []}}}}
    tiny.write("test-pins.json", json.dumps(pins))
    index = f"final.fromIndex {{ pins = {path_of(tiny.folder / 'test-pins.json')}; }}"
    packages = f"previous.pythonPackages // {{ inherit ({index}) einops; }}"
    overlay = f"overlays = [ (final: previous: {{ pythonPackages = {packages}; }}) ];"

    def wheels(arguments: str) -> list[str]:
        drv = read_variant(tiny.folder, arguments=arguments).drv
        return [each.name for each in closure_of(drv) if each.name.startswith("einops-")]

    assert wheels(overlay) == [pin["file"]]
    assert len(wheels("")) == 1
    assert wheels("") != wheels(overlay)


# Steps before the first compile, and others that are ready as early. Nix starts the ready ones in
# the order of their names.
FIRST = ("compiler-debs", "headers-of-torch-2.13.0-cpu-wheel")
LATER = ("python-debs", "runtime-debs", "torch-2.13.0-cpu")


def test_the_longest_way_to_a_compile_begins_first(variant: Variant) -> None:
    names = {item.name for item in closure_of(variant.drv)}
    assert names.issuperset({*FIRST, *LATER})
    assert max(FIRST) < min(LATER)
    unit = variant.read_object("torch-ext/torch_binding.cpp")
    needed = {item.name for drv in unit.inputs for item in closure_of(drv)}
    assert needed.issuperset(FIRST)
    assert "torch-2.13.0-cpu" not in needed


TRITON = "python-triton-3.7.1"


def has_triton(drv: str) -> bool:
    return TRITON in {item.name for item in closure_of(drv)}


@pytest.mark.parametrize(
    ("file", "text", "variant_has_it", "tests_have_it"),
    [
        ("tests/test_tiny.py", "import tiny\n", False, False),
        ("torch-ext/tiny/__init__.py", f"import triton\n{MODULE}", True, True),
        ("tests/deep/test_tiny.py", "from triton import language\n", False, True),
    ],
)
def test_triton_is_there_for_what_imports_it(
    tiny: TinyKernel, file: str, text: str, variant_has_it: bool, tests_have_it: bool
) -> None:
    tiny.write(file, text)
    tests = evaluate(f"{outputs_of(tiny.folder)}.ciTests.{VARIANT}.drvPath")
    assert has_triton(read_variant(tiny.folder).drv) == variant_has_it
    assert has_triton(tests) == tests_have_it

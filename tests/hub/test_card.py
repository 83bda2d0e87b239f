"""The card and the list of sources, built the way a bundle has them; the kernel itself is not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.derivation import named
from tests.evaluation import NixError, build, evaluate, outputs_of, realise
from tests.tiny_kernel import BUILD, TinyKernel

HEAD = "---\nlibrary_name: kernels\n---\n"


def fill(folder: Path, template: str, **files: str) -> str:
    kernel = TinyKernel(folder / "tiny", {"CARD.md": template, **files})
    return build(evaluate(f"{outputs_of(kernel.folder)}.card.drvPath")).read_text()


def test_every_name_that_a_template_can_use(tmp_path: Path) -> None:
    names = (
        "name python_name version license upstream source repo_id branch backends variants "
        "torch_versions capabilities rocm_archs python_depends kernel_depends benchmarks "
        "has_benchmark functions layers"
    )
    lines = "".join(f"{name}: {{{{ {name} | tojson }}}}\n" for name in names.split())
    build_toml = BUILD + '\n[general.hub]\nrepo-id = "org/tiny"\n'
    module = '__all__ = ["answer", "layers"]\n'
    files = {
        "build.toml": build_toml.replace(
            'license = "mit"', 'license = "mit"\nupstream = "https://u"'
        ),
        "torch-ext/tiny/__init__.py": module,
        "torch-ext/tiny/layers.py": '__all__ = ["Answer"]\n',
        "benchmarks/benchmark.py": "",
    }
    filled = fill(tmp_path, HEAD + lines, **files).removeprefix(HEAD)
    values = {
        name: json.loads(value)
        for name, value in (line.split(": ", 1) for line in filled.splitlines())
    }
    variants, torches = values.pop("variants"), values.pop("torch_versions")
    assert "torch213-cxx11-cpu-x86_64-linux" in variants
    assert "2.13.0" in torches
    assert values == {
        "name": "tiny",
        "python_name": "tiny",
        "version": 1,
        "license": "mit",
        "upstream": "https://u",
        "source": None,
        "repo_id": "org/tiny",
        "branch": "v1",
        "backends": ["cpu"],
        "capabilities": [],
        "rocm_archs": [],
        "python_depends": [],
        "kernel_depends": [],
        "benchmarks": ["benchmarks/benchmark.py"],
        "has_benchmark": True,
        "functions": ["answer"],
        "layers": ["Answer"],
    }


@pytest.mark.parametrize(
    ("template", "found", "want"),
    [
        (f"{HEAD}\n{{{{ lisence }}}}\n", "'lisence' is undefined", "license, name"),
        (f"{HEAD}{{% if %}}\n", "Expected an expression", "license, name"),
        (f"{HEAD}{{{{ name.__class__.__mro__ }}}}\n", "unsafe", "license, name"),
        ("# tiny\n", "no metadata", "library_name: kernels"),
        ("---\na: [\n---\n", "while parsing", "metadata as YAML"),
    ],
)
def test_a_card_that_cannot_be_filled(tmp_path: Path, template: str, found: str, want: str) -> None:
    with pytest.raises(NixError) as failure:
        fill(tmp_path, template)
    assert found in str(failure.value)
    assert want in str(failure.value)
    assert "CARD.md" in str(failure.value)


def test_the_list_of_sources_is_the_same_each_time(tmp_path: Path) -> None:
    kernel = TinyKernel(tmp_path / "tiny")
    variant = '"torch213-cxx11-cpu-x86_64-linux"'
    bundle = evaluate(f"({outputs_of(kernel.folder)}.bundleOf [ {variant} ]).drvPath")
    sources = named(bundle, "-sources")
    listed = json.loads(build(sources.path).read_text())
    realise("--check", sources.path)
    names = {each["name"] for each in listed["components"] if each["type"] == "file"}
    assert {"answer/answer.cpp", "include/number.h", "torch-ext/tiny/__init__.py"} <= names
    properties = {
        each["name"]: each["value"] for each in listed["metadata"]["component"]["properties"]
    }
    assert properties["kernel-builder:variant"] == json.loads(variant)
    assert "kernel-builder:kernel-builder:version" in properties

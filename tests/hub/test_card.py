"""The card and the list of sources, built the way a bundle has them; the kernel itself is not."""

import json
from pathlib import Path

import pytest

from tests.derivation import named
from tests.evaluation import build, build_again, evaluate, outputs_of, read_log
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


ADDED = "---\nlibrary_name: kernels\nlicense: mit\ntags:\n- kernel\n---\n"
MINIMAL = "\n# tiny\n\n## Functions\n\n- `answer`\n"
PUBLIC = {"torch-ext/tiny/__init__.py": '__all__ = ["answer"]\n'}

ODD = {
    "no metadata": ("# tiny, version {{ version }}\n", f"{ADDED}# tiny, version 1\n",
        "no metadata"),
    "metadata that are no YAML": ("---\na: [\n---\n# tiny\n", f"{ADDED}# tiny\n", "while parsing"),
    "an unknown name": (f"{HEAD}{{{{ lisence }}}}{{% if a_flag %}}x{{% endif %}}end\n",
        f"{HEAD}end\n", 'did you mean "license"?'),
    "wrong syntax": (f"{HEAD}\n{{% if %}}\n", ADDED + MINIMAL, "CARD.md, line 5"),
}  # fmt: skip


@pytest.mark.parametrize(("template", "card", "warning"), ODD.values(), ids=ODD)
def test_an_odd_template_becomes_a_card_and_a_warning(
    tmp_path: Path, template: str, card: str, warning: str
) -> None:
    kernel = TinyKernel(tmp_path / "tiny", {"CARD.md": template, **PUBLIC})
    drv = evaluate(f"{outputs_of(kernel.folder)}.card.drvPath")
    assert build(drv).read_text() == card
    said = read_log(drv)
    assert "warning: the card is not as CARD.md says (1 problem)" in said
    assert warning in said


def test_the_list_of_sources_is_the_same_each_time(tmp_path: Path) -> None:
    kernel = TinyKernel(tmp_path / "tiny")
    variant = '"torch213-cxx11-cpu-x86_64-linux"'
    bundle = evaluate(f"({outputs_of(kernel.folder)}.bundleOf [ {variant} ]).drvPath")
    sources = named(bundle, "-sources")
    listed = json.loads(build(sources.path).read_text())
    build_again(sources.path)
    names = {each["name"] for each in listed["components"] if each["type"] == "file"}
    assert {"answer/answer.cpp", "include/number.h", "torch-ext/tiny/__init__.py"} <= names
    properties = {
        each["name"]: each["value"] for each in listed["metadata"]["component"]["properties"]
    }
    assert properties["kernel-builder:variant"] == json.loads(variant)
    assert "kernel-builder:kernel-builder:version" in properties

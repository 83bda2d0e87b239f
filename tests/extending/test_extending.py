"""Each task of docs/extending.md, done in a copy of the repository with the blocks of the page."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from kernel_builder.messages.errors import parse_problems
from lock.pins import dump
from tests.author.authoring import Author
from tests.boundaries.source_tree import code_of, files_of
from tests.derivation import named
from tests.evaluation import (
    ROOT,
    SYSTEM,
    VARIANT,
    NixError,
    build,
    evaluate,
    outputs_of,
    path_of,
    read_log,
    read_variant,
)
from tests.extending.copy import Copy
from tests.extending.page import PAGE, sections
from tests.tiny_kernel import BUILD, FLAKE, MODULE, NOARCH, TinyKernel

ANSWER = "answer/answer.cpp"
LOOP = """\
#include "answer.h"
#include "number.h"
int64_t answer() {
  volatile int64_t sum = 0;
  for (int i = 0; i < NUMBER; i++) sum = sum + 1;
  return sum;
}
"""
PYTHON = NOARCH.replace("cpu", "vpu") + '[general.vpu]\npython-depends = ["einops"]\n'
VPU = {
    "build.toml": BUILD.replace("cpu", "vpu").replace("answer.cpp", "answer.vpu"),
    "answer/answer.vpu": """\
#include "answer.h"
#include <vpu/answer.h>
int64_t answer() { return VPU_ANSWER; }
""",
}


def ask(copy: Copy, question: str) -> Any:
    """Return a value of the copy's library."""
    return evaluate(f"(import {path_of(copy.root / 'lib')}).{question}")


def documents(copy: Copy) -> dict[str, str]:
    """Renew the documents of the copy and return the changed ones by their names in docs/."""
    copy.run_tests("docs/test_documents.py", "--renew")
    copy.run_tests("docs/test_data.py", "docs/test_links.py")
    names = (name for name in copy.touched() if name.startswith("docs/"))
    return {name.removeprefix("docs/"): (copy.root / name).read_text() for name in names}


def test_paths_that_the_page_names_exist(copy: Copy) -> None:
    for task in sections():
        copy.extend(task)
    paths = {path for section in sections().values() for path in section.paths()}
    assert len(paths) > 40
    assert sorted(path for path in paths if not (copy.root / path).exists()) == []


def test_every_task_is_in_the_list_at_the_top() -> None:
    top, *_ = PAGE.read_text().split("\n## ")
    anchors = {re.sub(r"[^\w -]", "", title).lower().replace(" ", "-") for title in sections()}
    assert set(re.findall(r"\(#([\w-]+)\)", top)) == anchors


def test_a_key(copy: Copy, tiny: TinyKernel) -> None:
    tiny.write(ANSWER, LOOP)
    before = read_variant(tiny.folder)
    copy.extend("A key of build.toml")
    assert copy.touched() == {
        "docs/data.md",
        "lib/config/schema/sections.json",
        "lib/config/sections.nix",
        "lib/plan/flags.nix",
        "tests/graph/test_keys.py",
    }
    copy.run_tests("graph/test_keys.py")

    # A kernel without the key does not change.
    assert copy.read(tiny.folder).drv == before.drv

    tiny.write(
        "build.toml", BUILD.replace('src = ["answer', 'loop-unrolling = true\nsrc = ["answer')
    )
    after = copy.read(tiny.folder)
    differing = {
        source for source in after.objects if after.objects[source] != before.objects[source]
    }
    assert differing == {ANSWER}
    was, now = (build(variant.objects[ANSWER]).read_bytes() for variant in (before, after))
    assert was != now
    assert (build(after.drv) / "metadata.json").is_file()

    tiny.write("build.toml", BUILD.replace('src = ["answer', 'loop-unroling = 1\nsrc = ["answer'))
    with pytest.raises(NixError, match='did you mean "loop-unrolling"'):
        copy.read(tiny.folder)

    # No rule says how other values are joined, so sections that list the same source must agree.
    second = BUILD[BUILD.index("[kernel.answer]") :].replace("answer]", "b]\nloop-unrolling = true")
    tiny.write("build.toml", BUILD + second)
    with pytest.raises(NixError, match=r"kernel.answer.src\[0\] lists with other loop-unrolling"):
        copy.read(tiny.folder)

    written = documents(copy)
    schema, page = "reference/build-toml.schema.json", "reference/build-toml.md"
    assert set(written) == {"data.md", page, schema}
    row = "| `loop-unrolling` | true or false | `false` | Whether loops are unrolled. | 5 |"
    assert row in written[page]
    component = json.loads(written[schema])["properties"]["kernel"]["additionalProperties"][
        "properties"
    ]
    assert component["loop-unrolling"]["type"] == "boolean"


@pytest.mark.skipif(SYSTEM != "x86_64-linux", reason="the page pins its wheel for x86_64-linux")
def test_a_torch(copy: Copy, tiny: TinyKernel) -> None:
    copy.extend("A Torch")
    assert copy.touched() == {
        "docs/reference/status.json",
        "lib/matrix/matrix.json",
        "lib/matrix/torch-pins.json",
        "pkgs/torch/triton-beside/locks/2.16.0.json",
    }
    copy.run_tests("graph/test_pins.py")

    variant = copy.read(tiny.folder, f"torch216-cxx11-cpu-{SYSTEM}")
    assert variant.plan["torchBuild"] == "2.16.0+cpu"
    built = build(variant.drv)
    assert (built / "metadata.json").is_file()
    assert "imported torch-ext/tiny" in read_log(named(variant.drv, "-get-kernel-check").path)
    # It shares the objects without Torch with the other variants.
    assert variant.objects[ANSWER] == copy.read(tiny.folder).objects[ANSWER]

    written = documents(copy)
    assert "| 2.16 | cpu | x86_64-linux | yes |" in written["reference/variants.md"]
    assert "| x86_64-linux | 2.16 cpu | instantiated |" in written["reference/status.md"]


def test_a_pin_without_a_row_is_noticed(copy: Copy) -> None:
    for block in sections()["A Torch"].blocks():
        if block.file.endswith("pins.json"):
            block.write(copy.root)
    with pytest.raises(AssertionError, match=r"2\.16\.0\+cpu"):
        copy.run_tests("graph/test_pins.py")


@pytest.mark.skipif(SYSTEM != "x86_64-linux", reason="the page pins its wheel for x86_64-linux")
def test_a_backend(copy: Copy, tmp_path: Path) -> None:
    copy.extend("A backend")
    # Only the folder, and rows and pins of Torch change.
    assert {name for name in copy.touched() if not name.startswith("backends/vpu/")} == {
        "docs/reference/status.json",
        "lib/matrix/matrix.json",
        "lib/matrix/torch-pins.json",
    }
    copy.run_tests("graph/test_pins.py", "boundaries/test_backends.py", "boundaries/test_rules.py")

    kernel = TinyKernel(tmp_path / "tiny", VPU)
    variant = copy.read(kernel.folder, f"torch213-cxx11-vpu10-{SYSTEM}")
    (unit,) = (unit for unit in variant.plan["units"] if unit["source"] == "answer/answer.vpu")
    assert (unit["compiler"], unit["packages"]) == ("vpucc", ["vpu"])
    assert "-DVPU_KERNEL" in unit["flags"]
    assert build(variant.link.path).is_dir()

    written = documents(copy)
    assert set(written) == {
        "reference/build-toml.md",
        "reference/build-toml.schema.json",
        "reference/status.json",
        "reference/status.md",
        "reference/variants.md",
    }
    assert all("vpu" in text for text in written.values())


def test_a_backend_without_compiled_code(copy: Copy, tmp_path: Path) -> None:
    copy.extend("A backend")
    kernel = TinyKernel(
        tmp_path / "noarch", {"build.toml": PYTHON, "torch-ext/tiny/__init__.py": ""}
    )
    outputs = outputs_of(kernel.folder, root=copy.root)
    assert evaluate(f"{outputs}.variants") == ["torch-vpu"]
    plan = evaluate(f"{outputs}.plan.torch-vpu")
    assert (plan["units"], plan["unavailable"]) == ([], None)
    # The public client, which the checks use, does not know a made-up backend.
    assembled = named(copy.read(kernel.folder, "torch-vpu").drv, "-assembled").path
    assert (build(assembled) / "metadata.json").is_file()
    # The flake of the tests leaves out builds that are not from registries.
    flake = FLAKE.replace(str(ROOT), str(copy.root)).replace("fromRegistries", "default")
    kernel.write("flake.nix", flake)
    author = Author(copy.root, kernel.folder)
    author.kernel_builder("create-pyproject", "--variant", "torch-vpu")
    assert '"einops"' in (kernel.folder / "pyproject.toml").read_text()
    assert "vpu) [ -e /dev/vpu0 ] ;;" in ask(copy, "outputs.presence.script")


def test_a_backend_changes_no_kernel_of_others(copy: Copy, tiny: TinyKernel) -> None:
    before = copy.read(tiny.folder)
    copy.extend("A backend")
    tiny.write("build.toml", BUILD.replace('["cpu"]', '["cpu", "vpu"]'))
    outputs = outputs_of(tiny.folder, root=copy.root)
    assert {VARIANT, "torch-vpu"} <= set(evaluate(f"{outputs}.archVariants"))
    assert copy.read(tiny.folder).drv == before.drv


def test_a_field_that_no_backend_has(copy: Copy) -> None:
    folder = copy.root / "backends/tpu/backend.json"
    folder.write_text(folder.read_text().replace("preference", "preferences"))
    with pytest.raises(NixError) as error:
        ask(copy, "backends.all.tpu.preference")
    said = str(error.value)
    assert "backends/tpu is not complete (1 problem)" in said
    assert "at     backends/tpu.preferences" in said
    assert 'fix    did you mean "preference"?' in said


def test_a_check(copy: Copy, tiny: TinyKernel) -> None:
    copy.extend("A check")
    assert copy.touched() == {
        "pkgs/checks/listed-checks/checks.json",
        "pkgs/checks/listed-checks/docstring_check/__main__.py",
        "tests/build/violations/docstring/message",
    }
    copy.run_tests("boundaries/test_rules.py")
    copy.run_tests("lint", "-k", "ruff or listed or record")
    *_, message = sections()["A check"].blocks()
    assert message.file.startswith("tests/build/violations/")

    variant = copy.read(tiny.folder)
    check = named(variant.drv, "-docstring-check").path
    with pytest.raises(NixError):
        build(check)
    (said,), (shown,) = map(parse_problems, (read_log(check), message.text))
    assert shown.at == f"tiny-<variant>-docstring-check\n{said.at}"
    assert (shown.found, shown.want, shown.fix) == (said.found, said.want, said.fix)
    with pytest.raises(NixError):
        build(variant.drv)

    tiny.write("torch-ext/tiny/__init__.py", f'"""The answer."""\n{MODULE}')
    assert (build(copy.read(tiny.folder).drv) / "metadata.json").is_file()


# Nix's name of the system that the page adds, and the pin files that its command completes.
POWER = "powerpc64le-linux"
COMPLETED = {
    "pkgs/sources/debs/pins.json": ("ppc64el", "arm64"),
    "pkgs/python/newer-python/pins.json": ("ppc64el", "arm64"),
    "pkgs/python/python-packages/pins.json": (POWER, "aarch64-linux"),
    "pkgs/python/python-packages/newer/pins.json": (POWER, "aarch64-linux"),
    "pkgs/torch/triton-beside/locks/2.13.0.json": (POWER, "aarch64-linux"),
}


def test_a_system(copy: Copy, tiny: TinyKernel) -> None:
    copy.extend("A system")
    seed = "pkgs/bootstrap/seed/{}/bin/busybox"
    copy.write_bytes(seed.format(POWER), (ROOT / seed.format("aarch64-linux")).read_bytes())
    assert copy.touched() == {
        "docs/reference/status.json",
        "lib/matrix/matrix.json",
        "lib/matrix/torch-pins.json",
        "lib/platforms/systems.json",
        seed.format(POWER),
    }
    for name, (new, old) in COMPLETED.items():
        data = json.loads((copy.root / name).read_text())
        pins = data["pins"][old].items()
        # The compiler's packages have its name in theirs.
        data["pins"][new] = {name.replace("aarch64-linux", POWER): pin for name, pin in pins}
        copy.write_bytes(name, dump(data).encode())

    variant = f"torch213-cxx11-cpu-{POWER}"
    outputs = outputs_of(tiny.folder, root=copy.root, system=POWER)
    assert evaluate(f"{outputs}.archVariants") == [variant]
    assert evaluate(f"{outputs}.redistributable.{variant}.drvPath").endswith(".drv")
    unit = ("unit/platforms/systems.nix", "unit/outputs/kernels.nix", "unit/backends/all.nix")
    copy.run_tests("boundaries/test_rules.py", "graph/test_pins.py", "lint/test_json.py", *unit)
    written = documents(copy)
    assert set(written) == {"reference/status.json", "reference/status.md", "reference/variants.md"}
    assert all(POWER in text for text in written.values())


def test_the_page_names_all_that_names_a_system() -> None:
    naming = [
        file.name
        for file in files_of(ROOT)
        if file.is_below("lib", "backends", "pkgs") and "aarch64-linux" in code_of(file)
    ]
    files = sections()["A system"].files()
    assert len(naming) > 20
    assert [name for name in naming if not {name, *map(str, Path(name).parents)} & files] == []

"""Each folder beside this file is a kernel with one construct; its `expect.json` is checked."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
import tomlkit

from tests.build.running import ask_python
from tests.evaluation import ROOT, SYSTEM

HERE = Path(__file__).parent
BASE = HERE / "base"
COMMAND = ROOT / "python" / "bin" / "kernel-builder"
KEYS = {
    "why",
    "toml",
    "backend",
    "system",
    "capability",
    "outcome",
    "says",
    "silent",
    "answer",
    "metadata",
    "licences",
}
OUTCOMES = ("built", "failed", "refused", "planned")
CONSTRUCTS = sorted(path.parent.name for path in HERE.glob("*/expect.json"))


def lay_out(construct: Path, expect: dict[str, Any], folder: Path) -> None:
    """Copy the base kernel and, over it, a construct; make it a git repository."""
    shutil.copytree(BASE, folder)
    if construct != BASE:
        shutil.copytree(construct, folder, dirs_exist_ok=True)
    (folder / "expect.json").unlink()
    toml = folder / "build.toml"
    document = tomlkit.parse(toml.read_text())
    for key, value in expect.get("toml", {}).items():
        *sections, name = key.split(".")
        section: Any = document
        for each in sections:
            section = section.setdefault(each, tomlkit.table())
        section[name] = value
    toml.write_text(tomlkit.dumps(document))
    # A step that the store has says nothing: the warnings of checks are those of a new build.
    with (folder / "torch-ext/tiny/__init__.py").open("a") as module:
        module.write(f"\n# {uuid4()}\n")
    flake = folder / "flake.nix"
    flake.write_text(flake.read_text().replace("path:../../..", f"path:{ROOT}"))
    for words in (["init", "-q"], ["add", "--all"]):
        subprocess.run(["git", "-C", str(folder), *words], check=True)


def choose(expect: dict[str, Any]) -> list[str]:
    """Return the options of `build` that choose the construct's variant."""
    backend = expect.get("backend", "cpu")
    chosen = ["--backend", backend]
    if "system" in expect:
        chosen += ["--system", expect["system"]]
    if backend == "cuda":
        chosen = ["--variant", f"torch213-cxx11-cu130-{SYSTEM}"]
        chosen += ["--capability", expect.get("capability", "9.0")]
    if expect["outcome"] == "planned":
        chosen.append("--dry-run")
    return chosen


@pytest.mark.parametrize("name", CONSTRUCTS)
def test_construct(name: str, tmp_path: Path) -> None:
    expect = json.loads((HERE / name / "expect.json").read_text())
    assert expect.keys() <= KEYS
    assert expect["outcome"] in OUTCOMES
    kernel = tmp_path / "kernel"
    lay_out(HERE / name, expect, kernel)
    argv = [str(COMMAND), "build", *choose(expect), str(kernel)]
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    output = done.stdout + done.stderr
    succeeds = expect["outcome"] in ("built", "planned")
    assert (done.returncode == 0) == succeeds, output
    # A kernel that is refused never reaches the table of its variants.
    assert ("variant " in done.stdout) == (expect["outcome"] != "refused"), output
    for text in expect.get("says", []):
        assert text in output, f"{text!r} is not said:\n{output}"
    for text in expect.get("silent", []):
        assert text not in output, f"{text!r} is said:\n{output}"
    for file in (kernel / "result").glob("torch*/metadata.json") if "metadata" in expect else ():
        assert json.loads(file.read_text()).items() >= expect["metadata"].items()
    for variant in (kernel / "result").glob("torch*") if "licences" in expect else ():
        folder = variant / "licenses"
        texts = [str(each.relative_to(folder)) for each in folder.rglob("*") if each.is_file()]
        assert sorted(texts) == expect["licences"]
    if "answer" in expect:
        (variant,) = (kernel / "result").glob("torch*")
        program = "import tiny; print(tiny.answer())"
        assert ask_python(program, home=tmp_path, path=variant) == str(expect["answer"]), output

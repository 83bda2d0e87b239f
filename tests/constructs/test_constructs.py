"""Each folder beside this file is a kernel with one construct; its `expect.json` is checked."""

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import tomlkit

from tests.build.running import ask_python
from tests.evaluation import ROOT, SYSTEM

HERE = Path(__file__).parent
BASE = HERE / "base"
COMMAND = ROOT / "python" / "bin" / "kernel-builder"
KEYS = "why toml backend system capability outcome says silent answer metadata licences"
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


def run(*words: str | Path) -> subprocess.CompletedProcess[str]:
    """Run the command line."""
    argv = [str(COMMAND), *map(str, words)]
    return subprocess.run(argv, capture_output=True, text=True, check=False)


def list_warnings(output: str) -> list[str]:
    """Return the warnings that a command printed with their problems, without that of Nix's age."""
    found = re.findall(r"^warning: .*\n(?:\n|  .*\n?)*", output, re.MULTILINE)
    return sorted(each for each in found if not each.startswith("warning: Nix "))


@pytest.mark.parametrize("name", CONSTRUCTS)
def test_construct(name: str, tmp_path: Path) -> None:
    expect = json.loads((HERE / name / "expect.json").read_text())
    assert expect.keys() <= {*KEYS.split()}
    assert expect["outcome"] in OUTCOMES
    kernel = tmp_path / "kernel"
    lay_out(HERE / name, expect, kernel)
    argv = ["build", *choose(expect), str(kernel)]
    done = run(*argv)
    output = done.stdout + done.stderr
    succeeds = expect["outcome"] in ("built", "planned")
    assert (done.returncode == 0) == succeeds, output
    # A kernel that is refused never reaches the table of its variants.
    assert ("variant " in done.stdout) == (expect["outcome"] != "refused"), output
    # The findings of the other steps are read although one failed.
    assert "cannot be put together" not in output, output
    for text in expect.get("says", []):
        assert text in output, f"{text!r} is not said:\n{output}"
    for text in expect.get("silent", []):
        assert text not in output, f"{text!r} is said:\n{output}"
    if succeeds and "warning: " in done.stderr:
        assert list_warnings(run(*argv).stderr) == list_warnings(done.stderr), "a second build"
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


def test_every_command_shows_the_warnings_of_steps(tmp_path: Path) -> None:
    construct = HERE / "warnings-of-steps"
    expect = json.loads((construct / "expect.json").read_text())
    kernel, page = tmp_path / "kernel", tmp_path / "report.json"
    lay_out(construct, expect, kernel)
    (kernel / ".gitignore").write_text("build/\nresult\n")
    done = run("build", "--json", "--report", page, *choose(expect), kernel)
    assert done.returncode == 0, done.stderr
    data = json.loads(done.stdout)
    found = {each["headline"]: each["problems"] for each in data["warnings"]}
    (variant,) = (each["variant"] for each in data["variants"])
    first, *_ = of_compilers = found["compilers warn about the kernel's code"]
    places = [(each["file"], each["line"]) for each in of_compilers]
    other = ("src/other.cpp", 4)
    assert sorted(places) == [("src/answer.cpp", 6), other, other, ("src/part.h", 4)]
    assert first["variants"] == [variant]
    (unread,) = found["these imports fail if the code around them runs"]
    assert (unread["file"], unread["line"]) == ("torch-ext/tiny/__init__.py", 9)
    report = json.loads(page.read_text())["warnings"]
    assert report == [{**each, "kernel": "tiny"} for each in data["warnings"]]

    assert run("build-and-copy", *choose(expect), kernel).returncode == 0
    for folder in (kernel / "result", kernel):
        said = run("check-builds", folder).stderr
        assert all(text in said for text in expect["says"][:3]), said
        assert said.count(expect["says"][-1]) == 1, said
    # The warnings are those of one build, whatever the name of its folder.
    metadata = kernel / "build" / variant / "metadata.json"
    metadata.write_text(metadata.read_text().replace('"id": "_tiny', '"id": "_other'))
    assert "compilers warn" not in run("check-builds", kernel / "build").stderr
    listed = run("upload", "--dry-run", "--offline", "--repo-id", "o/tiny", kernel / "result")
    assert "findings" not in listed.stdout, listed.stdout

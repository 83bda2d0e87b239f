"""What a build collects of its steps' warnings, from texts of compilers and data of strangers."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.evaluation import ROOT

SCRIPT = ROOT / "pkgs/kernel/collect-findings/collect.py"
PROBLEM = ROOT / "python/src/kernel_builder/messages/problem.py"
STORE = f"/nix/store/{'0' * 32}-torch/include/a.h"


def collect(folder: Path, **files: str) -> list[dict[str, Any]]:
    """Return the findings of a step with these files, which compiles the unit src/a.cu."""
    step = folder / "step"
    step.mkdir()
    for name, text in files.items():
        (step / name.replace("_", ".")).write_text(text)
    (folder / "steps").write_text(json.dumps([{"name": "src/a.cu", "path": str(step)}] * 2))
    environment = {"problem": PROBLEM, "id": "_k", "stepsPath": "steps", "out": "out"}
    argv = [sys.executable, str(SCRIPT)]
    env = {name: str(value) for name, value in environment.items()}
    subprocess.run(argv, cwd=folder, check=True, env={**env, "PYTHONUTF8": "1"})
    result = json.loads((folder / "out").read_text())
    assert result["id"] == "_k"
    return list(result["findings"])


# A line of a compiler, the place and the beginning of what is found; None if it does not count.
MESSAGES: dict[str, tuple[str, str, str] | None] = {
    "gcc": ("src/a.h:4:12: warning: unused [-Wunused-variable]", "src/a.h:4", "unused"),
    "gcc with a link": (
        "src/a.h:4:12: \x1b[01;35m\x1b[Kwarning: \x1b[m\x1b[Kno [\x1b]8;;https://gcc\x07-Wx\x1b]8;;\x07]",
        "src/a.h:4",
        "no [-Wx]",
    ),
    "front end": (
        'src/a.cu(7): warning #177-D: "b" was declared',
        "src/a.cu:7",
        '"b" was declared',
    ),
    "without a place": ("cc1plus: warning: option -Wx", "src/a.cu", "option -Wx"),
    "assembler": ("ptxas warning : Stack size is unknown", "src/a.cu", "ptxas: Stack size"),
    "assembler's place": ("ptxas /b/a.ptx, line 3; warning : old", "src/a.cu", "ptxas: old"),
    "linker": ("/bin/ld: warning: a.o: no note", "src/a.cu", "a.o: no note"),
    "launch bounds": (
        "ptxas warning : Value of threads per SM for entry f(int*) is out of range."
        " .minnctapersm will be ignored",
        "src/a.cu",
        "f(int*): threads",
    ),
    "package": None,
    "flags": None,
    "error": None,
    "front end's file": None,
}
LEFT_OUT = {
    "package": f"{STORE}:4:12: warning: unused",
    "flags": "<command-line>:1:2: warning: X redefined",
    "error": "src/a.h:4:12: error: a warning: no",
    "front end's file": "a.cudafe1.stub.c:1:2: warning: unused",
}


@pytest.mark.parametrize("name", MESSAGES)
def test_the_warnings_of_compilers_are_collected(name: str, tmp_path: Path) -> None:
    expected = MESSAGES[name]
    line = expected[0] if expected else LEFT_OUT[name]
    found = collect(tmp_path, messages=f"In file included from x:\n{line}\n  4 | text\n{line}\n")
    problems = [problem for finding in found for problem in finding["problems"]]
    assert len(problems) == (expected is not None)
    if expected:
        (problem,) = problems
        assert problem["at"] == expected[1]
        assert problem["found"].startswith(expected[2])


def test_a_terminal_gets_some_of_many_warnings(tmp_path: Path) -> None:
    text = "".join(f"src/a.h:{line}:1: warning: unused\n" for line in range(9000))
    (finding,) = collect(tmp_path, messages=text)
    assert (len(finding["problems"]), finding["text"].count("found")) == (500, 3)
    assert finding["text"].endswith("and 497 more, which --json lists")


DEEP = "[" * 10**6
STRANGE = {
    "no JSON": ("{", True),
    "too deep": (DEEP, True),
    "no list": ("{}", True),
    "too long": (json.dumps(["x" * 2**22]), True),
    "no objects": ("[1, null, []]", False),
    "no problems": ('[{"headline": "x"}, {"headline": "x", "problems": {}}]', False),
}


@pytest.mark.parametrize(("text", "is_told"), STRANGE.values(), ids=STRANGE)
def test_what_is_no_list_of_findings(text: str, is_told: bool, tmp_path: Path) -> None:
    found = collect(tmp_path, findings_json=text)
    assert len(found) == is_told
    assert all("cannot be read" in each["headline"] for each in found)


def test_findings_of_a_stranger_have_limits(tmp_path: Path) -> None:
    problem = {"at": "a.py:3", "found": f"{STORE} {'x' * 9000}", "want": ["y"], "fix": None}
    odd = {**problem, "line": "many", "file": "b.py", "run": "rm"}
    finding = {"headline": "x", "problems": [problem, odd, 1] * 90, "shown": "all", "text": "\n"}
    (found,) = collect(tmp_path, findings_json=json.dumps([finding]))
    first, second = found["problems"]
    assert first.keys() == {"at", "found", "want", "fix", "file", "line"}
    assert (first["file"], first["line"], first["fix"]) == ("a.py", 3, "")
    assert second.keys() == {"at", "found", "want", "fix", "file"}
    assert len(first["found"]) == 4000
    assert "/nix/store" not in json.dumps(found)
    assert found["text"].startswith("x (2 problems)\n\n       at     a.py:3\n")

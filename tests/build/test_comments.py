"""Comments that compilers do not see: the objects are the same to the byte."""

from __future__ import annotations

import subprocess
from pathlib import Path

from tests.evaluation import ROOT, TEST_PACKAGES, build, evaluate, path_of, read_variant
from tests.tiny_kernel import ANSWER, TinyKernel

SOURCE = "answer/answer.cpp"
# The object has the number of a line.
TEXT = ANSWER.replace("NUMBER;", "NUMBER + __LINE__;")
COMMENTED = f"/* Answers\n   all. */\n// More.\n{TEXT}/* The end. */\n"


def test_objects_are_the_same_to_the_byte(tmp_path: Path) -> None:
    def compile_with(arguments: str, text: str = COMMENTED) -> Path:
        kernel = TinyKernel(tmp_path / "tiny", {SOURCE: text})
        return build(read_variant(kernel.folder, arguments=arguments).objects[SOURCE])

    kept, ignored = compile_with(""), compile_with("ignoreComments = true;")
    assert kept != ignored
    assert kept.read_bytes() == ignored.read_bytes()
    assert compile_with("", TEXT).read_bytes() != kept.read_bytes()


def test_the_preprocessor_agrees(tmp_path: Path) -> None:
    package = f"(import {path_of(TEST_PACKAGES)}).${{builtins.currentSystem}}.toolchain"
    program = build(evaluate(f"{package}.drvPath")) / "bin/g++"
    # All headers of the C++ standard library and of the compiler.
    said = run_gcc(program, "-v", "-E", text="").stderr
    folders = [Path(line.strip()) for line in said.splitlines() if line.startswith(" /")]
    names = (path for folder in folders for path in sorted(folder.glob("*")) if path.is_file())
    files = [path for path in names if path.suffix in ("", ".h")][:120]
    assert len(files) == 120
    for number, path in enumerate(files):
        (tmp_path / str(number)).write_bytes(path.read_bytes())
    read = f'n: builtins.readFile ({path_of(tmp_path)} + "/${{toString n}}")'
    blank = f"(import {path_of(ROOT / 'lib')}).plan.comments.removeComments"
    texts = evaluate(f"builtins.genList (n: {blank} (({read}) n)) {len(files)}")
    changed = 0
    for path, text in zip(files, texts):
        original = path.read_text()
        assert text.count("\n") == original.count("\n")
        if text != original:
            changed += 1
            argv = ("-fpreprocessed", "-dD", "-E", "-P", "-w")
            both = [run_gcc(program, *argv, text=each) for each in (original, text)]
            # It refuses some directives in a text of its own.
            assert both[0].stdout == both[1].stdout != "", path
            assert both[0].returncode == both[1].returncode
    assert changed > 80


def run_gcc(program: Path, *options: str, text: str) -> subprocess.CompletedProcess[str]:
    argv = [str(program), *options, "-x", "c++", "-"]
    return subprocess.run(argv, input=text, capture_output=True, text=True, check=False)

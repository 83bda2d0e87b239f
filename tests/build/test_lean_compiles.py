"""One compile: it falls back from lean headers only where that can help, and says what it took."""

import json
import shlex
import sys
from pathlib import Path

import pytest

from kernel_builder.nix.log import NixLog
from tests.build.one_step import run_compile, run_steps

PAGE = "docs/troubleshooting/out-of-memory.md"
# gcc's messages when one of its programs is killed, and when memory is refused.
OF_A_PART = "g++: fatal error: Killed signal terminated program cc1plus"
REFUSED = "cc1plus: out of memory allocating 65536 bytes after a total of 8192 bytes"
DEATHS = {
    "itself": "kill -9 $$",
    "a part": f"echo '{OF_A_PART}' >&2; exit 1",
    "refused": f"echo '{REFUSED}' >&2; exit 1",
}
# Says each time that it is called, and does something else with Torch's own headers.
COMPILER = """#!/bin/sh
case "$*" in
  *-isystem*) echo lean >>"$calls"; %s ;;
  *) echo full >>"$calls" ;;
esac
"""


def compile_lean(
    folder: Path, end: str, unit: str = "", flag: str = "-O2"
) -> tuple[int, str, list[str]]:
    """Compile with a compiler that ends so with lean headers; return its calls, too."""
    (folder / "macros").mkdir()
    (folder / "macros/operators").write_text("NO_SUCH_MACRO\n")
    calls = folder / "calls"
    lean = {"unitInJson": '"a.cpp"', "leanFlags": "-isystem\nlean"}
    lean["flags"] = f"{flag}\n-ffile-prefix-map=@build/kernel@=."
    places = {"leanMacros": "macros", "report": "report", "calls": "calls"}
    variables = {name: str(folder / file) for name, file in places.items()}
    done = run_compile(folder, COMPILER % end, unit, **lean, **variables)
    return done.returncode, done.stderr, calls.read_text().split()


# The text of the unit, a flag, and whether lean headers serve.
NAMED = {
    "not at all": ("OTHER", "-DX=1", True),
    "in a part of another name": ("NO_SUCH_MACROS", "-DX=1", True),
    "as it is": ("#if NO_SUCH_MACRO", "-DX=1", False),
    "on two lines": ("#if NO_SUCH_\\\nMACRO", "-DX=1", False),
    "on three lines": ("#if NO_\\ \nSUCH_\\\r\nMACRO", "-DX=1", False),
    "in a flag": ("#if X", "-DX=NO_SUCH_MACRO", False),
}


@pytest.mark.parametrize(("text", "flag", "serves"), NAMED.values(), ids=NAMED)
def test_macros_that_lean_headers_lack(text: str, flag: str, serves: bool, tmp_path: Path) -> None:
    status, said, calls = compile_lean(tmp_path, "exit 0", f"{text}\n", flag)
    assert (status, calls) == (0, ["lean" if serves else "full"]), said
    # A pass of nvcc looks for them, too.
    code = "print(steps.with_all_macros(['operators']))"
    files, macros = tmp_path / "files", tmp_path / "macros"
    files.write_text(f"{tmp_path / 'unit'} {tmp_path / 'unit'}\n")
    done = run_steps(code, filesPath=str(files), flags=flag, leanMacros=str(macros))
    assert done.stdout.strip() == ("['operators']" if serves else "[]"), done.stderr


@pytest.mark.parametrize("end", DEATHS.values(), ids=DEATHS)
def test_a_compiler_that_is_killed(tmp_path: Path, end: str) -> None:
    status, said, calls = compile_lean(tmp_path, end)
    assert status != 0
    assert calls == ["lean"]
    assert f"a.cpp: out of memory with lean headers; Torch's own take more, see {PAGE}" in said
    assert "Killed signal" in said or "out of memory allocating" in said


# Words of a program are no words of the compiler.
@pytest.mark.parametrize("said", ["", "a.cpp:1:1: error: Killed signal", " 1 | x: out of memory"])
def test_a_unit_that_needs_all_headers(tmp_path: Path, said: str) -> None:
    status, shown, calls = compile_lean(tmp_path, f"echo '{said}' >&2; exit 1")
    assert status == 0, shown
    assert calls == ["lean", "full"]


def run_device(end: str) -> tuple[int, str, list[str]]:
    """Compile device code with a step that ends so with lean headers."""
    code = f"""
def make(headers, output):
    print(headers, flush=True)
    if headers == "full":
        return True
    return steps.run_all([steps.Step("ptxas", ["sh", "-c", {end!r}])], output)
steps.with_fallback("sm_90", ["tensors", "named"], make)
"""
    done = run_steps(code, torchHeaders="lean")
    calls = [line for line in done.stdout.splitlines() if line in ("tensors", "named", "full")]
    return done.returncode, done.stderr, calls


@pytest.mark.parametrize("end", DEATHS.values(), ids=DEATHS)
def test_a_step_of_nvcc_that_is_killed(end: str) -> None:
    status, said, calls = run_device(end)
    assert status != 0
    assert calls == ["tensors"]
    assert (
        f"a.cu, sm_90: out of memory with lean headers; Torch's own take more, see {PAGE}" in said
    )
    assert "Killed signal" in said or "out of memory allocating" in said


def test_device_code_that_needs_all_headers() -> None:
    end = r"printf 'a.cu(1): error: \\377 Killed signal\n' >&2; exit 1"
    assert run_device(end) == (0, "", ["tensors", "named", "full"])


def test_a_step_that_is_killed_says_so_with_all_headers() -> None:
    done = run_steps("steps.measure(steps.Step('cicc', ['sh', '-c', 'kill -9 $$']), None)")
    assert done.stderr == "cicc: fatal error: Killed signal terminated program\n"


# A compiler with 200 MB, in a process below its own.
LARGE_COMPILER = f"""#!/bin/sh
{sys.executable} -c 'memory = bytearray(200 << 20)'
exit "$ends"
"""


def read_parts(said: str) -> list[tuple[str, float, int]]:
    """Return what Nix hands on of a builder's lines."""
    log = NixLog()
    log.read('@nix {"action":"start","fields":["/a.drv","",1,1],"id":1,"type":105}')
    for line in said.splitlines():
        phase = json.loads(line.removeprefix("@nix "))
        assert phase["action"] == "setPhase"
        result = {"action": "result", "fields": [phase["phase"]], "id": 1, "type": 104}
        log.read(f"@nix {json.dumps(result)}")
    return log.spans["/a.drv"].parts


@pytest.mark.parametrize("status", [0, 3])
def test_a_unit_says_what_its_compiler_took(tmp_path: Path, status: int) -> None:
    done = run_compile(tmp_path, LARGE_COMPILER, ends=str(status))
    assert done.returncode == status, done.stderr
    ((part, seconds, megabytes),) = read_parts(done.stdout)
    assert part == "compiler"
    assert seconds >= 0
    assert 200 <= megabytes < 300


def test_a_step_of_nvcc_says_what_it_took() -> None:
    program = "memory = bytearray(200 << 20); sys.exit(3)"
    step = f"steps.Step('cicc', [sys.executable, '-c', 'import sys; {program}'])"
    done = run_steps(f"assert steps.measure({step}, None) == 3")
    assert done.returncode == 0, done.stderr
    ((part, _, megabytes),) = read_parts(done.stdout)
    assert part == "cicc"
    assert 200 <= megabytes < 300


COMMANDS = (
    '"$CICC_PATH/cicc" --c++17  -D"X=1 2" "-Ia b"c -DY=1 "a.ii" -o "a.ptx" ',
    r'gcc -DX=\"y\" -D"Z=\"a b\"" -c a\ b.cu',
    "gcc '-DX=a b' \"\" -c\ta.cu",
)


def test_the_listing_of_nvcc_is_read_as_a_shell_reads_it() -> None:
    done = run_steps(f"print(*map(steps.split, {COMMANDS!r}), sep='\\n')")
    assert done.stdout.splitlines() == [str(shlex.split(command)) for command in COMMANDS]
    done = run_steps("print(steps.fill('$A_1/b$$A_1-$B$', {'A_1': '/a'}))")
    assert done.stdout == "/a/b$/a-$B$\n"


def test_a_small_unit_needs_no_module_that_takes_long_to_import() -> None:
    slow = {"json", "pathlib", "re", "shlex"}
    done = run_steps(f"import device_pass, launches; print({slow} & {{*sys.modules}})")
    assert done.stdout == "set()\n"

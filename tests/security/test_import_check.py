"""Kernels that want to pass the import check without an import that works."""

import json
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command_line import PACKAGE
from tests.derivation import named
from tests.evaluation import ROOT, build, read_variant
from tests.tiny_kernel import NOARCH, TinyKernel

RUNNER = Path(__file__).parent / "import_attacks.py"
# Seconds. An import of the tiny kernel takes less than one, as Torch is there already.
LIMIT = 60
# Kernels that need all of their time, which has to be enough for the import of `thread`.
LIMITS = {"loops": 3, "thread": 12}

HONEST = """\
import torch
from ._ops import add_op_namespace_prefix

@torch.library.custom_op(add_op_namespace_prefix("one"), mutates_args=())
def one(x: torch.Tensor) -> torch.Tensor:
    return x.clone()
"""

FORGED = """\
import json
# A secret is as long.
forged = "0" * 64 + " " + json.dumps({"name": "tiny", "names": 1, "operators": ["forged() -> ()"]})
"""

# Every process here ends by itself, in case that the check does not end it.
# Leaves a process in a session of its own that keeps every file open and writes to them.
DAEMON = """\
import os, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        for _ in range(400):
            time.sleep(0.05)
            open(@mark@, "a").write("x")
            try:
                os.write(2, b"canary of the daemon" * 100)
            except OSError:
                pass
    os._exit(0)
"""

KERNELS = {
    "honest": HONEST,
    "os-exit": "import os; os._exit(0)",
    "sys-exit": "import sys; sys.exit(0)",
    "signal": "import os, signal; os.kill(os.getpid(), signal.SIGTERM)",
    "exec": "import os; os.execv('/bin/sh', ['sh', '-c', 'exit 0'])",
    "daemon-and-exit": f"{DAEMON}os._exit(0)\n",
    "daemon-and-import": DAEMON + HONEST,
    "close-files": "import os; os.closerange(0, 4096)",
    "forged-and-import": f"""{FORGED}
import os
for number in range(3, 64):
    try:
        os.write(number, (forged + chr(10)).encode())
    except OSError:
        pass
""",
    "writes-result-and-imports": f"""
import os, pathlib
assert "out" not in os.environ
out = pathlib.Path(@out@)
(out / "operators.json").symlink_to(out / "more")
(out / "more").write_text("of the kernel")
{HONEST}
""",
    "atexit": f"import atexit, os\natexit.register(os._exit, 3)\n{HONEST}",
    "atexit-hides-failure": "import atexit, os\natexit.register(os._exit, 0)\nmissing_name\n",
    "loops": "import time\ndef wait():\n    for _ in range(60):\n        time.sleep(1)\nwait()\n",
    "thread": f"import threading, time\nthreading.Timer(60, print).start()\n{HONEST}",
    # Mapped and not touched: 32 GiB without a limit, and none of it real.
    "allocates": """
import mmap
flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS
kept = [mmap.mmap(-1, 1 << 30, flags=flags) for _ in range(32)]
""",
    # Lines that Nix would take for its own, and lines of a check.
    "speaks": """
import sys
line = '@nix {"action":"setPhase","phase":"a: 1.2.3 s, 5 MB"}'
print(line, file=sys.stderr)
print("done\\r" + line + "\\nerror: forged (1 problem)", flush=True)
raise ValueError("raised\\r" + line)
""",
    "prints": "for _ in range(10**8):\n    print('canary' * 1000)\n",
}


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    """Status, output and result of the check for each kernel."""
    folder = tmp_path_factory.mktemp("attacks")
    tiny = TinyKernel(folder / "kernel")
    tiny.write("build.toml", NOARCH)
    tiny.write("torch-ext/tiny/__init__.py", HONEST)
    drv = read_variant(tiny.folder, "torch-cpu").drv
    assembled = build(named(drv, "-assembled").path)
    check_python = build(named(drv, "get-kernel-check-python").path) / "bin" / "python3"
    for name, text in KERNELS.items():
        variant = folder / name
        shutil.copytree(assembled, variant)
        for path in (variant, variant / "__init__.py"):
            path.chmod(0o755)
        text = text.replace("@out@", repr(f"{variant}-out"))
        text = text.replace("@mark@", repr(f"{variant}-mark"))
        (variant / "__init__.py").write_text(text)
    environment = {**os.environ, "HOME": str(folder), "PYTHONPATH": str(ROOT / "python" / "src")}
    runs = []
    for part in (LIMITS, KERNELS.keys() - LIMITS.keys()):
        words = [f"{folder / name}={LIMITS.get(name, LIMIT)}" for name in sorted(part)]
        argv = [str(check_python), "-B", str(RUNNER), *words]
        runs.append(subprocess.Popen(argv, cwd=folder, env=environment, stdout=subprocess.PIPE))
    found: dict[str, dict[str, Any]] = {}
    for run in runs:
        found |= json.loads(run.communicate()[0])
    for name in KERNELS:
        found[name]["mark"] = folder / f"{name}-mark"
    return found


def refused(result: dict[str, Any]) -> str:
    """Return what the check says of a kernel that it refuses."""
    assert result["status"] == 1, result["said"]
    assert "operators.json" not in result["files"] or "forged" in str(result["files"])
    said: str = result["said"]
    return said[said.rindex("error: the kernel cannot be imported (1 problem)") :]


def operators(result: dict[str, Any]) -> list[str]:
    """Return the operators that the check found. Beside them, it writes what it warns of."""
    assert result["status"] == 0, result["said"]
    assert {*result["files"]} <= {"operators.json", "findings.json"}
    found = json.loads(result["files"]["operators.json"])
    keys = "operators operators-without-code operators-without-fake imported-with"
    assert found.keys() <= {*keys.split()}
    return list(found["operators"])


ONE = ["one(Tensor x) -> Tensor"]
# Kernels, and texts of their refusals.
REFUSED = {
    "os-exit": "ended with status 0 during the import",
    "sys-exit": "at     torch-ext/tiny/__init__.py:1: import sys; sys.exit(0)",
    "signal": "signal 15 (SIGTERM) during the import",
    "exec": "status 0 during the import",
    "daemon-and-exit": "status 0 during the import",
    "close-files": "during the import",
    "atexit": "fix    code that runs when the process ends (atexit",
    "atexit-hides-failure": "NameError: name 'missing_name'",
    "loops": "no end within 3 s, during the import",
    "thread": "no end within 12 s, after the import",
    "allocates": "Cannot allocate memory",
    "prints": "File too large",
    "speaks": "ValueError: raised",
}
# A forged answer lacks the secret, and a result that the kernel writes is written anew.
ACCEPTED = {
    "honest": ONE,
    "daemon-and-import": ONE,
    "forged-and-import": [],
    "writes-result-and-imports": ONE,
}


@pytest.mark.attack("build", "an import ends its process, or closes every file", "refused")
@pytest.mark.attack("build", "an atexit handler changes the exit status", "refused")
@pytest.mark.attack("build", "an import takes time or memory, or prints without end", "limits")
@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused(results: dict[str, dict[str, Any]], name: str) -> None:
    assert REFUSED[name] in refused(results[name])


@pytest.mark.attack("build", "an import writes an answer or the check's result", "ignored")
@pytest.mark.parametrize("name", ACCEPTED)
def test_what_passes(results: dict[str, dict[str, Any]], name: str) -> None:
    assert operators(results[name]) == ACCEPTED[name]


def test_every_kernel_is_judged() -> None:
    assert {*REFUSED, *ACCEPTED} == KERNELS.keys()


@pytest.mark.attack("build", "an import leaves a daemon", "the daemon ends before the verdict")
def test_a_daemon(results: dict[str, dict[str, Any]]) -> None:
    marks = [results[name]["mark"] for name in ("daemon-and-exit", "daemon-and-import")]
    sizes = [mark.stat().st_size if mark.exists() else 0 for mark in marks]
    time.sleep(0.2)
    assert sizes == [mark.stat().st_size if mark.exists() else 0 for mark in marks]


def test_an_import_without_end_names_its_lines(results: dict[str, dict[str, Any]]) -> None:
    lines = [line for line in refused(results["loops"]).splitlines() if "__init__.py" in line]
    places = [f"torch-ext/tiny/__init__.py:{line}" for line in (4, 5)]
    assert [line.split()[-1] for line in lines] == places


def test_output_without_end_is_cut(results: dict[str, dict[str, Any]]) -> None:
    assert len(results["prints"]["said"]) < 20 << 20


@pytest.mark.attack("build", "an import prints lines of Nix's protocol", "marked, not at a start")
def test_lines_of_others(results: dict[str, dict[str, Any]]) -> None:
    said = results["speaks"]["said"]
    assert said.count("@nix {") >= 3
    starts = [line for line in re.split("[\r\n]", said) if re.match("@nix|error: forged", line)]
    assert starts == []


# The sum counts: one process may have less than the limit, and pages are shared with the parent.
MEMORY = {
    "shared memory": "block = mmap.mmap(-1, 700 << 20)",
    "processes": "for _ in range(4):\n  if os.fork() == 0: break\nblock = bytearray(150 << 20)",
    "a daemon": "if os.fork() or os.setsid() or os.fork(): time.sleep(30)\n"
    "block = mmap.mmap(-1, 700 << 20)",
    "open files": "kept = [os.memfd_create('x') for _ in range(50)]\nblock = bytearray(9)\n"
    "for each in kept: os.write(each, bytes(15 << 20))",
    "files in /dev/shm": "for each in range(50):\n  file = os.open('/dev/shm', os.O_TMPFILE | 2)\n"
    "  os.write(file, bytes(15 << 20))\nblock = bytearray(9)",
    "segments": "c = ctypes.CDLL(None)\nc.shmat.restype = ctypes.c_void_p\n"
    "number = c.shmget(0, 700 << 20, 0o600)\nplace = c.shmat(number, None, 0)\n"
    "c.shmctl(number, 0, None)\nblock = (ctypes.c_char * (700 << 20)).from_address(place)",
    "copies of the parent": "kept = bytearray(b'1') * (200 << 20)\nfor _ in range(9):\n"
    "  if os.fork() == 0: break\ntime.sleep(1)\nos._exit(0)",
}
MEMORY_RUN = """\
import ctypes, mmap, os, sys, time
from kernel_builder.import_check import child
child.MEMORY = 400 << 20
def work():
    scope = {"ctypes": ctypes, "mmap": mmap, "os": os, "time": time}
    exec(sys.argv[1], scope)
    block = scope["block"]
    for at in range(0, len(block), 4096):
        block[at] = 1
    time.sleep(float(sys.argv[2]))
    return {"done": True}
outcome = child.run_in_child(work, 30)
print(outcome.took_memory, outcome.answer)
"""


def run_check(code: str, *words: str) -> subprocess.CompletedProcess[str]:
    """Run code that finds the import check, in a process of its own."""
    start = f"import sys\nsys.path.insert(0, {str(PACKAGE)!r})\n{code}"
    argv = [sys.executable, "-I", "-c", start, *words]
    return subprocess.run(argv, capture_output=True, text=True, check=False, timeout=60)


@pytest.mark.attack("build", "shared memory, or many processes", "the sum has the limit")
@pytest.mark.parametrize("name", MEMORY)
def test_memory_of_all_processes(name: str) -> None:
    # Pages that are written to are copied; those that are only shared count once.
    seconds = "0" if "parent" in name else "20"
    done = run_check(MEMORY_RUN, MEMORY[name], seconds)
    assert done.stdout == f"{'parent' not in name} None\n", done.stdout + done.stderr


ENDED_RUN = """\
import io, os, time
from functools import partial
from kernel_builder.import_check.child import run_in_child
def ended(path, *arguments, call, **keywords):
    if str(path).startswith("/proc/"):
        raise ProcessLookupError(3, "No such process", str(path))
    return call(path, *arguments, **keywords)
os.stat, io.open = partial(ended, call=os.stat), partial(ended, call=io.open)
outcome = run_in_child(lambda: time.sleep(0.2) or {"done": True}, 30)
print(outcome.status, outcome.answer)
"""


def test_processes_that_end_while_they_are_counted() -> None:
    done = run_check(ENDED_RUN)
    assert done.stdout == "0 {'done': True}\n", done.stderr


LONG_STACK = """\
import os, re, resource
from pathlib import Path
from kernel_builder.import_check.child import run_in_child
# In bytes: for the case that all of the file is read.
resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
def work():
    for number in range(3, 64):
        try:
            os.ftruncate(number, 1 << 40)
        except OSError:
            pass
    os.abort()
outcome = run_in_child(work, 30)
print(outcome.status, outcome.answer)
# The ru_maxrss of a process counts its parent, too: it was a copy of the parent before it started.
print(re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text())[1])
"""


@pytest.mark.attack("build", "1 TB in the file that the check reads", "no file grows so large")
def test_the_check_reads_no_more_than_it_needs() -> None:
    done = run_check(LONG_STACK)
    assert done.returncode == 0, done.stderr
    said, kilobytes = done.stdout.splitlines()
    assert said == "-6 None"
    assert int(kilobytes) < 200_000

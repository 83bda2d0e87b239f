"""The time and memory of a compile are reported correctly, in a form that Nix reads."""

import json
import sys
from pathlib import Path

import pytest

from kernel_builder.nix.log import NixLog
from tests.build.one_step import run_compile, run_steps

# A compiler with 200 MB, in a process below its own.
COMPILER = f"""#!/bin/sh
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
    done = run_compile(tmp_path, COMPILER, ends=str(status))
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

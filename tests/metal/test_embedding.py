"""The header with the shaders of a kernel."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

from tests.evaluation import ROOT

FOLDER = ROOT / "backends/metal/pkgs/embed-library"


def test_the_header_has_the_library_to_the_byte(tmp_path: Path) -> None:
    # All byte values, and a long run of one byte, which some programs abbreviate.
    content = bytes(range(256)) + bytes(1000) + b"MTLB"
    (tmp_path / "linked").write_bytes(content)
    linker = tmp_path / "metallib"
    linker.write_text('#!/bin/sh\necho "$*" >told\ncp linked "$4"\n')
    linker.chmod(0o755)
    environment = {
        "PATH": f"{tmp_path}:{os.environ['PATH']}",
        "shaders": "add.air scale.air",
        "functions": str(FOLDER / "functions.h"),
        "out": str(tmp_path / "metallib.h"),
    }
    argv = ["sh", "-eu", str(FOLDER / "embed.sh")]
    subprocess.run(argv, cwd=tmp_path, env=environment, check=True)
    assert (tmp_path / "told").read_text() == "add.air scale.air -o shaders.metallib\n"
    header = (tmp_path / "metallib.h").read_text()
    data = header.partition("metallib_data[] = {")[2].partition("};")[0]
    assert bytes(int(byte, 16) for byte in re.findall(r"0x(..),", data)) == content
    assert "createLibrary(id<MTLDevice> device, NSError **error = nullptr)" in header

"""Text that nvcc's front end does not read comes back in its place, with its own line numbers."""

import sys
from pathlib import Path

import pytest

from tests.evaluation import ROOT

sys.path.insert(0, str(ROOT / "backends/cuda/pkgs/compile-unit/aside"))

import aside

TEXT = """\
# 0 "unit.cu"
# 1 "/include/lean.h" 1 3 4
int lean;
# 1 "/include/big.h" 1 3 4
int big;
#pragma GCC diagnostic push
# 1 "/include/device.h" 1 3 4
__attribute__((device)) int device;
# 7 "/include/big.h" 2 3 4
int bigger;
# 4 "/include/lean.h" 2 3 4
int lean_again;
# 2 "unit.cu" 2
int own;
"""


def test_headers_that_are_not_needed_are_cut_out_and_put_back() -> None:
    left, pieces = aside.set_aside(TEXT, {"unit.cu", "/include/lean.h"})
    assert "big" not in left.replace("big.h", "")
    assert "int device;" in left
    assert "int lean_again;" in left
    assert pieces == [
        '# 1 "/include/big.h" 3\nint big;\n#pragma GCC diagnostic push',
        '# 7 "/include/big.h" 3\nint bigger;',
    ]
    whole = aside.put_back(left, pieces)
    assert whole is not None
    code = [line for line in whole.splitlines() if line and not line.startswith("# ")]
    assert code == [line for line in TEXT.splitlines() if not line.startswith("# ")]


def test_lines_after_it_keep_their_numbers() -> None:
    generated = (
        '# 12 "unit.cu"\nint before; typedef int kernel_builder_aside_0; int after;\nint next;\n'
    )
    whole = aside.put_back(generated, ['# 1 "/big.h" 3\nint big;'])
    assert whole is not None
    assert whole.splitlines() == [
        '# 12 "unit.cu"',
        "int before; ",
        '# 1 "/big.h" 3',
        "int big;",
        '# 12 "unit.cu"',
        " int after;",
        "int next;",
    ]


@pytest.mark.parametrize("left", ["", "typedef int kernel_builder_aside_1;", "int other;"])
def test_a_piece_that_the_front_end_lost_is_noticed(left: str) -> None:
    assert aside.put_back(left, ["int big;"]) is None


def test_a_file_with_the_same_content_stands_for_another(tmp_path: Path) -> None:
    first, second, other = (tmp_path / name for name in ("first.h", "second.h", "other.h"))
    first.write_text("#pragma once\nint one;\n")
    second.write_text(first.read_text())
    other.write_text("int other;\n")
    text = f'# 1 "{first}" 1\nint one;\n# 1 "{other}" 1\nint other;\n# 1 "unit.cu" 2\n'
    left, pieces = aside.set_aside(text, {"unit.cu", str(second)})
    assert "int one;" in left
    assert len(pieces) == 1

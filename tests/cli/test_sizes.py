"""Sizes: in the table of a build, and those that a build must not exceed."""

from __future__ import annotations

from pathlib import Path

import pytest

from kernel_builder.variants.sizes import format_size, parse_size
from tests.cli.command_line import Cli
from tests.cli.fake_kernel import FakeKernel


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("2000", 2000),
        ("0B", 0),
        ("100MB", 100_000_000),
        ("1.5 GB", 1_500_000_000),
        ("20mib", 20 * 2**20),
        ("3kB", 3000),
    ],
)
def test_sizes_are_read(text: str, size: int) -> None:
    assert parse_size(text) == size


@pytest.mark.parametrize("text", ["", "MB", "-1", "1e6", "1 0", "10 parsecs", "1,5MB"])
def test_what_is_no_size(cli: Cli, text: str) -> None:
    done = cli("build", "--max-size", text)
    assert done.status == 2
    assert f"{text!r} is no size, such as 100MB or 20MiB" in done.stderr


@pytest.mark.parametrize(
    ("size", "text"),
    [
        (0, "0 B"),
        (999, "999 B"),
        (1000, "1.0 kB"),
        (12_345_678, "12.3 MB"),
        (2 * 10**9, "2.0 GB"),
        (999_949, "999.9 kB"),
        (999_950, "1.0 MB"),
        (999_999_999, "1.0 GB"),
    ],
)
def test_sizes_are_written(size: int, text: str) -> None:
    assert format_size(size) == text


def test_a_variant_that_is_too_large(cli: Cli, kernel: FakeKernel) -> None:
    kernel.add("small-cpu")
    files = "mkdir $out; echo $salt > $out/a; printf %5000s > $out/data.bin; printf %99s > $out/b"
    kernel.add("large-cpu", script=f'"{files}"')
    folder = kernel.write()
    done = cli("build", str(folder), "--max-size", "5kB")
    assert done.status == 1
    assert done.stderr.partition("error: ")[2] == (
        """\
a variant is larger than --max-size (1 problem)

       at     large-cpu
       found  5.1 kB, of which
              5.0 kB  data.bin
              99 B  b
              13 B  a
       want   at most 5.0 kB
       fix    compile for fewer targets, leave out what is not needed, or raise --max-size
"""
    )
    # It is there to be looked at.
    assert "large-cpu  built" in done.stdout
    assert (Path(folder) / "result").exists()
    # What is there already is no less too large.
    assert cli("build", str(folder), "--max-size", "5kB").status == 1
    assert cli("build", str(folder), "--max-size", "5.2kB").status == 0

"""Sizes in the table of a build."""

from __future__ import annotations

import pytest

from kernel_builder.variants.sizes import format_size


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

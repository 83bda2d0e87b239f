"""Metadata of a stranger's build may have any JSON."""

from pathlib import Path

import pytest

from kernel_builder.messages.errors import KernelBuilderError
from kernel_builder.variants.result import METADATA, read_metadata
from tests.cli.command_line import Cli
from tests.cli.conftest import *  # noqa: F403  (fixtures)

VARIANT = "torch213-cxx11-cpu-x86_64-linux"
ODD = [
    "[]",
    '"text"',
    "[" * 100_000,
    '{"digest": []}',
    '{"digest": {"files": [1]}}',
    '{"digest": {"files": {"a": {"b": 1}}}}',
    '{"name": {}}',
    '{"backend": {"type": ["x"]}}',
    '{"provenance": [1]}',
    '{"provenance": {"kernel": "x"}}',
    '{"provenance": {"other": 7}}',
    '{"digest": null}',
    '{"partial": 9}',
    '{"operators": {"a": 1}}',
    '{"version": NaN, "name": 1e999}',
]


def write_variant(folder: Path, text: str) -> Path:
    variant = folder / "bundle" / VARIANT
    variant.mkdir(parents=True)
    (variant / "__init__.py").touch()
    (variant / METADATA).write_text(text)
    return variant


@pytest.mark.attack("upload, check-builds, sign", "metadata with values of other types", "refused")
@pytest.mark.parametrize("text", ODD, ids=range(len(ODD)))
def test_values_of_other_types(tmp_path: Path, text: str) -> None:
    with pytest.raises(KernelBuilderError, match="is no metadata of a build"):
        read_metadata(write_variant(tmp_path, text))


@pytest.mark.parametrize("text", ['{"digest": {"files": [1]}}', '{"provenance": {"other": 7}}'])
def test_a_command_says_so(cli: Cli, tmp_path: Path, text: str) -> None:
    bundle = write_variant(tmp_path, text).parent
    ran = cli("upload", "--dry-run", "--offline", "--repo-id", "me/it", str(bundle))
    assert (ran.status, "is no metadata of a build (1 problem)" in ran.stderr) == (1, True)


def test_missing_and_other_values(tmp_path: Path) -> None:
    text = '{"name": "k", "provenance": {"kernel": {"commit": null}}, "new": [1], "source": null}'
    data = {"name": "k", "provenance": {"kernel": {"commit": None}}, "new": [1], "source": None}
    assert read_metadata(write_variant(tmp_path, text)) == data

"""Builds with given Python files, uploaded one after the other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.cli.command_line import Ran
from tests.hub.built import make_bundle, write_variant
from tests.hub.client import Uploader

CPU = "torch213-cxx11-cpu-x86_64-linux"
Files = Mapping[str, str]


class Publisher:
    """Uploads builds with given Python files, one after the other."""

    def __init__(self, upload: Uploader, folder: Path) -> None:
        self.upload = upload
        self.folder = folder
        self.count = 0

    def __call__(
        self,
        python: Files | str,
        *words: str,
        variants: Sequence[str] = (CPU,),
        operators: Sequence[str] | None = None,
        version: int = 1,
    ) -> Ran:
        self.count += 1
        files = {"__init__.py": python} if isinstance(python, str) else python
        bundle = make_bundle(self.folder / str(self.count), *variants)
        for name in variants:
            write_variant(
                bundle / name, str(self.count), version=version, python=files, operators=operators
            )
        return self.upload(bundle, *words)

    def rows(self, done: Ran) -> list[list[str]]:
        """Return the differences that were printed: kind, name, change."""
        lines = [line.split(None, 2) for line in done.stderr.splitlines()]
        return [words for words in lines if words[:1] in (["breaking"], ["listed"])]

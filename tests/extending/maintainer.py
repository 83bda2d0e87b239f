"""A maintainer: a copy of the repository, and a pip with a folder of made-up wheels."""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.cli.command_line import Ran
from tests.cli.store import make_wheel
from tests.evaluation import call
from tests.extending.copy import Copy
from tests.install.fake_machine import write_program


@dataclass(frozen=True)
class Maintainer:
    """A copy of the repository, and a pip with a folder of wheels."""

    copy: Copy
    home: Path

    @property
    def links(self) -> Path:
        return self.home / "links"

    def put(
        self,
        project: str,
        version: str,
        *requires: str,
        tags: str = "py3-none-any",
        files: Mapping[str, str] | None = None,
    ) -> Any:
        """Write a wheel and return its pin."""
        file, content = make_wheel(project, version, requires=requires, tags=tags, more=files or {})
        (self.links / file).write_bytes(content)
        sha256 = hashlib.sha256(content).hexdigest()
        return {"file": file, "sha256": sha256, "version": version}

    def run(self, program: str, *words: str, **variables: str) -> Ran:
        environment = {
            **os.environ,
            "PIP_CONFIG_FILE": "/dev/null",
            "PIP_NO_INDEX": "1",
            "PIP_FIND_LINKS": str(self.links),
            "PIP_EXTRA_INDEX_URL": "",
            "PIP_RETRIES": "0",
            "XDG_DATA_HOME": str(self.home),
            "TEST_PYTHON": sys.executable,
            **variables,
        }
        done = call(
            str(self.copy.root / "tools/bin" / program), *words, status=None, env=environment
        )
        return Ran(done.returncode, done.stdout, done.stderr)

    def read(self, name: str) -> Any:
        return json.loads((self.copy.root / name).read_text())

    @classmethod
    def make(cls, copy: Copy, home: Path) -> Maintainer:
        """Give the copy's programs the Python of the tests."""
        (home / "links").mkdir(parents=True)
        python = home / "kernel-builder/venv/bin/python3"
        python.parent.mkdir(parents=True)
        write_program(python, f'exec {sys.executable} "$@"')
        return cls(copy, home)

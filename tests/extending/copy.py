"""A copy of the repository that is extended as docs/extending.md describes."""

import os
import sys
from dataclasses import dataclass
from pathlib import Path

from tests.evaluation import VARIANT, Variant, call, read_variant
from tests.extending.page import sections


@dataclass(frozen=True)
class Copy:
    """The copy. Git lists the files that changed."""

    root: Path

    def extend(self, task: str) -> None:
        """Write the blocks of a section of the page."""
        for block in sections()[task].blocks():
            block.write(self.root)
        self._git("add", "--intent-to-add", ".")

    def write_bytes(self, name: str, content: bytes) -> None:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        self._git("add", "--intent-to-add", "--", name)

    def commit(self) -> None:
        who = ("-c", "user.name=author", "-c", "user.email=author@example.invalid")
        self._git("add", "--all", ".")
        self._git(*who, "commit", "--quiet", "-m", "as it is")

    def touched(self) -> set[str]:
        """Return the files that are new or changed."""
        listed = self._git("status", "--porcelain", "--untracked-files=all")
        return {line[3:] for line in listed.splitlines()}

    def _git(self, *words: str) -> str:
        argv = ["git", "-C", str(self.root), *words]
        return call(*argv).stdout

    def run_tests(self, *words: str) -> None:
        """Run tests of the copy; fail if one of them fails."""
        environment = {**os.environ, "TEST_PYTHON": sys.executable, "PYTHONDONTWRITEBYTECODE": "1"}
        argv = [str(self.root / "tests" / "run"), *words, "-q"]
        call(*argv, cwd=self.root, env=environment)

    def read(self, kernel: Path, name: str = VARIANT) -> Variant:
        """Return a variant that the copy instantiates."""
        return read_variant(kernel, name, root=self.root)

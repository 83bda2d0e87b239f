"""The import check as a process, on copies of a variant with other Python files."""

import json
import os
import shutil
from dataclasses import dataclass
from pathlib import Path

from registration_check.calls import list_uses
from registration_check.files import read_files

from tests.evaluation import ROOT, call

TUNED = """\
import torch
import triton
import triton.language as tl


@triton.autotune([triton.Config({"SIZE": size}) for size in (64, 128)], key=["count"])
@triton.jit
def add_one(out, x, count, SIZE: tl.constexpr):
    at = tl.program_id(0) * SIZE + tl.arange(0, SIZE)
    tl.store(out + at, tl.load(x + at, at < count) + 1, at < count)
"""


@dataclass
class Check:
    """The import check, with the Python that runs it."""

    python: Path
    variant: Path
    folder: Path

    def run(
        self,
        texts: dict[str, str],
        backend: str = "cuda",
        others: Path | None = None,
        **more: bool | str,
    ) -> tuple[int, str]:
        """Return the exit status, and the problems that the check prints.

        `others` is a folder with modules of others, `more` are options of the check.
        """
        variant = shutil.copytree(self.variant, self.folder / "variant")
        for name, text in texts.items():
            (variant / name).unlink(missing_ok=True)
            variant.chmod(0o755)
            (variant / name).write_text(text)
        calls = self.folder / "calls"
        calls.write_text(json.dumps({"uses": list_uses(read_files(variant, "torch-ext/tiny"))}))
        device = json.loads((ROOT / "backends" / backend / "checks.json").read_text()).get("device")
        options = {"backend": "cpu", "shown_as": "torch-ext/tiny", "limit": 60, "device": device}
        options |= {"calls": str(calls), "is_trial": False, **more}
        environment = {
            **os.environ,
            "PYTHONPATH": f"{ROOT / 'python/src'}:{others or ''}".rstrip(":"),
            "out": str(self.folder / "out"),
        }
        argv = (
            self.python,
            "-B",
            "-m",
            "kernel_builder.import_check",
            json.dumps(options),
            variant,
        )
        done = call(*argv, status=None, env=environment, cwd=self.folder)
        return done.returncode, done.stderr

"""`tools/bin/check-rocm-wheels`: says whether AMD has filled the projects that it reserves."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Final

import click

from kernel_builder.messages.errors import KernelBuilderError, Problem
from lock.start import start
from lock.torch_wheels import LINUX
from lock.wheels import ask, need_pip

PROJECTS: Final = (
    "rocm",
    "rocm-sdk-core",
    "rocm-sdk-devel",
    "rocm-sdk-libraries-gfx94x-dcgpu",
    "rocm-sdk-device-gfx942",
    "amd-torch-device-gfx942",
)
# The newest of the reserved names' versions, none of which has content.
PLACEHOLDER: Final = "0.1.0"
# A project whose placeholder is a wheel, so an index that answers has it.
ANSWERED: Final = "rocm-sdk-libraries-gfx94x-dcgpu"


@click.command("check-rocm-wheels")
def command() -> None:
    """Say whether the indexes of this machine's pip have wheels of ROCm.

    Until then, rows of ROCm are built with AMD's packages or Debian's (docs/guide/rocm.md).
    """
    pip = need_pip()
    with tempfile.TemporaryDirectory(prefix="kernel-builder-") as folder:

        def find(requirement: str) -> str | None:
            words = ["--no-deps", requirement]
            answer = ask(pip, words, LINUX[0], "3.13", Path(folder))
            if isinstance(answer, str):
                return None
            ((project, entry),) = answer.items()
            return f"{project} {entry['metadata']['version']}"

        if find(ANSWERED) is None:
            found = f"no answer for {ANSWERED}, which is there"
            problem = Problem("pip", found, "an index that answers", "check the network")
            raise KernelBuilderError("ROCm's wheels cannot be looked for", [problem])
        filled = [here for name in PROJECTS if (here := find(f"{name}>{PLACEHOLDER}"))]
    if filled:
        click.echo(
            f"there are wheels of ROCm now: {', '.join(filled)}; see docs/guide/rocm.md, Toolkits"
        )
    else:
        click.echo(f"no wheels of ROCm yet: {', '.join(PROJECTS)} are placeholders")


if __name__ == "__main__":
    start(command)

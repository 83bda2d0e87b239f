"""Faults of the machine in which a command has to end well: in time, and with a message."""

from __future__ import annotations

import signal
import time
import uuid
from pathlib import Path

import pytest

from kernel_builder.kernel.folder import MAX_FOLDER_BYTES
from tests.cli.command_line import Cli, Started
from tests.evaluation import ROOT

# As large as a folder without git may be: Nix copies it for seconds.
SPARSE = MAX_FOLDER_BYTES - (1 << 20)
# Only a test that fails waits so long.
PATIENCE = 60


@pytest.fixture
def kernel(tmp_path: Path) -> Path:
    """A flake that Nix reads as a whole folder, in which a file takes long."""
    folder = tmp_path / "kernel"
    folder.mkdir()
    (folder / "flake.nix").write_text(f"{{ outputs = _: {{ }}; }} # {uuid.uuid4().hex}")
    (folder / "build.toml").write_text((ROOT / "examples/relu/build.toml").read_text())
    with (folder / "large").open("wb") as file:
        file.truncate(SPARSE)
    return folder


def copies() -> set[Path]:
    """Return the copies of the file in the store."""
    return {*Path("/nix/store").glob("*-source/large")}


def readers(file: Path) -> list[str]:
    """Return the processes that have a file open."""
    found = []
    for link in Path("/proc").glob("[0-9]*/fd/*"):
        try:
            if link.readlink() == file:
                found.append(link.parts[2])
        except OSError:
            continue
    return found


@pytest.mark.fault(
    "check-config", "SIGTERM while Nix reads a huge folder", "ends at once, nobody reads on"
)
def test_a_command_ends_that_reads_a_huge_folder(kernel: Path) -> None:
    large, before = kernel / "large", copies()
    end = time.monotonic() + PATIENCE
    with Started(Cli(kernel), "check-config") as process:
        while not readers(large) and time.monotonic() < end:
            assert process.poll() is None, process.communicate()
            time.sleep(0.01)
        assert readers(large)
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE) == 128 + signal.SIGTERM
    assert readers(large) == []
    # Nix was interrupted: at its end, the folder would be in the store.
    assert copies() == before

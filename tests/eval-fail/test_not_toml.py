"""Reading a build.toml that is not TOML fails with the message of Nix, and names the file."""

import subprocess
from pathlib import Path

HERE = Path(__file__).resolve().parent


def refusal(*options: str) -> str:
    """Return the error message of Nix for the kernel `not-toml`."""
    read = f"(import {HERE}/../../lib).config.buildToml.readConfig"
    expression = f"{read} {{ root = {HERE}/kernels/not-toml; }}"
    argv = ["nix-instantiate", "--eval", "--strict", *options, "--expr", expression]
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    return done.stderr


def test_the_line_is_shown() -> None:
    assert "2 | name: relu" in refusal()


def test_the_trace_names_the_file() -> None:
    assert f"while reading {HERE}/kernels/not-toml/build.toml" in refusal("--show-trace")

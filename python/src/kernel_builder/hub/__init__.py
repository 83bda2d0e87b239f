"""Uploads kernels to the Hub, and builds published ones again to compare them."""

from __future__ import annotations

import sys
from dataclasses import dataclass, fields, is_dataclass
from importlib.util import find_spec
from typing import Any

from kernel_builder.messages.errors import KernelBuilderError, Problem


@dataclass(frozen=True)
class UploadOptions:
    """How to upload, and what to upload all the same.

    Args:
        repo_id: The repository, owner/name; empty: `repo-id` in build.toml.
        branch: The branch; empty: that of build.toml, or v<version>.
        private: Create a new repository as a private one.
        create_pr: Create pull requests instead of commits.
        partial: Upload although variants of the kernel are missing.
        allow_dirty: Upload builds of uncommitted changes.
        allow_unsandboxed: Upload builds that may have run without a sandbox.
        dry_run: Only report what would change.
    """

    repo_id: str = ""
    branch: str = ""
    private: bool = False
    create_pr: bool = False
    partial: bool = False
    allow_dirty: bool = False
    allow_unsandboxed: bool = False
    dry_run: bool = False


def require_library(name: str, extra: str = "") -> None:
    """Raise KernelBuilderError if an optional library is missing; `extra` installs it."""
    if find_spec(name) is not None:
        return
    fix = f"pip install 'kernel-builder{f'[{extra}]' if extra else ''}', or use the Nix-built one"
    want = f"the library {name}, which needs Python 3.10 or newer"
    problem = Problem(sys.executable, "no such library", want, fix)
    raise KernelBuilderError(f"{name} is missing", [problem])


def to_data(value: Any) -> Any:
    """Return a dataclass as JSON data, with dashes in the names of its fields."""
    if is_dataclass(value):
        names = (each.name for each in fields(value))
        return {name.replace("_", "-"): to_data(getattr(value, name)) for name in names}
    return [to_data(each) for each in value] if isinstance(value, list) else value

"""What Nix says when it refuses, as an error; what is not the kernel's fault gets a way out."""

from __future__ import annotations

import os
import re
import signal
import tempfile
from contextlib import suppress
from textwrap import dedent, indent
from typing import Final

from kernel_builder.messages.errors import INDENT, KernelBuilderError, Problem

MORE_SPACE: Final = (
    "free some space (TMPDIR moves the temporary files) and run this again; "
    "what has arrived is kept"
)
# Of files, and of the database.
_FULL: Final = re.compile(r"No space left on device|database or disk is full")
# Files that Nix reads while it looks for includes: the library cannot know that it will fail.
_UNREADABLE: Final = (
    (
        re.compile(r"^the contents of the file '(.+)' cannot be represented"),
        ("NUL bytes", "text", "remove the NUL bytes, or the include of the file"),
    ),
    (
        re.compile(r"^opening file '(?!/nix/var/|.*\.drv')(.+)': No such file"),
        ("a link that leads nowhere", "a file", "put the file itself there"),
    ),
)
_READ_ONLY: Final = re.compile(r"remounting /nix/store writable|/nix/.*Read-only file system")
# Less than this is no room (bytes).
LITTLE: Final = 2**20
# Colours, and the "erase to the end of the line" that gcc writes after each of them.
COLOUR: Final = re.compile(r"\x1b\[[0-9;]*[mK]")
_ERROR_LINE = re.compile(r"^ *error: ?", re.MULTILINE)
# The page that came with a status.
_BODY = re.compile(r"\s*\n\s*response body:.*", re.DOTALL)
_TRACE_HINT = re.compile(r"^ *\(.*--show-trace.*\)$", re.MULTILINE)
_NOT_LOADED: Final = re.compile(r"^unable to download '([^']+)'")


def read_message(stderr: str, with_trace: bool = False) -> str:
    """Return what Nix has to say: the last error, without trace and colour.

    Nix indents what follows the first line, by how much depends on its version and on whether
    there is a trace; here it always stands under the first line's text.
    """
    text = _BODY.sub("", _TRACE_HINT.sub("", COLOUR.sub("", stderr)))
    errors = list(_ERROR_LINE.finditer(text))
    if not errors:
        return text.strip()
    if with_trace:
        return text[errors[0].end() :].strip()
    first, _, rest = text[errors[-1].end() :].partition("\n")
    return f"{first}\n{indent(dedent(rest), INDENT)}".strip()


class NixError(KernelBuilderError):
    """Nix refused; the message is what Nix said, without the trace."""


class DiskFullError(KernelBuilderError):
    """Nix has no room for what it writes."""


def is_full(text: str) -> bool:
    """Say whether a program ended because a disk has no room."""
    return _FULL.search(text) is not None


def name_full_folders() -> str:
    """Return which of the folders that Nix writes to has no room: they may be on several disks."""
    temporary = f"{tempfile.gettempdir()} (TMPDIR)"
    folders = {"/nix": "/nix", tempfile.gettempdir(): temporary}
    full = []
    for folder, shown in folders.items():
        with suppress(OSError):
            disk = os.statvfs(folder)
            full += [shown] if disk.f_bavail * disk.f_frsize < LITTLE else []
    return " and ".join(full) or f"/nix, or {temporary}"


def explain(message: str, status: int = 1) -> KernelBuilderError:
    """Return the error that Nix's message is; `status` below 0 is the signal that ended it."""
    if is_full(message):
        fix = f"{MORE_SPACE} (docs/troubleshooting/disk-full.md)"
        problem = Problem(name_full_folders(), message, "room for what Nix writes", fix)
        return DiskFullError("no space left for Nix", [problem])
    if _READ_ONLY.search(message):
        fix = "mount /nix with write access; in a container, give it a volume of its own"
        problem = Problem("/nix", message, "a store that Nix can write to", fix)
        return KernelBuilderError("Nix cannot write to its store", [problem])
    if status == -signal.SIGXFSZ or "File too large" in message:
        found = message or "a file that grew beyond the limit"
        problem = Problem(
            "ulimit -f", found, "no limit on the size of files", "ulimit -f unlimited"
        )
        return KernelBuilderError("a limit on the size of files stops Nix", [problem])
    if status < 0 and not message:
        found = f"signal {-status} ({signal.strsignal(-status)})"
        fix = "run it again; dmesg may say that the machine ran out of memory"
        return KernelBuilderError("Nix was ended", [Problem("nix", found, "an answer", fix)])
    if address := _NOT_LOADED.search(message):
        fix = "check the address, the network and its proxy settings, and run this again"
        problem = Problem(address[1], message, "a file at that address", fix)
        return KernelBuilderError("Nix cannot download what it needs", [problem])
    for pattern, answer in _UNREADABLE:
        if file := pattern.search(message):
            return NixError(message, [Problem(file[1], *answer)])
    return NixError(message)

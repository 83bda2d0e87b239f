"""Errors of Nix: its message without the trace, and advice for faults that are no kernel's."""

from __future__ import annotations

import re
import signal
import tempfile
from textwrap import dedent, indent
from typing import Final

from kernel_builder.messages.errors import INDENT, KernelBuilderError, Problem

MORE_SPACE: Final = (
    "free some space (TMPDIR moves the temporary files) and run this again; "
    "what has arrived is kept (docs/troubleshooting/disk-full.md)"
)
# Colours, and the "erase to the end of the line" that gcc writes after each of them.
COLOUR: Final = re.compile(r"\x1b\[[0-9;]*[mK]")
_FULL: Final = re.compile(r"No space left on device|database or disk is full")
# Faults of the machine: the message of Nix, a headline, what is wanted, and the way out.
_FAULTS: Final = (
    (_FULL, "no space left for Nix", "room for what Nix writes", MORE_SPACE),
    (
        re.compile(r"remounting /nix/store writable|/nix/.*Read-only file system"),
        *("Nix cannot write to its store", "a store that Nix can write to"),
        "mount /nix with write access; in a container, give it a volume of its own",
    ),
    (
        re.compile("File too large|File size limit exceeded"),
        *("a limit on the size of files stops Nix", "no limit on the size of files"),
        "ulimit -f unlimited",
    ),
    (
        re.compile("unexpected flake input attribute"),
        *("this Nix is too old for the kernel's flake.nix", "Nix 2.27 or newer"),
        "update Nix; or delete the line, and let git have the files themselves",
    ),
)
_ERROR_LINE = re.compile(r"^ *error: ?", re.MULTILINE)
# The page that came with a status of HTTP.
_BODY = re.compile(r"\s*\n\s*response body:.*", re.DOTALL)
_TRACE_HINT = re.compile(r"^ *\(.*--show-trace.*\)$", re.MULTILINE)


class NixError(KernelBuilderError):
    """Nix refused; the message is that of Nix, without the trace."""


def read_message(stderr: str, with_trace: bool = False) -> str:
    """Return the last error in the output of Nix, without trace and colour.

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


def is_full(text: str) -> bool:
    """Return whether a program says that a disk is full."""
    return _FULL.search(text) is not None


def name_disks() -> str:
    """Return the folders that Nix writes to, which may be on several disks."""
    return f"/nix, or {tempfile.gettempdir()} (TMPDIR)"


def make_nix_error(message: str, status: int = 1) -> KernelBuilderError:
    """Return the error for a message of Nix: NixError, unless it is a fault of the machine.

    A negative `status` is the signal that ended Nix.
    """
    if not message and status < 0:
        message = f"signal {-status} ({signal.strsignal(-status)}) ended Nix"
    for pattern, headline, want, fix in _FAULTS:
        if pattern.search(message):
            at = name_disks() if pattern is _FULL else "Nix"
            return KernelBuilderError(headline, [Problem(at, message, want, fix)])
    return NixError(message or "Nix fails, and does not say why")

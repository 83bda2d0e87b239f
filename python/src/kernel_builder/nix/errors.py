"""Nix's errors, as the user reads them."""

import re
import signal
from textwrap import dedent, indent
from typing import Final

from kernel_builder.messages.errors import INDENT, KernelBuilderError, Problem

MORE_SPACE: Final = (
    "free some space (TMPDIR moves the temporary files) and run this again; "
    "what has arrived is kept (docs/troubleshooting/disk-full.md)"
)
# Colours, the "erase to the end of the line" that gcc writes after each of them, and gcc's links.
COLOUR: Final = re.compile(r"\x1b\[[0-9;]*[mK]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)")
_FULL: Final = re.compile(r"No space left on device|database or disk is full")
_ERROR_LINE = re.compile(r"^ *error: ?", re.MULTILINE)
_GIT_LINE = re.compile(r"^fatal: (.*)", re.MULTILINE)
# The page that came with a status of HTTP, and the hint about traces.
_NOISE = re.compile(r"(?<!\s)\s+response body:[\s\S]*|^ *\((?=.*--show-trace).*\)$", re.MULTILINE)


class NixError(KernelBuilderError):
    """Nix refused; the message is that of Nix, without the trace."""


def read_message(stderr: str, with_trace: bool = False) -> str:
    """Return the last error in the output of Nix, without trace and colour.

    Nix indents what follows the first line, by how much depends on its version and on whether
    there is a trace; here it always stands under the first line's text.
    """
    text = _NOISE.sub("", COLOUR.sub("", stderr))
    errors = list(_ERROR_LINE.finditer(text))
    if not errors:
        return text.strip()
    if with_trace:
        return text[errors[0].end() :].strip()
    first, _, rest = text[errors[-1].end() :].partition("\n")
    # Nix says that git failed, and git why.
    rest = "\n".join([*_GIT_LINE.findall(text), rest]) if "program 'git' failed" in first else rest
    return f"{first}\n{indent(dedent(rest), INDENT)}".strip()


def is_full(text: str) -> bool:
    """Return whether a program says that a disk is full."""
    return _FULL.search(text) is not None


def make_nix_error(message: str, status: int = 1) -> KernelBuilderError:
    """Return the error for a message of Nix; a negative `status` is the signal that ended Nix."""
    if is_full(message):
        import tempfile

        # These folders may be on several disks.
        place = f"/nix, or {tempfile.gettempdir()} (TMPDIR)"
        problem = Problem(place, message, "room for what Nix writes", MORE_SPACE)
        return KernelBuilderError("no space left for Nix", [problem])
    if not message and status < 0:
        message = f"signal {-status} ({signal.strsignal(-status)}) ended Nix"
    return NixError(message or "Nix fails, and does not say why")

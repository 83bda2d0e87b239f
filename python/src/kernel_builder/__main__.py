"""Entry point: runs the command line and turns exceptions into messages and an exit status."""

from __future__ import annotations

import errno
import os
import signal
import sys
from types import FrameType

from kernel_builder.messages.errors import KernelBuilderError, Problem
from kernel_builder.messages.terminal import complain

INTERRUPTED = 130
# Shows where in the code an error came from.
DEBUG = "KERNEL_BUILDER_DEBUG"


def _end(_signal: int, _frame: FrameType | None) -> None:
    # As an exception it reaches everything that has temporary files to take away.
    raise KeyboardInterrupt


def _explain(error: Exception) -> KernelBuilderError:
    """Return an error that nothing else has explained as a message with a way out."""
    if isinstance(error, KernelBuilderError):
        return error
    if isinstance(error, ModuleNotFoundError):
        problem = Problem(
            at=sys.executable,
            found=f"no module named {error.name}",
            want="the packages of python/pyproject.toml",
            fix="run ./install.sh in the kernel-builder checkout, or install it with pip",
        )
        return KernelBuilderError(f"the Python package {error.name} is missing", [problem])
    if isinstance(error, OSError):
        at = str(error.filename or "this machine")
        found = error.strerror or str(error)
        want, fix = "a file that can be used", "correct the path, or see to its rights and its disk"
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            want, fix = "a disk with room", "free some space, and run this again"
        return KernelBuilderError(f"{at}: {found}", [Problem(at, found, want, fix)])
    if isinstance(error, UnicodeDecodeError):
        found = f"{error.reason}: {error.object[error.start : error.start + 20]!r}"
        problem = Problem("a file that is read", found, "text in UTF-8", "save it as UTF-8")
        return KernelBuilderError("a file is not UTF-8", [problem])
    from traceback import extract_tb

    where = extract_tb(error.__traceback__)[-1]
    problem = Problem(
        at=f"{where.filename}, line {where.lineno}",
        found=f"{type(error).__name__}: {error}",
        want="a program without this defect",
        fix=f"run it again with {DEBUG}=1 and report what it shows",
    )
    return KernelBuilderError(f"internal error: {type(error).__name__}", [problem])


def _show(error: Exception) -> int:
    if os.environ.get(DEBUG):
        import traceback

        from kernel_builder.messages.secrets import redact

        # A traceback may show what a request was made of.
        print(redact(traceback.format_exc()), file=sys.stderr)
    explained = _explain(error)
    complain("error", str(explained))
    return explained.exit_code


def main() -> None:
    """Run one command."""
    signal.signal(signal.SIGTERM, _end)
    # `nohup` has it ignored, and then a build outlives its terminal.
    if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:
        signal.signal(signal.SIGHUP, _end)
    try:
        import click

        from kernel_builder.commands.group import PROGRAM, cli
    except ModuleNotFoundError as error:
        sys.exit(_show(error))
    try:
        status = cli.main(prog_name=PROGRAM, standalone_mode=False)
    except click.ClickException as error:
        error.show()
        status = error.exit_code
    except (click.Abort, KeyboardInterrupt):
        complain("error", "interrupted; run it again to go on")
        status = INTERRUPTED
    except BrokenPipeError:
        # The reader of our output has seen enough.
        sys.stderr.close()
        status = 1
    except Exception as error:
        status = _show(error)
    sys.exit(status if isinstance(status, int) else 0)


if __name__ == "__main__":
    main()

"""Entry point: runs the command line and turns exceptions into messages and an exit status."""

from __future__ import annotations

import signal
import sys
from types import FrameType

try:
    import click
except ModuleNotFoundError:
    sys.exit(
        "error: the Python package click is missing (1 problem)\n\n"
        f"       at     {sys.executable}\n"
        "       found  no module named click\n"
        "       want   click 8.1 or newer\n"
        "       fix    run ./install.sh in the kernel-builder checkout, or install click with pip"
    )

from kernel_builder.commands.group import PROGRAM, cli
from kernel_builder.messages.errors import KernelBuilderError
from kernel_builder.messages.terminal import complain

INTERRUPTED = 130


def _end(_signal: int, _frame: FrameType | None) -> None:
    # As an exception it reaches everything that has temporary files to take away.
    raise KeyboardInterrupt


def main() -> None:
    """Run one command."""
    signal.signal(signal.SIGTERM, _end)
    try:
        status = cli.main(prog_name=PROGRAM, standalone_mode=False)
    except KernelBuilderError as error:
        complain("error", str(error))
        status = error.exit_code
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
    sys.exit(status if isinstance(status, int) else 0)


if __name__ == "__main__":
    main()

"""Run the command line, and turn exceptions into messages and an exit status."""

import io
import os
import pwd
import signal
import sys
import traceback
from contextlib import suppress
from types import FrameType
from typing import Any, TextIO, cast

from kernel_builder.messages import terminal
from kernel_builder.messages.errors import DEBUG, KernelBuilderError, Problem, describe_error
from kernel_builder.messages.terminal import CleanOutput, complain
from kernel_builder.settings import current_settings

INTERRUPTED = 130


class Terminated(KeyboardInterrupt):
    """A signal that ends the program, after everything has removed its temporary files."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.status = 128 + number


def _terminate(number: int, _frame: FrameType | None) -> None:
    raise Terminated(number)


def _show_error(error: Exception) -> int:
    """Print an error, as JSON too if requested; return the exit status."""
    if os.environ.get(DEBUG):
        # A traceback may show the headers of a request.
        print(terminal.clean(traceback.format_exc()), file=sys.stderr)
    described = describe_error(error)
    complain("error", str(described))
    _print_as_json(str(described), described.as_data())
    return described.exit_code


def _print_as_json(message: str, problems: list[dict[str, Any]]) -> None:
    """Print an error as JSON if that is requested, and no result is there."""
    if current_settings().as_json and not getattr(sys.stdout, "has_text", False):
        # A closed output loses nothing: the message is on standard error, too.
        with suppress(OSError):
            terminal.print_json({"message": message, "problems": problems})


def _check_folders() -> None:
    """Set HOME where it is missing, as under systemd: Nix, git and pip need it."""
    temporary = os.environ.get("TMPDIR")
    if temporary and not os.access(temporary, os.X_OK):
        fix = "make the folder, or unset TMPDIR"
        problem = Problem("the variable TMPDIR", temporary, "an existing folder", fix)
        raise KernelBuilderError("there is no folder for temporary files", [problem])
    try:
        os.environ["HOME"] = os.environ.get("HOME") or pwd.getpwuid(os.getuid()).pw_dir
    except KeyError as error:
        fix = "set it: HOME=/tmp/home kernel-builder …"
        problem = Problem("the variable HOME", str(error), "a folder for settings and caches", fix)
        raise KernelBuilderError("there is no home folder", [problem]) from None


def _discard_output() -> None:
    """Discard output that cannot be written. Python would print an error about it at exit."""
    try:
        if sys.stdout:
            sys.stdout.flush()
    except OSError:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


def main() -> None:
    """Run one command."""
    for output in (sys.stdout, sys.stderr):
        # A name may have characters that the terminal lacks. A closed output is None.
        if isinstance(output, io.TextIOWrapper):
            output.reconfigure(errors="backslashreplace")
    signal.signal(signal.SIGTERM, _terminate)
    # Under `nohup` the signal is ignored, and the build goes on without its terminal.
    if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:
        signal.signal(signal.SIGHUP, _terminate)
    if sys.stdout:
        sys.stdout = cast("TextIO", CleanOutput(sys.stdout))
    try:
        _check_folders()
        import click

        from kernel_builder.commands.group import PROGRAM, cli
    except (KernelBuilderError, ModuleNotFoundError) as error:
        sys.exit(_show_error(error))
    try:
        status = cli.main(prog_name=PROGRAM, standalone_mode=False)
        if sys.stdout:
            sys.stdout.flush()
    except click.ClickException as error:
        error.show()
        _print_as_json(error.format_message(), [])
        status = error.exit_code
    except (click.Abort, KeyboardInterrupt) as error:
        _show_error(KernelBuilderError("interrupted; run it again to go on"))
        # click raises another exception because of this one.
        status = getattr(error.__cause__ or error, "status", INTERRUPTED)
    except BrokenPipeError:
        # The reader of the output has closed it.
        status = 1
    except Exception as error:
        status = _show_error(error)
    _discard_output()
    sys.exit(status if isinstance(status, int) else 0)


if __name__ == "__main__":
    main()

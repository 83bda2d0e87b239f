"""Run the command line, and turn exceptions into messages and an exit status."""

import io
import os
import pwd
import signal
import sys
import traceback
from contextlib import suppress
from types import FrameType
from typing import Any

from kernel_builder.machine.watchdog import SIGNALS, heed, watch
from kernel_builder.messages import terminal
from kernel_builder.messages.errors import DEBUG, KernelBuilderError, Problem, describe_error
from kernel_builder.messages.terminal import complain
from kernel_builder.settings import change_settings, current_settings


def _terminate(number: int, _frame: FrameType | None) -> None:
    heed()
    raise KeyboardInterrupt(number)


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
    """Print an error as JSON if that is requested."""
    # A closed output loses nothing: the message is on standard error, too.
    with suppress(OSError):
        terminal.print_result({"message": message, "problems": problems})


def _find_home() -> None:
    """Set HOME where it is missing, as under systemd: Nix, git and pip need it."""
    try:
        os.environ["HOME"] = os.environ.get("HOME") or pwd.getpwuid(os.getuid()).pw_dir
    except KeyError as error:
        fix = "set it: HOME=/tmp/home kernel-builder …"
        problem = Problem("the variable HOME", str(error), "a folder for settings and caches", fix)
        raise KernelBuilderError("there is no home folder", [problem]) from None


def _run() -> int:
    """Run the command; return its exit status."""
    _find_home()
    import click

    from kernel_builder.commands.group import PROGRAM, cli
    from kernel_builder.extras import load_completion

    if "_KERNEL_BUILDER_COMPLETE" in os.environ:
        load_completion()
    try:
        status = cli.main(prog_name=PROGRAM, standalone_mode=False)
    except click.ClickException as error:
        # The nearest option comes first.
        del (getattr(error, "possibilities", None) or [])[1:]
        error.show()
        # click has not read the words behind the wrong one.
        change_settings(as_json=current_settings().as_json or "--json" in sys.argv)
        _print_as_json(error.format_message(), [])
        return error.exit_code
    except click.Abort as error:
        raise error.__cause__ or KeyboardInterrupt from None
    return status if isinstance(status, int) else 0


def main() -> None:
    """Run one command."""
    for output in (sys.stdout, sys.stderr):
        # A name may have characters that the terminal lacks. A closed output is None.
        if isinstance(output, io.TextIOWrapper):
            output.reconfigure(errors="backslashreplace")
    watch()
    for number in SIGNALS:
        # Under `nohup` one is ignored, and the build goes on without its terminal.
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _terminate)
    sys.stdout = sys.stdout or io.StringIO()
    try:
        status = _run()
        sys.stdout.flush()
    except KeyboardInterrupt as error:
        _show_error(KernelBuilderError("interrupted; run it again to go on"))
        # A program that was not to start has none.
        status = 128 + (error.args or (signal.SIGINT,))[0]
    except BrokenPipeError:
        # The reader of the output has closed it.
        status = 1
    except Exception as error:
        status = _show_error(error)
    try:
        sys.stdout.flush()
    except OSError:
        # Python would print an error about output that cannot be written at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(status)


if __name__ == "__main__":
    main()

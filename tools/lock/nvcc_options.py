"""`tools/bin/lock-nvcc-options`: writes the table of nvcc's options from its `--help`."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import click
from packaging.version import Version

from kernel_builder.kernel.builder import find_root
from kernel_builder.machine.process import MissingProgramError, run
from kernel_builder.messages.errors import KernelBuilderError, Problem
from lock.pins import dump, write_whole
from lock.start import start

FILE: Final = "backends/cuda/nvcc-options.json"
# `--optimize <level>   (-O)`, at the beginning of a line.
_OPTION: Final = re.compile(r"(--[\w-]+)(?: +(\S.*?))? +\(?(--?[\w-]+)\)?\s*")
# With fewer options, the text is not the help of nvcc.
_FEWEST: Final = 100

Options = dict[str, dict[str, Any]]


def parse_help(text: str) -> Options:
    """Return the options by long name, each with its short name and the form of its value."""
    options = {}
    for line in text.splitlines():
        option = _OPTION.fullmatch(line)
        if option:
            long, value, short = option.groups()
            form = "none" if value is None else "list" if value.endswith(",...") else "one"
            options[long] = {"short": short, "value": form}
    return options


def read_help(nvcc: str) -> tuple[str, Options]:
    """Return a compiler's release, such as "13.0", and its options."""
    try:
        version, text = (run([nvcc, word]).stdout for word in ("--version", "--help"))
    except MissingProgramError:
        version = text = ""
    release = re.search(r"release (\d+\.\d+),", version)
    options = parse_help(text)
    if not release or len(options) < _FEWEST:
        problem = Problem(
            at=nvcc,
            found=f"{len(options)} options in its --help",
            want="nvcc of a CUDA toolkit",
            fix="name the program bin/nvcc of a toolkit that was built",
        )
        raise KernelBuilderError("the options of nvcc cannot be listed", [problem])
    return release[1], options


def merge(data: Mapping[str, Any], found: Mapping[str, Options]) -> dict[str, Any]:
    """Return the table with the data of the found releases replaced."""
    known = {
        release: {
            long: {key: option[key] for key in ("short", "value")}
            for long, option in data["options"].items()
            if release in option.get("only", data["releases"])
        }
        for release in data["releases"]
    }
    known.update(found)
    releases = sorted(known, key=Version)
    options: Options = {}
    for release in releases:
        for long, option in known[release].items():
            # If two releases differ, the newer text has been right for both so far.
            options[long] = dict(option)
    for long, option in options.items():
        having = [release for release in releases if long in known[release]]
        if having != releases:
            option["only"] = having
    return {"releases": releases, "options": options}


@click.command("lock-nvcc-options")
@click.argument("compilers", metavar="NVCC...", nargs=-1, required=True)
def command(compilers: tuple[str, ...]) -> None:
    """Add the options of each NVCC to the table of all releases.

    What an option does is written by hand, in option-effects.json beside the table: a new one
    keeps units whole until somebody has looked at it.
    """
    file = find_root() / FILE
    data = json.loads(file.read_text()) if file.exists() else {"releases": [], "options": {}}
    merged = merge(data, dict(read_help(nvcc) for nvcc in compilers))
    write_whole(file, dump(merged))
    new = sorted(merged["options"].keys() - data["options"].keys())
    click.echo(
        f"{Path(FILE).name}: {len(merged['options'])} options, new: {', '.join(new) or 'none'}"
    )


if __name__ == "__main__":
    start(command)

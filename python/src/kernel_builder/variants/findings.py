"""What the steps of builds warn about, from their outputs: a build out of a store says it, too."""

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from kernel_builder.machine.files import read_file
from kernel_builder.messages.errors import KernelBuilderError
from kernel_builder.messages.terminal import complain

# The folder beside variants: a file for each variant with findings, and one of all of them.
FINDINGS: Final = "findings"
ALL: Final = "all"


def show_findings(folder: Path, name: str = ALL, build: object = None) -> Sequence[Mapping[str, Any]]:
    """Print the findings of a variant in the folder `FINDINGS` below `folder`; return them as data.

    There are none if the file is not there, damaged or not of this build.
    """
    found = []
    with suppress(OSError, ValueError, LookupError, TypeError, AttributeError, KernelBuilderError):
        data = json.loads(read_file(folder / FINDINGS / f"{name}.json"))
        for each in data["findings"] if data["id"] == build else ():
            found.append({"headline": str(each["headline"]), "problems": [*each["problems"]]})
            complain("warning", str(each["text"]))
    return found

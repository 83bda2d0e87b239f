"""Print what Torch's stable interface declares, the table tables/names.json.

Run as `PYTHONPATH=tools:python/src python3 -m stable_abi_report.stable_names INCLUDE VERSION`, with
the folder of the headers of a Torch and its version. Torch marks newer parts of the stable
interface with the release that they came with; what is not marked was there before 2.10.
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

from lock.pins import dump

OLDEST = "2.9"
GUARD = re.compile(r"#if TORCH_FEATURE_VERSION >= TORCH_VERSION_(\d+)_(\d+)_\d+")
FUNCTION = re.compile(r"inline (?:[\w:]+ ?[&*]?) (\w+)\(")
METHOD = re.compile(r"  (?:const )?[\w:]+[&*]? ?[&*]?(\w+)\([^)]*\) const(?: \{|;)")
MACRO = re.compile(r"#\s*define ((?:AT|C10|CUDA|TORCH)_\w+)")
# Types, constants and functions of `namespace c10`, `at` and their header-only twins.
DECLARED = re.compile(
    r"(?:^|\s)(?:struct|class|enum class|using)\s+"
    r"(?:alignas\(\d+\)\s+)?(?:C10_API\s+)?([A-Z]\w+)\b(?!;)"
)


def declared(file: Path, pattern: "re.Pattern[str]") -> "Iterator[tuple[str, str]]":
    """Yield names of a header with the first release that has them."""
    since: list[str] = []
    for line in file.read_text().splitlines():
        if line.startswith("#if"):
            guard = GUARD.match(line)
            since.append(f"{guard[1]}.{guard[2]}" if guard else "")
        elif line.startswith("#endif"):
            since.pop()
        found = pattern.match(line)
        if found:
            yield found[1], next((version for version in reversed(since) if version), OLDEST)


def first(*names: "Iterator[tuple[str, str]]") -> "dict[str, str]":
    """Return each name with its oldest release."""
    oldest: dict[str, str] = {}
    for each in names:
        for name, since in each:
            oldest[name] = min(oldest.get(name, since), since, key=lambda version: int(version[2:]))
    return dict(sorted(oldest.items()))


def main(include: str, version: str) -> None:
    """Print the names."""
    stable, headers = Path(include) / "torch/csrc/stable", Path(include) / "torch/headeronly"
    texts = [file.read_text() for file in sorted(headers.rglob("*.h"))]
    stable_texts = [file.read_text() for file in sorted(stable.glob("*.h"))]
    names = {
        "torch": version,
        "functions": first(declared(stable / "ops.h", FUNCTION)),
        "methods": first(declared(stable / "tensor_struct.h", METHOD)),
        "macros": sorted(
            {name for text in [*texts, *stable_texts] for name in MACRO.findall(text)}
        ),
        "operators": " ".join(
            sorted(file.stem[:-4] for file in (Path(include) / "ATen/ops").glob("*_ops.h"))
        ),
        "headeronly": sorted({name for text in texts for name in DECLARED.findall(text)}),
    }
    print(dump(names), end="")


if __name__ == "__main__":
    main(*sys.argv[1:])

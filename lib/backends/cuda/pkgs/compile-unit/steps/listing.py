"""The kernels of a unit, as a pass lists them for the host."""

from pathlib import Path


def registered(a_pass: Path) -> "set[str]":
    """Return the kernels that the host registers, by their names in the device code."""
    # A handle, the function that stands for it, its name; then its bounds, which may be any expression.
    calls = (a_pass / "stub.c").read_text().split("__cudaRegisterEntry(")[1:]
    return {_arguments(call)[2] for call in calls}


def with_most(passes: "list[Path]") -> Path:
    """Return the pass that lists the most kernels, the first of these: the host's part is compiled with its list."""
    return max(passes, key=lambda each: len(registered(each)))


def _arguments(call: str) -> "list[str]":
    """Return the arguments of the call whose text begins with the first of them."""
    found, depth = [""], 0
    for character in call:
        depth += {"(": 1, ")": -1}.get(character, 0)
        if depth < 0:
            break
        if character == "," and depth == 0:
            found.append("")
        else:
            found[-1] += character
    return [argument.strip() for argument in found]

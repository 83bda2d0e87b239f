"""Read the kernels that a pass lists for the host."""

from pathlib import Path


def registered(a_pass: Path) -> "set[str]":
    """Return the kernels that the host registers, by their names in the device code."""
    # The arguments are a handle, the host function, the name, and launch bounds, which may be any expressions.
    calls = (a_pass / "stub.c").read_text().split("__cudaRegisterEntry(")[1:]
    return {_arguments(call)[2] for call in calls}


def with_most(passes: "list[Path]") -> Path:
    """Return the first of the passes with the most kernels. The host pass uses its list."""
    return max(passes, key=lambda each: len(registered(each)))


def _arguments(call: str) -> "list[str]":
    """Return the arguments of a call, from a text that begins with the first one."""
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

"""Read what a pass stores about itself, and the kernels that it lists for the host."""

from files import read_text


def read_fact(a_pass: str, name: str) -> str:
    """Return a fact of a pass: "arch", "target", "headers", "set" or "options"; lists have one word a line."""
    return read_text(f"{a_pass}/{name}")


def registered(a_pass: str) -> "set[str]":
    """Return the kernels that the host registers, by their names in the device code."""
    # The arguments are a handle, the host function, the name, and launch bounds, which may be any expressions.
    calls = read_text(f"{a_pass}/stub.c").split("__cudaRegisterEntry(")[1:]
    return {_arguments(call)[2] for call in calls}


def with_most(passes: "list[str]") -> str:
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

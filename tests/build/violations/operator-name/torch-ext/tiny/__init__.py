from ._ops import ops


def answer() -> int:
    return ops.anser()

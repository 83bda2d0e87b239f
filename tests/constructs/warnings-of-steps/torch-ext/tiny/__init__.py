from ._ops import ops


def answer() -> int:
    return ops.answer()


def run() -> None:
    from .missing import thing

    thing()

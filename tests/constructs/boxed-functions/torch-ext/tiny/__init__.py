from ._ops import ops


def answer():
    return ops.answer(1.0)

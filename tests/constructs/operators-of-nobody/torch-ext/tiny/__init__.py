from ._ops import ops


def answer(x):
    return ops.answer(x)

from ._ops import ops

if ops.answer() == 42:
    raise RuntimeError("the answer is wrong")

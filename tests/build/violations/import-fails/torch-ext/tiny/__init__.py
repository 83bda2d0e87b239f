from ._ops import ops

if ops.answer() == 42:
    raise RuntimeError("this kernel wants a GPU to be imported")

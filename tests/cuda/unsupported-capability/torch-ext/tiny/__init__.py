from ._ops import ops

ready = ops.ready

from ._ops import ops as ops

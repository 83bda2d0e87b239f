from . import scratch

SPACE = scratch.SPACE

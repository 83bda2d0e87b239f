"""Uses what libstdc++ has code for in its static library, to see that it loads and works."""

from ._ops import ops

__all__ = ["ops"]

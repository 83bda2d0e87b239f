from .layers import ANSWER

assert ANSWER == 42

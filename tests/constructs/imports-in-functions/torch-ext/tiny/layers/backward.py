def backward(x):
    from ....utils import helper

    return helper(x)


def other(x):
    from ..missing import thing

    return thing(x)

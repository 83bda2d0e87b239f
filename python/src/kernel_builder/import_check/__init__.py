"""Checks that a built variant can be imported with `kernels.get_kernel`, as its users do.

Builders run these modules without the rest of the package; they import only `messages.problem`.
"""

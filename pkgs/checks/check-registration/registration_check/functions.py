"""The functions of Torch that register something under the name of an operator."""

PREFIX = "add_op_namespace_prefix"
# The same in a kernel for TVM FFI.
PREFIXES = (PREFIX, f"torch_{PREFIX}")

# Their public home, and the modules inside Torch that they can be had from.
MODULES = ("torch.library", "torch._library.custom_ops", "torch._library.triton", "torch._custom_ops")
LIBRARIES = tuple(f"{module}.{name}" for module in MODULES for name in ("Library", "_scoped_library"))

# The parameter that is the operator's name; it is always the first.
PARAMETERS = {
    "custom_op": "name",
    "define": "qualname",
    "impl": "qualname",
    "impl_abstract": "qualname",
    "register_autocast": "op",
    "register_autograd": "op",
    "register_fake": "op",
    "register_kernel": "op",
    "register_torch_dispatch": "op",
    "register_vmap": "op",
    "triton_op": "name",
}

# The same for the methods of `torch.library.Library`.
METHODS = {
    "define": "schema",
    "impl": "op_name",
    "register_symm_mem_args": "op_name",
    "_register_fake": "op_name",
    "_impl_with_aoti_compile": "op_name",
}


def parameter_of(path: str) -> "str | None":
    """Return the parameter that names the operator, if the function at a dotted path registers one."""
    module, _, name = path.rpartition(".")
    return PARAMETERS.get(name) if module in MODULES else None

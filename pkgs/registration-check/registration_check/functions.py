"""The functions of Torch that register something under the name of an operator."""

from dataclasses import dataclass

PREFIX = "add_op_namespace_prefix"

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
METHODS = {"define": "schema", "impl": "op_name", "_register_fake": "op_name", "_impl_with_aoti_compile": "op_name"}


@dataclass(frozen=True)
class Registration:
    """A function that registers, by its name, and the parameter that names the operator."""

    name: str
    parameter: str


def registration(path: str) -> "Registration | None":
    """Return the function at a dotted path if it is one that registers."""
    module, _, name = path.rpartition(".")
    if module in MODULES and name in PARAMETERS:
        return Registration(name, PARAMETERS[name])
    return None

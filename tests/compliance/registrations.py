"""Modules with registrations that the checks have to find, and modules that are fine."""

BAD = {
    "custom_op": """
import torch
@torch.library.custom_op("tiny::op", mutates_args=())
def op(x): ...
""",
    "triton_op": """
import torch
@torch.library.triton_op("tiny::op", mutates_args={})
def op(x): ...
""",
    "register_kernel": 'import torch\ntorch.library.register_kernel("tiny::op", "cpu", f)',
    "register_fake": 'import torch\ntorch.library.register_fake("tiny::op")(lambda x: x)',
    "register_vmap": 'import torch\n@torch.library.register_vmap("tiny::op")\ndef f(x): ...',
    "register_torch_dispatch": (
        'import torch\n@torch.library.register_torch_dispatch("tiny::op", Mode)\ndef f(x): ...'
    ),
    "register_autocast": (
        'import torch\ntorch.library.register_autocast("tiny::op", "cuda", torch.float16)'
    ),
    "register_autograd": 'import torch\ntorch.library.register_autograd("tiny::op", backward)',
    "no namespace at all": 'import torch\n@torch.library.register_fake("op")\ndef f(x): ...',
    "the function by its name": (
        'from torch.library import register_fake\n@register_fake("tiny::op")\ndef f(x): ...'
    ),
    "the function under another name": (
        'from torch.library import register_fake as rf\n@rf("tiny::op")\ndef f(x): ...'
    ),
    "torch under another name": 'import torch as t\nt.library.register_fake("tiny::op")(f)',
    "a star": 'from torch.library import *\n@register_fake("tiny::op")\ndef f(x): ...',
    "getattr": 'import torch\ngetattr(torch.library, "register_fake")("tiny::op")(f)',
    "torch's own module": (
        "import torch\nfrom torch._library.custom_ops import custom_op\n"
        '@custom_op("tiny::op", mutates_args=())\ndef op(x: torch.Tensor) -> torch.Tensor: ...'
    ),
    "a constant": 'import torch\nOP = "tiny::op"\n@torch.library.register_fake(OP)\ndef f(x): ...',
    "an f-string": (
        'import torch\nNAME = "op"\n@torch.library.register_fake(f"tiny::{NAME}")\ndef f(x): ...'
    ),
    "an f-string with something unknown": (
        'import torch\ndef go(name):\n    torch.library.register_fake(f"tiny::{name}")(f)'
    ),
    "in a class, in a function": (
        "import torch\nclass A:\n    def g(self):\n        if True:\n"
        '            @torch.library.register_fake("tiny::op")\n            def f(x): ...'
    ),
    "define": 'import torch\ntorch.library.define("tiny::op", "(Tensor x) -> Tensor")',
    "impl": 'import torch\n@torch.library.impl("tiny::op", "cpu")\ndef f(x): ...',
    "a library": 'import torch\nlib = torch.library.Library("tiny", "DEF")',
    "a library by keyword": 'from torch.library import Library\nLibrary(ns="tiny", kind="DEF")',
    "a library for a while": (
        'import torch\nwith torch.library._scoped_library("tiny", "DEF") as lib:\n    pass'
    ),
    "a name with a namespace on a library that is fine": (
        "import torch\nfrom ._ops import ops\n"
        'lib = torch.library.Library(ops.name, "FRAGMENT")\nlib.impl("aten::relu", f, "CPU")'
    ),
}

GOOD = {
    "the prefix of a kernel for TVM FFI": (
        "import torch\nfrom ._ops import torch_add_op_namespace_prefix as prefixed\n"
        '@torch.library.register_fake(prefixed("op"))\ndef f(x): ...'
    ),
    "the prefix": """
import torch
from ._ops import add_op_namespace_prefix, ops
@torch.library.register_fake(add_op_namespace_prefix("op"))
def f(x): ...
""",
    "a variable with the prefix": """
import torch
from ._ops import add_op_namespace_prefix
OP = add_op_namespace_prefix("op")
torch.library.register_fake(OP)(f)
torch.library.register_kernel(f"{OP}", "cpu")(f)
torch.library.register_kernel(OP + ".default", "cpu")(f)
""",
    "the namespace of ops, which cannot be known": """
import torch
from ._ops import ops
torch.library.register_fake(f"{ops.name}::op")(f)
torch.library.register_fake(ops.op.default)(f)
lib = torch.library.Library(ops.name, "FRAGMENT")
lib.define("op(Tensor x) -> Tensor")
lib.impl("op", f, "CPU")
torch.library.impl(lib, "op", "CPU")(f)
""",
    "a parameter": """
import torch
OP = "tiny::op"
def register(OP):
    torch.library.register_fake(OP)(f)
""",
    "a function of the kernel's own": """
import torch
from ._ops import add_op_namespace_prefix
def name_of(op):
    return add_op_namespace_prefix(op)
torch.library.register_fake(name_of("op"))(f)
""",
    "another function of the same name": """
from .registry import register_fake
register_fake("tiny::op")
def custom_op(name): ...
custom_op("tiny::op")
""",
    "a method of an operator": """
import torch
from ._ops import add_op_namespace_prefix
@torch.library.custom_op(add_op_namespace_prefix("op"), mutates_args=())
def op(x): ...
@op.register_fake
def fake(x): ...
""",
    "no registration": 'import torch\ntorch.library.opcheck("tiny::op")\ntorch.ops.load("x")',
}

# Cases of BAD that only the import check finds.
ONLY_AT_IMPORT = {
    "torch under another name",
    "a star",
    "getattr",
    "torch's own module",
    "a constant",
    "a library by keyword",
    "a name with a namespace on a library that is fine",
}
# Cases of BAD in a function that the import does not call.
ONLY_LATER = {"an f-string with something unknown", "in a class, in a function"}

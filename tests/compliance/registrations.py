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
    "the module under another name": (
        'import torch.library as tl\n@tl.register_fake("tiny::op")\ndef f(x): ...'
    ),
    "the module in a variable": (
        'import torch\nlib = torch.library\n@lib.register_fake("tiny::op")\ndef f(x): ...'
    ),
    "the function in a variable": (
        'import torch\nfake = torch.library.register_fake\n@fake("tiny::op")\ndef f(x): ...'
    ),
    "torch under another name": 'import torch as t\nt.library.register_fake("tiny::op")(f)',
    "from torch": 'from torch import library\n@library.register_fake("tiny::op")\ndef f(x): ...',
    "a star": 'from torch.library import *\n@register_fake("tiny::op")\ndef f(x): ...',
    "getattr": 'import torch\ngetattr(torch.library, "register_fake")("tiny::op")(f)',
    "import_module": (
        'import importlib\nimportlib.import_module("torch.library").register_fake("tiny::op")(f)'
    ),
    "partial": (
        "import functools\nfrom torch.library import register_fake\n"
        'functools.partial(register_fake, "tiny::op")()(f)'
    ),
    "torch's own module": (
        "import torch\nfrom torch._library.custom_ops import custom_op\n"
        '@custom_op("tiny::op", mutates_args=())\ndef op(x: torch.Tensor) -> torch.Tensor: ...'
    ),
    "a constant": 'import torch\nOP = "tiny::op"\n@torch.library.register_fake(OP)\ndef f(x): ...',
    "a constant with a type": (
        'import torch\nOP: str = "tiny::op"\n@torch.library.register_fake(OP)\ndef f(x): ...'
    ),
    "one of two constants": (
        "import torch\nOP = 'tiny::op' if torch.cuda.is_available() else 'tiny::op_cpu'\n"
        "torch.library.register_fake(OP)(f)"
    ),
    "an f-string": (
        'import torch\nNAME = "op"\n@torch.library.register_fake(f"tiny::{NAME}")\ndef f(x): ...'
    ),
    "an f-string with something unknown": (
        'import torch\ndef go(name):\n    torch.library.register_fake(f"tiny::{name}")(f)'
    ),
    "a sum": 'import torch\nNS = "tiny"\ntorch.library.register_fake(NS + "::" + "op")(f)',
    "percent": 'import torch\ntorch.library.register_fake("tiny::%s" % name)(f)',
    "format": 'import torch\ntorch.library.register_fake("tiny::{}".format(name))(f)',
    "a loop": (
        "import torch\n"
        'for name in ("tiny::a", "tiny::b"):\n    torch.library.register_fake(name)(f)'
    ),
    "an assignment inside": 'import torch\ntorch.library.register_fake((n := "tiny::op"))(f)',
    "in a class, in a function": (
        "import torch\nclass A:\n    def g(self):\n        if True:\n"
        '            @torch.library.register_fake("tiny::op")\n            def f(x): ...'
    ),
    "a constant of a class, in its body": (
        'import torch\nclass A:\n    OP = "tiny::op"\n    torch.library.register_fake(OP)(f)'
    ),
    "a constant of the module, where a class has another": """
import torch
from ._ops import add_op_namespace_prefix
OP = "tiny::op"
class A:
    OP = add_op_namespace_prefix("op")
    def register(self):
        torch.library.register_fake(OP)(f)
A().register()
""",
    "a decorator in a class": """
import torch
class A:
    OP = "tiny::op"
    @torch.library.register_fake(OP)
    def fake(OP): ...
""",
    "define": 'import torch\ntorch.library.define("tiny::op", "(Tensor x) -> Tensor")',
    "impl": 'import torch\n@torch.library.impl("tiny::op", "cpu")\ndef f(x): ...',
    "a library": 'import torch\nlib = torch.library.Library("tiny", "DEF")',
    "a library by keyword": 'from torch.library import Library\nLibrary(ns="tiny", kind="DEF")',
    "a library with a constant": (
        'from torch.library import Library as L\nNS = "tiny"\nL(NS, "FRAGMENT")'
    ),
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
    "the prefix under another name": """
from torch.library import custom_op
from .._ops import add_op_namespace_prefix as p
@custom_op(p("op"), mutates_args=())
def f(x): ...
""",
    "the prefix through its module": """
import torch
from . import _ops
torch.library.register_fake(_ops.add_op_namespace_prefix("op"))(f)
""",
    "the prefix through the whole package": """
import torch
from tiny._ops import add_op_namespace_prefix
torch.library.register_fake(add_op_namespace_prefix("op"))(f)
""",
    "a variable with the prefix": """
import torch
from ._ops import add_op_namespace_prefix
OP = add_op_namespace_prefix("op")
torch.library.register_fake(OP)(f)
torch.library.register_kernel(f"{OP}", "cpu")(f)
torch.library.register_kernel(OP + ".default", "cpu")(f)
""",
    "the prefix in an f-string": """
import torch
from ._ops import add_op_namespace_prefix
torch.library.register_fake(f"{add_op_namespace_prefix('op')}")(f)
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
    "a constant of a class, which its methods do not see": """
import torch
from ._ops import add_op_namespace_prefix
OP = add_op_namespace_prefix("op")
class A:
    OP = "tiny::op"
    def register(self):
        torch.library.register_fake(OP)(f)
    later = lambda: torch.library.register_fake(OP)(f)
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
    "a method of the same name": 'class A:\n    def define(self, x): ...\nA().define("tiny::op")',
    "no registration": 'import torch\ntorch.library.opcheck("tiny::op")\ntorch.ops.load("x")',
}

# Cases of BAD that only the import check finds.
ONLY_AT_IMPORT = {
    "the module under another name",
    "the module in a variable",
    "the function in a variable",
    "torch under another name",
    "from torch",
    "a star",
    "getattr",
    "import_module",
    "partial",
    "torch's own module",
    "a constant",
    "a constant with a type",
    "one of two constants",
    "a sum",
    "percent",
    "format",
    "a loop",
    "an assignment inside",
    "a constant of a class, in its body",
    "a constant of the module, where a class has another",
    "a decorator in a class",
    "a library by keyword",
    "a library with a constant",
    "a name with a namespace on a library that is fine",
}
# Cases of BAD in a function that the import does not call.
ONLY_LATER = {"an f-string with something unknown", "in a class, in a function"}

"""torch.library.opcheck on the calls of a kernel's own tests, for a kernel of Python alone."""

import json
from pathlib import Path

import pytest

from tests.evaluation import build, call, evaluate, outputs_of, read_log
from tests.tiny_kernel import NOARCH, TinyKernel

VARIANT = "torch-cpu"
MODULE = """\
import os

import torch

from ._ops import add_op_namespace_prefix, ops

library = torch.library.Library(ops.name, "FRAGMENT")


class Double(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, grad):
        return grad * 2


def define(schema, code, fake=torch.empty_like):
    name = schema.partition("(")[0]
    library.define(schema)
    library.impl(name, code, "CPU")
    torch.library.register_fake(add_op_namespace_prefix(name), fake, lib=library)


def write_half(out, x):
    out.copy_(x / 2)


def turn(x, on=True):
    return x.new_empty(x.shape[::-1])


def find_positive(x):
    return x.new_empty(torch.library.get_ctx().new_dynamic_size())


define("scale(Tensor x, float a) -> Tensor", lambda x, a: x.mul_(a).clone(), lambda x, a: x.clone())
define("whole(Tensor x) -> Tensor", lambda x: x.round().int())
define("turn(Tensor x, *, bool on=True) -> Tensor", lambda x, on=True: x.t() + 1, turn)
define("parts.list(Tensor[] xs) -> Tensor[]", lambda xs: [x + 1 for x in xs], lambda xs: xs[:1])
define("double(Tensor x) -> Tensor", Double.apply)
define("same(Tensor x) -> Tensor", lambda x: x)
define("picky(Tensor x) -> Tensor", lambda x: x + 1, lambda x: x.new_empty(x.shape[3]))
# These are right.
define("half(Tensor(a!) out, Tensor x) -> ()", write_half, lambda out, x: None)
define("third(Tensor x) -> Tensor", lambda x: x / 3)
torch.library.register_autograd(f"{ops.name}::third", lambda ctx, grad: grad / 3, lib=library)
define("positive(Tensor x) -> Tensor", lambda x: x[x > 0], find_positive)
define("codes(Tensor x) -> Tensor", lambda x: x.clone())
# These would be wrong for calls that no test makes, or that fail.
define("unused(Tensor x) -> Tensor", lambda x: x)
define("small(Tensor x) -> Tensor", lambda x: x if len(x) > 9 else x + 1)
define("crash(Tensor x) -> Tensor", lambda x: os._exit(3))
"""
TESTS = """\
import pytest
import tiny
import torch
from tiny import ops

pytestmark = pytest.mark.kernels_ci
x = torch.tensor([[1.0, -2.0, 3.0]])


def helped(function, *arguments):
    return function(*arguments)


def test_calls_of_failing_tests_do_not_count():
    ops.small(torch.ones(10))
    ops.scale(x.clone(), 2.0)
    raise AssertionError


def test_scale():
    ops.scale(x + 1, 2.0)
    ops.scale(x.double(), 2.0)


def test_whole():
    helped(ops.whole, x)


def test_more():
    ops.turn(torch.ones(2, 3), on=True)
    ops.parts.list([x, x])
    ops.same(x)
    ops.picky(x)


def test_grad():
    leaf = x.clone().requires_grad_()
    ops.double(leaf).sum().backward()
    ops.third(leaf).sum().backward()


def test_right():
    ops.half(torch.empty(4, 3), x.expand(4, 3))
    inplace = torch.ones(3)
    ops.half(inplace, inplace)
    ops.positive(x)
    ops.codes(x.to(torch.float8_e4m3fn))
    with torch.no_grad():
        ops.third(x)
    compiled = torch.compile(lambda x: ops.third(x + 1), backend="aot_eager", fullgraph=True)
    assert compiled(x).shape == (1, 3)


@pytest.mark.parametrize("count", range(3))
def test_small(count):
    ops.small(torch.ones(count))


def test_the_end():
    ops.crash(x)
"""
PREFIX = "torch.library.opcheck finds mistakes in operators that the tests call"


@pytest.fixture(scope="module")
def kernel(tmp_path_factory: pytest.TempPathFactory) -> TinyKernel:
    tiny = TinyKernel(tmp_path_factory.mktemp("operators"))
    tiny.write("build.toml", NOARCH)
    tiny.write("torch-ext/tiny/__init__.py", MODULE)
    tiny.write("tests/test_tiny.py", TESTS)
    return tiny


@pytest.fixture(scope="module")
def drv(kernel: TinyKernel) -> str:
    return str(evaluate(f"({outputs_of(kernel.folder)}).operatorChecks.{VARIANT}.drvPath"))


def find_line(text: str) -> int:
    """Return the number of the line of the tests that begins so."""
    (line,) = (at for at, line in enumerate(TESTS.splitlines(), 1) if line.strip().startswith(text))
    return line


def test_mistakes_are_found_where_the_tests_call(drv: str) -> None:
    (finding,) = json.loads((build(drv) / "findings.json").read_text())
    assert finding["headline"] == PREFIX
    found = {(each["line"], each["found"].partition(": ")[2]) for each in finding["problems"]}
    row = "float32[1, 3]"
    assert found == {
        (find_line("ops.scale(x + 1"), "Argument x is not defined as mutable but was mutated"),
        (find_line("helped(ops"), f"the fake implementation returns {row}"),
        (find_line("ops.turn"), "the fake implementation returns float32[3, 2]"),
        (find_line("ops.parts"), f"the fake implementation returns [{row}]"),
        (find_line("ops.same"), "Argument x is not defined to alias output but was aliasing"),
        (
            find_line("ops.picky"),
            "the fake implementation raises IndexError: tuple index out of range",
        ),
        (
            find_line("ops.double"),
            "the result has a gradient that its code for this backend computes,"
            " and no function at Torch's key Autograd",
        ),
    }
    scale, whole = finding["problems"][:2]
    assert scale["at"] == f"tests/test_tiny.py:{scale['line']}"
    assert scale["found"].startswith(f"ops.scale({row}, 2.0): ")
    assert scale["want"] == "what its schema says: scale(Tensor x, float a) -> Tensor"
    assert scale["fix"].startswith("write Tensor(a!) x in the schema")
    assert whole["want"] == "what the operator returns: int32[1, 3]"


def test_a_kernel_that_ends_the_process_costs_only_its_own_calls(drv: str) -> None:
    out = build(drv)
    assert (out / "findings.txt").read_text().startswith(f"warning: {PREFIX} (7 problems)\n\n")
    assert "the tests ended the process, or took too long" in read_log(drv)


def test_ci_test_shows_them(kernel: TinyKernel, drv: str) -> None:
    program = evaluate(f"({outputs_of(kernel.folder)}).ciTests.{VARIANT}.drvPath")
    done = call(build(str(program)) / "bin/ci-test", "-k", "small")
    assert done.stderr.endswith((build(drv) / "findings.txt").read_text())


def test_only_variants_that_the_sandbox_can_run_have_it(tmp_path: Path) -> None:
    tiny = TinyKernel(tmp_path)
    tiny.write("build.toml", NOARCH.replace('["cpu"]', '["cpu", "cuda"]'))
    names = f"builtins.attrNames ({outputs_of(tiny.folder)}).operatorChecks"
    assert evaluate(names) == []
    tiny.write("tests/test_tiny.py", "")
    assert evaluate(names) == [VARIANT]

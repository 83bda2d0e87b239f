"""The import check compares the operators of a kernel with their functions and torch.compile."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from kernel_builder.import_check.boxed import read_function, read_results, read_type, write_type
from tests.compliance.import_checks import Check

BEGIN = """\
import torch

from ._ops import add_op_namespace_prefix as prefixed, ops

lib = torch.library.Library(ops.name, "FRAGMENT")


def define(schema, function, key="CompositeExplicitAutograd"):
    lib.define(schema)
    if function:
        lib.impl(schema.partition("(")[0], function, key)


"""
Run = Callable[[str], tuple[int, str, dict[str, Any]]]


@pytest.fixture
def run(check: Check) -> Run:
    """Return a function that checks a variant with a text after BEGIN as its Python file.

    It returns the exit status, the messages and the facts.
    """

    def run(text: str) -> tuple[int, str, dict[str, Any]]:
        status, said = check.run({"__init__.py": BEGIN + text}, "cpu", dispatch_key="CPU")
        facts = check.folder / "out" / "operators.json"
        return status, said, json.loads(facts.read_text()) if facts.exists() else {}

    return run


COMPILING = """\
def nothing(*arguments, **keywords): ...


define("silent(Tensor x) -> ()", nothing)
define("silent_list(Tensor[] xs, int n) -> ()", nothing)
define("silent.out(Tensor x, Tensor? y) -> ()", nothing)
define("same(Tensor(a!) x) -> Tensor(a!)", nothing)
define("out(Tensor x, *, Tensor(a!) out) -> (Tensor(a!), Tensor)", nothing)
define("view(Tensor(a) x, int n=1) -> Tensor(a)", nothing)
define("without_fake(Tensor x) -> Tensor", nothing, "CPU")
define("list_without_fake(Tensor x) -> Tensor[]", nothing, "CPU")


@torch.library.custom_op(prefixed("of_python"), mutates_args=())
def of_python(x: torch.Tensor) -> None: ...


# These are right.
define("writes(Tensor! x) -> ()", nothing)
define("writes_list(Tensor(a!)[] xs) -> ()", nothing)
define("no_tensor(int n) -> ()", nothing)
define("composite(Tensor x) -> ()", nothing, "CompositeImplicitAutograd")
define("composite_view(Tensor(a) x) -> Tensor(a)", nothing, "CompositeImplicitAutograd")
define("meta(Tensor x) -> Tensor", nothing, "CPU")
lib.impl("meta", nothing, "Meta")
define("fake(Tensor x) -> Tensor", nothing, "CPU")
torch.library.register_fake(prefixed("fake"))(lambda x: torch.empty_like(x))
define("number(Tensor x) -> int", nothing, "CPU")
"""


def test_what_torch_compile_cannot_do_is_told_with_the_right_schema(run: Run) -> None:
    status, said, facts = run(COMPILING)
    assert status == 0, said
    assert "removes calls of operators that seem to do nothing (4 problems)" in said
    assert "at     torch-ext/tiny/__init__.py:5\n       found  silent(Tensor x) -> ()" in said
    assert 'write "silent(Tensor(a!) x) -> ()"' in said
    assert 'write "silent_list(Tensor(a!)[] xs, int n) -> ()"' in said
    assert 'such as in "silent.out(Tensor(a!) x, Tensor? y) -> ()"' in said
    assert "at     torch-ext/tiny/__init__.py:27\n       found  of_python(Tensor x) -> ()" in said
    assert "refuses operators that return one of their arguments (3 problems)" in said
    assert 'write "same(Tensor(a!) x) -> ()", and return the argument in Python' in said
    assert 'write "out(Tensor x, *, Tensor(a!) out) -> Tensor", and return' in said
    assert 'write "view(Tensor x, int n=1) -> Tensor", and let it return a copy' in said
    assert facts["operators-without-fake"] == ["list_without_fake", "without_fake"]
    assert "operators without a fake implementation (1 problem)" in said
    assert "found  list_without_fake, without_fake\n" in said


# Calls of operators by what is wrong with them.
CALLS = {
    "ops.one(x)": "no value for n",
    "ops.one(n=1)": "no value for x",
    "ops.one(x, 1, True)": "3 arguments by position, where it takes 2",
    "ops.one(x, 1, flags=True)": "the argument flags, which it does not have",
    "ops.one(x, 1, x=x)": "the argument x twice",
    "ops.two.default(x, x)": "2 arguments by position, where it takes 1",
    "ops.two.out(x)": "no value for out",
    "ops.two(x, x, x)": "3 arguments by position, where it takes 1",
    # These are right.
    "ops.one(x, 1)": "",
    "ops.one(n=1, x=x, flag=True)": "",
    "ops.one(*x)": "",
    "ops.one(**x)": "",
    "ops.two(x, out=x)": "",
    "ops.two.out(x, out=x)": "",
    "ops.two.default(x)": "",
    "ops.__name__.lower(1, 2)": "",
}


@pytest.mark.parametrize("indent", ["", "    if x.is_cuda:\n    "], ids=["always", "perhaps"])
def test_calls_that_no_schema_takes_are_told(run: Run, indent: str) -> None:
    text = (
        'define("one(Tensor x, int n, *, bool flag=False) -> ()", lambda *x, flag=False: None)\n'
        'define("two(Tensor x) -> Tensor", lambda x: x, "CompositeImplicitAutograd")\n'
        'define("two.out(Tensor x, *, Tensor(a!) out) -> ()", lambda x, *, out: None)\n'
    )
    begin = len((BEGIN + text).splitlines())
    for number, call in enumerate(CALLS):
        text += f"def f{number}(x):\n{indent}    {call}\n"
    status, said, _ = run(text)
    assert status == (0 if indent else 1), said
    wrong = len([*filter(None, CALLS.values())])
    assert f"arguments that they do not take ({wrong} problems)" in said
    step = 3 if indent else 2
    for number, (call, why) in enumerate(CALLS.items(), 1):
        line = f"at     torch-ext/tiny/__init__.py:{begin + step * number}\n"
        assert (line in said) == bool(why), call
        if why:
            assert f"found  {call.partition('(')[0]}(…) with {why}\n" in said


CALLING = """\
def register(name):
    return torch.library.register_fake(prefixed(name))


for name in ("more", "order", "default", "value", "right", "star"):
    define(f"{name}(Tensor x, int n=1, *, bool k=False) -> Tensor", None)
define("keyword(Tensor x, *, int k) -> Tensor", None)


@register("more")
def more(x, n=1, m=2, *, k=False, l): ...
@register("order")
def order(n, x=None, *, k=False): ...
register("default")(lambda x, n, k: x)
register("keyword")(lambda x, j: x)
register("value")(lambda x, n=1, *, k=True: x)
@torch.library.custom_op(prefixed("custom"), mutates_args=())
def custom(x: torch.Tensor) -> torch.Tensor: ...
@custom.register_fake
def custom_fake(x, y): ...
lib.impl("right", lambda x: x, "CPU")
# These are right.
register("right")(lambda a, b=1, *, k=False: a)
register("star")(lambda *arguments, **keywords: arguments)
lib.impl("star", lambda keyset, x, n=1, *, k=False: x, "CPU", with_keyset=True)
"""


def test_functions_that_torch_cannot_call_are_told(run: Run) -> None:
    status, said, _ = run(CALLING)
    assert status == 0, said
    assert "as the schemas of their operators say (7 problems)" in said
    for found in (
        "fake implementation of more has the parameters (x, n, m, k, l): missing a required",
        "fake implementation of order has the parameters (n, x, k): their order differs",
        "fake implementation of default has the parameters (x, n, k): missing a required argument",
        "fake implementation of keyword has the parameters (x, j): ",
        "value has the parameters (x, n, k): k is True where a call has the default of the schema",
        "fake implementation of custom has the parameters (x, y): missing a required argument: 'y'",
        "the implementation of right has the parameters (x): too many positional arguments",
    ):
        assert found in said
    assert "write def order(x, n=1, *, k=False), or correct the schema" in said


WRONG = {
    "an implementation of nothing": (
        'define("hello(Tensor x) -> Tensor", lambda x: x)\nlib.impl("helo", lambda x: x, "CPU")\n'
        'lib.impl("hello.out", lambda x: x, "CUDA")\n',
        [
            'impl("helo", …) for CPU, which nothing defines',
            'did you mean "hello"?',
            'impl("hello.out", …) for CUDA, which nothing defines',
        ],
    ),
    "a fake for a composite operator": (
        'define("hello(Tensor x) -> Tensor", lambda x: x, "CompositeImplicitAutograd")\n'
        'torch.library.register_fake(prefixed("hello"))(lambda x: x)\n',
        ["fix    delete the fake implementation: "],
    ),
    "a fake for a wrong name": (
        'define("hello(Tensor x) -> Tensor", lambda x: x)\n'
        'torch.library.register_fake(prefixed("helo"))(lambda x: x)\n',
        ["operator helo does not exist", 'did you mean "hello"?'],
    ),
    "classes of another namespace": (
        "Counter = torch.classes.tinny.Counter\n",
        ["getattr(torch.classes, ops.name).NAME"],
    ),
    "a class that C++ does not register": (
        "Counter = getattr(torch.classes, ops.name).Counter\n",
        ["found  RuntimeError: Tried to instantiate class 'Counter'", "fix    correct the name"],
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_names_that_nothing_defines_are_refused(run: Run, name: str) -> None:
    text, says = WRONG[name]
    status, said, _ = run(text)
    assert status == 1
    for each in says:
        assert each in said, said
    assert "use a GPU in functions" not in said


TYPES = {
    "torch::stable::Tensor const&": ("Tensor", "Tensor"),
    "std::optional<std::vector<long, std::allocator<long> > >": (
        "int[]?",
        "std::optional<std::vector<int64_t>>",
    ),
    "c10::HeaderOnlyArrayRef<double>": ("float[]", "HeaderOnlyArrayRef<double>"),
    "std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >": (
        "str",
        "std::string",
    ),
    "std::basic_string_view<char, std::char_traits<char> >": ("str", "std::string_view"),
    "float": ("float32", "float"),
    "mine::Type": ("", "mine::Type"),
    "std::vector<std::optional<torch::stable::Tensor>, std::allocator<int> > const&": (
        "Tensor?[]",
        "std::vector<std::optional<Tensor>>",
    ),
}


@pytest.mark.parametrize("text", TYPES)
def test_the_compiler_names_a_type(text: str) -> None:
    assert (read_type(text), write_type(text)) == TYPES[text]


def test_the_compiler_names_the_type_of_a_function() -> None:
    pair = "std::tuple<torch::stable::Tensor, long>"
    assert read_function(f"{pair} (std::optional<long>, void (*)(int))") == (
        pair,
        ["std::optional<long>", "void (*)(int)"],
    )
    assert read_results(pair) == ["Tensor", "int"]
    assert read_results("void") == []

"""The import check says why native code ended the process."""

import json
from pathlib import Path

import pytest
from registration_check.schemas import list_schemas

from kernel_builder.import_check.child import Outcome
from kernel_builder.import_check.problems import Place, explain_end, explain_error, show_schema

PLACE = Place(Path("/variant"), "torch-ext/tiny")
STACK = """\
Fatal Python error: Aborted

Current thread 0x00007f (most recent call first):
  File "/variant/__init__.py", line 3 in <module>
"""
MISMATCH = """\
terminate called after throwing an instance of 'c10::Error'
  what():  The inferred schema doesn't match the expected function schema.
  expected schema: _tiny_cpu_1::answer(int a) -> int
    registered at torch-ext/torch_binding.cpp:4
  reason: The number of arguments is different. 1 vs 0.

Exception raised from checkSchema at /pytorch/x.cpp:1 (most recent call first):
frame #0: f + 0x1 (0x2 in lib.so)
"""
UNCAUGHT = {
    "a schema that differs": (MISMATCH, "The number of arguments is different. 1 vs 0.", "schema"),
    "a typo in a schema": (
        "noise\nterminate called after throwing an instance of 'torch::jit::ErrorReport'\n"
        "  what():  unknown type specifier:\nanswer(Tensr x) -> int\n       ~~~~~ <--- HERE\n",
        "torch::jit::ErrorReport: unknown type specifier:\nanswer(Tensr x) -> int",
        "correct the schema",
    ),
    "an initialiser": (
        "terminate called after throwing an instance of 'std::runtime_error'\n"
        "  what():  needs TINY_HOME\n",
        "std::runtime_error: needs TINY_HOME",
        "catch it",
    ),
    "no words": ("terminate called after throwing an instance of 'int'\n", "int", "catch it"),
    "the library of clang": (
        "libc++abi: terminating due to uncaught exception of type std::runtime_error: no\n",
        "std::runtime_error: no",
        "catch it",
    ),
}


@pytest.mark.parametrize(("said", "found", "fix"), UNCAUGHT.values(), ids=UNCAUGHT)
def test_an_exception_of_cpp_is_told_in_its_words(said: str, found: str, fix: str) -> None:
    problem = explain_end(Outcome(None, -6, said + STACK), PLACE, 1)
    assert found in problem.found
    assert fix in problem.fix
    assert "torch-ext/tiny/__init__.py:3" in problem.at
    for word in ("signal", "frame #", "Exception raised", "GPU"):
        assert word not in problem.render()


def test_the_line_of_a_registration_comes_first() -> None:
    problem = explain_end(Outcome(None, -6, MISMATCH + STACK), PLACE, 1)
    assert problem.at.splitlines()[0] == "torch-ext/torch_binding.cpp:4"


SCHEMAS = """\
// "answer(Tensr x) -> int"
char quote = '"'; /* "answer(Tensr x) -> int"
*/ ops.def("answer(Tensr x) -> int", &answer);
ops.def(
    "joined(Tensor x, "
    "Tensr y) -> int");
ops.def(R"(
  raw(Tensor x,
      Tensr y) -> int)");
"""
LINES = {
    "answer(Tensr x) -> int": 3,
    "joined(Tensor x, Tensr y) -> int": 5,
    "      Tensr y) -> int": 9,
}


@pytest.mark.parametrize(("schema", "line"), LINES.items())
def test_the_line_of_a_schema_that_torch_cannot_read(
    tmp_path: Path, schema: str, line: int
) -> None:
    source, listed = tmp_path / "source", tmp_path / "schemas.json"
    source.write_text(SCHEMAS)
    listed.write_text(json.dumps(list_schemas({"torch-ext/torch_binding.cpp": source})))
    places = [f"torch-ext/torch_binding.cpp:{line}", "torch-ext/tiny/__init__.py:3"]
    start = "terminate called after throwing an instance of 'E'\n  what():  "
    marked = f"bad:\n{schema}\n       ~~~~~ <--- HERE\n"
    for said in (marked, f"expected arrow but found 'eof' here:\n{schema}\n"):
        problem = explain_end(Outcome(None, -6, start + said + STACK), PLACE, 1)
        shown = show_schema(problem, str(listed))
        assert shown.at.splitlines() == places
        assert shown.fix.startswith("correct the schema: ")


def test_another_signal_is_told_with_the_last_words() -> None:
    said = "".join(f"line {number}\n" for number in range(99)) + "free(): invalid pointer\n"
    problem = explain_end(Outcome(None, -6, said + STACK), PLACE, 1)
    assert problem.found.startswith("the process ended with signal 6 (SIGABRT) during the import\n")
    assert problem.found.endswith("\nfree(): invalid pointer")
    assert "line 3\n" not in problem.found


def test_the_cause_of_an_exception_is_told() -> None:
    try:
        try:
            raise OSError("/variant/_tiny.so: undefined symbol: _Z1fl")
        except OSError as error:
            raise OSError("Could not load this library: /variant/_tiny.so") from error
    except OSError as error:
        problem = explain_error(error, PLACE)
    assert problem.found.splitlines() == [
        "OSError: Could not load this library: _tiny.so",
        "caused by OSError: _tiny.so: undefined symbol: _Z1fl",
    ]
    assert "`src`" in problem.fix

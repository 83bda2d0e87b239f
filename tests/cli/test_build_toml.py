"""Mistakes in build.toml and other problems: their places, as text and as JSON."""

import json
from pathlib import Path
from textwrap import indent

import pytest
import tomli

from kernel_builder.kernel.build_toml import find_line, read_build_toml
from kernel_builder.kernel.folder import Kernel
from kernel_builder.messages.errors import KernelBuilderError, Problem, parse_problems, render
from tests.cli.command_line import Cli
from tests.cli.fake_kernel import FakeKernel

# The text, the place of the mistake, and the part that is shown.
WRONG = {
    "no quotes": ("[general]\nname = relu\n", "2:8", "name = relu"),
    "table not closed": ("[general\n", "1:9", "[general"),
    "end of a list": ("a = [1,\n", "2:1", "Invalid value"),
    "string not closed": ('a = "x\nb = 1\n', "1:7", 'a = "x'),
    "key twice": ("a = 1\na = 2\n", "2:6", "a = 2"),
    "byte order mark": ("\ufeff[general]\n", "1:1", "a byte order mark (BOM)"),
}


@pytest.mark.parametrize(("text", "at", "found"), WRONG.values(), ids=WRONG)
def test_what_is_wrong(tmp_path: Path, text: str, at: str, found: str) -> None:
    file = tmp_path / "build.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(KernelBuilderError) as raised:
        read_build_toml(tmp_path)
    (problem,) = raised.value.problems
    line, column = at.split(":")
    assert raised.value.headline == f"{tmp_path.name}/build.toml is not TOML"
    assert problem.at == f"{file}:{at}"
    assert (problem.file, problem.line, problem.column) == (str(file), int(line), int(column))
    assert found.strip() in problem.found


@pytest.mark.parametrize("text", ["[" * 60000 + "]" * 60000, "{b=" * 60000 + "1", "1" * 5000])
def test_nested_values_and_long_numbers(tmp_path: Path, text: str) -> None:
    (tmp_path / "build.toml").write_text(f"a = {text}")
    with pytest.raises(KernelBuilderError) as raised:
        read_build_toml(tmp_path)
    assert "nested too deeply, or numbers of" in raised.value.problems[0].found


@pytest.mark.parametrize("word", [
    "check-config", "build", "list-variants", "update-build", "fill-card", "upload", "check-builds",
])  # fmt: skip
def test_every_command_that_reads_it_says_so(cli: Cli, word: str) -> None:
    (cli.folder / "build.toml").write_text("[general]\nname = relu\n")
    # Without Nix: nobody else is asked.
    done = cli(word, PATH="/nowhere")
    assert (done.status, done.stdout) == (1, "")
    expected = f"""\
error: here/build.toml is not TOML (1 problem)

       at     {cli.folder}/build.toml:2:8
       found  name = relu
              Invalid value
       want   TOML in UTF-8: text in quotes, one `key = value` on a line, every key once
       fix    correct the line; https://toml.io has the rules
"""
    assert done.stderr == expected


PROBLEMS = [
    Problem("a", "found nothing\nwant more\nfix it", "x", "y"),
    Problem("", "one\n\n  two", "fix    z", "at     b\n\nat     c"),
    Problem("kernel.a", "", "want", ""),
]


@pytest.mark.parametrize("margin", ["", "    "])
def test_problems_are_read_as_they_were_written(margin: str) -> None:
    text = indent(render("headline", PROBLEMS), margin)
    assert parse_problems(text) == PROBLEMS
    assert parse_problems(f"{text}\n\n{margin}and so on\n{margin}at   noon") == PROBLEMS


BUILD = r"""
[general] # [x]
backends = [
  "cpu", # a = 1
]
hub = { repo-id = "a/b" }
  [kernel."my part"]
  src = ["a"]
""".lstrip()
LINES = {
    "general": 1,
    "general.backends[0]": 2,
    "general.hub.repo-id": 5,
    'kernel."my part"': 6,
    'kernel."my part".src[7].x': 7,
    # A missing key is a problem of the table around it.
    "general.license": 1,
    "torch": 0,
}
# Lines in texts that look like keys and tables.
TEXTS = (
    "[general]\n"
    "description = '''\n"
    "[kernel.a]\n"
    'src = "no" # ""\'\n'
    "'''\n"
    'license = "a [kernel.a] \\" # not a comment" # """\n'
    'name = """\\\n'
    "[kernel.a]\n"
    '\\"""\n'
    'src = 1""\\"\n'
    '""""\n'
    "[kernel.a]\n"
    "src = []\n"
)
TEXT_LINES = {"kernel.a": 12, "kernel.a.src": 13, "general.license": 6, "general.name": 7}


def test_lines_of_keys() -> None:
    assert {key: find_line(BUILD, key) for key in LINES} == LINES


def test_lines_of_texts_are_no_keys() -> None:
    assert tomli.loads(TEXTS)["kernel"] == {"a": {"src": []}}
    assert {key: find_line(TEXTS, key) for key in TEXT_LINES} == TEXT_LINES


@pytest.mark.parametrize(
    ("at", "place", "line"),
    [
        ("general.license", "{folder}/build.toml:1: general.license", 1),
        ("torch", "{folder}/build.toml: torch", 0),
        ("build.toml", "{folder}/build.toml", 0),
        ("torch-ext/k/__init__.py:3:1", "{folder}/torch-ext/k/__init__.py:3:1", 3),
    ],
)
def test_problems_get_real_places(tmp_path: Path, at: str, place: str, line: int) -> None:
    (tmp_path / "build.toml").write_text(BUILD)
    problem = Kernel(tmp_path).locate(Problem(at, "f", "w", "x"), is_of_file=True)
    assert problem.at == place.format(folder=tmp_path)
    assert (problem.file, problem.line) == (problem.at.split(":")[0], line)


@pytest.mark.parametrize(
    ("at", "line"), [("foo", 3), ("torchVersions[0]", 4), ("path", 0), ("a-cpu", 0)]
)
def test_arguments_in_a_flake_have_places(tmp_path: Path, at: str, line: int) -> None:
    (tmp_path / "build.toml").write_text(BUILD)
    flake = tmp_path / "flake.nix"
    flake.write_text(
        "f {\n  # path = 1; a.path = foo == 1;\n  self = 1; foo=2;\n  torchVersions = 3; }"
    )
    problem = Kernel(tmp_path).locate(Problem(at, "f", "w", "x"))
    place = f"{flake}:{line}: {at}" if line else at
    assert (problem.at, problem.line) == (place, line)


MESSAGE = """\
a-guess/build.toml cannot be built (2 problems)

at     general.name
found  3

       want   another line of it
want   a string
fix    write "3"

at     torch
found  nothing
want   a section
fix    add it"""


def test_an_evaluation_error_has_real_places(cli: Cli, kernel: FakeKernel) -> None:
    folder = kernel.write()
    text = "{ outputs = _: { manifest = throw (builtins.readFile ./message); }; }"
    (folder / "flake.nix").write_text(text)
    (folder / "message").write_text(MESSAGE)
    file = folder / "build.toml"
    message = f"""\
kernel/build.toml cannot be built (2 problems)

       at     {file}:2: general.name
       found  3

              want   another line of it
       want   a string
       fix    write "3"

       at     {file}: torch
       found  nothing
       want   a section
       fix    add it"""
    done = cli("check-config", str(folder))
    assert (done.status, done.stdout, done.stderr) == (1, "", f"error: {message}\n")
    as_data = cli.expect(1, "check-config", str(folder), "--json")
    first = Problem(
        f"{file}:2: general.name", "3\n\nwant   another line of it", "a string", 'write "3"'
    )
    second = Problem(f"{file}: torch", "nothing", "a section", "add it")
    assert json.loads(as_data.stdout) == {
        "version": 1,
        "valid": False,
        "message": message,
        "problems": [
            {**first.as_data(), "file": str(file), "line": 2},
            {**second.as_data(), "file": str(file)},
        ],
    }


@pytest.mark.parametrize("command", ["check-config", "build", "list-variants", "upload"])
@pytest.mark.parametrize("content", [b"x = = 1", b"\xff", None], ids=["syntax", "bytes", "none"])
def test_every_mistake_is_in_the_json(cli: Cli, command: str, content: bytes | None) -> None:
    if content:
        (cli.folder / "build.toml").write_bytes(content)
    done = cli.expect(1, command, "--json", PATH="/nowhere")
    data = json.loads(done.stdout)
    (problem,) = data["problems"]
    assert problem["found"]
    assert problem["found"].split("\n")[0] in data["message"]
    assert json.loads(cli(command, "--json", "/nowhere").stdout)["problems"]

"""The time for a stranger's text grows with the text alone: of expressions, and of loops."""

import ast
import importlib
import itertools
import re
import time
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any, NamedTuple

import pytest

from kernel_builder.kernel import hidden_files
from kernel_builder.kernel.build_toml import find_line
from kernel_builder.messages.errors import Problem, parse_problems, read_error, render
from kernel_builder.messages.terminal import clean
from kernel_builder.variants.make import describe_failures
from tests.evaluation import ROOT

SOURCES = ROOT / "python" / "src"
METHODS = {
    "search": lambda pattern, text: pattern.search(text),
    "match": lambda pattern, text: pattern.match(text),
    "fullmatch": lambda pattern, text: pattern.fullmatch(text),
    "sub": lambda pattern, text: pattern.sub(lambda _: text[:0], text),
    "split": lambda pattern, text: pattern.split(text),
    "findall": lambda pattern, text: pattern.findall(text),
    "finditer": lambda pattern, text: [*pattern.finditer(text)],
}
# Where the flags of a function of `re` stand if they have no name.
FLAGS = {"sub": 4, "split": 3}
# For texts of at most 1,000 characters, of our own templates, or of a compiler's output.
SHORT_TEXTS = {
    r"""(?i)^license :: (osi approved :: )?|\s*licen[cs]e( agreement)?\b|\(.*\)|\bthe\b|[\"']""",
    r"\n(?:#[^\n]*\n)*\[torch",
    r'(?m)^(\s*\.file\s+\d+\s+")([^"]*)',
}
COMMON = "aA0_ \t\n\r.-/:;,'\"`()[]{}<>#=@|\\*+~$!?é"
# A character that hardly a pattern takes.
END = "\x01"
# Four times the length takes four times as long, and sixteen times if each character starts
# a search of its own. The short lengths come first, since some patterns would not end at the last.
LENGTHS, MOST_GROWTH = (28, 200, 800, 3200, 12_800), 8
# Seconds of CPU that no pattern takes whose time grows with the text alone; a pattern whose time
# grows faster takes them for the longest text, also on a CPU that is three times as fast.
SHORTEST = 0.002


class Use(NamedTuple):
    """A pattern, the function of `re` that it is used with, and its place."""

    place: str
    pattern: "re.Pattern[Any]"
    method: str


def list_uses(file: Path) -> Iterator[Use]:
    """Yield the patterns of a file. Those that a function makes of its arguments are left out."""
    try:
        text = file.read_text(encoding="utf-8")
        tree = ast.parse(text)
    except SyntaxError:
        # A template.
        return
    for node in ast.walk(tree):
        name = node.func if isinstance(node, ast.Call) else None
        if not isinstance(name, ast.Attribute) or ast.unparse(name.value) != "re":
            continue
        assert isinstance(node, ast.Call)
        if name.attr != "compile" and name.attr not in METHODS:
            continue
        place = f"{file.relative_to(ROOT)}:{node.lineno}"
        pattern = _evaluate(node, name.attr, file)
        if pattern is None:
            continue
        methods = [name.attr] if name.attr in METHODS else [*_find_methods(tree, node, file)]
        yield from (Use(place, pattern, method) for method in methods)


def _evaluate(call: ast.Call, method: str, file: Path) -> "re.Pattern[Any] | None":
    at = FLAGS.get(method, 1 if method == "compile" else 2)
    flags = [word.value for word in call.keywords if word.arg == "flags"] or call.args[at : at + 1]
    names: dict[str, Any] = {"re": re}
    try:
        ast.literal_eval(call.args[0])
    except ValueError:
        if not file.is_relative_to(SOURCES):
            return None
        parts = file.relative_to(SOURCES).with_suffix("").parts
        names |= vars(importlib.import_module(".".join(parts)))
    try:
        text = eval(ast.unparse(call.args[0]), names)
        return re.compile(text, *(eval(ast.unparse(flag), names) for flag in flags))
    except (NameError, TypeError):
        return None


def _find_methods(tree: ast.Module, call: ast.Call, file: Path) -> set[str]:
    """Return the functions that a global pattern is used with; `fullmatch` if others call it."""
    names = [
        ast.unparse(node.targets[0] if isinstance(node, ast.Assign) else node.target)
        for node in ast.walk(tree)
        if isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is call
    ]
    files = [file] if names and names[0].startswith("_") else _list_files()
    used = rf"\b{names[0]}\.({'|'.join(METHODS)})\b" if names else r"(?!)()"
    return {name for each in files for name in re.findall(used, each.read_text())} or {"fullmatch"}


def _list_files() -> list[Path]:
    folders = SOURCES, ROOT / "pkgs", ROOT / "backends"
    return sorted(file for folder in folders for file in folder.rglob("*.py"))


def list_characters(pattern: "re.Pattern[Any]") -> set[str]:
    found, left = set(), [*parser.parse(pattern.pattern, pattern.flags & ~re.UNICODE)]
    while left:
        item = left.pop()
        if isinstance(item, (list, tuple, parser.SubPattern)):
            left += item
        elif type(item) is int and 0 <= item < 256:
            # The numbers of repetitions among them do no harm.
            found.add(chr(item))
    return found


def list_words(pattern: "re.Pattern[Any]") -> Iterator[tuple[str, str]]:
    """Yield what stands once in front of a text, and what is repeated in it."""
    named = list_characters(pattern)
    signs = sorted(each for each in named if not each.isalnum() and each.isprintable())
    single = sorted({*COMMON, *named})
    yield from (("", each) for each in single)
    yield from (("", "".join(pair)) for pair in itertools.permutations([*signs, "a", "\n"], 2))
    yield from itertools.product(signs, " a\n\\")
    text = pattern.pattern if isinstance(pattern.pattern, str) else pattern.pattern.decode("latin1")
    for word in re.findall(r"[\w@/:#.*\" -]{2,}", text.replace("\\*", "*").replace("\\/", "/")):
        yield from (("", word), ("", f"{word} "), (word, " "), (word, "a"))


def measure(use: Use, front: str, word: str, end: str, length: int, tries: int = 1) -> float:
    """Return the seconds of CPU for a text of about `length` characters, of the quickest try."""
    text: Any = front + word * (length // len(word)) + end
    if isinstance(use.pattern.pattern, bytes):
        text = text.encode("latin1", "replace")
    run: Callable[[Any, Any], object] = METHODS[use.method]
    seconds = []
    for _ in range(tries):
        start = time.thread_time()
        run(use.pattern, text)
        seconds.append(time.thread_time() - start)
    return min(seconds)


def find_growth(use: Use) -> str:
    """Return the text for which the time of a pattern grows faster than the text, else nothing."""
    for (front, word), end in itertools.product([*list_words(use.pattern)], ("", END)):
        text = front, word, end
        for length in LENGTHS:
            if measure(use, *text, length) < SHORTEST:
                continue
            # Another process may have emptied the caches of the CPU.
            short, long = (measure(use, *text, each, 5) for each in (length // 4, length))
            if long > max(SHORTEST, MOST_GROWTH * short):
                return f"{front!r} + n * {word!r} + {end!r}: {short:.4f} s, then {long:.4f} s"
    return ""


def test_time_of_each_pattern_in_the_code() -> None:
    uses = [use for file in _list_files() for use in list_uses(file)]
    assert len(uses) > 200
    hints = tomllib.loads((SOURCES / "kernel_builder/variants/hints.toml").read_text())["hint"]
    for hint in hints:
        patterns = [re.compile(each, re.MULTILINE) for each in hint["patterns"]]
        uses += [Use("hints.toml", pattern, "finditer") for pattern in patterns]
    grown = {use.pattern.pattern: (use.place, find_growth(use)) for use in uses}
    assert {text: use for text, use in grown.items() if use[1]}.keys() == SHORT_TEXTS


@pytest.mark.parametrize(
    ("method", "pattern"),
    [
        ("sub", r"[a-z][a-z0-9+.-]*://[^/:]*:[^/]+@"),
        ("finditer", r"""(?m)^[ \t]*\[\[?[ \t]*(?P<table>[\w."' -]+?)[ \t]*\]\]?[ \t\r]*$"""),
        ("sub", r'(?s)"(?:\\.|[^"\\])*"|/\*.*?\*/'),
        ("sub", r"(?s)/\*.*?\*/"),
        ("fullmatch", r"(?:a|b|ab)*(?:a|ab)*"),
        ("search", r"\d+$"),
    ],
)
def test_the_test_finds_growth(method: str, pattern: str) -> None:
    assert find_growth(Use("", re.compile(pattern), method))


def locate_all(count: int) -> object:
    """Find the line of every key: a file may have as many problems as keys."""
    text = "".join(f"key{number} = 1\n" for number in range(count))
    return [find_line(text, f"key{number}") for number in range(count)]


def read_all(count: int) -> object:
    """Read a message with many problems, as of Nix, and of a step."""
    problems = [Problem(f"key{number}", "found", "want", "fix") for number in range(count)]
    text = clean(render("error: many", problems))
    return read_error(text, ""), parse_problems(text), describe_failures({"/x.drv": [text]})


@pytest.mark.attack("check-config", "a file of 100 kB with 10,000 mistakes", "seconds")
@pytest.mark.parametrize("run", [locate_all, read_all])
def test_time_of_many_problems(run: Callable[[int], object]) -> None:
    def take(count: int) -> float:
        start = time.thread_time()
        run(count)
        return time.thread_time() - start

    short = min(take(500 + each) for each in range(3))
    assert min(take(2000 + each) for each in range(3)) < max(0.05, MOST_GROWTH * short)


def test_few_headers_are_sought(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each search reads all folders of a kernel, and an `#error` can name any number."""
    sought: list[object] = []
    monkeypatch.setattr(hidden_files, "_find_header", lambda *names, **_: sought.append(names))
    line = "a.cpp:1:10: fatal error: {}.h: No such file or directory\n"
    text = "".join(line.format(number) for number in range(1000))
    problem = Problem("a", text, "", "")
    assert hidden_files.explain_failure(tmp_path, problem, in_git=False) is problem
    assert 0 < len(sought) <= hidden_files.HEADERS_SOUGHT

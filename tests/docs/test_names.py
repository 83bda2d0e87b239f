"""The public functions of the library are named by the words of docs/data.md."""

from __future__ import annotations

import re
from collections import Counter

from tests.docs.test_data import PAGE
from tests.evaluation import ROOT, evaluate, path_of

# Values of general use have short names, as in nixpkgs' library.
UNCHECKED = {"values"}
# `lib.config.dependencies.of` reads as one phrase.
PHRASES = {"of"}
# Their objects are parts of a text or a check, and no concepts of the data.
GENERAL = {"messages"}

FUNCTIONS = f"""
let names = module: builtins.filter (name: builtins.isFunction module.${{name}})
  (builtins.attrNames module);
in builtins.mapAttrs (_: stage: builtins.concatMap names (builtins.attrValues stage))
  (removeAttrs (import {path_of(ROOT / "lib")}) [ "backends" "frameworks" ])
"""


def words_of(name: str) -> list[str]:
    """Return the words of a camel-case name, in lower case."""
    return [word.lower() for word in re.findall(r"[A-Z]?[a-z]+", name)]


def singular(word: str) -> str:
    """Return a noun without the ending of its plural."""
    return re.sub(r"(?<=ch)es$|s$", "", re.sub(r"ies$", "y", word))


def column(heading: str) -> set[str]:
    """Return the words in the first column of a table of the page."""
    table = PAGE.split(f"| {heading} | ", 1)[1].split("\n\n", 1)[0]
    rows = re.findall(r"^\| ([^|]+) \|", table, re.MULTILINE)
    return {word for row in rows for word in re.split(r",? |, ", row)}


def common_nouns() -> set[str]:
    """Return the nouns that the page lists without a meaning."""
    line = PAGE.split("Common nouns in names of functions: ", 1)[1].split("\n\n", 1)[0]
    return set(re.findall(r"`(\w+)`", line))


def misnamed(functions: dict[str, list[str]]) -> list[str]:
    """Return the functions that are not a verb and an object, and those that share a name."""
    verbs = column("verb")
    objects = {singular(word) for word in column("word") | common_nouns()}
    checked = {
        stage: [name for name in names if name not in PHRASES]
        for stage, names in functions.items()
        if stage not in UNCHECKED
    }
    counts = Counter(name for names in checked.values() for name in names)
    return [
        f"{stage}: {name}"
        for stage, names in checked.items()
        for name in names
        if counts[name] > 1
        or words_of(name)[0] not in verbs
        or len(words_of(name)) < 2
        or (
            words_of(name)[0] not in {"is", "has"}
            and stage not in GENERAL
            and singular(words_of(name)[-1]) not in objects
        )
    ]


def test_functions_are_named_by_the_glossary() -> None:
    assert misnamed(evaluate(FUNCTIONS)) == []


def test_each_noun_is_listed_once() -> None:
    assert column("word") & common_nouns() == set()


def test_other_names_are_found() -> None:
    functions = {
        "config": ["listSources", "problems", "checkCheese", "sourcesList"],
        "matrix": ["checkRow"],
        "outputs": ["checkRow"],
        "values": ["join"],
    }
    assert misnamed(functions) == [
        "config: problems",
        "config: checkCheese",
        "config: sourcesList",
        "matrix: checkRow",
        "outputs: checkRow",
    ]

"""Documents and messages name only packages, images and repositories that exist.

A name that nobody has taken yet may become a stranger's. `python/pyproject.toml` decides whether an
index has this project, and `kernel/builder.py` where its repository is.
"""

import json
import re
import shlex
import tomllib
from collections.abc import Iterator
from functools import cache

import pytest

from kernel_builder.kernel.builder import PLACEHOLDER
from tests.evaluation import ROOT, call

PROJECT = tomllib.loads((ROOT / "python/pyproject.toml").read_text("utf-8"))["project"]
IS_RELEASED = "Private :: Do Not Upload" not in PROJECT["classifiers"]
# Everything that a user may read, and copy a command from.
SHOWN = (
    *("README.md", "SECURITY.md", "CHANGELOG.md", "Dockerfile", "mkdocs.yml", "install.sh"),
    *(".github", "docs", "examples", "install", "lib", "pkgs", "backends", "python", "tools"),
)
INSTALL = re.compile(
    r"\b(?:pip3? install|uv (?:pip|tool) install|uv add|pipx (?:install|run)|uvx|uv tool run)"
    r" ([^\n]*)"
)
# An option with its value, or with none.
VALUED = {"-i", "-r", "-c", "-f", "--index-url", "--extra-index-url", "--from", "--find-links"}
END = re.compile(r"[`;|&)<]|\\n|\s#|:\s|,\s|\s(?:or|and|in|then)\s")
PLAIN = re.compile(r"[A-Za-z0-9][\w.-]*")
REPOSITORY = re.compile(r"\b(?:github:|github\.com/)([\w.-]+)/([\w-]+)")
IMAGE = re.compile(
    r"\bdocker (?:run|pull)\b[^\n`]* ([a-z][\w./-]*:[\w.-]+)|^FROM (\S+)", re.MULTILINE
)
BUILT = re.compile(r"\bdocker build -t (\S+)")
REGISTRY = re.compile(r"\b(?:ghcr\.io|quay\.io|docker\.io)/[\w./-]+")


@cache
def pinned_projects() -> set[str]:
    """Return the projects of Python's index that this repository has pins of."""
    names = {"torch"}
    for file in (ROOT / "pkgs").rglob("pins.json"):
        pins = json.loads(file.read_text("utf-8"))
        names |= {name for name in pins.get("want", ()) if pins.get("kind") == "wheel"}
    for group in PROJECT["optional-dependencies"].values():
        names |= {re.split(r"[<>=]", each)[0] for each in group}
    return {name.partition("=")[0].partition("[")[0] for name in names}


def words_of(command: str) -> list[str]:
    """Return the words that a command has on its line."""
    line = END.split(command.replace("\\'", "'"), maxsplit=1)[0]
    try:
        return shlex.split(line.rstrip(".,:"))
    except ValueError:
        return line.replace('"', " ").replace("'", " ").split()


def packages_in(text: str) -> Iterator[str]:
    """Yield the projects that commands in a text would get from an index."""
    for found in INSTALL.finditer(text):
        words = words_of(found[1])
        # What comes from an index of one's own, or from a folder, is no public name.
        if any("file://" in word for word in words):
            continue
        values = {words[at + 1] for at, word in enumerate(words[:-1]) if word in VALUED}
        values |= {words[at + 1] for at, word in enumerate(words[:-1]) if word == "-e"}
        is_run = "uvx" in found[0] or " run" in found[0]
        named = [word for word in words if not word.startswith("-") and word not in values]
        for word in named[:1] if is_run else named:
            if name := PLAIN.match(word):
                yield name[0].lower()


def unknown_in(text: str, built: set[str]) -> list[str]:
    """Return the names in a text that lead to nothing, or to whoever takes them."""
    known = pinned_projects() | ({PROJECT["name"]} if IS_RELEASED else set())
    mine = tuple(PLACEHOLDER.removeprefix("github:").split("/"))
    unknown = [name for name in packages_in(text) if name not in known]
    repositories = REPOSITORY.findall(text)
    unknown += [
        "/".join(each)
        for each in repositories
        if each[1] == mine[1] and each not in (mine, ("huggingface", mine[1]))
    ]
    images = [run or base for run, base in IMAGE.findall(text)]
    bases = ("debian:", "$")
    unknown += [name for name in images if name not in built and not name.startswith(bases)]
    return unknown + REGISTRY.findall(text)


def shown_files() -> list[str]:
    done = call("git", "-C", ROOT, "ls-files", "-z", "--", *SHOWN)
    return [name for name in done.stdout.split("\0") if name and not name.endswith(".json")]


def test_every_name_exists() -> None:
    texts = {}
    for name in shown_files():
        try:
            texts[name] = (ROOT / name).read_text("utf-8")
        except UnicodeDecodeError:
            continue
    built = {name for text in texts.values() for name in BUILT.findall(text)}
    found = {name: unknown_in(text, built) for name, text in texts.items()}
    assert {name: names for name, names in found.items() if names} == {}


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("pip install kernel-builder", "kernel-builder"),
        ("fix = \"pip install 'kernel-builder[trust]'; or\"", "kernel-builder"),
        ("`uvx kernel-builder --help`", "kernel-builder"),
        ("uv pip install -q kernel_builder_tools", "kernel_builder_tools"),
        ("pipx install kernel-builder  # once", "kernel-builder"),
        ("uv tool install 'kernel-builder[trust]'", "kernel-builder"),
        ("nix run github:somebody/kernel-builder", "somebody/kernel-builder"),
        ("git clone https://github.com/me/kernel-builder x", "me/kernel-builder"),
        ("docker run --rm kernel-builder:latest", "kernel-builder:latest"),
        ("docker pull ghcr.io/owner/kernel-builder", "ghcr.io/owner/kernel-builder"),
    ],
)
def test_a_name_that_nobody_has_is_found(text: str, name: str) -> None:
    assert name in unknown_in(text, built={"kernel-builder:dev"})


@pytest.mark.parametrize(
    "text",
    [
        "pip install ./python",
        "pip install './python[trust]' in a checkout",
        'pip install "torch==2.13.*"',
        "pip install --no-build-isolation -e . && pytest tests",
        'pip install --index-url "file://$PWD/wheels/torch213.cu130" relu',
        "docker run --rm kernel-builder:dev",
        "nix run github:huggingface/kernel-builder",
        PLACEHOLDER,
    ],
)
def test_a_name_that_exists_is_none(text: str) -> None:
    assert unknown_in(text, built={"kernel-builder:dev"}) == []

"""Stands in for modules that are missing, for programs, and for the words that a file reads of its machine."""

import argparse
import builtins
import importlib.abc
import importlib.machinery
import os
import re
import shutil
import subprocess
import sys
import types
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

NVCC = "nvcc: NVIDIA (R) Cuda compiler driver\\nCuda compilation tools, release {0}, V{0}.48\\n"


# Modules between a project and a stand-in that it calls.
BETWEEN = re.compile(r"<frozen |.*/(os|_collections_abc|argparse|stand_ins|running)\.py$")


def find_place(project: Path, *, only_caller: bool = False) -> str:
    """Return the line of the project that is being run: setup.py:12, empty if none of it is."""
    frame: Any = sys._getframe(1)
    while frame is not None:
        name = str(Path.cwd() / frame.f_code.co_filename)
        if name.startswith(f"{project}/") and "<" not in name:
            return f"{os.path.relpath(name, project)}:{frame.f_lineno}"
        if only_caller and not BETWEEN.match(frame.f_code.co_filename):
            break
        frame = frame.f_back
    return ""


class Anything:
    """Answers to every use with itself, or with something empty."""

    def __init__(self, *_words: Any, **_more: Any) -> None:
        pass

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return get_attribute(name)

    def __mro_entries__(self, _bases: Any) -> Any:
        return (Anything,)

    def __iter__(self) -> Any:
        return iter(())

    def __call__(self, *words: Any, **_more: Any) -> Any:
        # A decorator keeps what it is put around.
        return words[0] if len(words) == 1 and callable(words[0]) else self


def _answer(value: Any) -> Any:
    def method(self: Any, *_words: Any) -> Any:
        return self if value is Anything else bool(value) if value is None else value

    return method


for _value, _names in {
    "99.0": "str repr fspath",
    0: "len int index",
    True: "bool",
    None: "contains instancecheck lt gt le ge exit",
    Anything: "enter getitem add radd or mul sub truediv",
}.items():
    for _name in _names.split():
        setattr(Anything, f"__{_name}__", _answer(_value))


def get_attribute(name: str) -> Any:
    """Return what a missing module has under a name."""
    if name.endswith(("Error", "Exception", "NotFound", "Conflict", "Warning")):
        return type(name, (Exception,), {})
    return "99.0" if name == "__version__" else Anything()


class StandIn(types.ModuleType):
    """A module that has every name."""

    def __getattr__(self, name: str) -> Any:
        if name == "__version__" or not name.startswith("__"):
            return get_attribute(name)
        raise AttributeError(name)


class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds a stand-in for modules that nothing else has; `missing` names them."""

    def __init__(self, project: Path, known: "dict[str, dict[str, Any]]") -> None:
        self._project, self._known = project, known
        self.missing: list[str] = []

    def find_spec(self, name: str, _path: Any, _target: Any = None) -> Any:
        """Return a stand-in for a module that the project itself imports."""
        top = name.split(".")[0]
        places = [Path(entry or ".", top) for entry in sys.path]
        if any(place.is_dir() or place.with_suffix(".py").is_file() for place in places):
            return None
        # A library tries other modules, and does without them.
        frame: Any = sys._getframe(1)
        while frame is not None and "importlib" in frame.f_code.co_filename:
            frame = frame.f_back
        file = os.path.realpath(frame.f_code.co_filename) if frame else ""
        if not file.startswith(f"{self._project}/"):
            return None
        self.missing.append(name)
        return importlib.machinery.ModuleSpec(name, self, is_package=True)

    def create_module(self, spec: Any) -> Any:
        """Return the stand-in."""
        module = StandIn(spec.name)
        module.__path__ = []
        module.__dict__.update(self._known.get(spec.name, {}))
        return module

    def exec_module(self, _module: Any) -> None:
        """Run nothing."""


class Options(list):  # type: ignore[type-arg]
    """The words of the command line; notes which are looked for."""

    note: "Callable[[str], None]"

    def __contains__(self, word: object) -> bool:
        self.note(str(word))
        return super().__contains__(word)

    # Slices and sums stay such lists.
    def __getitem__(self, at: Any) -> Any:
        found = super().__getitem__(at)
        return make_options(found, self.note) if isinstance(at, slice) else found

    def __add__(self, words: Any) -> Any:
        return make_options([*self, *words], self.note)


def make_options(words: "list[str]", note: "Callable[[str], None]") -> Options:
    """Return words of the command line that tell `note` what is looked for."""
    made = Options(words)
    made.note = note
    return made


def record_options(words: "list[str]", note: "Callable[[str], None]") -> None:
    """Give sys.argv, and note each option that is looked for."""
    sys.argv = make_options(words, note)
    add = argparse.ArgumentParser.add_argument

    def add_argument(self: Any, *names: Any, **more: Any) -> Any:
        for name in names:
            if str(name).startswith("--") and more.get("action") == "store_true":
                note(str(name))
        return add(self, *names, **more)

    argparse.ArgumentParser.add_argument = add_argument  # type: ignore[method-assign]


# Texts that a description compares a variable with to find it off.
OFF = {"", "0", "false", "n", "no", "none", "off"}


class Tried(str):
    """The text of a variable that is tried: the same as any text that it is compared with, but those for off."""

    note: "Callable[[str], None]"

    def __eq__(self, other: object) -> bool:
        is_same = isinstance(other, str) and other.lower() not in OFF
        if is_same:
            self.note(str(other))
        return is_same

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = str.__hash__
    casefold = lower = strip = upper = lambda self: self  # type: ignore[assignment]


def record_variables(given: "dict[str, str]", tried: "Sequence[str]", note: "Callable[[str, str], None]") -> None:
    """Give variables of the environment, and note each that is read, with what it is compared with if it is tried."""

    class Environment(type(os.environ)):  # type: ignore[misc]
        def __getitem__(self, key: Any) -> Any:
            note(str(key), "")
            if key not in tried:
                return super().__getitem__(key)
            text = Tried("1")
            text.note = lambda other: note(str(key), other)
            return text

        def __contains__(self, key: object) -> Any:
            note(str(key), "")
            return super().__contains__(key)

    os.environ.update({**dict.fromkeys(tried, "1"), **given})
    os.environ.__class__ = Environment


def record_programs(note: "Callable[[list[str], str], None]", cuda_version: str) -> None:
    """Start no program: nvcc and cmake say their versions, all else says nothing and ends well."""
    start, nvcc = subprocess.Popen.__init__, Path(os.environ["cuda_home"], "bin/nvcc")
    answers = {
        "nvcc": f"{nvcc} --version" if nvcc.is_file() else f"printf '{NVCC.format(cuda_version)}'",
        "cmake": "printf 'cmake version 4.0.0\\n'",
    }

    def begin(self: Any, args: Any, *words: Any, **more: Any) -> None:
        given = args.split() if isinstance(args, str) else [str(each) for each in args]
        note(given, str(more.get("cwd") or "."))
        answer = "\n".join(answers.get(Path(each.strip("\"'")).name, "") for each in given)
        for name in ("shell", "executable", "cwd", "env"):
            more.pop(name, None)
        start(self, [os.environ["sh"], "-c", answer], *words, **more)

    def which(name: str, *_words: Any, **_more: Any) -> Any:
        home = os.environ.get("CUDA_HOME")
        if name in ("nvcc", "hipcc", "icpx"):
            return f"{home}/bin/nvcc" if name == "nvcc" and home else None
        return f"/build/bin/{name}"

    subprocess.Popen.__init__ = begin  # type: ignore[method-assign]
    os.system = lambda command: subprocess.call(command, shell=True)
    shutil.which = which  # type: ignore[assignment]
    builtins.input = lambda *_words: ""

"""Reads setup.py by its syntax tree: what it would build on a machine with each backend.

Nothing of it is run. Values that the machine decides, as torch.cuda.is_available(), are known by
their names, and variables of the environment are unset.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from kernel_builder.porting.evaluator import Evaluator
from kernel_builder.porting.known_functions import UNKNOWN
from kernel_builder.porting.project import Project, Word

# The machines on which each kind of extension can be for the backend.
KINDS: Final = {
    "CUDAExtension": frozenset({"cuda", "rocm"}),
    "CppExtension": frozenset({"cpu", "metal", "xpu"}),
    "Extension": frozenset({"cpu"}),
    "SyclExtension": frozenset({"xpu"}),
}
BACKENDS: Final = tuple(sorted(frozenset().union(*KINDS.values())))
# Names of what only some machines have. ROCm answers to torch.cuda, too.
_FACTS: Final = {
    r"hip|rocm": {"rocm"},
    r"version\.cuda": {"cuda"},
    r"cuda|nvcc|gpu": {"cuda", "rocm"},
    r"xpu|sycl": {"xpu"},
    r"\b(mps|metal)\b": {"metal"},
}
_KNOWN: Final = {
    "os.sep": "/",
    "os.name": "posix",
    "sys.platform": "linux",
    "os.curdir": ".",
    "os.path.curdir": ".",
    "__file__": "setup.py",
    "__name__": "__main__",
}


@dataclass
class Extension:
    """All extensions of a backend together, as it compiles them."""

    file: str = "setup.py"
    names: list[str] = field(default_factory=list)
    sources: list[Word] = field(default_factory=list)
    include: list[Word] = field(default_factory=list)
    # Flags by the compiler: cxx, nvcc, sycl.
    flags: dict[str, list[Word]] = field(default_factory=dict)


def read_setup(project: Project) -> tuple[dict[str, Extension], dict[str, Any]]:
    """Return the extension of each backend, and the other arguments of `setup`."""
    # Variables of the environment may have any value if no extension is the default.
    for environment in (dict[str, str](), UNKNOWN):
        readers = {name: Reader(project, name, environment) for name in BACKENDS}
        found = {name: each.found for name, each in readers.items() if each.found.sources}
        if found:
            break
    # The sources for the CPU are not for another backend because the machine has that.
    cpu = found.get("cpu", Extension()).sources
    more = [name for name in ("metal", "xpu") if name in found and found[name].sources == cpu]
    return {name: found[name] for name in found if name not in more}, readers["cpu"].setup


class Reader:
    """Collects the arguments of `setup` and of extensions, as on a machine with one backend."""

    def __init__(self, project: Project, backend: str, environment: Any) -> None:
        self._project, self._backend = project, backend
        self._known = {**_KNOWN, "os.environ": environment}
        self.found = Extension()
        self.setup: dict[str, Any] = {}
        kinds = {name: self._add if backend in kind else _skip for name, kind in KINDS.items()}
        functions = {**kinds, "setup": lambda _args, words, _line: self.setup.update(words)}
        Evaluator(self._project, "setup.py", functions, self._find_value).evaluate()

    def _find_value(self, text: str) -> Any:
        for words, backends in _FACTS.items():
            if re.search(words, text.lower()):
                return self._backend in backends
        return self._known.get(text, UNKNOWN)

    def _add(self, args: Sequence[Any], given: Mapping[str, Any], line: int) -> None:
        """Add an extension."""
        given, found = {**given, **dict(zip(("name", "sources"), args))}, self.found
        sources = _list_words(given.get("sources"), line)
        if not sources:
            what = "the sources of this extension cannot be read without running it"
            self._project.leave("setup.py", line, what)
        found.sources += sources
        found.include += _list_words(given.get("include_dirs"), line)
        if isinstance(name := given.get("name"), str):
            found.names.append(name)
        pairs, flags = given.get("define_macros"), given.get("extra_compile_args")
        macros = []
        for pair in pairs if isinstance(pairs, list) else [[pairs]]:
            if UNKNOWN in (pair if isinstance(pair, list) else [pair]):
                what = "a macro of this extension cannot be read without running it"
                self._project.leave("setup.py", line, what)
            elif isinstance(pair, list) and pair and isinstance(pair[0], Word):
                value = "".join(f"={each}" for each in pair[1:] if each is not None)
                macros.append(Word(f"-D{pair[0]}{value}", pair[0].line))
        for compiler in ("cxx", "nvcc", "sycl"):
            own = flags.get(compiler) if isinstance(flags, dict) else flags
            found.flags.setdefault(compiler, []).extend(_list_words(own, line) + macros)


def _skip(_args: Sequence[Any], _given: Mapping[str, Any], _line: int) -> None:
    """Add nothing: the extension is for other backends."""


def _list_words(value: Any, line: int) -> list[Word]:
    """Return the strings of a list. Those that a call returned get the line of another call."""
    found = [each for each in (value if isinstance(value, list) else []) if isinstance(each, str)]
    return [each if isinstance(each, Word) else Word(each, line) for each in found]

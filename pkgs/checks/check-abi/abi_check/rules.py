"""The rules for binaries of kernels. Each rule is a function that yields problems."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cached_property
from pathlib import Path

from auditwheel.policy import Policy
from checking.problem import Problem
from checking.variant import Variant

from abi_check import policy as rules_of
from abi_check.binary import Binary, Symbol, demangle, find_units
from abi_check.policy import POLICY, PYTHON, Provided

# Torch's stable C interface. Everything else changes between releases of Torch.
STABLE_TORCH = re.compile(r"(aoti_torch|aoti_record|torch)_\w+")
TORCH_CPP = re.compile(r"_ZN?[KRO]*(T[VISTC])?N?[KRO]*(2at|3c10|5torch|6caffe2)")
# Beginnings of the names of its libraries.
OF_TORCH = ("libtorch", "libc10", "libaoti", "libshm")
# Apple's clang adds this symbol, which every process has.
LOADER_MADE = {"dyld_stub_binder"}
PLACES_SHOWN = 5


@dataclass(frozen=True)
class Check:
    """One binary, with the data that its check needs."""

    binary: Binary
    variant: Variant
    provided: Provided
    objects: "dict[str, Path]"

    @cached_property
    def policy(self) -> Policy:
        """The policy that a binary for Linux has to meet."""
        return rules_of.policy_for(self.binary.machine)

    @property
    def file(self) -> str:
        """The binary's path in the variant."""
        return self.binary.path.relative_to(self.variant.folder).as_posix()

    def place(self, symbol: Symbol) -> str:
        """Return the file, and the units that refer to the symbol if they are known."""
        units = find_units(symbol.name, self.objects)
        if not units:
            return f"{self.file}\n(of a static library: no unit refers to it)" if self.objects else self.file
        return "\n".join([self.file, *units[:PLACES_SHOWN]])

    @property
    def unknown(self) -> "list[str]":
        """The libraries that the binary needs and whose symbols are not known."""
        return [library for library in self.binary.needed if not self.provided.has(library)]

    def too_new(self, symbol: Symbol) -> bool:
        """Return whether the policy lacks the symbol's version."""
        return bool(symbol.version) and not rules_of.is_allowed(self.policy, symbol.version)


def versions(check: Check) -> "Iterator[Problem]":
    """Check that the policy has the version of each symbol."""
    for symbol in filter(check.too_new, check.binary.wanted):
        family, _ = rules_of.split_version(symbol.version)
        yield Problem(
            at=check.place(symbol),
            found=f"{symbol.versioned} of {symbol.library}",
            want=f"{family}_{rules_of.newest(check.policy, family)} or older ({POLICY})",
            fix="call what an older system has too; take out .symver lines and archives that were made elsewhere",
        )


def describe_library(check: Check, library: str, owners: str) -> Problem:
    """Return the problem of a library that none of the owners has."""
    fix = "link it statically into the kernel, or do without it"
    return Problem(check.file, f"the library {library}", f"the libraries of {owners}", fix)


def libraries(check: Check) -> "Iterator[Problem]":
    """Check that every machine, the framework or the backend has each library."""
    allowed = rules_of.libraries_for(check.policy, check.variant)
    owners = f"{POLICY}, of {check.variant.framework.title} and of {check.variant.backend or 'the backend'}"
    for library in check.binary.needed:
        if not rules_of.matches(library, allowed):
            yield describe_library(check, library, owners)
    for library, names in check.policy.blacklist.items():
        inner = sorted(names & {symbol.name for symbol in check.binary.wanted if not symbol.is_weak})
        if library in check.binary.needed and inner:
            yield Problem(
                at=check.file,
                found=f"{', '.join(inner)} of {library}",
                want="only what the library declares in its headers",
                fix="these are its inner functions, which the next version may not have: call others",
            )


def python(check: Check) -> "Iterator[Problem]":
    """Check that Python symbols are in the stable ABI of the oldest supported Python."""
    for symbol in check.binary.wanted:
        if not rules_of.is_python(symbol.name):
            continue
        since = rules_of.stable_since(symbol.name)
        if since is not None and since <= PYTHON:
            continue
        yield Problem(
            at=check.place(symbol),
            found=f"{symbol.name}, "
            + (f"in the stable ABI since Python {since}" if since else "not in Python's stable ABI"),
            want=f"the stable ABI of Python {PYTHON}",
            fix="use the functions of the limited API; operators are best bound with TORCH_LIBRARY_EXPAND, "
            "which needs nothing of Python",
        )


def torch(check: Check) -> "Iterator[Problem]":
    """Check that a kernel on Torch's stable ABI uses no other symbol of Torch."""
    if not check.variant.is_stable:
        return
    for symbol in check.binary.wanted:
        home = check.provided.home_of(symbol.name) or Path(symbol.library).name
        of_torch = home.startswith(OF_TORCH)
        if TORCH_CPP.match(symbol.name) or (of_torch and not STABLE_TORCH.fullmatch(symbol.name)):
            yield Problem(
                at=check.place(symbol),
                found=demangle(symbol.name),
                want="Torch's stable C interface (aoti_torch_*, torch_*)",
                fix="include torch/csrc/stable/ and torch/headeronly/ instead of torch/all.h and ATen, "
                "or take stable-abi out of [torch]",
            )


def describe_undefined(
    check: Check,
    symbol: Symbol,
    which: str,
    fix: str = "add the file that defines it to src, or correct its declaration",
) -> Problem:
    """Return the problem of a symbol without a definition."""
    return Problem(
        at=check.place(symbol),
        found=f"undefined symbol {demangle(symbol.versioned)}, which {which}",
        want="symbols that the kernel defines, or a library that is there when it is loaded",
        fix=fix,
    )


def loaded_libraries(check: Check) -> "set[str]":
    """Return the libraries in which the loader looks for symbols without a version.

    The framework and the backend have loaded their libraries before. A library that every machine has is loaded only if
    something needs it.
    """
    everywhere = [*check.policy.whitelist, *rules_of.LOADERS]
    loaded = [library for library in check.provided.libraries if not rules_of.matches(library, everywhere)]
    return check.provided.load([*check.binary.needed, *loaded])


def find_homes(check: Check) -> "Iterator[tuple[Symbol, str | None]]":
    """Yield each symbol without which the binary does not load, with the library that provides it.

    The library is "" if one whose symbols are not known may provide the symbol, and None if none does.
    """
    binary, provided = check.binary, check.provided
    loaded = set() if binary.names_libraries else loaded_libraries(check)
    for symbol in binary.wanted:
        if symbol.is_weak or symbol.name in LOADER_MADE:
            continue
        home: str | None = symbol.library
        if rules_of.is_python(symbol.name):
            home = "Python"
        elif binary.names_libraries:
            home = home or None
        elif symbol.version:
            is_there = home in check.unknown or provided.offers(symbol.name, symbol.version, symbol.library)
            home = home if is_there else None
        else:
            home = min(provided.find(symbol.name) & loaded, default="" if check.unknown else None)
        yield symbol, home


def undefined(check: Check) -> "Iterator[Problem]":
    """Check that the loader finds each symbol that the binary needs."""
    for symbol, home in find_homes(check) if check.provided.libraries else ():
        if home is not None or check.too_new(symbol):
            continue
        homes = set() if symbol.version else check.provided.find(symbol.name)
        if homes:
            home = min(homes)
            fix = f"link it with {home}, as a build by kernel-builder does"
            yield describe_undefined(check, symbol, f"only {home} has, and nothing loads this library", fix)
        else:
            yield describe_undefined(check, symbol, "nothing provides")


def exports(check: Check) -> "Iterator[Problem]":
    """Check that only the entry point is visible, so that two kernels in a process share nothing."""
    framework = check.variant.framework
    entry = framework.entry.format(module=check.binary.path.name.split(".")[0])
    visible = [symbol.name for symbol in check.binary.exported]
    others = [name for name in visible if not fnmatchcase(name, framework.exports)]
    shown = [demangle(name) for name in others[:PLACES_SHOWN]]
    if len(others) > len(shown):
        shown.append(f"and {len(others) - len(shown)} more")
    if others:
        yield Problem(
            at=check.file,
            found="visible to other libraries: " + ", ".join(shown),
            want=f"only {entry}",
            fix="build it with kernel-builder, which hides all else",
        )
    if not any(fnmatchcase(name, entry) for name in visible):
        yield Problem(
            at=check.file,
            found=f"no function {entry}",
            want=framework.entry_meaning,
            fix=framework.entry_fix,
        )
    if check.binary.unique:
        yield Problem(
            at=check.file,
            found="unique symbols: "
            + ", ".join(demangle(symbol.name) for symbol in check.binary.unique[:PLACES_SHOWN]),
            want="none: the process would share them between two builds of the kernel",
            fix="take -fgnu-unique out of the flags",
        )


def describe_run_path(check: Check, path: str, want: str) -> Problem:
    """Return the problem of a run path."""
    return Problem(check.file, f"the run path {path}", want, "take -rpath out of the flags")


def run_paths(check: Check) -> "Iterator[Problem]":
    """Check that the binary has no run path."""
    want = f"none: libraries are found because {check.variant.framework.title} has loaded them"
    for path in check.binary.run_paths:
        yield describe_run_path(check, path, want)


def describe_traces(check: Check, place: str, fix: str, *, in_debug: bool) -> "Iterator[Problem]":
    """Yield the problem of paths of the build machine, in debug information or elsewhere."""
    found = [trace.text for trace in check.binary.traces if trace.is_debug == in_debug]
    if found:
        want = "no path of the store or of the build folder"
        yield Problem(f"{check.file}{place}", "\n".join(found[:PLACES_SHOWN]), want, fix)


def traces(check: Check) -> "Iterator[Problem]":
    """Check that the binary contains no path of the build machine."""
    return describe_traces(check, "", "take macros that hold a path, and -G, out of the flags", in_debug=False)


def debug_traces(check: Check) -> "Iterator[Problem]":
    """Yield a warning for paths of the build machine in debug information."""
    fix = "nothing, if it is meant for a debugger; else take -g out of the flags"
    return describe_traces(check, ", debug information", fix, in_debug=True)


Rule = Callable[[Check], Iterator[Problem]]
RULES: "tuple[Rule, ...]" = (
    versions,
    libraries,
    python,
    torch,
    undefined,
    exports,
    run_paths,
    traces,
)

"""The state that all code of a process shares, so that an import can be held against it.

Each fact is an expression that Python evaluates: Torch, Python and the C library are asked. A fact
that this machine or this version of Torch does not have is left out.
"""

import ctypes
import hashlib
import json
import locale
import logging
import os
import re
import signal
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

# Expressions by the advice for who changes them.
FACTS: "dict[str, list[str]]" = json.loads(Path(__file__).with_name("facts.json").read_text())
LOCAL = next(iter(FACTS))
# Read for each line of a kernel that is traced.
CODE = {each: compile(each, each, "eval") for group in FACTS.values() for each in group}
SEEDS = "delete it, or draw from a generator of the kernel's own, such as torch.Generator()"
VARIABLES = "delete it; its users set the variables of their environment"
FILTERS = "write `with warnings.catch_warnings():` in the function that needs the filter"
LOGS = "delete it, and log to logging.getLogger(__name__); the application sets levels and handlers"
SIGNALS = "delete it; the application installs handlers"
# Modules of Python whose state counts also if nothing has loaded them yet.
LOADED = ("decimal", "gc", "multiprocessing", "random", "socket", "threading", "warnings")
# An address differs from run to run.
ADDRESS = re.compile(r" at 0x[0-9a-f]+")
# Longer values say less than their beginning.
SHOWN = 80


def read_facts(advice: str) -> "dict[str, Any]":
    """Return the values of the expressions with this advice."""
    values, names = {}, {**sys.modules}
    for expression in FACTS[advice]:
        with suppress(Exception):
            value = eval(CODE[expression], names)
            values[expression] = [*value] if isinstance(value, list) else value
    return values


def read_seeds() -> "dict[str, Any]":
    """Return digests of the states of the generators that a process shares."""
    states = {}
    for name, expression in {
        "torch": "torch.get_rng_state().numpy().tobytes()",
        "random": "repr(random.getstate()).encode()",
        "numpy.random": "repr(numpy.random.get_state()).encode()",
    }.items():
        with suppress(Exception):
            state = eval(expression, {**sys.modules})
            states[f"the next random numbers of {name}"] = (hashlib.sha256(state).hexdigest(),)
    return states


def read_variables() -> "dict[str, Any]":
    """Return the environment as C has it too: native code does not tell Python what it sets."""
    found = {**os.environ}
    with suppress(ValueError):
        pointers = ctypes.POINTER(ctypes.c_char_p).in_dll(ctypes.CDLL(None), "environ")
        found = {}
        while entry := pointers[len(found)]:
            name, _, value = os.fsdecode(entry).partition("=")
            found[name] = value
    return {f"the variable {name}": value for name, value in found.items()}


def read_filters() -> "dict[str, Any]":
    """Return the filters of warnings."""
    filters = []
    for action, message, category, module, _ in sys.modules["warnings"].filters:
        texts = (getattr(each, "pattern", each) or "" for each in (message, module))
        filters.append(":".join([action, category.__name__, *map(str, texts)]).rstrip(":"))
    return {"warnings.filters": filters}


def read_logs() -> "dict[str, Any]":
    """Return levels and handlers of all loggers, and how much was printed to a file.

    A logger that is not there has the defaults.
    """
    found: dict[str, Any] = {"logging.disable()": logging.root.manager.disable}
    with suppress(Exception):
        print(end="", flush=True)
        ctypes.CDLL(None).fflush(None)
        found["the length of the standard output"] = os.fstat(1).st_size
    known = {"root": logging.root, **logging.root.manager.loggerDict}
    for name, logger in known.items():
        if isinstance(logger, logging.Logger):
            handlers = [type(each).__name__ for each in logger.handlers]
            found[f"the level of the logger {name!r}"] = logging.getLevelName(logger.level)
            found[f"the handlers of the logger {name!r}"] = handlers
            found[f"whether the logger {name!r} is disabled"] = logger.disabled
    return found


def read_signals() -> "dict[str, Any]":
    """Return the handlers of Python and of C for each signal."""
    found, c = {}, ctypes.CDLL(None)
    for number in signal.valid_signals():
        action = ctypes.create_string_buffer(256)
        c.sigaction(number, None, action)
        with suppress(ValueError):
            name = signal.Signals(number).name
            found[f"the handler of {name}"] = (signal.getsignal(number), action.raw[:8])
    return found


def read_process() -> "dict[str, Any]":
    """Return facts of the process that C keeps."""
    c = ctypes.CDLL(None)
    mask = os.umask(0)
    os.umask(mask)
    smallest, tiny = sys.float_info.min, sys.float_info.min * sys.float_info.epsilon
    is_kept = smallest * 0.5 > 0 and tiny * 1e300 > 0
    found: dict[str, Any] = {
        "the umask": oct(mask),
        "the locale": locale.setlocale(locale.LC_ALL),
        "what arithmetic does with denormal numbers": "keep" if is_kept else "flush to zero",
        "how arithmetic rounds (fegetround)": c.fegetround(),
    }
    with suppress(AttributeError):
        found["the traps of arithmetic (fegetexcept)"] = c.fegetexcept()
    return found


def read_configs() -> "dict[str, Any]":
    """Return the settings of Torch's compilers that differ from their defaults."""
    found = {}
    for name, module in [*sys.modules.items()]:
        if name.startswith("torch.") and hasattr(type(module), "_is_default"):
            for key in module._config:
                with suppress(Exception):
                    if not module._is_default(key):
                        found[f"{name}.{key}"] = getattr(module, key)
    return found


READERS: "dict[str, tuple[Callable[[], dict[str, Any]], str]]" = {
    **{f"fact {at}": (partial(read_facts, each), each) for at, each in enumerate(FACTS)},
    "seeds": (read_seeds, SEEDS),
    "variables": (read_variables, VARIABLES),
    "filters": (read_filters, FILTERS),
    "logs": (read_logs, LOGS),
    "signals": (read_signals, SIGNALS),
    "process": (read_process, LOCAL),
    "configs": (read_configs, LOCAL),
}


def take() -> "dict[str, dict[str, Any]]":
    """Return the values of all facts, by the name of their reader."""
    for name in LOADED:
        import_module(name)
    return {reader: read() for reader, (read, _) in READERS.items()}


def compare(before: "Mapping[str, Mapping[str, Any]]") -> "Iterator[tuple[str, str, str]]":
    """Yield the reader, the name and the change of each fact that differs from `before`."""
    for reader, old in before.items():
        new = READERS[reader][0]()
        for name in {**old, **new}:
            if (name in old) != (name in new) or is_other(old.get(name), new.get(name)):
                # A logger that the kernel makes for itself, and a module that was not loaded.
                if name in new and (name in old or reader not in ("fact 0", "seeds", "logs")):
                    yield reader, name, show_change(name, old.get(name), new[name])
                elif name not in new:
                    yield reader, name, f"{name} is lost, and was {_shorten(old[name])}"


def is_other(old: Any, new: Any) -> bool:
    """Return whether two values of a fact differ."""
    with suppress(Exception):
        return bool(old != new)
    return old is not new


def show_change(name: str, old: Any, new: Any) -> str:
    """Say how a fact changed."""
    if isinstance(old, list) and isinstance(new, list):
        added, lost = ([x for x in a if x not in b] for a, b in ((new, old), (old, new)))
        parts = [f"gets {_shorten(x)}" for x in added] + [f"loses {_shorten(x)}" for x in lost]
        return f"{name} {', '.join(parts)}" if parts else f"{name} has another order"
    if isinstance(new, tuple):
        return f"{name}: another state than before"
    was = "not set" if old is None else _shorten(old)
    return f"{name} is {_shorten(new)}, and was {was}"


def _shorten(value: Any) -> str:
    text = ADDRESS.sub("", repr(value))
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"

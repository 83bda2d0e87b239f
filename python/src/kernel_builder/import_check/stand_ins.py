"""Answers questions about the GPU that the build machine does not have.

Kernels ask at the top of a module which GPU this is, and choose tables or a path by the answer.
The stand-in is no GPU: a kernel that computes on it fails, and `is_available()` is false. In trials
it is true, so that they reach code for machines with a GPU; or the GPU is refused, as on machines
of users who have none.
"""

import re
import sys
import traceback
from collections.abc import Callable, Collection, Mapping
from importlib import import_module
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from types import SimpleNamespace
from typing import Any

from kernel_builder.import_check.problems import Place

# Torch calls some of its own functions through the two modules of Python.
IN_TORCH = re.compile(r"(torch|functools|contextlib)\b")
NO_GPU = "found no GPU and no driver, by {}"


class Questions:
    """Lines of a kernel that ask about the GPU during its import.

    `presence` has those that ask whether there is one, and `properties` those that fail without
    one, with the question. With `answered`, these fail, but for the lines in it; `refused` has the
    lines that failed, with the question.
    """

    def __init__(self, place: "Place | None" = None, answered: "Collection[str] | None" = None):
        self.place, self.answered = place, answered
        self.presence: dict[str, str] = {}
        self.properties: dict[str, str] = {}
        self.refused: dict[str, str] = {}

    def answer(self, kept: "dict[str, str]", question: str, value: Any) -> Callable[..., Any]:
        """Return a function that keeps the line of its caller and returns the value."""

        def answer(*_: Any, **__: Any) -> Any:
            at = self._find_line()
            if at:
                kept.setdefault(at, question)
            is_refused = kept is self.properties and self.answered is not None
            if at and is_refused and at not in (self.answered or ()):
                self.refused[at] = question
                raise RuntimeError(NO_GPU.format(question))
            return value

        return answer

    def _find_line(self) -> str:
        """Return the lines of the kernel that ask, if no package of others asks for itself."""
        frame: Any = sys._getframe(2)
        while frame and IN_TORCH.match(frame.f_globals.get("__name__", "")):
            frame = frame.f_back
        if not frame or not self.place or not self.place.has(frame.f_code.co_filename):
            return ""
        return self.place.show_frames(reversed(traceback.extract_stack(frame)))


def install(
    device: "Mapping[str, Any]", questions: "Questions | None" = None, *, is_there: bool = False
) -> None:
    """Stand in for a GPU. `device` is the field of that name in `backends/NAME/checks.json`."""
    questions = questions or Questions()
    given, name, facts = device["capability"], device["name"], device["triton"]
    properties = SimpleNamespace(name=name, **device["properties"])
    capability = tuple(given) if isinstance(given, list) else given
    module: Any = import_module(f"torch.{device['module']}")
    for attribute, kept, value in (
        ("is_available", questions.presence, is_there),
        ("device_count", questions.presence, int(is_there)),
        ("current_device", questions.properties, 0),
        ("get_device_capability", questions.properties, capability),
        ("get_device_name", questions.properties, name),
        ("get_device_properties", questions.properties, properties),
    ):
        question = f"{module.__name__}.{attribute}()"
        setattr(module, attribute, questions.answer(kept, question, value))
    if not find_spec("triton"):
        return
    compiler, runtime = map(import_module, ("triton.backends.compiler", "triton.runtime"))
    target = compiler.GPUTarget(facts["backend"], facts["arch"], facts["warp_size"])
    active = {
        "get_active_torch_device": import_module("torch").device(device["module"], 0),
        "get_current_device": 0,
        "get_current_target": target,
    }

    def answer(question: str, value: Any) -> Callable[..., Any]:
        return questions.answer(questions.properties, f"triton's driver, {question}()", value)

    # A driver that knows its target and can run nothing.
    driver = SimpleNamespace(
        **{name: answer(name, value) for name, value in active.items()},
        utils=SimpleNamespace(get_device_properties=answer("get_device_properties", facts)),
    )
    runtime.driver.set_active(driver)


def provide(names: Collection[str]) -> None:
    """Let anything be imported from modules of these names, unless something else has them."""
    loader: Any = SimpleNamespace(create_module=_make_module, exec_module=lambda _: None)

    def find(name: str, *_: Any) -> "ModuleSpec | None":
        is_wanted = name.partition(".")[0] in names
        return ModuleSpec(name, loader, is_package=True) if is_wanted else None

    sys.meta_path.append(SimpleNamespace(find_spec=find))


def _make_module(_: ModuleSpec) -> Any:
    # Importing unittest takes a tenth of a second.
    return import_module("unittest.mock").MagicMock()

"""Answers questions about the GPU that the build machine does not have.

Kernels ask at the top of a module which GPU this is, and choose tables or a path by the answer.
The stand-in is no GPU: `is_available()` stays false, and a kernel that computes on it fails.
"""

from collections.abc import Callable, Mapping
from importlib import import_module
from importlib.util import find_spec
from types import SimpleNamespace
from typing import Any


def install(device: Mapping[str, Any]) -> None:
    """Stand in for a GPU. `device` is the field of that name in `lib/backends/NAME/checks.json`."""
    _answer_for_torch(device)
    if find_spec("triton"):
        _answer_for_triton(device)


def _answer_for_torch(device: Mapping[str, Any]) -> None:
    """Let Torch's module for the device describe one with the number 0."""
    module = import_module(f"torch.{device['module']}")
    properties = SimpleNamespace(name=device["name"], **device["properties"])
    capability = device["capability"]
    answers = {
        "current_device": 0,
        "get_device_capability": tuple(capability) if isinstance(capability, list) else capability,
        "get_device_name": device["name"],
        "get_device_properties": properties,
    }
    for name, value in answers.items():
        setattr(module, name, _always(value))


def _answer_for_triton(device: Mapping[str, Any]) -> None:
    """Give Triton a driver that knows its target and can run nothing."""
    facts = device["triton"]
    compiler, runtime = map(import_module, ("triton.backends.compiler", "triton.runtime"))
    target = compiler.GPUTarget(facts["backend"], facts["arch"], facts["warp_size"])
    properties = {name: facts[name] for name in ("max_shared_mem", "multiprocessor_count")}
    runtime.driver.set_active(
        SimpleNamespace(
            get_active_torch_device=_always(import_module("torch").device(device["module"], 0)),
            get_current_device=_always(0),
            get_current_target=_always(target),
            utils=SimpleNamespace(get_device_properties=_always(properties)),
        )
    )


def _always(value: Any) -> Callable[..., Any]:
    """Return a function that returns the value, whatever its arguments are."""
    return lambda *_, **__: value

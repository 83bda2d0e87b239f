"""Answers questions about the GPU that the build machine does not have.

Kernels ask at the top of a module which GPU this is, and choose tables or a path by the answer.
The stand-in is no GPU: a kernel that computes on it fails, and `is_available()` is false. In trials
it is true, so that they reach code for machines with a GPU.
"""

import sys
from collections.abc import Callable, Collection, Mapping
from importlib import import_module
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from types import SimpleNamespace
from typing import Any


def install(device: Mapping[str, Any], *, is_there: bool = False) -> None:
    """Stand in for a GPU. `device` is the field of that name in `backends/NAME/checks.json`."""
    module: Any = import_module(f"torch.{device['module']}")
    module.is_available, module.device_count = _always(is_there), _always(int(is_there))
    asked, name, facts = device["capability"], device["name"], device["triton"]
    module.current_device = _always(0)
    module.get_device_capability = _always(tuple(asked) if isinstance(asked, list) else asked)
    module.get_device_name = _always(name)
    module.get_device_properties = _always(SimpleNamespace(name=name, **device["properties"]))
    if not find_spec("triton"):
        return
    compiler, runtime = map(import_module, ("triton.backends.compiler", "triton.runtime"))
    target = compiler.GPUTarget(facts["backend"], facts["arch"], facts["warp_size"])
    # A driver that knows its target and can run nothing.
    driver = SimpleNamespace(
        get_active_torch_device=_always(import_module("torch").device(device["module"], 0)),
        get_current_device=_always(0),
        get_current_target=_always(target),
        utils=SimpleNamespace(get_device_properties=_always(facts)),
    )
    runtime.driver.set_active(driver)


def provide(names: Collection[str]) -> None:
    """Let anything be imported from modules of these names, unless something else has them."""
    loader: Any = SimpleNamespace(create_module=_make_module, exec_module=_always(None))

    def find(name: str, *_: Any) -> "ModuleSpec | None":
        is_wanted = name.partition(".")[0] in names
        return ModuleSpec(name, loader, is_package=True) if is_wanted else None

    sys.meta_path.append(SimpleNamespace(find_spec=find))


def _make_module(_: ModuleSpec) -> Any:
    # Importing unittest takes a tenth of a second.
    return import_module("unittest.mock").MagicMock()


def _always(value: Any) -> Callable[..., Any]:
    """Return a function that returns the value, whatever its arguments are."""
    return lambda *_, **__: value

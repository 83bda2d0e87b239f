"""Asks the public client which classes of a kernel it accepts as layers."""

import inspect
import sys
from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

from kernel_builder.import_check.problems import Place
from kernel_builder.messages.problem import Problem

REFUSED = "the client refuses these classes as layers"
USELESS = "these layers cannot do the work of a module"
LOST = "the client does not find these layers"
IDLE = "its `forward` takes nothing beside the module itself, which is the first argument, `self`"
WANT = "a class that can replace the `forward` of a module: docs/guide/layers.md has the rules"
RENAME = "correct it; if it is no layer, import it as _{name} in `layers`, or offer it elsewhere"
EXPORT = "import it in layers/__init__.py: `from .{module} import {name}`"


def check_layers(kernel: Any, place: Place) -> "Iterator[tuple[str, list[Problem]]]":
    """Yield the problems of the classes in `layers`, and those of layers that users do not get."""
    package, has_layers = kernel.__name__, getattr(kernel, "layers", None) is not None
    classes = _list_classes(kernel.layers, package) if has_layers else {}
    refused = {name: _ask_client(name, each, place) for name, each in classes.items()}
    yield REFUSED, [_describe(classes[name], place, said) for name, said in refused.items() if said]
    useless = {name: _find_useless(each) for name, each in classes.items() if not refused[name]}
    yield USELESS, [_describe(classes[name], place, said) for name, said in useless.items() if said]
    lost = []
    for file in sorted({place.folder / "layers.py", *(place.folder / "layers").rglob("*.py")}):
        parts = file.relative_to(place.folder).with_suffix("").parts
        module = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        # A file without the word has no layer; nothing else of the kernel asks for it.
        is_new = file.is_file() and f"{package}.{module}" not in sys.modules
        if not is_new or b"forward" not in file.read_bytes():
            continue
        with suppress(Exception, SystemExit):
            loaded = import_module(f"{package}.{module}")
            for name, each in _list_classes(loaded, package).items():
                is_own = each.__module__ == loaded.__name__ and name not in classes
                if is_own and not _ask_client(name, each, place, loaded):
                    fix = f"write `from . import layers` in {place.shown_as}/__init__.py"
                    if has_layers:
                        fix = EXPORT.format(module=module[len("layers.") :], name=name)
                    lost.append(
                        _describe(each, place, "the package does not import its module", fix)
                    )
    yield LOST, lost


def _list_classes(module: Any, package: str) -> "dict[str, Any]":
    """Return the kernel's public classes that have a `forward`, apart from gradients."""
    import torch

    return {
        name: each
        for name, each in vars(module).items()
        if issubclass(type(each), type)
        and not name.startswith("_")
        and f"{each.__module__}.".startswith(f"{package}.")
        and hasattr(each, "forward")
        and not issubclass(each, torch.autograd.Function)
    }


def _ask_client(name: str, layer: Any, place: Place, module: Any = None) -> str:
    """Let the client replace the `forward` of a module by a layer; return why it does not.

    With `module`, the layer is one of this module, which the kernel does not offer.
    """
    import kernels
    import torch

    class Repository(kernels.LocalLayerRepository):
        def load(self) -> Any:
            return getattr(module, name) if module else super().load()

    repository = Repository(place.folder, layer_name=name)
    model: Any = type(name, (torch.nn.Module,), {"forward": layer.forward})
    kernels.replace_kernel_forward_from_hub(model, name)
    try:
        with kernels.use_kernel_mapping({name: {"cpu": repository}}, inherit_mapping=False):
            mode = kernels.Mode.INFERENCE
            kernels.kernelize(model(), mode=mode, device="cpu", use_fallback=False)
    except (TypeError, ValueError) as error:
        return str(error).replace(f"{repository} ", "it ")
    return ""


def _find_useless(layer: Any) -> str:
    """Return why a layer computes nothing of what a module is given, or an empty string."""
    import torch

    if layer.forward is torch.nn.Module.forward:
        other = ", but __call__" if "__call__" in vars(layer) else ""
        return f"it has no `forward` of its own{other}"
    for mark in ("has_backward", "can_torch_compile"):
        if isinstance(getattr(layer, mark, True), str):
            return f"{mark} is the text {getattr(layer, mark)!r}, which the client takes for True"
    is_static = isinstance(inspect.getattr_static(layer, "forward"), staticmethod)
    takes = inspect.signature(layer.forward).parameters.values()
    is_open = any(each.kind in (each.VAR_POSITIONAL, each.VAR_KEYWORD) for each in takes)
    if is_static or is_open or len(takes) > 1:
        return ""
    return IDLE


def _describe(layer: Any, place: Place, said: str, fix: str = "") -> Problem:
    at = place.shown_as
    with suppress(OSError, TypeError):
        its = layer.forward if said == IDLE else layer
        file, line = inspect.getsourcefile(its), inspect.getsourcelines(its)[1]
        at = place.show_frames([(str(Path(str(file))), line, "", "")])
    name = layer.__name__
    return Problem(at, f"class {name}: {said}", WANT, fix or RENAME.format(name=name))

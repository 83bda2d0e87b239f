"""Records the calls of a kernel's operators, with copies of the arguments from before the call."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import Any

import torch
from torch.utils._python_dispatch import _get_current_dispatch_mode
from torch.utils._pytree import tree_flatten, tree_map_only

# Calls of one operator that differ in more than values: tests over many shapes repeat themselves.
MOST_CALLS = 8
# Bytes behind the tensors of a call: the arguments are copied five times.
LARGEST_CALL = 64 << 20
# Characters of a value in a message.
LONGEST_VALUE = 40


@dataclass(frozen=True)
class Call:
    """A call that returned. `file` and `line` are the test's; the file is relative to the kernel's folder."""

    operator: Any
    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    file: str
    line: int

    def copy_arguments(self) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """Return copies of the arguments, which an operator may write to."""
        args, kwargs = tree_map_only(torch.Tensor, copy_tensor, (self.args, self.kwargs))
        return args, kwargs


class Recorder:
    """Wraps the methods with which Python calls operators, and keeps the calls of one namespace while `is_active`.

    A mode of Torch would see more calls, but `torch.compile` treats code under a mode in another way.
    """

    def __init__(self, namespace: str, home: Path) -> None:
        self.namespace, self.home = namespace, home
        self.is_active = False
        # The key of a call is the operator's name and what makes the call differ from others.
        self.calls: dict[Any, Call] = {}
        self.taken: set[Any] = set()

    @property
    def operators(self) -> set[str]:
        """The names of the operators whose calls were taken."""
        return {name for name, *_ in self.taken}

    def install(self) -> None:
        """Wrap the methods, once a process. Python looks `__call__` up in the class."""
        packet, overload = torch._ops.OpOverloadPacket, torch._ops.OpOverload
        packet.__call__ = self._wrap(packet.__call__, _resolve)
        overload.__call__ = self._wrap(overload.__call__, lambda operator, *_: operator)

    def take(self, *, is_passed: bool) -> list[Call]:
        """Return the calls of a test that has passed, and forget those of another one."""
        calls, self.calls = self.calls, {}
        if not is_passed:
            return []
        self.taken.update(calls)
        return list(calls.values())

    def _wrap(self, call: Callable[..., Any], resolve: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(call)
        def record(operator: Any, /, *args: Any, **kwargs: Any) -> Any:
            # Both kinds have a text of the form `namespace.operator`.
            if not self.is_active or not str(operator).startswith(f"{self.namespace}."):
                return call(operator, *args, **kwargs)
            try:
                kept = self._keep(operator, resolve, args, kwargs)
            except RuntimeError:
                # The arguments fit no overload, as the call will say, or Torch cannot copy them.
                kept = None
            result = call(operator, *args, **kwargs)
            if kept is not None:
                self.calls.setdefault(*kept)
            return result

        return record

    def _keep(
        self, operator: Any, resolve: Callable[..., Any], args: tuple[Any, ...], kwargs: Mapping[str, Any]
    ) -> tuple[Any, Call] | None:
        """Return the key and the call with copied arguments, or None for one that adds nothing or cannot be copied."""
        leaves, form = tree_flatten((args, dict(kwargs)))
        tensors = [leaf for leaf in leaves if isinstance(leaf, torch.Tensor)]
        # Under a mode, such as that of another opcheck, a call is not the user's.
        if _get_current_dispatch_mode() is not None or not all(map(_is_plain, tensors)):
            return None
        if sum(each.untyped_storage().nbytes() for each in tensors) > LARGEST_CALL:
            return None
        overload = resolve(operator, args, kwargs)
        key = (overload.name(), str(form), *map(_summarize, leaves))
        known = [each for each in (*self.taken, *self.calls) if each[0] == key[0]]
        if key in known or len(known) >= MOST_CALLS:
            return None
        place = self._find_test()
        copied = Call(overload, args, dict(kwargs), *place).copy_arguments()
        return key, Call(overload, *copied, *place)

    def _find_test(self) -> tuple[str, int]:
        """Return the place of the outermost frame in the kernel's tests, which is the test itself."""
        place, frame, tests = ("tests", 0), sys._getframe(1), f"{self.home / 'tests'}/"
        while frame is not None:
            if frame.f_code.co_filename.startswith(tests):
                place = (str(Path(frame.f_code.co_filename).relative_to(self.home)), frame.f_lineno)
            frame = frame.f_back  # type: ignore[assignment]
        return place


def copy_tensor(tensor: Any) -> Any:
    """Return a leaf with the same values, strides and offset. It requires grad if the call would build a graph."""
    copy = tensor.detach().new_empty(0)
    copy.set_(tensor.untyped_storage().clone(), tensor.storage_offset(), tensor.size(), tensor.stride())
    return copy.requires_grad_(tensor.requires_grad and torch.is_grad_enabled())


def describe_results(values: Any) -> str:
    """Return the types of tensors, and other values, in words: `float32[3, 4], 2.0`."""
    if isinstance(values, torch.Tensor):
        text = f"{str(values.dtype).partition('.')[2]}{list(values.shape)}"
        return text if values.is_contiguous() else f"{text} with strides {list(values.stride())}"
    if isinstance(values, Mapping):
        return ", ".join(f"{name}={describe_results(value)}" for name, value in values.items())
    if isinstance(values, (list, tuple)) and any(isinstance(each, torch.Tensor) for each in values):
        return f"[{', '.join(map(describe_results, values))}]"
    text = repr(values)
    return text if len(text) <= LONGEST_VALUE else f"{text[: LONGEST_VALUE - 1]}…"


def describe_values(values: Any) -> str:
    """Return arguments in words: as results, with those that require grad."""
    is_tensor = isinstance(values, torch.Tensor)
    return f"{describe_results(values)}{' that requires grad' if is_tensor and values.requires_grad else ''}"


def _resolve(packet: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """Return the overload that a call of all overloads takes."""
    (*others, name) = packet.overloads()
    return getattr(packet, torch._C._jit_resolve_packet(packet._qualified_op_name, *args, **kwargs) if others else name)


def _is_plain(tensor: Any) -> bool:
    """Say whether a tensor is memory of the processor, and not a stand-in of torch.compile or torch.func."""
    return (
        type(tensor) in (torch.Tensor, torch.nn.Parameter)
        and not torch._is_functional_tensor(tensor)
        and not torch._C._functorch.is_functorch_wrapped_tensor(tensor)
        and tensor.layout == torch.strided
        and not tensor.is_meta
        and not (tensor.is_quantized or tensor.is_conj() or tensor.is_neg())
    )


def _summarize(leaf: Any) -> Any:
    """Return in what a call has to differ from others so that it adds something."""
    if isinstance(leaf, torch.Tensor):
        grad = leaf.requires_grad and torch.is_grad_enabled()
        return (leaf.dtype, leaf.dim(), leaf.numel() == 0, leaf.is_contiguous(), grad)
    return leaf if leaf is None or isinstance(leaf, (bool, str)) else type(leaf)

"""The functions of this build, and names that only this build has."""

from importlib.util import find_spec
from pathlib import Path
from typing import Any, Callable

import tvm_ffi

# Not resolved: files in the cache of the Hub are links to another folder.
ops = tvm_ffi.load_module(Path(__file__).absolute().parent / "@file@")

has_torch = find_spec("torch") is not None
has_jax = find_spec("jax") is not None and find_spec("jax_tvm_ffi") is not None


def torch_add_op_namespace_prefix(op_name: str) -> str:
    """Return `op_name` in the namespace of this build, as `torch.library` wants it."""
    return f"@extension@::{op_name}"


# As in kernels for Torch.
add_op_namespace_prefix = torch_add_op_namespace_prefix


def jax_add_ffi_target_name_prefix(name: str) -> str:
    """Return `name` as only this build has it, for a target of JAX's FFI."""
    return f"@extension@.{name}"


def jax_register_ffi_target(name: str, *args: Any, **kwargs: Any) -> Any:
    """Register a function of `ops` with JAX under the name of this build; without JAX, do nothing."""
    if not has_jax:
        return None
    from jax_tvm_ffi import register_ffi_target

    return register_ffi_target(jax_add_ffi_target_name_prefix(name), *args, **kwargs)


def jax_ffi_call(name: str, *args: Any, **kwargs: Any) -> "Callable[..., Any]":
    """Return what calls the target of that name in JAX; RuntimeError where JAX is not there."""
    if not has_jax:
        raise RuntimeError("jax_ffi_call needs jax and jax-tvm-ffi, which are not installed")
    from jax.ffi import ffi_call

    return ffi_call(jax_add_ffi_target_name_prefix(name), *args, **kwargs)

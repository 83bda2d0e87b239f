"""The data of each framework for the checks."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Framework:
    """One framework. `{module}` is replaced by the extension's name."""

    name: str
    title: str
    # The folder of a kernel's Python files.
    folder: str
    # A pattern for the beginning of names of variants.
    label: str
    ending: str
    # Shell patterns of the symbols that the extension may export, and of the one that it has to export.
    exports: str
    entry: str
    entry_meaning: str
    entry_fix: str
    # The expression in `_ops.py` that gives the functions.
    use: str


TORCH = Framework(
    name="torch",
    title="Torch",
    folder="torch-ext",
    label=r"torch(-stable-abi)?\d+(-cxx11)?",
    ending=".abi3.so",
    exports="PyInit_*",
    entry="PyInit_{module}",
    entry_meaning="the entry point that Python calls when it imports the file",
    entry_fix="write REGISTER_EXTENSION(TORCH_EXTENSION_NAME) in the binding",
    use="torch.ops.{module}",
)
TVM_FFI = Framework(
    name="tvm-ffi",
    title="TVM FFI",
    folder="tvm-ffi-ext",
    label=r"tvm-ffi\d+",
    ending=".so",
    exports="__tvm_ffi_*",
    entry="__tvm_ffi_*",
    entry_meaning="a function that TVM FFI finds",
    entry_fix="write TVM_FFI_DLL_EXPORT_TYPED_FUNC(name, function) in the binding",
    use="{module}",
)
FRAMEWORKS = (TORCH, TVM_FFI)

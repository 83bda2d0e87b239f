"""Runs inside: loads relu into a Python that Torch has no modules for, and calls it.

Of Torch there are only its C++ libraries; the operator is called through their C interface for
stable extensions.
"""

import ctypes
import json
import platform
import sys
from importlib.machinery import ExtensionFileLoader, ModuleSpec
from importlib.util import module_from_spec
from pathlib import Path

variant, libraries = map(Path, sys.argv[1:])
# The kernel finds its libraries among those that are loaded.
torch = ctypes.CDLL(str(libraries / "libtorch_cpu.so"), ctypes.RTLD_GLOBAL)

(file,) = variant.glob("*.abi3.so")
name = file.name.split(".")[0]
loader = ExtensionFileLoader(name, str(file))
loader.exec_module(module_from_spec(ModuleSpec(name, loader, origin=str(file))))


def tensor(*values: float) -> "tuple[ctypes.c_void_p, ctypes.Array[ctypes.c_float]]":
    """Return a handle to a tensor, and the memory that it is made of."""
    memory = (ctypes.c_float * len(values))(*values)
    one = ctypes.c_int64 * 1
    handle = ctypes.c_void_p()
    status = torch.aoti_torch_create_tensor_from_blob(
        memory,
        ctypes.c_int64(1),
        one(len(values)),
        one(1),
        ctypes.c_int64(0),
        torch.aoti_torch_dtype_float32(),
        torch.aoti_torch_device_type_cpu(),
        0,
        ctypes.byref(handle),
    )
    assert status == 0
    return handle, memory


out, result = tensor(9.0, 9.0, 9.0, 9.0)
given, _memory = tensor(-1.0, 2.0, -3.0, 4.0)
stack = (ctypes.c_uint64 * 2)(out.value or 0, given.value or 0)
status = torch.aoti_torch_call_dispatcher(f"{name}::relu".encode(), b"", stack)
print(
    json.dumps(
        {
            "glibc": platform.libc_ver()[1],
            "python": platform.python_version(),
            "status": status,
            "result": list(result),
        }
    )
)

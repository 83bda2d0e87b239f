"""Load `$variant` with the public client; what its import raises is the build's error."""

import ctypes
import os
import sys
import traceback
from pathlib import Path

os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["HF_HOME"] = os.environ["HOME"] = str(Path.cwd())
variant = Path(os.environ["variant"])

from kernels import get_local_kernel  # noqa: E402  (after the environment it reads)

# The loader finds by its name what the process has loaded already.
for package in os.environ["packages"].split():
    for stub in Path(package).glob("lib/stubs/*.so.*"):
        ctypes.CDLL(str(stub))

try:
    module = get_local_kernel(variant, backend=os.environ["backend"])
except BaseException as error:
    # The frames of the check and of the client say nothing of the kernel.
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if frame.filename.startswith(str(variant))]
    for frame in own:
        frame.filename = frame.filename[len(str(variant)) + 1 :]
    sys.exit(
        "the kernel cannot be imported\n\n"
        + "".join(traceback.format_list(own))
        + "".join(traceback.format_exception_only(type(error), error))
        + "\nfix    mend what it raises; code that needs a GPU belongs into functions, not at the top of a module. "
        "`doGetKernelCheck = false` in flake.nix builds without this check."
    )
print(f"imported {module.__name__}: {len(dir(module))} names")
Path(os.environ["out"]).mkdir()

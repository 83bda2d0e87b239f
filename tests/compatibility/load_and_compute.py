"""Runs inside: loads a kernel with the public client and prints the versions as JSON.

It also prints the OpenMP libraries, of which Torch and the kernel must share one.
"""

import json
import platform
import sys
from pathlib import Path

import torch
from kernels import get_local_kernel

kernel = get_local_kernel(Path(sys.argv[1]), backend="cpu")
x = torch.randn(4, 8)
rows = getattr(kernel, sys.argv[2])(x).shape[0]
torch.set_num_threads(2)
torch.nn.functional.softmax(torch.randn(512, 512), dim=0)
maps = {line.split()[-1] for line in Path("/proc/self/maps").read_text().splitlines()}
print(
    json.dumps(
        {
            "glibc": platform.libc_ver()[1],
            "python": platform.python_version(),
            "torch": torch.__version__,
            "rows": rows,
            "openmp": sorted(path for path in maps if "/libgomp" in path),
        }
    )
)

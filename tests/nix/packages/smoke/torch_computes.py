"""A product, a parallel loop, and the place of the headers."""

import os
from pathlib import Path

import torch

identity = torch.eye(64)
assert torch.equal(identity @ identity, identity)
assert torch.rand(1 << 16).exp().isfinite().all()
headers = Path(torch.__file__).parent / "include" / "torch" / "library.h"
assert headers.is_file()
Path(os.environ["out"]).write_text(torch.__version__ + "\n")

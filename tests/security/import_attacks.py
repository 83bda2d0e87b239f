"""Runs the import check on several folders in one process that has imported Torch already.

`python3 import_attacks.py FOLDER=LIMIT…` prints status, output and result of each check as JSON.
"""

import json
import os
import sys
import tempfile
from pathlib import Path

os.environ["HF_HUB_OFFLINE"] = "1"

import kernels  # noqa: F401
import torch  # noqa: F401

from kernel_builder.import_check.__main__ import main


def run(folder: str, limit: str) -> "dict[str, object]":
    """Run the check in a process of its own, as in a build."""
    out = Path(f"{folder}-out")
    out.mkdir()
    with tempfile.TemporaryFile() as said:
        child = os.fork()
        if child == 0:
            os.dup2(said.fileno(), 1)
            os.dup2(said.fileno(), 2)
            os.environ["out"] = str(out)  # noqa: SIM112
            options = {"backend": "cpu", "shown_as": "torch-ext/tiny", "limit": float(limit)}
            status = main([json.dumps(options), folder])
            sys.stdout.flush()
            os._exit(status)
        _, status = os.waitpid(child, 0)
        said.seek(0)
        text = said.read().decode(errors="replace")
    files = {path.name: path.read_text() for path in out.iterdir()}
    return {"status": os.WEXITSTATUS(status), "said": text, "files": files}


found = {}
for word in sys.argv[1:]:
    folder, _, limit = word.rpartition("=")
    found[Path(folder).name] = run(folder, limit)
print(json.dumps(found))

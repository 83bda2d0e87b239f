"""Translate the unit `$source` to HIP with Torch's hipify.

`$out/kernel` gets the unit's files and their translations, `$out/source` the name of the
translated unit.
"""

import contextlib
import io
import os
import shutil
import sys
from pathlib import Path

env = os.environ
sys.path.insert(0, env["hipify"])
from hipify import hipify_python  # type: ignore[import-not-found]  # noqa: E402

root = Path(env["out"]) / "kernel"
for line in Path(env["filesPath"]).read_text().splitlines():
    path, _, file = line.partition(" ")
    (root / file).parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(path, root / file)

source = root / env["source"]
folders = [flag[2:] for flag in env["flags"].splitlines() if flag.startswith("-I")]
# hipify prints the files that it writes, in colours.
with contextlib.redirect_stderr(io.StringIO()):
    done = hipify_python.hipify(
        project_directory=str(root),
        output_directory=str(root),
        includes=[f"{root}/*"],
        # The kernel's own headers that the unit includes are translated with it.
        header_include_dirs=[folder for folder in folders if (root / folder).is_dir()],
        extra_files=[str(source)],
        hipify_extra_files_only=True,
        is_pytorch_extension=True,
        # clang compiles the launch syntax of CUDA.
        hip_clang_launch=True,
        show_progress=False,
    )
written = Path(done[str(source)].hipified_path or source)
(Path(env["out"]) / "source").write_text(f"{written.relative_to(root)}\n")
print(f"{env['source']}: compiled as {written.relative_to(root)}, which hipify made of it")

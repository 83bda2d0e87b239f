"""Translate the unit `$source` to HIP with Torch's hipify.

`$out/kernel` gets the unit's files and their translations, `$out/source` the name of the
translated unit. hipify writes most translations under other names, and changes the includes that it
understands. In the place of a file with such a translation comes an include of the translation, for
all other includes: of a macro, or with blanks that hipify does not know.
"""

import contextlib
import functools
import io
import os
import sys
from pathlib import Path

env = os.environ
sys.path.insert(0, env["hipify"])
from hipify import hipify_python  # type: ignore[import-not-found]  # noqa: E402

# Sources may have any bytes.
hipify_python.open = functools.partial(open, errors="surrogateescape")

root = Path(env["out"]) / "kernel"
texts = []
for line in Path(env["filesPath"]).read_text().splitlines():
    path, _, file = line.partition(" ")
    if path == "folder":
        (root / file).mkdir(parents=True, exist_ok=True)
        continue
    (root / file).parent.mkdir(parents=True, exist_ok=True)
    content = Path(path).read_bytes()
    (root / file).write_bytes(content)
    if b"\0" not in content:
        texts.append(str(root / file))
# hipify looks for files with some endings, and not in folders called `build` and `third_party`.
hipify_python.matched_files_iter = lambda *_, **__: iter(texts)

source = str(root / env["source"])
folders = [flag[2:] for flag in env["flags"].splitlines() if flag.startswith("-I")]


def translate(files: "list[str]") -> "dict[str, Path]":
    """Translate files and the kernel's files that they include; return all translations so far."""
    # hipify prints the files that it writes, in colours.
    with contextlib.redirect_stderr(io.StringIO()):
        done = hipify_python.hipify(
            project_directory=str(root),
            output_directory=str(root),
            includes=[f"{root}/*"],
            # The kernel's own headers that the unit includes are translated with it.
            header_include_dirs=[folder for folder in folders if (root / folder).is_dir()],
            extra_files=files,
            hipify_extra_files_only=True,
            is_pytorch_extension=True,
            # clang compiles the launch syntax of CUDA.
            hip_clang_launch=True,
            show_progress=False,
        )
    return {file: Path(result.hipified_path or file) for file, result in done.items()}


def is_free(file: str) -> bool:
    """Return whether no file of the kernel has the name of the translation, which hipify would overwrite."""
    place = hipify_python.get_hip_file_path(os.path.relpath(file, root), is_pytorch_extension=True)
    return str(root / place) not in texts


translations = translate([source])
translations = translate([file for file in texts if file not in translations and is_free(file)])
for file, translation in translations.items():
    if translation != Path(file):
        Path(file).write_text(f'#include "{os.path.relpath(translation, Path(file).parent)}"\n')

written = translations[source].relative_to(root)
(Path(env["out"]) / "source").write_text(f"{written}\n")
print(f"{env['source']}: compiled as {written}, which hipify made of it")

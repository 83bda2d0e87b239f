"""Assemble a variant in `$out`: Python files, extension, generated files, and metadata with a digest.

Without `$extension`, only the kernel's own Python files.
"""

import base64
import hashlib
import json
import os
import re
import runpy
import shutil
import sys
from pathlib import Path

env = os.environ
out = Path(env["out"])
# Source: https://github.com/git-lfs/git-lfs/blob/main/docs/spec.md
POINTER = b"version https://git-lfs.github.com/spec/"
POINTER_BYTES = 1024
# The folder of a variant with the texts of licences.
LICENCES = "licenses"
# A text beside the headers of a package.
LICENCE = re.compile(r"(licen[cs]e|notice|copying)", re.IGNORECASE)


def digest(folder: Path) -> "dict[str, object]":
    """Return the SHA-256 of every file below `folder`, in base64, by its path."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {
        "algorithm": "sha256",
        "files": {
            path.relative_to(folder).as_posix(): base64.b64encode(hashlib.sha256(path.read_bytes()).digest()).decode()
            for path in files
        },
    }


def write_new(path: Path, text: str) -> None:
    """Write a generated file; end with a message if the kernel has a file of that name."""
    if path.exists():
        refuse(
            "two files would have the same name",
            path.relative_to(out),
            "a file of the kernel's own",
            "no such file: a build writes one of this name",
            "rename the kernel's file",
        )
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)


def refuse(headline: str, file: Path, found: str, want: str, fix: str) -> None:
    """End with a message about a file of the kernel."""
    sys.exit(
        f"error: {headline} (1 problem)\n\n"
        f"       at     {env['pythonFolder']}/{file}\n"
        f"       found  {found}\n"
        f"       want   {want}\n"
        f"       fix    {fix}"
    )


def refuse_pointers() -> None:
    """End with a message if Git LFS has put a pointer in the place of a file."""
    for path in sorted(out.rglob("*")):
        if path.is_file() and path.stat().st_size <= POINTER_BYTES and path.read_bytes().startswith(POINTER):
            refuse(
                "a file is not there, but only a pointer to it",
                path.relative_to(out),
                "a pointer of Git LFS, which is a few lines of text",
                "the file itself, in the commit: Nix gets no files from a server of Git LFS",
                "git lfs pull, and commit the file itself: git lfs untrack, then git add --renormalize",
            )


def copy_licences() -> None:
    """Copy texts of licences: files of the kernel, and those beside the headers of a package, a folder each."""
    for name, place in sorted(json.loads(env["licences"]).items()):
        source, target = Path(place), out / LICENCES / name
        texts = {target: source}
        if source.is_dir():
            texts = {target / each.name: each for each in sorted(source.iterdir()) if LICENCE.match(each.name)}
        for path, text in texts.items():
            # The kernel may publish such a folder itself.
            if text.is_file() and not path.exists():
                path.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(text, path)


# No link is followed: the evaluation refuses them in a kernel, and the layout check in a variant.
shutil.copytree(env["pythonFiles"], out, symlinks=True, copy_function=shutil.copyfile)
for path in [out, *out.rglob("*")]:
    path.chmod(0o755 if path.is_dir() else 0o644)
if "extension" not in env:
    refuse_pointers()
    # Folders without published files.
    for path in sorted(out.rglob("*"), reverse=True):
        if path.is_dir() and not any(path.iterdir()):
            path.rmdir()
    sys.exit()

templates = Path(env["templates"])
if env["extensionModule"]:
    module = Path(env["extensionModule"])
    shutil.copyfile(module, out / module.name)
    (out / module.name).chmod(0o755)
framework = Path(env["pythonFolder"]).parent.name.removesuffix("-ext")
file = Path(env["extensionModule"]).name or None
render_ops = runpy.run_path(env["renderOps"])["render_ops"]
write_new(out / "_ops.py", render_ops(env["extension"], file, framework=framework, templates=templates))
write_new(out / env["pythonName"] / "__init__.py", (templates / "by_name.py").read_text())

copy_licences()
metadata = {**json.loads(env["metadata"]), "digest": digest(out)}
write_new(out / "metadata.json", json.dumps(metadata, indent=2, sort_keys=True) + "\n")

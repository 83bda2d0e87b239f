"""Make the virtual environment argv[1] that sees the packages of the environment argv[2].

Packages that pip installs into it come before those of the environment. Run again for another
environment, it switches to that one and keeps installed packages.
"""

from __future__ import annotations

import sys
import venv
from pathlib import Path

SITE = Path("lib", f"python{sys.version_info[0]}.{sys.version_info[1]}", "site-packages")
# This file marks a folder of ours, and names its environment.
MARK = "kernel-builder"
# Bytecode of modules in the store goes into this folder, so that root does not write it to the store.
BYTECODE = "import sys; sys.pycache_prefix = sys.pycache_prefix or sys.prefix + '/bytecode'"


def write_programs(folder: Path, environment: Path) -> None:
    """Copy the environment's programs for this Python, which sees packages installed here."""
    own = f"#!{environment}/bin/python3\n".encode()
    for file in sorted((environment / "bin").iterdir()):
        if file.is_file() and (text := file.read_bytes()).startswith(own):
            program = folder / "bin" / file.name
            program.write_bytes(text.replace(own, f"#!{folder}/bin/python3\n".encode(), 1))
            program.chmod(0o755)


def make(folder: Path, environment: Path, label: str) -> None:
    """Create the virtual environment, or switch it to another environment."""
    mark = folder / MARK
    if mark.is_file() and mark.read_text() == f"{environment}\n":
        return
    is_new = not mark.exists()
    # EnvBuilder keeps existing links to an interpreter.
    for link in folder.glob("bin/python*"):
        link.unlink()
    venv.EnvBuilder(symlinks=True, with_pip=False, prompt=label).create(folder)
    (folder / SITE / "kernel_builder.pth").write_text(
        f"{BYTECODE}\nimport site; site.addsitedir({str(environment / SITE)!r})\n"
    )
    write_programs(folder, environment)
    (folder / ".gitignore").write_text("*\n")
    mark.write_text(f"{environment}\n")
    done = "made" if is_new else "changed over to this shell; what pip installed in it stays"
    print(f"{folder}: {done}", file=sys.stderr)


make(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3])

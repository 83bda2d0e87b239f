"""Write the symbols that each of `$libraries` defines to a file of the library's name in `$out`."""

import os
import subprocess
from pathlib import Path

out = Path(os.environ["out"])
out.mkdir()
for entry in map(Path, os.environ["libraries"].split()):
    for library in sorted(entry.rglob("*")) if entry.is_dir() else [entry]:
        if ".so" not in library.name or not library.is_file() or library.read_bytes()[:4] != b"\x7fELF":
            continue
        listed = subprocess.run(
            ["nm", "-D", "--defined-only", "--format=just-symbols", str(library)],
            check=True,
            capture_output=True,
            text=True,
        )
        # Two signs mark the version that a program gets which names none; here all are alike.
        names = sorted({line.replace("@@", "@") for line in listed.stdout.splitlines()})
        (out / library.name).write_text("\n".join(names) + "\n")

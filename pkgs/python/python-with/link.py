"""Make a virtual environment of links: `python`, `packages` and `out` are environment variables.

A folder that only one package has becomes one link; one that several packages share
(a namespace package) becomes a folder of links.
"""

import os
import shutil
import sys
from collections import defaultdict
from configparser import ConfigParser
from pathlib import Path

env = os.environ
out = Path(env["out"])
python = Path(env["python"])
packages = [Path(package) for package in env["packages"].split()]


def link(target: Path, sources: "list[Path]") -> None:
    """Link the files and folders `sources`, which share one name, at `target`."""
    if len(sources) == 1:
        target.symlink_to(sources[0])
        return
    files = [source for source in sources if not source.is_dir()]
    if files and len(files) == len(sources) and len({file.read_bytes() for file in files}) == 1:
        target.symlink_to(files[0])
        return
    if files:
        sys.exit(f"{target.name}: more than one package has it: {', '.join(map(str, sources))}")
    target.mkdir(exist_ok=True)
    children: defaultdict[str, list[Path]] = defaultdict(list)
    for source in sources:
        for child in sorted(source.iterdir()):
            children[child.name].append(child)
    for name, paths in children.items():
        link(target / name, paths)


def write_entry_points(site: Path) -> None:
    """Make a program of every `console_scripts` entry point."""
    for file in sorted(site.glob("*.dist-info/entry_points.txt")):
        entries = ConfigParser(delimiters=("=",))
        entries.optionxform = str  # type: ignore[assignment, method-assign]
        entries.read(file, encoding="utf-8")
        if not entries.has_section("console_scripts"):
            continue
        for name, value in entries.items("console_scripts"):
            module, _, attribute = value.split("[")[0].strip().partition(":")
            program = out / "bin" / name
            if program.exists():
                continue
            program.write_text(
                f"#!{out}/bin/python3\n"
                "import sys\n"
                f"from {module} import {attribute.split('.')[0]}\n"
                f"sys.exit({attribute}())\n"
            )
            program.chmod(0o755)


(out / "bin").mkdir(parents=True)
site = out / env["sitePackages"]
site.parent.mkdir(parents=True)
(out / "pyvenv.cfg").write_text(f"home = {python}/bin\ninclude-system-site-packages = false\n")
interpreter = f"python{env['pythonVersion']}"
for name in (interpreter, "python3", "python"):
    (out / "bin" / name).symlink_to(python / "bin" / interpreter)
sites = [package / env["sitePackages"] for package in packages]
if len(sites) == 1:
    site.mkdir()
    for child in sorted(sites[0].iterdir()):
        (site / child.name).symlink_to(child)
else:
    link(site, sites)
# Before any other file of its kind: some import modules, and whoever may write to the store would add bytecode to it. A
# virtual environment that is made of this one has its own way.
(site / "00-bytecode.pth").write_text(
    f"import os, sys; sys.dont_write_bytecode |= os.path.realpath(sys.prefix) == {str(out)!r}\n"
)
for package in packages:
    if (package / "bin").is_dir():
        for program in sorted((package / "bin").iterdir()):
            shutil.copy2(program, out / "bin" / program.name, follow_symlinks=False)
write_entry_points(site)

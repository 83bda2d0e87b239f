"""Steps where Nix makes no sandbox: files of the machine are there, and stay as they are."""

import os
import subprocess
from pathlib import Path

from tests.evaluation import ROOT
from tests.install.fake_machine import write_program

ASSEMBLE = ROOT / "pkgs/python/python/assemble.sh"


def test_python_leaves_what_the_machine_has_alone(tmp_path: Path) -> None:
    """Debian's Python has a link to a file in /etc, and names headers and libraries in /usr."""
    machine, tree, out, tools = (tmp_path / name for name in ("etc", "tree", "out", "tools"))
    library = tree / "usr/lib/python3.11"
    for made in (machine, library, tree / "usr/lib/triple", tree / "usr/bin", tools):
        made.mkdir(parents=True)
    (machine / "sitecustomize.py").write_text("of the machine")
    (library / "sitecustomize.py").symlink_to(machine / "sitecustomize.py")
    (library / "_sysconfigdata__.py").write_text("{'INCLUDEPY': '/usr/include/python3.11',\n")
    (tmp_path / "ours.py").write_text("ours")
    write_program(tools / "patchelf", "exit 0")
    write_program(tree / "usr/bin/python3.11", "exit 0")
    variables = {
        "PATH": f"{tools}:{os.environ['PATH']}",
        "out": str(out),
        "preloaded": "",
        "pythonVersion": "3.11",
        "siteCustomisation": str(tmp_path / "ours.py"),
        "tree": str(tree),
        "triple": "triple",
    }
    subprocess.run(["sh", "-e", ASSEMBLE], env=variables, check=True)
    assert (machine / "sitecustomize.py").read_text() == "of the machine"
    assert (out / "lib/python3.11/sitecustomize.py").read_text() == "ours"
    told = (out / "lib/python3.11/_sysconfigdata__.py").read_text()
    assert told == f"{{'INCLUDEPY': '{out}/include/python3.11',\n"

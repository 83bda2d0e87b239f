"""The newest available Nix on the newest Debian: install.sh, evaluation, one build.

Its own store is empty at first.
"""

import json
import re
import subprocess
from pathlib import Path

from tests.cli.fake_kernel import FakeKernel
from tests.evaluation import VARIANT, run_nix
from tests.machines.debian import Answer, Debian
from tests.skipping import skip


def version(said: str) -> tuple[int, int]:
    major, minor = re.findall(r"(\d+)\.(\d+)", said)[-1]
    return int(major), int(minor)


def test_install_sh_makes_it_ready(first_run: Answer) -> None:
    assert first_run.code == 0, first_run
    assert "ready; next: kernel-builder build" in first_run.said


def test_its_nix_is_newer(installed: Debian) -> None:
    inside = version(installed.run("nix", "--version"))
    outside = version(run_nix("nix", "--version"))
    if outside > inside:
        skip(f"this machine's own Nix {outside} is newer than {inside}", installable=False)
    assert inside > (2, 8)


def test_its_builds_run_in_a_sandbox(installed: Debian, first_run: Answer) -> None:
    settings = installed.run("nix", "config", "show")
    assert "\nsandbox = true\n" in settings
    if "the sandbox of Nix does not work here" in first_run.said:
        skip("no sandbox inside of this machine's own namespaces", installable=False)


def test_a_step_ends_when_it_ends(installed: Debian) -> None:
    # Nix reports the ends of all that are asked for by name at once.
    kernel = FakeKernel(installed.root / "tmp" / "lengths", "newest")
    kernel.add("short")
    # The shell of that sandbox has no `sleep`.
    kernel.add("long", script='"i=0; while [ $i -lt 5000000 ]; do i=$((i+1)); done; echo > $out"')
    kernel.write()
    answer = installed.ask("kernel-builder build /tmp/lengths --max-jobs 2 --report /tmp/r.json")
    assert answer.code == 0, answer
    report = json.loads((installed.root / "tmp" / "r.json").read_text())
    lengths = {step["name"]: step["stop"] - step["start"] for step in report["steps"]}
    assert 2 * lengths["k-short"] < lengths["k-long"], lengths


TREES = """\
set -eu
mkdir -p /tmp/trees/tiny-1.0 && cd /tmp/trees
echo "$1" >tiny-1.0/tiny.h
hash=$(nix hash path tiny-1.0)
wanted=$(nix-instantiate --quiet --expr "derivation {
  name = \\"source\\"; system = \\"x\\"; builder = \\"x\\";
  outputHashMode = \\"recursive\\"; outputHashAlgo = \\"sha256\\"; outputHash = \\"$hash\\";
  sourceKind = \\"archive\\"; file = \\"tiny-1.0.tar.gz\\"; url = \\"http://127.0.0.1:1/v1.0.tar.gz\\";
}")
echo another >tiny-1.0/tiny.h
tar -czf tiny-1.0.tar.gz tiny-1.0
! kernel-builder prefetch "$wanted" --archives /tmp/trees || exit 1
echo "$1" >tiny-1.0/tiny.h
tar -czf tiny-1.0.tar.gz tiny-1.0
kernel-builder prefetch "$wanted" --archives /tmp/trees
"""


def test_trees_come_out_of_a_folder(installed: Debian) -> None:
    answer = installed.ask(f"bash -s 1 <<'END'\n{TREES}END", status=0)
    assert "tiny-1.0.tar.gz: hash mismatch for " in answer.said, answer
    assert "unable to download 'http://127.0.0.1:1/v1.0.tar.gz'" in answer.said, answer


# Files of graph about flakes, folders, edits and shells; the others do not depend on Nix's version.
GRAPH = ("flakes", "folder", "many_kernels", "local_kernels", "edits", "shells")
SUITES = (
    "unit",
    "eval-fail",
    "golden",
    *(f"graph/test_{name}.py" for name in GRAPH),
    "cli/test_update_lock.py",
)


def test_the_suites_of_evaluation_pass(supplied: Debian) -> None:
    supplied.ask(f"cd /src && tests/run {' '.join(SUITES)} -q", status=0)


def test_it_builds_a_kernel(supplied: Debian) -> None:
    answer = supplied.ask("cd /tmp && kernel-builder build /src/examples/relu --backend cpu")
    assert answer.code == 0, answer
    assert re.search(rf"^{re.escape(VARIANT)} +built  ", answer.said, re.MULTILINE), answer
    result = Path(f"{supplied.root}/src/examples/relu/result").readlink()
    assert Path(f"{supplied.root}{result}/{VARIANT}/metadata.json").is_file()


def test_uninstall_takes_it_back(installed: Debian) -> None:
    """The last one: it leaves a machine without settings."""
    installed.ask("/src/install.sh --uninstall && nix --version", status=0)
    places = ("/etc/nix", "/usr/local", "/root/.local", "/root/.cache")
    words = ["find", *(str(installed.root) + place for place in places), "-name", "*nix.conf*"]
    words += ["-o", "-name", "*kernel-builder*"]
    found = subprocess.run(words, capture_output=True, text=True, check=False).stdout.split()
    assert found == []
    assert "nixbld" not in Path(f"{installed.root}/etc/passwd").read_text()

"""Versions of Nix with known vulnerabilities, and the warning that a build prints."""

import json
import subprocess
from pathlib import Path

import pytest

from kernel_builder.nix.advisories import ADVISORIES, find_advisory, read_release
from tests.cli.command_line import Cli, path_with_nix
from tests.cli.fake_kernel import FakeKernel, forget
from tests.evaluation import ROOT
from tests.install.fake_machine import write_program

HASHES, LINKS, ARCHIVES, FOLDERS = (
    "CVE-2024-27297",
    "CVE-2026-39860",
    "CVE-2026-44028",
    "CVE-2025-46415",
)
# Outputs of `nix --version`, and the first hole of each.
RELEASES = {
    # Debian's, of 12 and of unstable.
    "nix (Nix) 2.8.0": HASHES,
    "nix (Nix) 2.34.8": "",
    # Upstream's.
    "nix (Nix) 2.3": HASHES,
    "nix (Nix) 2.3.18": LINKS,
    "nix (Nix) 2.18.1": HASHES,
    "nix (Nix) 2.18.2": LINKS,
    "nix (Nix) 2.20.4": HASHES,
    "nix (Nix) 2.20.5": LINKS,
    "nix (Nix) 2.28.6": ARCHIVES,
    "nix (Nix) 2.28.7": "",
    "nix (Nix) 2.35.2": "",
    "nix (Nix) 3.0": "",
    # With the lines that -v adds.
    "nix (Nix) 2.34.7\nSystem type: x86_64-linux\nFeatures: gc, signed-caches 2.8.0": "",
    # A pre-release may lack the fixes of its number, and a distribution's patch none.
    "nix (Nix) 2.28.7-rc1": ARCHIVES,
    "nix (Nix) 2.35.0pre20260301_1a2b3c4d": LINKS,
    "nix (Nix) 2.28.7+dfsg-1": "",
    # Determinate's: its own number comes before Nix's.
    "nix (Determinate Nix 3.5.2) 2.28.3": LINKS,
    "nix (Determinate Nix 3.21.9) 2.34.8": "",
    # Lix numbers its releases by itself.
    "nix (Lix, like Nix) 2.90.0-beta.1": FOLDERS,
    "nix (Lix, like Nix) 2.91.3": "",
    "nix (Lix, like Nix) 2.93.3": ARCHIVES,
    "nix (Lix, like Nix) 2.93.4": "",
    "nix (Lix, like Nix) 2.95.2": "",
    "nix (Lix, like Nix) 2.96.0-dev-pre20260401-1a2b3c4": ARCHIVES,
    # Whatever says no version is not trusted.
    "nix of somebody": HASHES,
}


@pytest.mark.attack("build", "a vulnerable Nix by another name, as Determinate's", "recognized")
@pytest.mark.parametrize("said", RELEASES)
def test_releases(said: str) -> None:
    found = find_advisory(read_release(said))
    assert (found or "").partition(":")[0] == RELEASES[said]


def test_install_sh_reads_the_same_table(tmp_path: Path) -> None:
    write_program(tmp_path / "nix", 'printf "%s\\n" "$SAID"')
    script = f"source {ROOT}/install.sh; PATH={tmp_path}:$PATH; "
    script += 'for SAID; do export SAID; echo "$(known_hole)"; done'
    argv = ["bash", "-c", script, "bash", *RELEASES]
    answers = subprocess.run(argv, check=True, capture_output=True, text=True).stdout.splitlines()
    own = [find_advisory(read_release(said)) or "" for said in RELEASES]
    assert dict(zip(RELEASES, answers)) == dict(zip(RELEASES, own))


@pytest.mark.attack("nix-build", "a download rewrites its output", "`newerNix` has no known hole")
def test_the_newer_nix_has_no_hole() -> None:
    pins = json.loads((ROOT / "pkgs/toolchain/newer-nix/pins.json").read_text())["pins"]
    for each in pins.values():
        assert find_advisory(read_release(f"nix (Nix) {each['nix-bin']['version']}")) is None


def test_one_record_a_line() -> None:
    first, *lines, last = ADVISORIES.read_text().splitlines()
    assert (first, last) == ("[", "]")
    records = [json.loads(line.rstrip(",")) for line in lines]
    assert records == json.loads(ADVISORIES.read_text())
    for each in records:
        assert [*each] == ["implementation", "name", "ranges", "meaning"]


def test_a_build_of_ones_own_kernel_does_not_name_it(tmp_path: Path) -> None:
    """`install.sh` names the hole once; a warning after each build is read by nobody."""
    kernel = FakeKernel(tmp_path / "k", salt=str(tmp_path))
    kernel.add("torch213-cxx11-cpu-x86_64-linux")
    kernel.write()
    path = path_with_nix(tmp_path / "bin", "nix (Nix) 2.9.1")
    done = Cli(tmp_path)("build", str(kernel.folder), PATH=path)
    assert (done.status, "CVE" in done.stderr) == (0, False), done.stderr
    forget(kernel.folder)

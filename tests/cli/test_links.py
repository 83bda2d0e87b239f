"""Links in a folder without a flake, which Nix would follow wherever they lead."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.command_line import Cli
from tests.tiny_kernel import TinyKernel


@pytest.mark.parametrize("link", ["include/number.h", "include", "torch-ext/tiny/more.py"])
def test_no_link_leads_out_of_a_folder_without_a_flake(cli: Cli, tmp_path: Path, link: str) -> None:
    # Its text would be in the store, and perhaps in what is published.
    place = TinyKernel(tmp_path / "tiny").folder / link
    leads_to = tmp_path / "elsewhere"
    if place.exists():
        place.rename(leads_to)
    else:
        leads_to.touch()
    place.symlink_to(leads_to)
    done = cli("list-variants", str(tmp_path / "tiny"))
    assert done.status == 1
    assert (
        done.stderr
        == f"""\
error: links lead out of {tmp_path}/tiny (1 problem)

       at     {link}
       found  a link to {leads_to}
       want   files of the kernel: there is no flake.nix, so a build would read it
       fix    put the file or folder itself there, or write a flake.nix
"""
    )


def test_links_that_lead_nowhere_else(cli: Cli, tmp_path: Path) -> None:
    kernel = TinyKernel(tmp_path / "tiny")
    (kernel.folder / "include/number.h").rename(kernel.folder / "number.h")
    links = {
        "include/number.h": "../number.h",
        "result": "/nix/store",
        "lost": "/no/such",
        "round": "round",
        ".hidden/python": "/bin/sh",
        "venv/python": "/bin/sh",
    }
    kernel.write("venv/pyvenv.cfg", "")
    kernel.write(".hidden/any", "")
    for name, leads_to in links.items():
        (kernel.folder / name).symlink_to(leads_to)
    done = cli("list-variants", str(kernel.folder))
    assert done.status == 0, done.stderr

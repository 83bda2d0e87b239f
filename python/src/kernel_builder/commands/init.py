"""`init`: write a new kernel that builds."""

from __future__ import annotations

from pathlib import Path

import click

from kernel_builder.develop.template import (
    BACKENDS,
    LICENSE,
    Start,
    choose_backends,
    read_name,
    render_template,
    write_kernel,
)
from kernel_builder.kernel.builder import PLACEHOLDER, find_public_address
from kernel_builder.machine.git import find_address, find_git_root, stage_files, start_repository
from kernel_builder.messages.names import show
from kernel_builder.messages.terminal import print_result, say

ALL = ("all", *BACKENDS["kernel"])


class SeveralBackends(click.Command):
    """A command that takes a list after `--backends`: `cpu,cuda` or `cpu cuda`.

    After the first word, a word that is no backend is the PATH.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Repeat the option in front of each further word of its list."""
        spread: list[str] = []
        is_list = False
        for word in args:
            if is_list and spread[-1] != "--backends" and set(word.split(",")) <= set(ALL):
                spread.append("--backends")
            elif spread[-1:] != ["--backends"]:
                is_list = word.partition("=")[0] == "--backends"
            spread.append(word)
        return super().parse_args(ctx, spread)


@click.command(cls=SeveralBackends, short_help="Make a new kernel that builds.")
@click.argument("path", required=False, type=click.Path(path_type=Path))
@click.option("--name", required=True, metavar="OWNER/REPO", help="The repository on the Hub.")
@click.option(
    "--backends", multiple=True, metavar="BACKEND...",
    help=f"One or more of {', '.join(ALL)}, as cpu,cuda or cpu cuda (default: cuda).",
)  # fmt: skip
@click.option(
    "--template", type=click.Choice(sorted(BACKENDS)), default="kernel", show_default=True,
    help="kernel: C++, CUDA, SYCL or Metal; stable-abi: one build for many Torch versions; "
    "triton: Python and Triton.",
)  # fmt: skip
@click.option(
    "--license", default=LICENSE, show_default=True, help="The Hub's name of the license."
)
@click.option(
    "--source", metavar="ADDRESS",
    help="The git repository, https://… (default: the remote, if any).",
)  # fmt: skip
@click.option("--overwrite", is_flag=True, help="Replace existing files.")
def init(
    path: Path | None,
    name: str,
    backends: tuple[str, ...],
    template: str,
    license: str,  # noqa: A002  (the option's name)
    source: str | None,
    overwrite: bool,
) -> None:
    """Make a kernel in PATH (default: a folder with the kernel's name).

    The kernel builds, and its tests pass where a Torch for its backends can be imported.

    \b
      kernel-builder init --name me/hello --backends cpu cuda
      cd hello
      kernel-builder build          # then: nix run .#ci-test
      kernel-builder devshell       # compilers and Torch, to work on it
    """
    owner, kernel = read_name(name)
    folder = (path or Path(kernel)).resolve()
    root = find_git_root(folder)
    address, commit = find_public_address()
    chosen = choose_backends(template, ",".join(backends or ("cuda",)).split(","))
    source = source or (find_address(root) if root else None)
    start = Start(template, owner, kernel, chosen, license, address, commit, source)
    files = render_template(start)
    write_kernel(files, folder, overwrite=overwrite)
    # Nix reads a folder in git through git, and does not see files that are not staged.
    if root or start_repository(folder):
        stage_files(folder, sorted(files))
    print_result(
        {"name": name, "folder": str(folder), "backends": chosen, "files": sorted(files)},
        f"{owner}/{kernel} is in {show(folder)}, for {', '.join(chosen)}",
    )
    say("`kernel-builder list-variants --explain` there tells what this machine can build and test")
    if not source:
        say("state the git repository as `source` in build.toml, so that others can verify it")
    if address == PLACEHOLDER or address.startswith("git+file:"):
        say(f"\nflake.nix builds with {address}: write an address of kernel-builder that others")
        say("can reach there and into .github/workflows/build.yml, or run init with --builder")
    if not commit:
        say("\n.github/workflows/build.yml gets your token: replace COMMIT there with a commit of")
        say("kernel-builder that you have read")

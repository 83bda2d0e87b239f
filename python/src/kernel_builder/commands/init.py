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
    render,
    write,
)
from kernel_builder.kernel.builder import PLACEHOLDER, find_public_address
from kernel_builder.machine.git import (
    find_address,
    find_git_root,
    stage_files,
    start_repository,
)
from kernel_builder.messages.names import show
from kernel_builder.messages.terminal import print_result, say

ALL = ("all", *BACKENDS["kernel"])


class SeveralBackends(click.Command):
    """Takes a list after `--backends`: `cpu,cuda` or `cpu cuda`.

    Behind the first word, a word that is no backend is the PATH.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
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
    "--backends",
    multiple=True,
    metavar="BACKEND...",
    shell_complete=lambda _context, _option, word: [each for each in ALL if each.startswith(word)],
    help=f"One or more of {', '.join(ALL)}, as cpu,cuda or cpu cuda (default: cuda).",
)
@click.option(
    "--template",
    type=click.Choice(sorted(BACKENDS)),
    default="kernel",
    show_default=True,
    help="kernel: C++, CUDA, SYCL or Metal; stable-abi: one build for many Torch versions; "
    "triton: Python and Triton.",
)
@click.option(
    "--license", default=LICENSE, show_default=True, help="The Hub's name of the license."
)
@click.option(
    "--source",
    metavar="ADDRESS",
    help="The git repository, https://… (default: the remote, if any).",
)
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

    The kernel builds, and its tests pass.

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
    start = Start(
        template=template,
        owner=owner,
        name=kernel,
        backends=choose_backends(template, ",".join(backends or ("cuda",)).split(",")),
        license=license,
        address=address,
        commit=commit,
        source=source or (find_address(root) if root else None),
    )
    files = render(start)
    write(files, folder, overwrite=overwrite)
    _stage_kernel(folder, sorted(files))
    print_result(
        {"name": name, "folder": str(folder), "backends": start.backends, "files": sorted(files)},
        f"{owner}/{kernel} is in {show(folder)}, for {', '.join(start.backends)}",
    )
    _show_next_steps(start, files)


def _stage_kernel(folder: Path, files: list[str]) -> None:
    # Nix reads a folder in git through git, and does not see files that are not staged.
    if find_git_root(folder) is None and not start_repository(folder):
        say("git is not installed: Nix reads the whole folder, with .venv and build/")
        return
    stage_files(folder, files)


def _show_next_steps(start: Start, files: dict[str, str]) -> None:
    say("\nto edit:")
    for name in sorted(files):
        source = name.startswith((f"{start.python_name}_", "torch-ext/"))
        if source or name in ("build.toml", "CARD.md", f"tests/test_{start.python_name}.py"):
            say(f"  {name}")
    if not start.source:
        say("\nbuild.toml does not name the git repository yet. State it as `source`, so that")
        say("others can verify what you publish")
    if start.address == PLACEHOLDER:
        say(f"\nflake.nix names {PLACEHOLDER}, a placeholder: write the address of your")
        say("kernel-builder there and into .github/workflows/build.yml, or run init with --builder")
    elif start.address.startswith(("git+file:", "path:", "/", ".")):
        say(f"\nflake.nix builds with {start.address}, a folder of this machine: others need")
        say(f"an address that they can reach, such as {PLACEHOLDER}, and so does")
        say(".github/workflows/build.yml")
    if not start.commit:
        say("\n.github/workflows/build.yml gets your token: replace COMMIT there with a commit of")
        say("kernel-builder that you have read")

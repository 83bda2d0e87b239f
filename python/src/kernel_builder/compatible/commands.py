"""`hash`, and `skills`, which installs texts for coding assistants."""

import json
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import click

from kernel_builder.commands import options
from kernel_builder.kernel.build_toml import get_table, read_build_toml
from kernel_builder.machine.files import find_below, hash_file, write_below
from kernel_builder.messages.errors import KernelBuilderError, Problem
from kernel_builder.messages.terminal import print_result
from kernel_builder.variants.result import (
    METADATA,
    hash_files,
    list_built_variants,
    read_metadata,
    read_variant_name,
)

TEXTS: Final = Path(__file__).with_name("skills")
# The part of every text that holds for all kernels.
COMMON: Final = "common"
SKILLS: Final = sorted({file.stem for file in TEXTS.glob("*.md")} - {COMMON})


@click.command(short_help="State the hashes of built variants anew.")
@options.kernel_folder
def hash(folder: Path) -> None:  # noqa: A001  (the command's name)
    """Write the hashes of the variants' files in DIR (default: this folder) into their metadata.

    Prints the SHA-256 of each variant's metadata, which stands for all of its files. For variants
    whose files you changed after the build. `upload` takes them then; a signature of the build
    does not fit any more.
    """
    digests = {}
    for variant in list_built_variants([folder]):
        digest = {"algorithm": "sha256", "files": hash_files(variant)}
        metadata = {**read_metadata(variant), "digest": digest}
        text = json.dumps(metadata, indent=2, sort_keys=True) + "\n"
        write_below(variant, METADATA, text.encode())
        digests[read_variant_name(variant)] = hash_file(variant / METADATA)
    lines = (f"{digest}  {name}" for name, digest in digests.items())
    print_result({"variants": [*digests], "digests": digests}, "\n".join(lines))


@click.command(short_help="Install a text for coding assistants.")
@click.argument("action", metavar="[add]", default="add", type=click.Choice(("add",)))
@click.option(
    "--skill", type=click.Choice(SKILLS),
    help="The text to install (default: that of the first backend of the kernel here).",
)  # fmt: skip
@click.option("--claude", is_flag=True, help="Install it for Claude.")
@click.option("--codex", is_flag=True, help="Install it for Codex.")
@click.option("--opencode", is_flag=True, help="Install it for OpenCode.")
@click.option(
    "-g", "--global", "everywhere", is_flag=True,
    help="Install it for all of your projects, not for this folder alone.",
)  # fmt: skip
@click.option("--dest", type=options.PATH, metavar="DIR", help="Install it into this folder.")
@click.option("--force", is_flag=True, help="Replace a text that is there.")
def skills(
    action: str, skill: str | None, everywhere: bool, dest: Path | None, force: bool, **flags: bool
) -> None:
    """Install a text that teaches a coding assistant how to work on a kernel with this tool.

    \b
      kernel-builder skills add --claude
      kernel-builder skills add --skill triton-kernels --codex --global
    """
    del action
    skill = skill or _choose_skill(Path.cwd())
    places = [*_find_places([name for name in flags if flags[name]], everywhere=everywhere)]
    places += [(dest.resolve(), "")] if dest else []
    if not places:
        raise click.UsageError("name a place: --claude, --codex, --opencode or --dest DIR")
    files = [(root, f"{folder}{skill}/SKILL.md") for root, folder in places]
    there = [str(root / name) for root, name in files if find_below(root, name).exists()]
    if there and not force:
        problem = Problem("\n".join(there), "a text", "no such file", "--force replaces it")
        raise KernelBuilderError(f"{skill} is installed already", [problem])
    text = "\n".join((TEXTS / f"{name}.md").read_text(encoding="utf-8") for name in (skill, COMMON))
    for root, name in files:
        write_below(root, name, text.encode())
    written = [str(root / name) for root, name in files]
    print_result({"files": written}, "\n".join(written))


def _choose_skill(folder: Path) -> str:
    """Return the text for the first backend of the kernel in a folder, or for CUDA."""
    is_kernel = (folder / "build.toml").is_file()
    backends = get_table(read_build_toml(folder)[1] if is_kernel else {}, "general").get("backends")
    names = [f"{each}-kernels" for each in backends] if isinstance(backends, list) else []
    return next((name for name in names if name in SKILLS), "cuda-kernels")


def _find_places(assistants: Sequence[str], *, everywhere: bool) -> Iterator[tuple[Path, str]]:
    """Yield the folder of each assistant, and what the names of texts begin with below it.

    A project may be somebody else's, so no link in it is followed; the user's own folders may be
    links.
    """
    config = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")
    for name in assistants:
        home = config / name if name == "opencode" else Path.home() / f".{name}"
        yield (home.resolve(), "skills/") if everywhere else (Path.cwd(), f".{name}/skills/")

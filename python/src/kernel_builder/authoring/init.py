"""`init`: write a new kernel from a template, with another name and fewer backends.

The templates in `templates/` are kernels themselves, for every backend that they know.
"""

import json
import os
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import click
import tomli

from kernel_builder.authoring.public_address import find_public_address
from kernel_builder.extras import load_added_options
from kernel_builder.kernel.builder import PLACEHOLDER
from kernel_builder.machine.files import find_below, write_below
from kernel_builder.machine.git import find_address, find_git_root, stage_files, start_repository
from kernel_builder.messages.errors import (
    KernelBuilderError,
    Problem,
    UsageError,
    find_unknown,
    shorten,
)
from kernel_builder.messages.names import join, show
from kernel_builder.messages.terminal import complain, print_result, say
from kernel_builder.nix.systems import read_table
from kernel_builder.settings import current_settings

# What `init` cannot know.
HOMEWORK: Final = "PUBLISHING.md"
FOLDER: Final = Path(__file__).resolve().parents[1] / "templates"
BACKENDS: Final[Mapping[str, list[str]]] = {
    file.parent.name: tomli.loads(file.read_text(encoding="utf-8"))["general"]["backends"]
    for file in sorted(FOLDER.glob("*/build.toml"))
}
ALL: Final = ("all", *BACKENDS["kernel"])

_NAME: Final = re.compile(r"([A-Za-z0-9][A-Za-z0-9._-]*)/([a-z][-a-z0-9]{0,94}[a-z0-9])")
_BACKEND: Final = re.compile(r'^backend = "(.*)"', re.MULTILINE)
# A kernel with the name of a module that Python, Torch or tests have would hide the module.
_TAKEN: Final = {
    name for names in read_table("config/python-names.json").values() for name in names
}


@click.command(short_help="Make a new kernel that builds.")
@click.argument("words", metavar="[PATH]", nargs=-1)
@click.option("--name", metavar="OWNER/REPO", help="Its repository (default: by login and PATH).")
@click.option(
    "--backends", multiple=True, metavar="BACKEND...",
    help=f"One or more of {', '.join(ALL)}, as cpu,cuda or cpu cuda (default: cuda).",
)  # fmt: skip
@click.option(
    "--template", type=click.Choice(sorted(BACKENDS)), default="kernel", show_default=True,
    help="kernel: C++, CUDA, SYCL or Metal; stable-abi: one build for many Torch versions; "
    "triton: Python and Triton.",
)  # fmt: skip
@click.option("--license", "terms", default="apache-2.0", show_default=True, help="Its Hub name.")
@click.option("--overwrite", is_flag=True, help="Replace existing files.")
def init(
    words: tuple[str, ...], name: str | None, backends: tuple[str, ...], template: str,
    terms: str, overwrite: bool, draft: Callable[..., Any] | None,
) -> None:  # fmt: skip
    """Make a kernel in PATH (default: a folder with the kernel's name).

    PATH may also be OWNER/REPO, like --name. Without both, the repository has the name of the
    folder, and the owner is your login on the Hub.

    The kernel builds, and its tests pass where a Torch for its backends can be imported.

    \b
      kernel-builder init --name me/hello --backends cpu cuda
      cd hello
      kernel-builder build          # then: nix run .#ci-test
      kernel-builder devshell       # compilers and Torch, to work on it
    """
    # A list such as `cpu cuda` comes as one backend and as words like the PATH.
    listed = [word for word in words if backends and set(word.split(",")) <= {*ALL}]
    paths = [word for word in words if word not in listed]
    if len(paths) > 1:
        raise click.UsageError(f"more than one PATH, or no backend: {' '.join(paths)}")
    path = "".join(paths)
    if name is None and _NAME.fullmatch(path):
        name, path = path, ""
    elif name is None:
        path = path or "."
        name = f"{_find_owner()}/{Path(path).resolve().name}"
    kernel, module = _read_name(name)
    known = BACKENDS[template]
    requested = ",".join([*(backends or ["cuda"]), *listed]).split(",")
    if problems := find_unknown("--backends", requested, (*known, "all")):
        raise UsageError(f"the template {template} has no such backend", problems)
    chosen = known if "all" in requested else [each for each in known if each in requested]

    folder = Path(path or kernel).resolve()
    root = find_git_root(folder)
    address, commit = find_public_address()
    source = find_address(root) if root else None
    on_github = re.match(r"github:([^/?]+/[^/?]+)", address)
    names = {
        "myorg/mykernel": name,
        PLACEHOLDER: address,
        # The kernel's workflow calls one of this project, which only GitHub can provide.
        "OWNER/kernel-builder": on_github[1] if on_github else "OWNER/kernel-builder",
        # Part of the address of the workflow that gets the token.
        "build-kernel.yml@COMMIT": f"build-kernel.yml@{commit or 'COMMIT'}",
        "mykernel": module,
    }
    # The Hub's name has dashes; all other places have the module's name.
    values = {"name": kernel, "license": terms, "source": source}
    files = render_template(template, chosen, names, values)
    if homework := list_homework(source, address, commit):
        files[HOMEWORK] = "\n".join([f"# Before you publish {kernel}\n", *homework, ""])
    if draft:
        files, chosen = draft(files, module, chosen if backends else (), folder)
    write_kernel(files, folder, overwrite=overwrite)
    # Nix reads a folder in git through git, and does not see files that are not staged.
    if root or start_repository(folder):
        stage_files(folder, sorted(files))
    print_result(
        {"name": name, "folder": str(folder), "backends": chosen, "files": sorted(files)},
        f"{name} is in {show(folder)}, for {', '.join(chosen)}",
    )
    if outer := [up for up in folder.parents if root in (up, *up.parents) and is_kernel(up)]:
        complain("warning", f"this is a kernel inside of the kernel {show(outer[0])}")
    if homework:
        say(f"before you publish it: {show(folder / HOMEWORK)}")
    say(f"next: cd {join([os.path.relpath(folder)])} && kernel-builder build --here")


init.params += load_added_options("init")


def _read_name(name: str) -> tuple[str, str]:
    """Return the kernel's name without its owner, and its module's name. Raises UsageError."""
    found = _NAME.fullmatch(name)
    module = found[2].replace("-", "_") if found else ""
    if found and not {module, found[2]} & _TAKEN:
        return found[2], module
    want = """OWNER/KERNEL, as in me/relu: 2 to 96 small letters, digits and dashes, a letter first;
no word or module of Python, and none that Torch or tests import, such as numpy"""
    problem = Problem("--name", f'"{name}"', want, "choose another name; it is the Hub's, too")
    raise UsageError(f'the kernel cannot be called "{name}"', [problem])


def is_kernel(folder: Path) -> bool:
    """Return whether a folder has a build.toml."""
    return (folder / "build.toml").is_file()


def list_homework(source: str | None, address: str, commit: str | None) -> list[str]:
    """Return what is left to do before others build the kernel, as items of a Markdown list."""
    is_local = address == PLACEHOLDER or address.startswith("git+file:")
    items = {
        "`build.toml`: state the git repository as `source`, so that others can verify builds": (
            not source
        ),
        f"`flake.nix` and `AGENTS.md` name `{address}`, and the workflow a placeholder: write an "
        "address of kernel-builder that others can reach, or run `init` with `--builder`": is_local,
        "`.github/workflows/build.yml`: it gets your token, so replace COMMIT by one that you have "
        "read": not commit,
    }
    return [f"- [ ] {text}." for text, is_left in items.items() if is_left]


def _find_owner() -> str:
    if not current_settings().offline:
        from kernel_builder.authoring.asking import find_user

        if user := find_user():
            return user
    fix = "give --name OWNER/REPO, or log in to the Hub: hf auth login"
    problem = Problem("--name", "no login of the Hub that answers", "the owner of the kernel", fix)
    raise UsageError("the kernel's repository is not named", [problem])


def render_template(
    template: str, backends: Sequence[str], names: Mapping[str, str],
    values: Mapping[str, str | None],
) -> dict[str, str]:  # fmt: skip
    """Return the files of the new kernel, by their names in its folder.

    `names` are replaced everywhere. `values` are those of keys of build.toml; None leaves the
    template's.
    """
    root = FOLDER / template
    old = (root / "build.toml").read_text(encoding="utf-8")
    new = _leave_out(old, backends)

    def rename(text: str) -> str:
        # Replace all at once, because new names can contain old ones.
        return re.sub("|".join(names), lambda found: names[found[0]], text)

    files = {}
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root).as_posix()
        folder = f'"{name.split("/")[0]}/'
        is_left_out = folder in old and folder not in new
        if path.is_file() and "__pycache__" not in name and not is_left_out:
            text = new if name == "build.toml" else path.read_text(encoding="utf-8")
            files[rename(name)] = rename(text)
    for key, value in {**values, "backends": backends}.items():
        if value:
            files["build.toml"] = _set_value(files["build.toml"], key, value)
    return files


def _leave_out(text: str, backends: Sequence[str]) -> str:
    """Return build.toml without other backends' sections, each a paragraph with its comments."""
    kept = [part for part in text.split("\n\n") if {*_BACKEND.findall(part)} <= {*backends}]
    return "\n\n".join(kept).rstrip("\n") + "\n"


def _set_value(text: str, key: str, value: object) -> str:
    """Return build.toml with a value of its first such key, which may be commented out."""
    head, line, rest = re.split(rf"^(?:# )?({key} = ).*$", text, maxsplit=1, flags=re.MULTILINE)
    return f"{head}{line}{json.dumps(value, ensure_ascii=False)}{rest}"


def write_kernel(files: Mapping[str, str], folder: Path, *, overwrite: bool) -> None:
    """Write the files; refuse to replace any unless told to."""
    existing = [name for name in files if find_below(folder, name).exists()]
    if existing and not overwrite:
        found = "files of the same names: " + ", ".join(shorten(existing))
        fix = "give another PATH, or --overwrite to replace them"
        problem = Problem(str(folder), found, "a folder without them", fix)
        raise KernelBuilderError(f"the kernel would replace {len(existing)} files", [problem])
    for name, text in files.items():
        write_below(folder, name, text.encode())

"""Links to what was built, and finds it again.

A folder may be a variant or hold some, as a bundle or `build/` does.
"""

import base64
import json
import os
import re
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from itertools import chain
from pathlib import Path
from typing import Any, Final

from kernel_builder.machine import files
from kernel_builder.messages.errors import KernelBuilderError, Problem
from kernel_builder.messages.names import show
from kernel_builder.messages.terminal import complain
from kernel_builder.nix.derivations import DEFAULT_STORE, is_result

METADATA: Final = "metadata.json"
# The files and folders beside the folders of variants.
BENCHMARKS: Final = "benchmarks"
CARD: Final = "CARD.md"
PROVENANCE: Final = "provenance"
# A file for each variant whose steps warn about something, and one of all of them.
FINDINGS: Final = "findings"
# A file for each copied variant that says whether it was built in Nix's sandbox.
STATES: Final = "sandbox"
# The ending that a signature adds to the name of the file that it signs.
SIGNED: Final = ".sigstore"
SIGNATURE: Final = METADATA + SIGNED
_SIGNATURE = re.compile(r"(?:build/[^/]+/metadata[.]json|provenance/[^/]+[.]slsa)[.]sigstore")

# A file or folder in a bundle, or below build/ on the Hub.
_TOP = re.compile(r"(?:build/)?[^/]+")
# The types of fields of the metadata that commands read; `*` stands for every name.
_FORM: Final[Mapping[str, Any]] = {
    "backend": {"type": str},
    "digest": {"files": {"*": str}},
    "name": str,
    "operators": list,
    "partial": list,
    "provenance": {"*": {}},
}
# The beginning of a name in the store.
_HASH = re.compile(r"[0-9a-z]{32}-")


def list_records(variant: str) -> tuple[str, str]:
    """Return the paths beside a variant on the Hub: its list of sources, and its provenance."""
    return f"{PROVENANCE}/{variant}.cdx.json", f"{PROVENANCE}/{variant}.slsa{SIGNED}"


def list_own(variant: str) -> tuple[str, ...]:
    """Return the paths of all files beside a variant that are about it alone."""
    return *list_records(variant), f"{STATES}/{variant}", f"{FINDINGS}/{variant}.json"


def list_strays(paths: Iterable[str], variants: Collection[str]) -> list[str]:
    """Return what is neither in variants nor may be beside them. All commands have this one list.

    Paths are those in a bundle or on the Hub; a folder's ends with `/`.
    """
    shared = tuple(f"{each}/" for each in (FINDINGS, PROVENANCE, STATES))
    known = {CARD, *shared, f"{FINDINGS}/all.json", *chain(*map(list_own, variants))}
    prefixes = (f"{BENCHMARKS}/", *(f"{name}/" for name in variants))
    below = ((path, path.removeprefix("build/")) for path in paths)
    found = [path for path, it in below if it not in known and not it.startswith(prefixes)]
    # Of a folder that may not be there, its name.
    return [*dict.fromkeys(p if p.startswith(shared) else _TOP.findall(p)[0] for p in found)]


def is_signature(path: str) -> bool:
    """Return whether a path on the Hub is that of a signature, which is made after the build."""
    return _SIGNATURE.fullmatch(path) is not None


def read_metadata(variant: Path) -> dict[str, Any]:
    """Return the metadata of a variant. Raises KernelBuilderError if no build has written it."""
    file, found = variant / METADATA, "fields of other types"
    try:
        data = json.loads(files.read_file(file))
        if _fits(data, _FORM):
            return dict(data)
    except (ValueError, RecursionError) as error:
        found = str(error)
    problem = Problem(str(file), found, "the JSON object of a build", "build the variant again")
    raise KernelBuilderError(f"{show(file)} is no metadata of a build", [problem])


def _fits(data: Any, form: Any) -> bool:
    """Return whether data has the types of a form; fields may be missing."""
    if not isinstance(form, dict):
        return isinstance(data, form)
    return isinstance(data, dict) and all(
        _fits(data[name], form.get(name, form.get("*", object))) for name in data
    )


def read_digests(metadata: Mapping[str, Any]) -> dict[str, str]:
    """Return the SHA-256 in base64 of each file by path, as the metadata states them."""
    return dict(metadata.get("digest", {}).get("files", {}))


def show_findings(file: Path, build: object = None, printed: str = "") -> list[dict[str, Any]]:
    """Print what the steps of a build warn about, from a file of their outputs; return it as data.

    Nothing if the file is not there, damaged or not of this build. Warnings in the text `printed`
    are left out.
    """
    found = []
    with suppress(OSError, ValueError, LookupError, TypeError, AttributeError, KernelBuilderError):
        data = json.loads(files.read_file(file))
        for each in data["findings"] if data["id"] == build else ():
            if each["text"].split("\n", 1)[0] not in printed:
                complain("warning", each["text"])
                found.append({"headline": each["headline"], "problems": [*each["problems"]]})
    return found


def hash_as_stated(file: Path) -> str:
    """Return the SHA-256 of a file as the metadata states it, in base64."""
    return base64.b64encode(bytes.fromhex(files.hash_file(file))).decode()


def hash_files(variant: Path) -> dict[str, str]:
    """Return the SHA-256 in base64 of each file of a variant by path, without its metadata."""
    found = files.list_files(variant)
    return {path: hash_as_stated(found[path]) for path in found.keys() - {METADATA, SIGNATURE}}


def find_edits(variant: Path) -> list[str]:
    """Return the files of a variant that differ from the digests in its metadata.

    Folders without files, which no digest can be about, are among them.
    """
    stated, found = read_digests(read_metadata(variant)), hash_files(variant)
    names = {*stated, *found} - {METADATA, SIGNATURE}
    edited = [name for name in names if stated.get(name) != found.get(name)]
    return sorted([*edited, *files.list_empty_folders(variant)])


def read_variant_name(variant: Path) -> str:
    """Return a variant's name: that of its folder, in the store without hash and kernel.

    Raises KernelBuilderError if no variant can have this name. Every command reads names here.
    """
    name = variant.resolve().name
    if _HASH.match(name):
        name = _HASH.sub("", name).removeprefix(f"{read_metadata(variant).get('name')}-")
    # The layout check knows the names that clients look for.
    if re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_.+-]*", name):
        return name
    want, fix = "letters, digits and _.+-", "give it the name that it was built with, or remove it"
    problem = Problem(show(variant), show(name), want, fix)
    raise KernelBuilderError("a folder has no name of a variant", [problem])


def list_built_variants(folders: Iterable[Path]) -> list[Path]:
    """Return the variants in these folders.

    A kernel's folder stands for its `build/`, or its `result` if there is no `build/`. Raises
    KernelBuilderError if a folder has none, or if `build/` and `result` are two builds.
    """
    return [variant for folder in folders for variant in _find_in(folder.resolve())]


def _find_in(folder: Path) -> list[Path]:
    if variants := [folder] if (folder / METADATA).is_file() else _list_variants(folder):
        return variants
    result = (folder / "result").resolve()
    # Only a link into the store is followed.
    if (folder / "result").is_symlink() and Path(DEFAULT_STORE) not in result.parents:
        found, want = f"a link to {result}", "a link into Nix's store"
        fix = "remove it and build again, or name the folder that you mean"
        headline = f"{folder / 'result'} is no result of a build"
        raise KernelBuilderError(headline, [Problem(str(folder / "result"), found, want, fix)])
    built, linked = _list_variants(folder / "build"), _list_variants(result)
    stated = {each.name: files.read_file(each / METADATA) for each in built}
    differ = [it.name for it in linked if files.read_file(it / METADATA) != stated.get(it.name)]
    if built and differ:
        found = "in result, and not the same in build/: " + ", ".join(differ)
        want = "the same build in both, or only one of them"
        fix = "run kernel-builder build-and-copy, or remove the one that is not meant"
        headline = f"{folder} has two builds"
        raise KernelBuilderError(headline, [Problem(str(folder), found, want, fix)])
    if built or linked:
        return built or linked
    want = f"{METADATA} in it, one folder below, or below its result or build/"
    fix = "build the kernel (kernel-builder build), or correct the path"
    problem = Problem(str(folder), "no variant" if folder.exists() else "nothing", want, fix)
    raise KernelBuilderError(f"{folder} has no built variant", [problem])


def _list_variants(folder: Path) -> list[Path]:
    variants = [file.parent for file in sorted(folder.glob(f"*/{METADATA}"))]
    for place in [folder, *variants] if variants else []:
        files.require_folder(place)
    return variants


def choose_link(folder: Path, name: str = "result", alone: bool = True) -> Path:
    """Return where the result is linked: in `folder`, or here if `folder` is read-only.

    Results of several kernels that are linked here have the names of their folders as well. Raises
    before anything is built if both are, or if something else is there.
    """
    link_name = name if alone else f"{name}-{folder.name}"
    link = folder / name if os.access(folder, os.W_OK) else Path.cwd() / link_name
    if not os.access(link.parent, os.W_OK):
        want = "the kernel's folder or the current one to be writable"
        fix = "run it in a folder of yours: cd && kernel-builder build FOLDER"
        problem = Problem(str(link.parent), "a folder that cannot be written to", want, fix)
    elif os.path.lexists(link) and not is_result(link):
        found, want = "something else", "nothing, or the link of an earlier build"
        problem = Problem(str(link), found, want, "move it away")
    else:
        return link
    raise KernelBuilderError("the result cannot be linked", [problem])

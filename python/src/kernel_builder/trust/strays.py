"""Finds files beside published variants that belong to none of them."""

from collections.abc import Iterator
from typing import Final

from kernel_builder.hub.bundle import Bundle
from kernel_builder.machine.files import list_empty_folders, list_files, read_file
from kernel_builder.messages.errors import Problem
from kernel_builder.messages.names import show
from kernel_builder.variants.result import METADATA, PROVENANCE, STATES, list_strays
from kernel_builder.variants.sandbox import RECORD

NO_PART: Final = f"of no variant here: a variant is a folder with {METADATA}"


def find_strays(bundle: Bundle, *, variants_only: bool) -> Iterator[Problem]:
    """Yield files and folders beside variants that are no part of them."""
    fix = "remove it: clients may load it, and no signature covers it"
    paths = [path for path, _ in bundle.list_extras(PROVENANCE)]
    paths += [*list_files(bundle.root), *list_empty_folders(bundle.root)] if bundle.root else []
    found = list_strays(paths, [variant.name for variant in bundle.variants])
    if variants_only:
        found = [path for path in found if not path.startswith(f"{PROVENANCE}/")]
    for path, file in bundle.list_extras(STATES):
        # Any other text than a record of the sandbox could be code.
        found += [path] * (not RECORD.fullmatch(read_file(file).decode("latin-1")))
    for path in dict.fromkeys(found):
        yield Problem(show(path), NO_PART, "variants, and files published beside them", fix)

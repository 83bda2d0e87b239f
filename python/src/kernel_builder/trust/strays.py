"""Finds files beside published variants that belong to none of them."""

from collections.abc import Iterator
from typing import Final

from kernel_builder.hub.bundle import Bundle
from kernel_builder.machine.files import read_file
from kernel_builder.messages.errors import Problem
from kernel_builder.messages.names import show
from kernel_builder.variants.result import (
    BENCHMARKS,
    CARD,
    FINDINGS,
    METADATA,
    PROVENANCE,
    list_beside,
)
from kernel_builder.variants.sandbox import RECORD, STATES

NO_VARIANT: Final = f"no {METADATA}, so it is no variant"


def find_strays(bundle: Bundle, *, variants_only: bool) -> Iterator[Problem]:
    """Yield files and folders beside variants that are no part of them."""
    fix = "remove it: clients may load it, and no signature covers it"
    names = {variant.name for variant in bundle.variants}
    found = {path.name for path in bundle.root.iterdir()} if bundle.root else set()
    for name in sorted(found - names - {BENCHMARKS, CARD, FINDINGS, PROVENANCE, STATES}):
        yield Problem(show(name), NO_VARIANT, "variants, and files published beside them", fix)
    known = {path for name in names for path in (f"{STATES}/{name}", *list_beside(name))}
    known |= {f"{FINDINGS}/{name}.json" for name in (*names, "all")}
    for folder in (STATES, FINDINGS) if variants_only else (STATES, FINDINGS, PROVENANCE):
        for path, file in bundle.list_files_beside(folder):
            # Any other text than a record of the sandbox could be code.
            is_other = folder == STATES and not RECORD.fullmatch(read_file(file).decode("latin-1"))
            if path not in known or is_other:
                yield Problem(show(path), "of no variant here", "files of the variants here", fix)

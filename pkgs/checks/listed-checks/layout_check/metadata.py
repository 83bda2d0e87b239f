"""Checks metadata.json with the reader of the public client."""

import re
import sys
from collections.abc import Iterator
from importlib.util import find_spec, module_from_spec

from checking.problem import Problem
from checking.variant import Variant

# `kernels` itself is not run: it imports the Hub's library, which takes longer than the whole check.
if client := find_spec("kernels"):
    sys.modules["kernels"] = module_from_spec(client)
from kernels._rust import Digest, DigestValidationError, Metadata

FILE = "metadata.json"
# SHA-256 in base64.
DIGEST = re.compile(r"[A-Za-z0-9+/]{43}=")


def check_metadata(variant: Variant) -> "Iterator[Problem]":
    """Yield the problems that the client would find."""
    file = variant.folder / FILE
    if not file.is_file():
        yield Problem(FILE, "no such file", "the file that the client reads first", "build it with kernel-builder")
        return
    try:
        metadata = Metadata.read_from_file(file)
    except ValueError as error:
        want = "metadata that the public client can read"
        fix = "state the key in [general] of build.toml, or build it with kernel-builder"
        yield Problem(FILE, str(error), want, fix)
        return
    yield from _check_names(variant, metadata)
    yield from _check_binding(variant)
    yield from _check_digest(variant, metadata)


def _check_names(variant: Variant, metadata: Metadata) -> "Iterator[Problem]":
    backend = str(metadata.backend.backend_type).rpartition(".")[2].lower()
    if variant.is_known and backend != variant.backend:
        yield Problem(
            at=f"{FILE}, backend.type",
            found=backend,
            want=f"{variant.backend}, as the name {variant.name} says",
            fix="build it with kernel-builder, and let its folder keep its name",
        )
    beginning = f"_{metadata.name.python_name}_{backend}_"
    if not metadata.id.startswith(beginning):
        yield Problem(
            at=f"{FILE}, id",
            found=metadata.id,
            want=f"{beginning}…, under which this build registers its operators",
            fix="build it with kernel-builder",
        )


def _check_binding(variant: Variant) -> "Iterator[Problem]":
    """Check the keys that tie a signature of the metadata to this variant and its list of sources."""
    stated = variant.read_metadata()
    fix = "build it with kernel-builder, and let its folder keep its name"
    if variant.is_known and stated.get("variant", variant.name) != variant.name:
        found = repr(stated["variant"])
        yield Problem(f"{FILE}, variant", found, f"{variant.name}, the name of its folder", fix)
    listed = stated.get("provenance-list", {"algorithm": "sha256", "digest": "A" * 43 + "="})
    digest = listed.get("digest") if isinstance(listed, dict) and listed.get("algorithm") == "sha256" else None
    if not isinstance(digest, str) or not DIGEST.fullmatch(digest):
        want = "algorithm sha256, and the digest of provenance/<variant>.cdx.json in base64"
        yield Problem(f"{FILE}, provenance-list", repr(listed), want, fix)


def _check_digest(variant: Variant, metadata: Metadata) -> "Iterator[Problem]":
    if metadata.digest is None:
        yield Problem(f"{FILE}, digest", "none", "the SHA-256 of every file", "build it with kernel-builder")
        return
    try:
        metadata.digest.validate(Digest.hash_variant(metadata.digest.algorithm, variant.folder))
    except DigestValidationError as error:
        for violation in error.violations:
            yield Problem(
                at=getattr(violation, "path", FILE),
                found=str(violation),
                want="the files that were built, as they were built",
                fix="build it again; nothing may be changed afterwards",
            )

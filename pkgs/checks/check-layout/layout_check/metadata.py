"""metadata.json, read by the public client's own reader."""

from collections.abc import Iterator

from checking.problem import Problem
from checking.variant import Variant
from kernels._rust import Digest, DigestValidationError, Metadata

FILE = "metadata.json"
# Keys that the author states in build.toml, and where.
STATED = {"license": "license", "version": "version", "name": "name"}


def check_metadata(variant: Variant) -> "Iterator[Problem]":
    """Yield what the client would object to."""
    file = variant.folder / FILE
    if not file.is_file():
        yield Problem(FILE, "no such file", "the file that the client reads first", "build it with kernel-builder")
        return
    try:
        metadata = Metadata.read_from_file(file)
    except ValueError as error:
        key = next(
            (key for key in STATED if f"`{key}`" in str(error) or variant.read_metadata().get(key, key) is None), ""
        )
        yield Problem(
            at=FILE,
            found=str(error),
            want="metadata that the public client can read",
            fix=f"state `{STATED[key]}` in [general] of build.toml" if key else "build it with kernel-builder",
        )
        return
    yield from _check_names(variant, metadata)
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

"""List the sources of `$derivations` in `$out`: pinned sources, and the kernel's own files (`$filesPath`).

The list has no time and no random number, so the same inputs give the same list.
"""

import ast
import hashlib
import json
import os
import uuid
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from cyclonedx.model import ExternalReference, ExternalReferenceType, HashAlgorithm, HashType, Property, XsUri
from cyclonedx.model.bom import Bom, BomMetaData
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.model.license import DisjunctiveLicense
from cyclonedx.output.json import JsonV1Dot6
from packageurl import PackageURL

variant = os.environ["variant"]
stated = json.loads(os.environ["component"])
provenance = json.loads(os.environ["provenance"])


def walk(roots: "Iterable[str]") -> "Iterator[Mapping[str, str]]":
    """Yield the environment of every derivation in the closure of the roots.

    Nix writes a derivation as nested lists, tuples and strings in the syntax of Python.
    """
    seen: set[str] = set()
    todo = [*roots]
    while todo:
        path = todo.pop()
        if path in seen:
            continue
        seen.add(path)
        text = Path(path).read_text(encoding="utf-8")
        if not text.startswith("Derive("):
            raise SystemExit(f"internal error: {path} is no derivation as Nix writes them")
        _, inputs, _, _, _, _, environment = ast.literal_eval(text.removeprefix("Derive"))
        yield dict(environment)
        todo += [path for path, _ in inputs]


def sha256(digest: str) -> HashType:
    """Return a hash in the form of the list."""
    return HashType(alg=HashAlgorithm.SHA_256, content=digest)


def purl(source: "Mapping[str, str]") -> PackageURL:
    """Return the package URL of a source."""
    if source["sourceKind"] == "wheel":
        return PackageURL("pypi", name=source["project"], version=source["version"])
    if source["sourceKind"] == "deb":
        qualifiers = {"arch": source["architecture"], "distro": source["suite"]}
        return PackageURL("deb", "debian", source["package"], source["version"], qualifiers)
    if source["sourceKind"] == "kernel":
        owner, name = source["repository"].split("/")
        return PackageURL("huggingface", owner, name, source["commit"])
    if "repo" in source:
        return PackageURL("github", source["owner"].lower(), source["repo"].lower(), source["rev"])
    return PackageURL("generic", name=file_of(source), qualifiers={"download_url": source["url"]})


def file_of(source: "Mapping[str, str]") -> str:
    """Return the file name of a source; all trees have the same name in the store."""
    return source["file"] if source["sourceKind"] == "archive" else source["name"]


def describe_source(source: "Mapping[str, str]") -> Component:
    """Return a pinned source as a component."""
    name = purl(source)
    is_tree = source["sourceKind"] in ("archive", "kernel")
    address = source.get("url")
    return Component(
        type=ComponentType.LIBRARY,
        bom_ref=file_of(source),
        name=name.name,
        version=name.version,
        purl=name,
        # The hash of a tree is in Nix's own format, not the hash of a file.
        hashes=[] if is_tree else [sha256(source["outputHash"])],
        external_references=(
            [ExternalReference(type=ExternalReferenceType.DISTRIBUTION, url=XsUri(address))] if address else []
        ),
        properties=[
            Property(name="kernel-builder:file", value=file_of(source)),
            *([Property(name="kernel-builder:tree", value=source["outputHash"])] if is_tree else []),
        ],
    )


def describe_files() -> "Iterator[Component]":
    """Yield the kernel's own files, and the files in its folders."""
    for name, place in sorted(json.loads(Path(os.environ["filesPath"]).read_text()).items()):
        path = Path(place)
        for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
            if file.is_file():
                full = f"{name}/{file.relative_to(path).as_posix()}" if path.is_dir() else name
                digest = hashlib.sha256(file.read_bytes()).hexdigest()
                yield Component(type=ComponentType.FILE, bom_ref=full, name=full, hashes=[sha256(digest)])


def describe_provenance() -> "Iterator[Property]":
    """Yield facts about the commits of the kernel and of the builder."""
    for what, facts in sorted(provenance.items()):
        for fact, value in sorted(facts.items()):
            text = str(value).lower() if isinstance(value, bool) else value
            yield Property(name=f"kernel-builder:{what}:{fact}", value=text)


sources = {file_of(each): each for each in walk(os.environ["derivations"].split()) if "sourceKind" in each}
components = [*describe_files(), *(describe_source(sources[name]) for name in sorted(sources))]
kernel = Component(
    type=ComponentType.LIBRARY,
    bom_ref=f"{stated['name']}/{variant}",
    name=stated["name"],
    version=str(stated["version"]) if stated["version"] is not None else None,
    licenses=[DisjunctiveLicense(name=stated["license"])] if stated["license"] else [],
    external_references=(
        [ExternalReference(type=ExternalReferenceType.VCS, url=XsUri(stated["upstream"]))] if stated["upstream"] else []
    ),
    properties=[Property(name="kernel-builder:variant", value=variant), *describe_provenance()],
)
stated_once = [variant, os.environ["component"], os.environ["provenance"]]
content = "\n".join([*stated_once, *(f"{each.bom_ref} {each.hashes}" for each in components)])
bom = Bom(
    metadata=BomMetaData(component=kernel),
    components=components,
    serial_number=uuid.uuid5(uuid.NAMESPACE_URL, content),
)
# Otherwise the library writes the present time.
bom.metadata.timestamp = None  # type: ignore[assignment]
bom.register_dependency(kernel, components)
JsonV1Dot6(bom).output_to_file(os.environ["out"], indent=2)

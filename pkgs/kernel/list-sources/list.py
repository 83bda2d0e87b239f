"""List the sources of `$derivations` in `$out`: pinned sources, and the kernel's own files (`$filesPath`).

The list is a CycloneDX 1.6 document. It has no time and no random number, so the same inputs give the same list.
"""

import ast
import hashlib
import json
import os
import uuid
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

variant = os.environ["variant"]
stated = json.loads(os.environ["component"])
provenance = json.loads(os.environ["provenance"])
# Reserved characters of addresses, without brackets and quotes.
RESERVED = "%/:?#@!$&()*+,;=~"
ALGORITHMS = {"md5": "MD5", "sha1": "SHA-1", "sha256": "SHA-256", "sha512": "SHA-512"}


def walk(roots: "Iterable[str]") -> "Iterator[Mapping[str, str]]":
    """Yield the environment of every derivation in the closure of the roots, with `algorithm` and `digest`.

    These are of its first output, in hexadecimal digits, however the author wrote the hash; `r:` precedes the algorithm
    of a tree. Nix writes a derivation as nested lists, tuples and strings in the syntax of Python.
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
        outputs, inputs, _, _, _, _, environment = ast.literal_eval(text.removeprefix("Derive"))
        _, _, algorithm, digest = outputs[0]
        yield {**dict(environment), "algorithm": algorithm, "digest": digest}
        todo += [path for path, _ in inputs]


def describe(kind: str, reference: str, name: str, **fields: Any) -> "dict[str, Any]":
    """Return a component, without the fields that are empty."""
    component = {"type": kind, "bom-ref": reference, "name": name, **fields}
    return {field: value for field, value in component.items() if value}


def list_hashes(digest: str, algorithm: str = "sha256") -> "list[dict[str, str]]":
    """Return a digest as the hashes of a component."""
    return [{"alg": ALGORITHMS[algorithm], "content": digest}]


def list_addresses(kind: str, address: "str | None") -> "list[dict[str, str]]":
    """Return an address as the external references of a component; none if there is none."""
    return [{"type": kind, "url": quote(address, safe=RESERVED)}] if address else []


def list_properties(facts: "Mapping[str, str]") -> "list[dict[str, str]]":
    """Return facts as the properties of a component."""
    return [{"name": f"kernel-builder:{name}", "value": facts[name]} for name in sorted(facts)]


def name_package(source: "Mapping[str, str]") -> "tuple[str, str | None, str]":
    """Return the name, the version and the package URL of a source."""
    qualifiers = {}
    if source["sourceKind"] == "wheel":
        name, version = source["project"].lower().replace("_", "-"), source["version"]
        place = ["pypi"]
    elif source["sourceKind"] == "deb":
        name, version = source["package"], source["version"]
        place, qualifiers = ["deb", "debian"], {"arch": source["architecture"], "distro": source["suite"]}
    elif source["sourceKind"] == "kernel":
        owner, name = source["repository"].split("/")
        place, version = ["huggingface", owner], source["commit"]
    elif "repo" in source:
        place = ["github", source["owner"].lower()]
        name, version = source["repo"].lower(), source["rev"]
    else:
        place, name, version = ["generic"], file_of(source), None
        qualifiers = {"download_url": source["url"]}
    # A package URL has a colon and a slash as they are.
    url = "pkg:" + quote("/".join([*place, name]), safe="/:") + (f"@{quote(version, safe='/:')}" if version else "")
    asked = "&".join(f"{key}={quote(value, safe='/:')}" for key, value in qualifiers.items())
    return name, version, f"{url}?{asked}" if asked else url


def file_of(source: "Mapping[str, str]") -> str:
    """Return the file name of a source; all trees have the same name in the store."""
    return source["file"] if source["sourceKind"] == "archive" else source["name"]


def describe_source(source: "Mapping[str, str]") -> "dict[str, Any]":
    """Return a pinned source as a component."""
    name, version, url = name_package(source)
    file, algorithm = file_of(source), source["algorithm"]
    is_tree = algorithm.startswith("r:")
    return describe(
        "library",
        # Two sources may have the same package, such as wheels for two systems, or the same file name.
        f"{url}#{file}@{source['digest'][:16]}",
        name,
        version=version,
        purl=url,
        # The hash of a tree is in Nix's own format, not the hash of a file.
        hashes=[] if is_tree else list_hashes(source["digest"], algorithm),
        externalReferences=list_addresses("distribution", source.get("url")),
        properties=list_properties({"file": file, **({"tree": source["outputHash"]} if is_tree else {})}),
    )


def describe_files() -> "Iterator[dict[str, Any]]":
    """Yield the kernel's own files, and the files in its folders."""
    for name, place in sorted(json.loads(Path(os.environ["filesPath"]).read_text()).items()):
        path = Path(place)
        for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
            if file.is_file():
                full = f"{name}/{file.relative_to(path).as_posix()}" if path.is_dir() else name
                yield describe("file", full, full, hashes=list_hashes(hashlib.sha256(file.read_bytes()).hexdigest()))


def describe_kernel() -> "dict[str, Any]":
    """Return the kernel, with the commits of itself and of the builder."""
    facts = {"variant": variant}
    for what, known in provenance.items():
        for fact, value in known.items():
            facts[f"{what}:{fact}"] = str(value).lower() if isinstance(value, bool) else value
    return describe(
        "library",
        f"{stated['name']}/{variant}",
        stated["name"],
        version=str(stated["version"]) if stated["version"] is not None else None,
        licenses=[{"license": {"name": stated["license"]}}] if stated["license"] else [],
        externalReferences=list_addresses("vcs", stated["upstream"]),
        properties=list_properties(facts),
    )


described = [describe_source(each) for each in walk(os.environ["derivations"].split()) if "sourceKind" in each]
# A source may be pinned in several derivations.
sources = {each["bom-ref"]: each for each in described}
components = [*describe_files(), *(sources[reference] for reference in sorted(sources))]
kernel = describe_kernel()
references = sorted(each["bom-ref"] for each in components)
content = {
    "metadata": {"component": kernel},
    "components": components,
    "dependencies": [{"ref": kernel["bom-ref"], "dependsOn": references}, *({"ref": each} for each in references)],
}
form = {
    "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
    "bomFormat": "CycloneDX",
    "specVersion": "1.6",
    "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, json.dumps(content))}",
    "version": 1,
}
Path(os.environ["out"]).write_text(json.dumps({**form, **content}, indent=2) + "\n")

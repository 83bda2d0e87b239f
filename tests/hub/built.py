"""Builds to upload, made without building anything."""

import base64
import hashlib
import json
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from kernel_builder.variants.result import STATES
from kernel_builder.variants.sandbox import ON, format_state
from tests.hub.exchange import Hub
from tests.hub.repository import Repository

CARD = "---\nlibrary_name: kernels\nlicense: mit\n---\n\n# org/tiny\n"
CLEAN = {"kernel-builder": {"version": "0.1.0"}, "kernel": {"commit": "a" * 40, "dirty": False}}


@dataclass
class Evaluated:
    """The kernel of a build: its folder, and the manifest that it evaluates to."""

    folder: Path
    repo_id: str
    names: Sequence[str]

    def evaluate(self, _: str) -> dict[str, object]:
        variants = [{"name": name, "backend": "cpu"} for name in self.names]
        hub = {"repo-id": self.repo_id, "branch": ""}
        return {"version": 1, "hub": hub, "variants": variants, "system": "x86_64-linux"}


def digest_of(listed: str) -> dict[str, str]:
    """Return what metadata states of a list of sources."""
    digest = base64.b64encode(hashlib.sha256(listed.encode()).digest()).decode()
    return {"algorithm": "sha256", "digest": digest}


def write_state(variant: Path, state: str) -> None:
    """Record beside a variant how it was built, as a copy to `build/` does."""
    file = variant.parent / STATES / variant.name
    file.parent.mkdir(exist_ok=True)
    file.write_text(format_state(state, variant))


def state_inputs(variant: str, salt: str = "", version: int = 1) -> dict[str, Any]:
    """Return the metadata that follows from the inputs of a variant, which `salt` stands for."""
    digest = hashlib.sha256((variant + salt).encode()).hexdigest()
    return {
        "id": f"_tiny_cpu_{digest[:16]}",
        "name": "tiny",
        "variant": variant,
        "version": version,
        "license": "mit",
        "python-depends": [],
        "backend": {"type": "cpu"},
    }


def write_variant(
    folder: Path,
    salt: str = "",
    provenance: Any = CLEAN,
    version: int = 1,
    python: Mapping[str, str] = MappingProxyType({}),
    operators: Sequence[str] | None = None,
    listed: str | None = None,
) -> None:
    """Write the files of one variant, whose content depends on `salt`, with these Python files.

    `listed` is the list of sources beside it, whose hash goes into the metadata.
    """
    shutil.rmtree(folder, ignore_errors=True)
    stated = state_inputs(folder.name, salt, version)
    identity = stated["id"]
    files = {
        "__init__.py": b"from ._ops import ops\n",
        "_ops.py": f"ops = '{identity}'\n".encode(),
        f"{identity}.abi3.so": b"\x7fELF\0" + identity.encode() * 40,
        "tiny/__init__.py": b"from .. import *\n",
        **{name: text.encode() for name, text in python.items()},
    }
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    digests = {
        name: base64.b64encode(hashlib.sha256(content).digest()).decode()
        for name, content in files.items()
    }
    metadata = {
        **stated,
        "digest": {"algorithm": "sha256", "files": digests},
        "provenance": provenance,
        **({} if operators is None else {"operators": list(operators)}),
        **({} if listed is None else {"provenance-list": digest_of(listed)}),
    }
    (folder / "metadata.json").write_text(json.dumps(metadata))
    write_state(folder, ON)


def list_of(variant: str, salt: str) -> str:
    """Return a list of sources in CycloneDX, with a file, a wheel and a tree."""
    wheel = {"name": "torch", "purl": "pkg:pypi/torch@2.13.0"}
    tree = {"name": "cutlass", "purl": "pkg:github/nvidia/cutlass@v4"}
    properties = [{"name": "kernel-builder:tree", "value": "sha256-AA="}]
    hashes = [{"alg": "SHA-256", "content": hashlib.sha256(salt.encode()).hexdigest()}]
    components = [
        {"name": "tiny/tiny.cpp", "hashes": hashes},
        {**wheel, "hashes": hashes},
        {**tree, "properties": properties},
    ]
    return json.dumps({"bomFormat": "CycloneDX", "variant": variant, "components": components})


def make_bundle(folder: Path, *variants: str, salt: str = "", card: str = CARD) -> Path:
    """Write a bundle with these variants."""
    lists = {name: list_of(name, salt) for name in variants}
    for name, listed in lists.items():
        write_variant(folder / name, salt, listed=listed)
    (folder / "benchmarks").mkdir()
    (folder / "benchmarks" / "benchmark.py").write_text("print(1)\n")
    (folder / "provenance").mkdir()
    for name, listed in lists.items():
        (folder / "provenance" / f"{name}.cdx.json").write_text(listed)
    (folder / "CARD.md").write_text(card)
    return folder


def publish(hub: Hub, repo_id: str, folder: Path, branch: str = "v1") -> Repository:
    """Commit the files of a bundle as they are, and create what is missing."""
    repository = hub.repositories.get(repo_id)
    if not repository.exists:
        repository.create(private=False)
    repository.branch(branch, repository.resolve("main") or "")
    changes: list[tuple[str, str, Any]] = []
    for file in (path for path in folder.rglob("*") if path.is_file()):
        name, content = file.relative_to(folder).as_posix(), file.read_bytes()
        path = name if name.startswith(("provenance/", "benchmarks/")) else f"build/{name}"
        if b"\0" in content:
            sha256 = hashlib.sha256(content).hexdigest()
            repository.store_lfs(sha256, content)
            entry = {"blob": sha256[:40], "sha256": sha256, "size": len(content)}
            changes.append(("lfs", path, entry))
        elif not name.startswith("sandbox/"):
            changes.append(("write", path, content))
    repository.commit(branch, None, "a build", changes, create_pr=False)
    return repository

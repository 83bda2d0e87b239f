"""Derivations that tests make, and take away again."""

import hashlib
import io
import json
import subprocess
import zipfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

from tests.evaluation import run_nix


@dataclass
class Store:
    folder: Path
    derivations: list[str] = field(default_factory=list)

    def instantiate(self, expression: str) -> str:
        made = run_nix("nix-instantiate", "--quiet", "--expr", expression).split()
        self.derivations += made
        return "\n".join(made)

    def source(self, name: str, content: bytes, **coordinates: str) -> str:
        """Return the expression of a fixed-output derivation, as fetchers make them."""
        attributes = {
            "name": name,
            "builder": "builtin:fetchurl",
            "system": "builtin",
            "outputHashMode": "flat",
            "outputHashAlgo": "sha256",
            "outputHash": hashlib.sha256(content).hexdigest(),
            **coordinates,
        }
        lines = " ".join(f"{key} = {json.dumps(value)};" for key, value in attributes.items())
        return f"(derivation {{ {lines} }})"

    def outputs(self, derivation: str) -> list[str]:
        return run_nix("nix-store", "--query", "--outputs", derivation).split()

    def has(self, derivation: str) -> bool:
        """Say whether a derivation's outputs are valid (a file alone would not do)."""
        argv = ["nix-store", "--check-validity", *self.outputs(derivation)]
        return subprocess.run(argv, capture_output=True, check=False).returncode == 0


def make_wheel(
    project: str,
    version: str,
    *,
    requires: tuple[str, ...] = (),
    salt: str = "",
    tags: str = "py3-none-any",
    more: Mapping[str, str] = MappingProxyType({}),
) -> tuple[str, bytes]:
    stem = f"{project.replace('-', '_')}-{version}"
    info = f"{stem}.dist-info"
    metadata = f"Metadata-Version: 2.1\nName: {project}\nVersion: {version}\n"
    metadata += "".join(f"Requires-Dist: {line}\n" for line in requires)
    files = {
        f"{project.replace('-', '_')}.py": f"salt = {salt!r}\n",
        f"{info}/METADATA": metadata,
        f"{info}/WHEEL": f"Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: {tags}\n",
        f"{info}/RECORD": "",
        **more,
    }
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, text in files.items():
            archive.writestr(zipfile.ZipInfo(name), text)
    return f"{stem}-{tags}.whl", packed.getvalue()


def wheel_source(store: Store, file: str, content: bytes, **more: str) -> str:
    project, version = file.split("-")[:2]
    name = file.replace("!", "_")
    more = {"sourceKind": "wheel", "project": project, "version": version, "file": file, **more}
    return store.instantiate(store.source(name, content, **more))


def put_wheels(
    links: Path, store: Store, salt: str, wheels: Iterable[tuple[str, str, str]]
) -> list[str]:
    """Give pip wheels (project, version, tags), and return derivations that want them."""
    drvs = []
    for project, version, tags in wheels:
        file, content = make_wheel(project, version, salt=salt, tags=tags)
        (links / file).write_bytes(content)
        drvs.append(wheel_source(store, file, content))
    return drvs

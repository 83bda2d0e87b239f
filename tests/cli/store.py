"""Derivations that tests make, and take away again."""

from __future__ import annotations

import hashlib
import json
import subprocess
from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class Store:
    """Makes derivations and takes them away again."""

    folder: Path
    derivations: list[str] = field(default_factory=list)

    def instantiate(self, expression: str) -> str:
        done = subprocess.run(
            ["nix-instantiate", "--quiet", "--expr", expression],
            capture_output=True,
            text=True,
            check=True,
        )
        self.derivations += done.stdout.split()
        return done.stdout.strip()

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
        done = subprocess.run(
            ["nix-store", "--query", "--outputs", derivation],
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout.split()

    def has(self, derivation: str) -> bool:
        """Say whether a derivation's outputs are valid (a file alone would not do)."""
        done = subprocess.run(
            ["nix-store", "--check-validity", *self.outputs(derivation)],
            capture_output=True,
            check=False,
        )
        return done.returncode == 0

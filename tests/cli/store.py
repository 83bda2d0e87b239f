"""Derivations that tests make, and take away again."""

from __future__ import annotations

import hashlib
import json
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

from tests.evaluation import run_nix


@dataclass
class Store:
    """Makes derivations and takes them away again."""

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

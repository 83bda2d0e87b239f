"""The table of Torch builds and the pins of their wheels say the same."""

import json
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MATRIX = json.loads((ROOT / "lib/matrix/matrix.json").read_text())
PINS = json.loads((ROOT / "pkgs/torch/torch-pins/pins.json").read_text())
PREFIXES = {"cpu": "cpu", "cuda": "cu", "rocm": "rocm", "xpu": "xpu"}


def build_of(entry: "dict[str, str]") -> str:
    """Return what Torch calls the build of an entry: release and compute platform."""
    return (
        f"{entry['torch']}+{PREFIXES[entry['backend']]}{(entry['toolkit'] or '').replace('.', '')}"
    )


def test_every_linux_build_of_the_matrix_is_pinned() -> None:
    missing = [
        f"{build_of(entry)} on {system}"
        for entry in MATRIX
        for system in entry["systems"]
        if system.endswith("-linux") and system not in PINS.get(build_of(entry), {})
    ]
    assert missing == []


def test_what_registries_carry_has_no_vendor_address_to_wait_for() -> None:
    for entry in MATRIX:
        if entry["hosts"]["torch"] != "registry" or entry["backend"] in ("cpu", "metal"):
            continue
        for system in entry["systems"]:
            assert "url" not in PINS[build_of(entry)][system], (build_of(entry), system)

"""Torch's own headers reach libraries of CUDA that no kernel names: a unit sees these, too."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from tests.evaluation import ROOT, evaluate, nix_string, path_of, read_variant, realise
from tests.tiny_kernel import TinyKernel

BINDING = "torch-ext/torch_binding.cpp"
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*[<"]([^>"]+)[>"]', re.MULTILINE)
LIBRARIES = {
    "cublas": "cublas|nvblas",
    "cufft": "cufft|cudalibxt",
    "curand": "curand",
    "cusolver": "cusolver",
    "cusparse": "cusparse",
    "nvjitlink": "nvJitLink",
    "nvrtc": "nvrtc",
}


def headers_of_torch(folder: Path) -> dict[str, list[str]]:
    """Return what each of Torch's headers includes; those of the CPU build are those of all."""
    tiny = TinyKernel(folder)
    item = read_variant(tiny.folder).read_object(BINDING)
    realise(*item.inputs)
    (include,) = re.findall(r"\S*-torch-\S*-dev/include$", item.env["flags"], re.MULTILINE)
    root = Path(include)
    return {
        file.relative_to(root).as_posix(): INCLUDE.findall(file.read_text(errors="replace"))
        for file in root.rglob("*")
        if file.suffix in (".h", ".cuh", ".hpp", ".inl", ".inc")
    }


def reached(headers: dict[str, list[str]], start: str) -> Iterator[str]:
    """Yield the names that a header includes, itself or by others, and that are not Torch's."""
    seen = {start}
    waiting = [start]
    while waiting:
        file = waiting.pop()
        for name in headers[file]:
            own = {name, f"{Path(file).parent}/{name}"} & headers.keys()
            if not own:
                yield name
            waiting += own - seen
            seen |= own


def test_a_unit_sees_what_torchs_headers_reach(tmp_path: Path) -> None:
    headers = headers_of_torch(tmp_path / "tiny")
    needs = {}
    for header in headers:
        names = list(reached(headers, header))
        needs[header] = {
            library
            for library, pattern in LIBRARIES.items()
            if any(re.match(pattern, name) for name in names)
        }
    asked = [header for header, libraries in needs.items() if libraries]
    assert "ATen/native/cuda/Loops.cuh" in asked
    listed = " ".join(map(nix_string, asked))
    owners = evaluate(f"map (import {path_of(ROOT / 'lib')}).headers.owners [ {listed} ]")
    missing = {
        header: sorted(needs[header] - set(found))
        for header, found in zip(asked, owners)
        if needs[header] - set(found)
    }
    assert missing == {}

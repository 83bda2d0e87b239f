"""Torch's own headers include headers of CUDA libraries, so units that include Torch see these."""

import re
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
    """Return the includes of each of Torch's headers; all builds have the same headers."""
    tiny = TinyKernel(folder)
    item = read_variant(tiny.folder).read_object(BINDING)
    realise(*item.inputs)
    (include,) = re.findall(
        r"\S*-headers-of-torch-\S*-wheel/include$", item.env["flags"], re.MULTILINE
    )
    root = Path(include)
    return {
        file.relative_to(root).as_posix(): INCLUDE.findall(file.read_text(errors="replace"))
        for file in root.rglob("*")
        if file.suffix in (".h", ".cuh", ".hpp", ".inl", ".inc")
    }


def who_needs(headers: dict[str, list[str]], pattern: str) -> set[str]:
    """Return the headers that include a name with this prefix, directly or through others."""
    users: dict[str, set[str]] = {}
    for file, names in headers.items():
        for name in names:
            for own in {name, f"{Path(file).parent}/{name}"} & headers.keys():
                users.setdefault(own, set()).add(file)
    found = {file for file, names in headers.items() if any(re.match(pattern, n) for n in names)}
    waiting = list(found)
    while waiting:
        new = users.get(waiting.pop(), set()) - found
        found |= new
        waiting += new
    return found


def test_a_unit_sees_what_torchs_headers_reach(tmp_path: Path) -> None:
    headers = headers_of_torch(tmp_path / "tiny")
    needs: dict[str, set[str]] = {header: set() for header in headers}
    for library, pattern in LIBRARIES.items():
        for header in who_needs(headers, pattern):
            needs[header].add(library)
    asked = [header for header, libraries in needs.items() if libraries]
    assert "ATen/native/cuda/Loops.cuh" in asked
    listed = " ".join(map(nix_string, asked))
    owners = evaluate(f"map (import {path_of(ROOT / 'lib')}).plan.headers.findOwners [ {listed} ]")
    missing = {
        header: sorted(needs[header] - set(found))
        for header, found in zip(asked, owners)
        if needs[header] - set(found)
    }
    assert missing == {}

"""Compile the device code of a unit for one target, and store it in a folder.

The folder has `cubin`, `ptx` if requested, `stub.c` (the registration of the kernels for the host) and
`pass.json`. `messages` are those of the compilers.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import steps

PARTS = ("preprocess-device", "cicc", "ptxas")
# Arguments of `fatbinary` for one target or file. The others describe how the code was compiled.
OWN = ("--image3=", "--embedded-fatbin=", "--create=")


def compile_pass(target: list[str], headers: str, output: steps.Output = None) -> dict[str, steps.Step] | None:
    """Compile for a target, given as arguments of nvcc; return the steps, or None if one failed."""
    found = {step.kind: step for step in steps.steps([*steps.compile_arguments(headers), *target])}
    return found if steps.run_all((found[part] for part in PARTS), output) else None


def keep(found: dict[str, steps.Step], arch: str, headers: str, out: Path, *, target: list[str], ptx: bool) -> None:
    """Copy the results of a pass into the folder `out`."""
    out.mkdir(parents=True)
    made = {"cubin": ("ptxas", "-o"), "ptx": ("cicc", "-o"), "stub.c": ("cicc", "--stub_file_name")}
    for name, (kind, option) in made.items():
        if ptx or name != "ptx":
            (out / name).write_bytes(Path(found[kind].option(option)).read_bytes())
    facts = {
        "arch": arch,
        "target": target,
        "headers": steps.in_words_of_the_plan(headers),
        # "full", or the name of a set of lean headers.
        "set": headers,
        "options": [word for word in found["fatbinary"].argv[1:] if word != "-64" and not word.startswith(OWN)],
    }
    (out / "pass.json").write_text(json.dumps(facts) + "\n")
    (out / "messages").write_text("".join(steps.messages), errors="replace")


def compile_again(a_pass: Path, out: Path) -> None:
    """Compile a pass again with Torch's full headers, into the folder `out`."""
    facts = json.loads((a_pass / "pass.json").read_text())
    made = {}

    def compile_full(output: steps.Output) -> bool:
        made.update(compile_pass(facts["target"], "full", output) or {})
        return bool(made)

    is_made, said = steps.capture(compile_full)
    steps.keep_messages(said)
    if not is_made:
        sys.exit(1)
    keep(made, facts["arch"], "full", out, target=facts["target"], ptx=(a_pass / "ptx").exists())

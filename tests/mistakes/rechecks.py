"""Check changed Python files with the extension of the kernel without the change.

The checks of a variant that read its Python files run as their derivations say, outside of a
sandbox, on a copy of the files. Nothing is compiled or linked, and Torch is imported once.
"""

import json
import subprocess
from collections.abc import Iterable, Mapping
from pathlib import Path

from kernel_builder.messages.errors import parse_problems
from tests.derivation import Derivation, closure_of, named
from tests.evaluation import call
from tests.mistakes.said import Said, describe, read_findings
from tests.mistakes.tables import Mistake, apply_change

# Checks of the binary, and of the digest that the metadata states.
OTHERS = ("abi_check", "layout_check")
PRELOAD = {"kernel_builder.import_check": "torch kernels"}
DRIVER = Path(__file__).with_name("run_check.py")


def recheck(drv: str, mistakes: Mapping[str, Mistake], place: Path) -> dict[str, Said]:
    """Return what the checks of a variant say of each change of its kernel."""
    place.mkdir(parents=True)
    # The paths in the store that each of them has in another place.
    moved = {name: copy_files(drv, each, place / name) for name, each in mistakes.items()}
    said = {name: Said() for name in mistakes}
    for number, step in enumerate(list_steps(drv)):
        # A step that fails has no output for the next one.
        waiting = {name: moved[name] for name in said if not said[name].errors}
        folders = run_step(step, place / f"step-{number}", waiting)
        for name, folder in folders.items():
            moved[name][step.outputs["out"]] = str(folder / "out")
            if (folder / "failed").exists():
                text = (folder / "log").read_text().rpartition("error: ")[2]
                said[name].errors.extend(map(describe, parse_problems(text)))
                assert said[name].errors, (folder / "log").read_text()
            said[name].warnings.extend(read_findings(str(folder / "out")))
    return said


def copy_files(drv: str, mistake: Mistake, place: Path) -> dict[str, str]:
    """Copy the Python files of a variant, alone and in the variant, and change both."""
    copies = {}
    for step in (named(drv, "-python-files"), named(drv, "-assembled")):
        copy = place / step.name
        copy.parent.mkdir(exist_ok=True)
        words = ["cp", "-r", "--no-preserve=mode", step.outputs["out"], str(copy)]
        subprocess.run(words, check=True)
        copies[step.outputs["out"]] = str(copy)
        for each in mistake.change:
            inside = Path(each["file"]).relative_to(step.env["pythonFolder"])
            apply_change(copy, {**each, "file": str(inside)})
    return copies


def list_steps(drv: str) -> list[Derivation]:
    """Return the checks of the Python files; one that reads the result of another follows it."""
    steps = [
        each
        for each in closure_of(drv)
        if "arguments" in each.env and each.env.get("module", OTHERS[0]) not in OTHERS
    ]
    return sorted(steps, key=lambda step: len(step.inputs.keys() & {each.path for each in steps}))


def run_step(
    step: Derivation, place: Path, moved: Mapping[str, Mapping[str, str]]
) -> dict[str, Path]:
    """Run one check on each copy; return folders with its `log` and `out`, and `failed`."""
    jobs = []
    for name, paths in moved.items():
        (place / name).mkdir(parents=True)
        arguments = replace_all(step.env["arguments"], paths.items())
        folders = {each: str(place / name / each) for each in ("out", "log", "home")}
        jobs.append({"arguments": json.loads(arguments), **folders})
    (place / "work").mkdir(parents=True)
    python = next(word for word in step.args if word.endswith("/bin/python3"))
    environment = {**step.env, "PRELOAD": PRELOAD.get(step.env["module"], "")}
    text, work = json.dumps(jobs), place / "work"
    done = call(python, "-B", DRIVER, cwd=work, env=environment, input=text, stderr=None)
    for name, status in zip(moved, json.loads(done.stdout), strict=True):
        if status:
            (place / name / "failed").touch()
    return {name: place / name for name in moved}


def replace_all(text: str, pairs: Iterable[tuple[str, str]]) -> str:
    for old, new in pairs:
        text = text.replace(old, new)
    return text

"""The table of seeded mistakes: records of tables/*.json, and how one changes a kernel.

A record is one mistake that a kernel's author makes:

- `kernel`: an example, "tiny" (the base of tests/constructs), or "community/NAME" of a checkout of
  published kernels;
- `mistake` in words; the name of the file is its class;
- `change`: steps on files of the kernel, each with `file` and one of `replace` (a text and its
  replacement), `add` (a text at the end, or a new file), `delete`, `move` (the new name), or
  `untrack` (of git);
- `tier`: "evaluation" (`check-config`), "python" (also the checks that read Python files),
  "build" (for the CPU) or "cuda" (at night);
- `kind`: "error" or "warning"; `at`: the place that the message names; `line`: a text of the line
  in the file `at` that it names; `says`: texts of the message;
- `found`: whether it is found, else `why` not. `tests/run mistakes --renew` writes it.
"""

import json
import re
import shutil
import subprocess
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from published_kernels.adopting import copy_kernel, use_builder
from tests.evaluation import ROOT, run_nix

FOLDER: Final = Path(__file__).parent / "tables"
PUBLISHED: Final = "community/"
# Tiers in which all mistakes are tried every day.
CHEAP: Final = ("evaluation", "python")


@dataclass(frozen=True)
class Mistake:
    """One record; `file` is where it is kept."""

    file: str
    kernel: str
    tier: str
    mistake: str
    change: tuple[dict[str, Any], ...]
    kind: str
    at: str
    says: tuple[str, ...]
    found: bool
    line: str = ""
    why: str = ""

    @property
    def label(self) -> str:
        """A name for folders and tests."""
        return re.sub(r"\W+", "-", f"{self.kernel} {self.mistake}").strip("-").lower()


def read_mistakes() -> list[Mistake]:
    return [
        Mistake(file=file.stem, **record)
        for file in sorted(FOLDER.glob("*.json"))
        for record in json.loads(file.read_text())
    ]


def write_mistakes(mistakes: list[Mistake]) -> None:
    texts: dict[str, list[str]] = {}
    for each in mistakes:
        record = {key: value for key, value in asdict(each).items() if value not in ("", ())}
        del record["file"]
        texts.setdefault(each.file, []).append(json.dumps(record, ensure_ascii=False))
    for stem, lines in texts.items():
        (FOLDER / f"{stem}.json").write_text("[\n" + ",\n".join(lines) + "\n]\n")


def choose_daily(mistakes: list[Mistake]) -> set[str]:
    """Return the labels of a day's trials: what costs little, and one of each file for the CPU."""
    daily = {each.label for each in mistakes if each.tier in CHEAP}
    firsts = {each.file: each.label for each in reversed(mistakes) if each.tier == "build"}
    return daily | {*firsts.values()}


def find_kernel(name: str, community: Path | None) -> Path | None:
    """Return the folder of a kernel; None if there is no checkout of published kernels."""
    if name.startswith(PUBLISHED):
        return community and community / name.removeprefix(PUBLISHED)
    return ROOT / ("tests/constructs/base" if name == "tiny" else f"examples/{name}")


def lay_out(kernel: Path, folder: Path, change: tuple[dict[str, Any], ...] = ()) -> None:
    """Copy a kernel to a repository of its own with this kernel-builder, and change it."""
    copy_kernel(kernel, folder)
    for extra in ("expect.json", "flake.lock"):
        (folder / extra).unlink(missing_ok=True)
    use_builder(folder, f"path:{ROOT}")
    if not any(each["file"] == "flake.nix" for each in change):
        # One that has none is locked and evaluated alone.
        (folder / "flake.lock").write_text(lock_builder())
    untracked = [each["file"] for each in change if "untrack" in each]
    for each in change:
        apply_change(folder, each)
    untracked = [f":!{name}" for name in untracked]
    for words in (["init", "-q"], ["add", "--all", ".", *untracked]):
        subprocess.run(["git", "-C", str(folder), *words], check=True)


@cache
def lock_builder() -> str:
    """Return the flake.lock of a kernel whose only input is this kernel-builder."""
    with TemporaryDirectory() as folder:
        Path(folder, "flake.nix").write_text((ROOT / "examples/relu/flake.nix").read_text())
        use_builder(Path(folder), f"path:{ROOT}")
        run_nix("nix", "flake", "lock", f"path:{folder}")
        return Path(folder, "flake.lock").read_text()


def apply_change(folder: Path, change: dict[str, Any]) -> None:
    """Apply one step to the files in a folder. Raises AssertionError if it changes nothing."""
    file = folder / change["file"]
    if "replace" in change:
        old, new = change["replace"]
        assert old in file.read_text(), f"{file} has no {old!r}"
        file.write_text(file.read_text().replace(old, new, 1))
    elif "add" in change:
        file.parent.mkdir(parents=True, exist_ok=True)
        text = file.read_text() if file.exists() else ""
        file.write_text(text + change["add"])
    elif "move" in change:
        (folder / change["move"]).parent.mkdir(parents=True, exist_ok=True)
        file.rename(folder / change["move"])
    elif "delete" in change:
        shutil.rmtree(file) if file.is_dir() else file.unlink()
    else:
        assert file.exists(), change

"""Tiny kernels whose units are compiled in parts, and the derivations that are the parts."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.derivation import Derivation, read_derivation
from tests.tiny_kernel import TinyKernel

# Facts of a variant that the tests read.
OUTLINE = "v: { drv = v.drvPath; inherit (v) plan; objects = map (x: x.drvPath) v.objects; }"


def make_kernel(folder: Path, files: dict[str, str], build: dict[str, str]) -> TinyKernel:
    """Make a kernel of these files alone; `build` replaces the value of a key of build.toml."""
    kernel = TinyKernel(folder, files)
    for name in ("answer/answer.h", "answer/answer.cpp", "include/number.h"):
        (folder / name).unlink()
    text = (folder / "build.toml").read_text()
    for key, value in build.items():
        lines = [line for line in text.splitlines() if not line.startswith(f"{key} =")]
        text = "\n".join([*lines, f"{key} = {value}", ""])
    kernel.write("build.toml", text)
    return kernel


@dataclass(frozen=True)
class TakenApart:
    """One variant, instantiated; its units have parts."""

    drv: str
    plan: dict[str, Any]
    objects: tuple[str, ...]

    def unit(self, source: str) -> dict[str, Any]:
        """Return the plan of a unit."""
        (unit,) = (unit for unit in self.plan["units"] if unit["source"] == source)
        return dict(unit)

    def part(self, source: str, ending: str) -> Derivation:
        """Return a derivation that makes an object of a unit: `.host.o`, `.fatbin.o` or `.o`."""
        (found,) = (
            item
            for item in map(read_derivation, self.objects)
            if item.env.get("source") == source and _ending(item) == ending
        )
        return found

    def inputs_of_code(self, source: str) -> list[Derivation]:
        """Return what the code for all targets is gathered from, passes and programs."""
        return [*map(read_derivation, self.part(source, ".fatbin.o").inputs)]


def _ending(item: Derivation) -> str:
    return next(e for e in (".host.o", ".fatbin.o", ".o") if item.name.endswith(e))

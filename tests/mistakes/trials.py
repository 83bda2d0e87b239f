"""Check or build changed kernels, as the commands do, and collect what is said of each."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from kernel_builder.commands.evaluate import check_kernel
from kernel_builder.kernel.folder import Kernel
from kernel_builder.kernel.manifest import collect_warnings
from kernel_builder.kernel.several import Outcome, attempt_each
from kernel_builder.messages.errors import KernelBuilderError, Problem
from kernel_builder.variants.build import build_kernels
from kernel_builder.variants.outcome import BuildResult
from kernel_builder.variants.table import Choice
from tests.evaluation import STABLE, SYSTEM, VARIANT
from tests.mistakes.rechecks import recheck
from tests.mistakes.said import Said, describe, describe_errors
from tests.mistakes.tables import Mistake, find_kernel, lay_out

# The variants for the CPU, by a text of build.toml.
FOR_CPU = {
    "[tvm-ffi]": f"tvm-ffi01-cpu-{SYSTEM}",
    'stable-abi = "': STABLE,
    "[torch]": VARIANT,
    "": "torch-cuda",
}
FOR_CUDA = {
    'stable-abi = "': f"torch-stable-abi210-cu130-{SYSTEM}",
    "": VARIANT.replace("cpu", "cu130"),
}


WARNINGS = """manifest: {
  inherit (manifest) name warnings;
  variants = map (each: { inherit (each) name warnings notImported; }) manifest.variants;
}"""


def try_mistakes(
    mistakes: Mapping[str, Mistake], tier: str, place: Path, community: Path | None
) -> dict[str, Said]:
    """Return what is said of each mistake of a tier; `place` gets a folder for each."""
    folders = {name: place / name for name in mistakes}
    for name, mistake in mistakes.items():
        kernel = find_kernel(mistake.kernel, community)
        assert kernel, mistake
        lay_out(kernel, folders[name], mistake.change)
    if tier not in ("evaluation", "python"):
        return {name: collect(each) for name, each in build_all(folders, tier).items()}
    check = warn_of_kernel if tier == "python" else check_kernel
    checked = attempt_each(folders.values(), check, "checking")
    said = dict(zip(folders, map(read_check, checked), strict=True))
    if tier == "python":
        for name, more in recheck_all(mistakes, tier, place, community).items():
            said[name].errors.extend(more.errors)
            said[name].warnings.extend(more.warnings)
    return said


def warn_of_kernel(folder: Path) -> dict[str, Any]:
    """Return the warnings of `check-config`, without instantiating a variant."""
    kernel = Kernel(folder)
    data = kernel.evaluate("manifest", WARNINGS)
    warnings = [*kernel.find_unseen(), *collect_warnings(kernel, data)]
    return {"warnings": [problem.as_data() for problem in warnings]}


def recheck_all(
    mistakes: Mapping[str, Mistake], tier: str, place: Path, community: Path | None
) -> dict[str, Said]:
    """Build each kernel without a change, and check the changed Python files with it."""
    names = {mistake.kernel: mistake.kernel.replace("/", "-") for mistake in mistakes.values()}
    folders = {kernel: place / f"unchanged-{name}" for kernel, name in names.items()}
    for kernel, folder in folders.items():
        found = find_kernel(kernel, community)
        assert found, kernel
        lay_out(found, folder)
    said: dict[str, Said] = {}
    for kernel, result in build_all(folders, tier).items():
        assert not result.errors, result.errors
        (drv, *_) = result.derivations.values()
        its = {name: each for name, each in mistakes.items() if each.kernel == kernel}
        said |= recheck(drv, its, place / f"checks-{names[kernel]}")
    return said


def build_all(folders: Mapping[str, Path], tier: str) -> dict[str, BuildResult]:
    """Build the newest variant of each kernel, all in one go."""
    known = FOR_CUDA if tier == "cuda" else FOR_CPU
    names = {}
    for folder in folders.values():
        text = (folder / "build.toml").read_text()
        names[next(name for mark, name in known.items() if mark in text)] = ""
    paths = [*folders.values()]
    # A single kernel raises its error.
    paths = paths if len(paths) > 1 else [*paths, *paths]
    choice = Choice(names=[*names], targets=("9.0",) if tier == "cuda" else ())
    return dict(zip(folders, build_kernels(paths, choice)))


def read_check(checked: Outcome[dict[str, Any]]) -> Said:
    if isinstance(checked, KernelBuilderError):
        return Said(describe_errors([checked]))
    assert isinstance(checked, dict)
    return Said([], [describe(Problem.read(each)) for each in checked["warnings"]])


def collect(result: BuildResult) -> Said:
    """Return the errors and the warnings of a build, of the evaluation and of all steps."""
    warnings = []
    if result.kernel:
        found = [*collect_warnings(result.kernel, result.manifest), *result.kernel.find_unseen()]
        warnings = [describe(each) for each in found]
    warnings += [
        describe(Problem.read(each), finding["headline"])
        for finding in result.warnings
        for each in finding["problems"]
    ]
    return Said(describe_errors(result.errors), warnings)

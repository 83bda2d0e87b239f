"""The functions of `import kernel_builder`; commands of the command line call them, too.

Each function takes `settings` (how Nix runs, see `Settings`), and raises `KernelBuilderError` with
a headline and problems if something cannot be done. Results are plain data.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final, Union

from kernel_builder.kernel.builder import find_root
from kernel_builder.kernel.folder import Kernel, open_kernel
from kernel_builder.kernel.manifest import collect_warnings, find_missing_keys
from kernel_builder.machine.process import Finished, module_argv, run
from kernel_builder.messages.errors import KernelBuilderError, Problem, read_error
from kernel_builder.settings import Settings, change_settings, use_settings

# The import check runs in Pythons that lack the packages of these modules.
if TYPE_CHECKING:
    from kernel_builder.variants.build import BuildResult

Folder = Union[str, "PathLike[str]"]

# Torch takes 5 to 20 s to import.
IMPORT_SECONDS: Final = 600


def find_variants(
    folder: Folder,
    *,
    all_systems: bool = False,
    targets: Sequence[str] = (),
    settings: Settings | None = None,
) -> list[str]:
    """Return the names of a kernel's variants.

    Args:
        folder: The kernel's folder.
        all_systems: Include the variants of other systems than this machine's.
        targets: Only the variants that a build for these devices makes, such as "9.0" or "gfx942".
        settings: Options of Nix and of messages.

    Raises:
        KernelBuilderError: The kernel cannot be evaluated.
    """
    with use_settings(settings):
        kernel = open_kernel(Path(folder), targets)
        kernel.warn_of_notes()
        if not targets:
            return [*kernel.evaluate("variants" if all_systems else "archVariants")]
        return [each["name"] for each in kernel.evaluate("variantDetails") if each["partial"]]


def check_kernel(
    folder: Folder, *, operators: bool = False, settings: Settings | None = None
) -> dict[str, Any]:
    """Check build.toml and the files that it names, without building anything.

    Args:
        folder: The kernel's folder.
        operators: Check how the Python files register operators, too.
        settings: Options of Nix and of messages.

    Returns:
        The data of `check-config --json`: "name", "system", "variants" (names that can be built
        here), "unavailable" and "not-imported" (reasons by variant), and "warnings" (problems).

    Raises:
        KernelBuilderError: build.toml is wrong; its `problems` say where, and how to correct it.
    """
    with use_settings(settings):
        kernel = open_kernel(Path(folder))
        kernel.warn_of_notes()
        manifest = kernel.evaluate("manifest")
        if operators:
            _check_operators(kernel, manifest["pythonFolder"])
        warnings = [*find_missing_keys(kernel), *collect_warnings(kernel, manifest)]
    variants = manifest["variants"]
    return {
        "name": manifest["name"],
        "system": manifest["system"],
        "variants": [each["name"] for each in variants if "drv" in each],
        "unavailable": {v["name"]: v["unavailable"] for v in variants if "drv" not in v},
        "not-imported": {v["name"]: v["notImported"] for v in variants if v.get("notImported")},
        "warnings": [problem.as_data() for problem in warnings],
    }


def _check_operators(kernel: Kernel, python_folder: str) -> None:
    done = check_registration(kernel.folder / python_folder, python_folder)
    if done.status != 0:
        error = read_error(done.stderr, f"{python_folder} cannot be checked")
        raise KernelBuilderError(error.headline, [kernel.locate(each) for each in error.problems])


def check_registration(folder: Path, shown_as: str) -> Finished:
    """Check the Python files of a kernel that is not built; messages call the folder `shown_as`.

    This check needs no package of Nix, so the Python of this process runs it.
    """
    programs = find_root() / "pkgs" / "checks"
    folders = [programs / "check-registration", programs / "run-check", Path(__file__).parents[1]]
    argv = module_argv(sys.executable, "registration_check", folders)
    return run([*argv, "--shown-as", shown_as, str(folder)])


def build_variants(
    folder: Folder,
    *,
    variants: Sequence[str] = (),
    backends: Sequence[str] = (),
    targets: Sequence[str] = (),
    system: str | None = None,
    require_all: bool = False,
    max_jobs: int | None = None,
    cores: int | None = None,
    settings: Settings | None = None,
) -> BuildResult:
    """Build variants of a kernel and link them as `result` in its folder.

    Sources that the store lacks are fetched through pip and apt. A variant whose sources cannot be
    had is left out.

    Args:
        folder: The kernel's folder.
        variants: Names of variants to build. Without `variants` and `backends`, all are built.
        backends: Backends whose variants are built besides: "cpu", "cuda", "metal", "rocm", "xpu".
        targets: Build for these devices alone, such as "9.0" or "gfx942".
        system: The system to build for, such as "aarch64-linux"; None is this machine's.
        require_all: Report a variant that is left out as an error.
        max_jobs: Number of builds at once; None is as many as the machine's memory carries.
        cores: Number of cores for each build; None leaves it to Nix.
        settings: Options of Nix and of messages.

    Returns:
        The rows of the table, the bundle's path in the store, and the errors: a failed build is
        among them and raises nothing. `as_data()` is the data of `build --json`.

    Raises:
        KernelBuilderError: The kernel cannot be evaluated, or it has no such variants.
    """
    from kernel_builder.variants.build import build_kernel
    from kernel_builder.variants.table import Choice, Limits

    with use_settings(settings):
        kernel = open_kernel(Path(folder), targets, system)
        choice = Choice(variants, backends, system, require_all, targets)
        given = {"max_jobs": max_jobs, "cores": cores}
        change_settings(**{name: value for name, value in given.items() if value is not None})
        return build_kernel(kernel, choice, Limits())


def render_ops(name: str, file: str | None, *, framework: str = "torch") -> str:
    """Return the text of a variant's `_ops.py`, through which Python reaches the operators.

    Args:
        name: The namespace of the operators, which no other build has.
        file: The file of the compiled extension beside it, or None for a kernel without one.
        framework: "torch" or "tvm-ffi".

    Raises:
        KernelBuilderError: There is no such framework.
    """
    if framework not in ("torch", "tvm-ffi"):
        problem = Problem("framework", f'"{framework}"', '"torch" or "tvm-ffi"', "choose one")
        raise KernelBuilderError("there is no such framework", [problem])
    folder = f"{framework}-ext" if file else "torch-noarch"
    template = Path(__file__).with_name("templates") / "ops" / folder / "_ops.py"
    text = template.read_text(encoding="utf-8")
    return text.replace("@extension@", name).replace("@file@", file or "")


def check_import(
    variant: Folder,
    *,
    python: str | None = None,
    local_kernels: Mapping[str, str] | None = None,
    seconds: float = IMPORT_SECONDS,
    settings: Settings | None = None,
) -> list[str]:
    """Import a built variant as `get_kernel` of the kernels package does.

    Args:
        variant: The variant's folder, with metadata.json.
        python: A Python with Torch (or TVM FFI) and the kernels package; None is this one.
        local_kernels: Folders of builds by repository, for kernels that this one loads.
        seconds: The time that the import may take.
        settings: The amount of messages.

    Returns:
        The schemas of the operators that the variant registers, without their namespace.

    Raises:
        KernelBuilderError: The import fails, or registers something outside of its namespace.
    """
    folder = Path(variant).resolve()
    backend = json.loads((folder / "metadata.json").read_text(encoding="utf-8"))["backend"]["type"]
    package = Path(__file__).resolve().parents[1]
    argv = module_argv(python or sys.executable, "kernel_builder.import_check", [package])
    kernels = ":".join(f"{name}={path}" for name, path in (local_kernels or {}).items())
    options = [f"--backend={backend}", f"--shown-as={folder.name}", f"--limit={seconds}"]
    argv += [*options, f"--local-kernels={kernels}", str(folder)]
    with use_settings(settings), TemporaryDirectory(prefix="kernel-builder-") as here:
        out = Path(here) / "out"
        done = run(argv, cwd=Path(here), environment={"out": str(out)})
        if done.status == 0:
            return [*json.loads((out / "operators.json").read_text(encoding="utf-8"))]
    raise read_error(done.stderr, f"{folder.name} cannot be imported")

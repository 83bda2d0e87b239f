"""`benchmark`: time the kernel's benchmarks on the local build, before anything is published.

The flake's output of that name measures and compares. This command chooses the variant, builds it,
and fetches the published one.
"""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

import click

from kernel_builder import nix
from kernel_builder.commands import options
from kernel_builder.kernel.folder import Kernel
from kernel_builder.machine.process import replace
from kernel_builder.messages.errors import KernelBuilderError, Problem
from kernel_builder.settings import current_settings
from kernel_builder.variants.default import choose_variants
from kernel_builder.variants.make import make_path


class NoDeviceError(KernelBuilderError):
    """This machine has no device for a kernel's benchmarks; `nix run .#benchmark` says the same."""

    # EX_UNAVAILABLE, which a CI tells from wrong results.
    exit_code = 69

    def __init__(self, kernel: str, backends: Sequence[str]) -> None:
        fix = "run the benchmarks elsewhere, or those of one variant all the same: --variant NAME"
        found, want = f"none of: {' '.join(backends)}", "a device of one of them"
        problem = Problem("this machine", found, want, fix)
        super().__init__(f"{kernel} has no benchmarks that can run here", [problem])


@click.command(short_help="Time the kernel's benchmarks.")
@options.kernel_folder
@options.one_variant
@click.option("--save", metavar="FILE", help="Write the measurement to FILE.")
@click.option(
    "--compare",
    metavar="FILE|DIR|published",
    help="Compare with a saved measurement, another build, or the published version.",
)
@click.option(
    "--fail-below", metavar="RATIO", type=float,
    help="Fail if a speed-up, or with --compare a change of speed, is smaller.",
)  # fmt: skip
def benchmark(folder: Path, variant: str | None, compare: str | None, **flags: Any) -> NoReturn:
    """Build the kernel in DIR (default: this folder) and time its benchmarks/benchmark*.py.

    The public client runs the classes of kernels.benchmark.Benchmark on the local build, with the
    environment of `nix run .#ci-test`. A speed-up is the time of verify_… in parts of the kernel's.
    A wrong result is a failure.

    With --compare, a workload's change is its speed in parts of the earlier one. Another build,
    which DIR or `published` names, is measured here, before the local one.

    \b
      kernel-builder benchmark --save before.json
      kernel-builder benchmark --compare before.json --fail-below 0.9
      kernel-builder benchmark --compare published
    """
    kernel = Kernel(folder)
    select = f"programs: name: ({nix.OUTLINE}) programs.${{name}}"
    refuse = partial(NoDeviceError, kernel.folder.name)
    chosen, outline = next(choose_variants(kernel, variant, "benchmarks", select, refuse))
    if compare == "published":
        compare = str(fetch_published(kernel, chosen))
    program = make_path(outline, f"the benchmarks of {chosen} cannot be run")
    given = {**flags, "compare": compare}
    words = [f"--{name.replace('_', '-')}={it}" for name, it in given.items() if it is not None]
    words += ["--json"] if current_settings().as_json else []
    kernel.close()
    replace([f"{program}/bin/benchmark", *words])


def fetch_published(kernel: Kernel, variant: str) -> Path:
    """Fetch the published build of a variant into the Hub's cache; return the folder with it."""
    from kernel_builder.hub.client import KERNEL, connect, download, list_remote, retry
    from kernel_builder.hub.target import choose_repository, name_branch

    manifest, is_offline = kernel.evaluate("manifest"), current_settings().offline
    repo_id = choose_repository("", manifest)
    revision = name_branch(manifest["hub"], manifest["version"])
    place: Any = {"repo_id": repo_id, "repo_type": KERNEL, "revision": revision}
    part = f"build/{variant}/"

    def fetch() -> Path:
        hub = connect()
        remote = {} if is_offline else list_remote(hub, repo_id, revision)
        files = {path: each for path, each in remote.items() if path.startswith(part)}
        download(hub, place, files, None)
        if files or is_offline:
            folder = Path(hub.snapshot_download(**place, local_files_only=True))
            if (folder / part).is_dir():
                return folder
        fix = "compare with a saved measurement: --compare FILE"
        problem = Problem(f"{repo_id}@{revision}", f"no {part}", "this variant", fix)
        raise KernelBuilderError(f"{variant} is not published", [problem])

    return retry(fetch, f"{repo_id}@{revision}", "download from")

"""Several kernels in one command: an error in one does not hide the results of the others."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeAlias, TypeVar

from kernel_builder.machine.room import find_room
from kernel_builder.machine.threads import run_side_by_side
from kernel_builder.messages.errors import KernelBuilderError, Problem, UsageError, describe_error
from kernel_builder.messages.names import show
from kernel_builder.messages.terminal import Progress, complain, print_result

Item = TypeVar("Item")
Result = TypeVar("Result")
Outcome: TypeAlias = Result | KernelBuilderError
# What a command prints of a kernel: its data, and the same as text.
Report: TypeAlias = tuple[Mapping[str, Any], str]


def find_kernels(paths: Sequence[Path]) -> list[Path]:
    """Return the folders of kernels among the paths of a command line, each once.

    A single path is returned as it is. Of several, paths without a build.toml are skipped with a
    warning, since `kernels/*` names other files, too. Raises UsageError if one does not exist or
    none is a kernel.
    """
    if len(paths) < 2:
        return [*paths] or [Path()]
    missing = [path for path in paths if not path.exists()]
    found = {path.resolve(): path for path in paths if (path / "build.toml").is_file()}
    if missing or not found:
        at = "\n".join(show(path) for path in missing or paths)
        said = "nothing" if missing else "no build.toml"
        problem = Problem(at, said, "folders with a build.toml", "correct the paths")
        raise UsageError("these are not kernels", [problem])
    if skipped := [show(path) for path in paths if path.resolve() not in found]:
        complain("warning", f"skipped, since they have no build.toml: {', '.join(skipped)}")
    return [*found.values()]


def name_kernels(folders: Sequence[Path]) -> list[str]:
    """Return the names of folders, or their paths if two have the same name."""
    names = [folder.resolve().name for folder in folders]
    return names if len({*names}) == len(names) else [str(folder) for folder in folders]


def attempt_each(
    items: Iterable[Item], function: Callable[[Item], Result], doing: str, at_once: int = 0
) -> list[Outcome[Result]]:
    """Return the result of a function for each item, or the error that it raised.

    `doing` is shown as the progress. As many run at once as there are cores, or `at_once`.
    """

    def attempt(item: Item) -> Outcome[Result]:
        try:
            return function(item)
        except (KernelBuilderError, OSError, MemoryError) as error:
            found, name = describe_error(error), show(Path(str(item)).name)
            is_named = len(tasks) == 1 or name in found.headline.replace("/", " ").split()
            headline = found.headline if is_named else f"{name}: {found.headline}"
            return KernelBuilderError(headline, found.problems)

    tasks = [partial(attempt, item) for item in items]
    with closing(Progress()) as line:
        return run_side_by_side(
            tasks,
            at_once or find_room().cores,
            lambda ended: line.show(f"{doing} {ended + 1}/{len(tasks)}"),
        )


def print_each(
    folders: Sequence[Path],
    report: Callable[[Path], Report],
    doing: str,
    at_once: int = 0,
    failed: Mapping[str, Any] = MappingProxyType({}),
) -> int:
    """Print the report of a kernel as it is, or those of several together; return the exit status.

    Raises what the report of the only kernel raises. Of several, an error of one is printed after
    the reports, and its data is `failed` with the problems.
    """
    if len(folders) == 1:
        print_result(*report(folders[0]))
        return 0
    outcomes = attempt_each(folders, report, doing, at_once)
    kernels, texts = [], []
    errors = [each for each in outcomes if isinstance(each, KernelBuilderError)]
    for label, folder, outcome in zip(name_kernels(folders), folders, outcomes):
        if isinstance(outcome, KernelBuilderError):
            outcome = {**failed, "problems": outcome.as_data()}, f"failed: {outcome.headline}"
        data, text = outcome
        kernels.append({"kernel": label, "folder": str(folder), "problems": [], **data})
        texts.append(f"{label}:\n{text}")
    problems = [problem for each in kernels for problem in each["problems"]]
    print_result({"kernels": kernels, "problems": problems}, "\n\n".join(texts))
    for error in errors:
        complain("error", str(error))
    return 1 if errors else 0

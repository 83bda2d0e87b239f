"""Remembers for some minutes which sources could not be had: asking an index again takes seconds.

The memory is of one configuration: other settings or changed files of pip and apt begin a new one.
"""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from kernel_builder.machine import cache
from kernel_builder.machine.environment import PIP, choose_variables
from kernel_builder.messages.errors import Problem, shorten
from kernel_builder.mirrors.wheels import VARIABLE, list_files_of_pip
from kernel_builder.nix.derivations import list_closure
from kernel_builder.settings import current_settings
from kernel_builder.variants.missing import Missing, Refusal

NAME: Final = "refused.json"
SECONDS_KEPT: Final = 600
LABELS_SHOWN: Final = 12
REASONS_SHOWN: Final = 4
FILES: Final = "files"
APT_FILES: Final = ("/etc/apt/sources.list", "/etc/apt/sources.list.d", "/etc/apt/apt.conf.d")
# Variables that differ between terminals and name no index.
_OF_TERMINAL: Final = re.compile(r"TERM|TMPDIR|LANG|XDG_(?!CONFIG).*")


def recall_refusals(derivations: Sequence[str]) -> dict[str, list[Refusal]]:
    """Return why derivations could not be had minutes ago: the sources that each lacked.

    Nothing with --refresh, and with --offline, which has another reason.
    """
    settings = current_settings()
    kept = cache.recall(NAME, 0 if settings.refresh or settings.offline else SECONDS_KEPT)
    mark = _hash_configuration(kept[FILES][1]) if FILES in kept else ""
    lacking = {each: kept[mark + each][1] for each in derivations if mark + each in kept}
    return {
        each: [(path, _date(kept[mark + path][0], problem)) for path, problem in problems.items()]
        for each, problems in lacking.items()
    }


def _date(age: float, problem: dict[str, str]) -> Problem:
    line, *others = problem["found"].split("\n")
    minutes = max(1, round(age / 60))
    line += f" (could not be had here {minutes} min ago; --refresh asks again)"
    return replace(Problem.read(problem), found="\n".join([line, *others]))


def remember_refusals(refusals: Sequence[Refusal], missing: Missing) -> None:
    """Remember why sources could not be had, for them and for what needs them."""
    files = [*list_files_of_pip(), *APT_FILES]
    mark = _hash_configuration(files)
    facts: dict[str, Any] = {}
    for root in (*missing.roots, *(path for path, _ in refusals)):
        needed = list_closure(missing.graph, root)
        lacking = {path: problem.as_data() for path, problem in refusals if path in needed}
        facts |= {mark + root: lacking} if lacking else {}
    cache.keep(NAME, {FILES: files, **facts}, SECONDS_KEPT)


def _hash_configuration(files: Sequence[str]) -> str:
    """Return a digest of everything that decides which indexes are asked, logins included."""
    variables = choose_variables("apt-get", [*PIP, VARIABLE]).items()
    chosen = sorted(pair for pair in variables if not _OF_TERMINAL.fullmatch(pair[0]))
    found = [file.stat() for file in map(Path, files) if file.exists()]
    states = [(each.st_ino, each.st_mtime_ns) for each in found]
    return hashlib.sha256(repr((chosen, states, current_settings().archives)).encode()).hexdigest()


def describe_refusals(refused: Sequence[Refusal]) -> list[Problem]:
    """Return problems, one for all sources with the same way out."""
    problems = []
    for fix in dict.fromkeys(problem.fix for _, problem in refused):
        alike = [problem for _, problem in refused if problem.fix == fix]
        at = "\n".join(shorten([each.at for each in alike], LABELS_SHOWN))
        found = "\n".join(shorten([*dict.fromkeys(each.found for each in alike)], REASONS_SHOWN))
        want = alike[0].want if len(alike) == 1 else "these files, each with its pinned sha256"
        problems.append(Problem(at, "\n".join(dict.fromkeys(found.split("\n"))), want, fix))
    return problems

"""Builds derivations: fetches their sources, then lets Nix compile as much as fits at once.

Only a build that has something to do loads this module, which takes most of the start.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final

from kernel_builder import nix
from kernel_builder.machine.limits import Room, find_room
from kernel_builder.messages.errors import KernelBuilderError
from kernel_builder.messages.progress import Progress
from kernel_builder.messages.terminal import complain
from kernel_builder.nix.derivations import Graph, list_closure, walk_unbuilt
from kernel_builder.nix.errors import is_full, make_nix_error, read_message
from kernel_builder.nix.log import NixLog, short_name
from kernel_builder.settings import current_settings
from kernel_builder.sources.caches import fetch_cached
from kernel_builder.sources.fetch import fetch_missing
from kernel_builder.sources.missing import (
    Missing,
    describe_refusals,
    find_missing,
    select_needed,
    summarize_reasons,
)
from kernel_builder.variants.costs import Costs
from kernel_builder.variants.failures import Failures, describe_failures, name_steps
from kernel_builder.variants.request import Limits
from kernel_builder.variants.schedule import UNKNOWN, plan_waves
from kernel_builder.variants.table import HERE, Run, State

# The number of further calls of Nix after a remote builder went away.
ATTEMPTS: Final = 4


def build_derivations(derivations: Sequence[str], limits: Limits) -> Run:
    """Build the derivations whose sources can be had; return what became of each."""
    started = time.monotonic()
    if current_settings().untrusted:
        # Checks the sources before Nix asks any cache for them.
        find_missing(derivations)
    run = Run(spans=fetch_cached(derivations))
    missing = find_missing(derivations)
    refused = fetch_missing(missing, limits.archives)
    run.left_out = describe_refusals(refused)
    run.seconds_before["sources"] = time.monotonic() - started
    ready = []
    for derivation in derivations:
        lacking = select_needed(missing, derivation, refused)
        if not walk_unbuilt(missing.graph, [derivation], missing.invalid):
            # A cache had it, or another process has built it meanwhile.
            outputs = missing.graph[derivation].outputs.values()
            is_fetched = any(path in run.spans for path in outputs)
            run.states[derivation] = State.FETCHED if is_fetched else State.CACHED, ""
        elif lacking:
            reasons = summarize_reasons(refused[source] for source in lacking)
            run.states[derivation] = State.LEFT_OUT, reasons
        else:
            ready.append(derivation)
    failed = _compile(ready, missing, limits, run) if ready else {}
    run.failures = describe_failures(failed)
    for derivation in ready:
        closure = list_closure(missing.graph, derivation)
        causes = ", ".join(name_steps(each for each in failed if each in closure))
        state = State.BUILT if derivation in run.spans else State.CACHED
        run.states[derivation] = State.FAILED if causes else state, causes
    for path, span in run.spans.items():
        if path not in failed:
            counts = run.built if path.endswith(".drv") else run.fetched
            counts[span.where or HERE] += 1
    return run


def make_path(outline: Mapping[str, str], headline: str) -> str:
    """Return the store path of a derivation (`drv`, `out`), and build it if it is missing.

    Raises KernelBuilderError with this headline if it cannot be built.
    """
    if nix.find_invalid([outline["out"]]):
        run = build_derivations([outline["drv"]], Limits())
        if problems := [*run.left_out, *run.failures]:
            raise KernelBuilderError(headline, problems)
    return outline["out"]


def _compile(derivations: Sequence[str], missing: Missing, limits: Limits, run: Run) -> Failures:
    """Build derivations, the longest units first; return those that failed."""
    progress = Progress()

    def print_log(derivation: str, line: str) -> None:
        progress.say(f"{short_name(derivation)}> {line}")

    log = NixLog(on_log_line=print_log if limits.print_logs else None, spans=run.spans)
    read = partial(_show_progress, log, progress)
    costs, run.room = Costs(), find_room()
    # With a number of jobs that was asked for, memory does not count.
    room = run.room if limits.max_jobs is None else Room(limits.max_jobs, None)
    unbuilt = walk_unbuilt(missing.graph, derivations, missing.invalid)
    units = {each.path: costs.predict(each.path) or UNKNOWN for each in unbuilt if each.is_unit}
    run.waves = plan_waves(dict(sorted(units.items())), room)
    # Everything that caches have is here already.
    options = ["--option", "substitute", "false"]
    options += ["--keep-failed"] if limits.keep_failed else []
    failed: Failures = {}
    try:
        for wave in run.waves:
            named = list(wave.units)
            if wave is run.waves[-1]:
                # Nix starts the units that are named first, and finds the others by itself.
                named = [*wave.units[: None if failed else wave.jobs], *derivations]
            # A unit that failed in an earlier call is not compiled again.
            named = [each for each in named if not _needs_any(missing.graph, each, failed)]
            cores = limits.cores or max(1, run.room.cores // max(1, wave.jobs))
            for left in reversed(range(ATTEMPTS)):
                status = nix.realise(named, read, max_jobs=wave.jobs, cores=cores, options=options)
                lost = log.take_lost() if status and left else []
                if not lost:
                    break
                complain("warning", f"lost {', '.join(lost)} during the build; going on without")
            failed = _find_failed(log, missing.graph) if status or failed else {}
    finally:
        progress.close()
        costs.save(log.spans)
    # With -L they have been shown.
    for warning in [] if limits.print_logs else log.list_builder_warnings():
        complain("warning", warning)
    return failed


def _show_progress(log: NixLog, progress: Progress, line: str) -> None:
    """Read a line of Nix's log and show what is running."""
    known = len(log.started)
    log.read(line)
    count = f"{log.done}/{log.expected}"
    if log.expected:
        names = ", ".join(map(short_name, dict.fromkeys(log.running.values())))
        progress.show(f"building {count}: {names}")
    if not progress.is_live:
        for derivation in log.started[known:]:
            progress.say(f"building {short_name(derivation)} ({count} done)")


def _needs_any(graph: Graph, derivation: str, failed: Failures) -> bool:
    return bool(failed) and not failed.keys().isdisjoint(list_closure(graph, derivation))


def _find_failed(log: NixLog, graph: Graph) -> Failures:
    """Return the derivations that failed, with the lines that tell why.

    Raises KernelBuilderError if Nix itself failed, such as on a full disk or without a sandbox.
    """
    blamed = [path for path in log.blamed if path not in log.started]
    outputs = {
        output: path
        for path in dict.fromkeys([*log.started, *blamed])
        if path in graph
        for output in graph[path].outputs.values()
    }
    failed = {outputs[each] for each in nix.find_invalid(sorted(outputs))}
    # A step that could not start because of another's failure has no message of its own.
    causes = {path for path in failed if path in log.started or log.show_failure(path)}
    others = [each for each in log.errors if not any(path in each for path in causes)]
    if not causes:
        said = "\n\n".join(dict.fromkeys([*log.errors, *log.warnings]))
        raise make_nix_error(read_message(said))
    lost = [line for line in others if is_full(line) or "out of memory" in line.lower()]
    return {path: [*lost, *log.show_failure(path)] for path in sorted(causes)}

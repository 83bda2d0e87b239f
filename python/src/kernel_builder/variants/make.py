"""Makes what the store does not have yet: fetches sources, then lets Nix build.

Loaded only when there is something to make: loading this is most of what a build with nothing to
do would cost.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final

from kernel_builder import nix
from kernel_builder.machine.limits import Room, find_room
from kernel_builder.machine.process import watch_parent
from kernel_builder.messages.errors import KernelBuilderError
from kernel_builder.messages.progress import Progress
from kernel_builder.messages.terminal import complain
from kernel_builder.nix.derivations import Graph, list_closure, walk_unbuilt
from kernel_builder.nix.errors import explain, is_full, read_message
from kernel_builder.nix.log import NixLog, short_name
from kernel_builder.settings import current_settings
from kernel_builder.sources.caches import fetch_cached
from kernel_builder.sources.missing import (
    Missing,
    describe_refusals,
    fetch_missing,
    find_missing,
    select_needed,
    summarize_refusals,
)
from kernel_builder.variants.costs import Costs
from kernel_builder.variants.failures import (
    Failures,
    describe_failures,
    explain_builders,
    explain_sandbox,
    name_steps,
)
from kernel_builder.variants.request import Limits
from kernel_builder.variants.schedule import UNKNOWN, Wave, plan_waves
from kernel_builder.variants.table import HERE, Made, State

# More than builders are lost at once, and few for one on which a step goes wrong each time.
ATTEMPTS: Final = 4


def make(derivations: Sequence[str], limits: Limits) -> Made:
    """Build those whose sources can be had."""
    watch_parent()
    started = time.monotonic()
    if current_settings().untrusted:
        # Raises before Nix, which asks caches first, gets to see them.
        find_missing(derivations)
    made = Made(spans=fetch_cached(derivations))
    missing = find_missing(derivations)
    refused = fetch_missing(missing, limits.archives)
    made.before["sources"] = time.monotonic() - started
    made.left_out = describe_refusals(refused)
    ready = []
    for derivation in derivations:
        lacking = select_needed(missing, derivation, refused)
        if not walk_unbuilt(missing.graph, [derivation], missing.invalid):
            # Another run may have built it meanwhile.
            outputs = missing.graph[derivation].outputs.values()
            came = any(path in made.spans for path in outputs)
            made.ends[derivation] = State.FETCHED if came else State.CACHED, ""
        elif lacking:
            made.ends[derivation] = (
                State.LEFT_OUT,
                summarize_refusals(refused[source] for source in lacking),
            )
        else:
            ready.append(derivation)
    failed: Failures = {}
    if ready:
        failed = _build(ready, missing, limits, made)
    made.failures = describe_failures(failed)
    for derivation in ready:
        closure = list_closure(missing.graph, derivation)
        causes = ", ".join(name_steps(each for each in failed if each in closure))
        state = State.BUILT if derivation in made.spans else State.CACHED
        made.ends[derivation] = State.FAILED if causes else state, causes
    for path, span in made.spans.items():
        if path not in failed:
            counts = made.built if path.endswith(".drv") else made.fetched
            counts[span.where or HERE] += 1
    return made


def make_path(outline: Mapping[str, str], headline: str) -> str:
    """Return a store path (`drv` and `out`), which is fetched and built if it is not there."""
    if nix.find_invalid([outline["out"]]):
        made = make([outline["drv"]], Limits())
        if problems := [*made.left_out, *made.failures]:
            raise KernelBuilderError(headline, problems)
    return outline["out"]


def _build(derivations: Sequence[str], missing: Missing, limits: Limits, made: Made) -> Failures:
    """Build; return the derivations that failed, each with what is known of it."""
    progress = Progress()

    def print_log(derivation: str, line: str) -> None:
        progress.say(f"{short_name(derivation)}> {line}")

    log = NixLog(on_log_line=print_log if limits.print_logs else None, spans=made.spans)
    announced = 0

    def read(line: str) -> bool:
        nonlocal announced
        log.read(line)
        count = f"{log.done}/{log.expected}"
        if log.expected:
            names = ", ".join(map(short_name, dict.fromkeys(log.running.values())))
            progress.show(f"building {count}: {names}")
        if not progress.is_live:
            for derivation in log.started[announced:]:
                progress.say(f"building {short_name(derivation)} ({count} done)")
        announced = len(log.started)
        return True

    costs, made.room = Costs(), find_room()
    made.waves = _schedule(derivations, missing, limits.max_jobs, made.room, costs)
    # What caches have has been fetched.
    options = ["--option", "substitute", "false"]
    if limits.keep_failed:
        options.append("--keep-failed")
    failed: Failures = {}
    try:
        for wave in made.waves:
            named = list(wave.units)
            if wave is made.waves[-1]:
                # Those that can start at once; as for the others, Nix goes by their names.
                named = [*wave.units[: None if failed else wave.jobs], *derivations]
            # What failed in an earlier call is not tried again.
            named = [each for each in named if not (failed and _needs(missing.graph, each, failed))]
            jobs = wave.jobs
            # A build that uses several cores gets those that no other build has.
            cores = limits.cores or max(1, made.room.cores // max(1, jobs))
            call = partial(nix.realise, named, read, max_jobs=jobs, cores=cores, options=options)
            status = _insist(call, log)
            failed = _find_failed(log, missing.graph) if status or failed else {}
    finally:
        progress.close()
        costs.keep(log.spans)
    # With -L they have been shown.
    for each in [] if limits.print_logs else log.list_builder_warnings():
        complain("warning", each)
    return failed


def _insist(call: Callable[[], int], log: NixLog) -> int:
    """Let Nix build, and again what is lost with a builder; return the status."""
    for left in reversed(range(ATTEMPTS)):
        status = call()
        lost = log.take_lost() if status and left else []
        if not lost:
            break
        complain("warning", f"lost {', '.join(lost)} while it built; going on without")
    return status


def _schedule(
    derivations: Sequence[str], missing: Missing, jobs: int | None, room: Room, costs: Costs
) -> list[Wave]:
    """Return the calls of Nix that build; with a number of jobs that was asked for, it is one."""
    if jobs is not None:
        room = Room(jobs, None)
    unbuilt = walk_unbuilt(missing.graph, derivations, missing.invalid)
    units = sorted(each.path for each in unbuilt if each.is_unit)
    return plan_waves({each: costs.foretell(each) or UNKNOWN for each in units}, room)


def _needs(graph: Graph, derivation: str, failed: Failures) -> bool:
    return not failed.keys().isdisjoint(list_closure(graph, derivation))


def _find_failed(log: NixLog, graph: Graph) -> Failures:
    blamed = [path for path in log.blamed if path not in log.started]
    outputs = {
        output: path
        for path in dict.fromkeys([*log.started, *blamed])
        if path in graph
        for output in graph[path].outputs.values()
    }
    failed = {outputs[each] for each in nix.find_invalid(sorted(outputs))}
    # What could not start because of another's failure is no failure of its own.
    causes = {path for path in failed if path in log.started or log.show_failure(path)}
    others = [each for each in log.errors if not any(path in each for path in causes)]
    if not causes:
        # Nothing was started and failed: Nix itself has a reason, such as a full disk.
        if problem := explain_builders(log):
            raise KernelBuilderError("no machine is there to build", [problem])
        if problem := explain_sandbox(log):
            raise KernelBuilderError("nothing is built without a sandbox unasked", [problem])
        said = "\n\n".join(dict.fromkeys(log.errors))
        raise explain(read_message(said) or "Nix did not build; it does not say why")
    lost = [line for line in others if is_full(line) or "out of memory" in line.lower()]
    return {path: [*lost, *log.show_failure(path)] for path in sorted(causes)}


def complete_bundle(derivation: str) -> None:
    """Fetch what a bundle itself needs besides its variants."""
    fetch_cached([derivation])
    refused = fetch_missing(find_missing([derivation]))
    if refused:
        raise KernelBuilderError("the bundle cannot be put together", describe_refusals(refused))

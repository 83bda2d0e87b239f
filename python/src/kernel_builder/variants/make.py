"""Builds derivations: fetches their sources, then lets Nix compile as much as fits at once."""

import re
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from typing import Final

from kernel_builder import extras, nix
from kernel_builder.machine.room import COMPILES, Room, count_jobs, find_room
from kernel_builder.machine.watchdog import RESUMED, heed
from kernel_builder.messages.errors import KernelBuilderError, Problem, parse_problems, shorten
from kernel_builder.messages.terminal import Progress, complain
from kernel_builder.nix.derivations import Graph, list_closure
from kernel_builder.nix.errors import is_full, make_nix_error, read_message
from kernel_builder.nix.log import NixLog, Span, short_name
from kernel_builder.settings import current_settings
from kernel_builder.variants.hints import find_advice
from kernel_builder.variants.missing import Missing, Refusal, fetch_cached, find_missing
from kernel_builder.variants.table import State

NAMES_SHOWN: Final = 4
# The place of a step that was built on this machine.
LOCAL: Final = "here"
# Text that differs between the targets of one unit: target, line of its assembly, store path.
_VARYING = re.compile(
    r"\bsm_\d+[a-z]?\b|\bcompute_\d+[a-z]?\b|\bSm\d+[a-z]?\b|(?<=__CUDA_ARCH__=)\d+"
    r"|(?<=\.ptx, line )\d+|/nix/store/[0-9a-z]{32}-[^\s']*"
)

# Kinds of steps that write problems. The others' messages are a compiler's, which repeats texts of
# the kernel: what looks like a problem in them is none.
OWN: Final = ("", "assemble", "check")
UNDEFINED: Final = "undefined symbol"
# The message of the loader about a library, in an import.
_UNDEFINED = re.compile(rf"(?<![\w.-])([\w.-]+): {UNDEFINED}: ")

# The lines that tell why each failed derivation failed.
Failures = Mapping[str, Sequence[str]]


class AbsentError(KernelBuilderError):
    """Sources of a build, with these derivations, cannot be had here."""

    def __init__(self, headline: str, refused: Sequence[Problem], sources: set[str]) -> None:
        super().__init__(headline, refused)
        self.sources = sources


@dataclass
class Run:
    """The outcome of building some derivations, of one kernel or of several.

    `states` has the state of each derivation with its reason, `graph` the steps of all of them, and
    `closures` the steps that each needs, with their outputs. `refused` are the sources that cannot
    be had. `seconds_before` has the seconds of each phase before the build, `spans` the times of
    everything that was built or fetched. `room` is what was free, and `jobs` the number of jobs, 0
    if nothing was built. `interruption` ended the build before its end.
    """

    states: dict[str, tuple[State, str]] = field(default_factory=dict)
    closures: dict[str, set[str]] = field(default_factory=dict)
    refused: list[Refusal] = field(default_factory=list)
    failed: Failures = field(default_factory=dict)
    graph: Graph = field(default_factory=dict)
    seconds_before: dict[str, float] = field(default_factory=dict)
    spans: dict[str, Span] = field(default_factory=dict)
    room: Room | None = None
    jobs: int = 0
    interruption: KeyboardInterrupt | None = None

    def add(self, earlier: "Run") -> None:
        """Add the outcomes of an earlier run, whose steps this one did not try again."""
        for name in ("states", "closures", "failed", "graph", "seconds_before", "spans"):
            setattr(self, name, getattr(earlier, name) | getattr(self, name))
        self.refused = [*earlier.refused, *self.refused]
        self.room, self.jobs = self.room or earlier.room, self.jobs or earlier.jobs

    def describe_problems(
        self, derivations: Iterable[str]
    ) -> tuple[Sequence[Problem], Sequence[Problem]]:
        """Return why sources of some derivations cannot be had, and why their steps failed."""
        needed = self._list_needs(derivations)
        failed = {step: self.failed[step] for step in self.failed if step in needed}
        refused = [source for source in dict.fromkeys(self.refused) if source[0] in needed]
        return extras.describe_refusals(refused), describe_failures(failed, self.graph)

    def count(self, derivations: Iterable[str]) -> dict[str, dict[str, int]]:
        """Return how many steps of some derivations were built, by machine, and fetched, by cache.

        A step that several kernels need counts for each of them.
        """
        done = self._list_needs(derivations) & self.spans.keys() - self.failed.keys()
        built = Counter(self.spans[path].where or LOCAL for path in done if path.endswith(".drv"))
        fetched = Counter(self.spans[path].where for path in done if not path.endswith(".drv"))
        return {"built": dict(built), "fetched": dict(fetched)}

    def _list_needs(self, derivations: Iterable[str]) -> set[str]:
        return set().union(*(self.closures.get(each, ()) for each in derivations))


def predict(derivations: Sequence[str]) -> Run:
    """Return the outcome that a build of derivations would have."""
    run, derivations = _recall(derivations)
    if not derivations:
        return run
    missing = find_missing(derivations)
    # Checks the sources before Nix asks any cache for them.
    run.refused += extras.fetch(missing, only_check=True)
    unbuilt = nix.find_unbuilt(derivations)
    run.closures |= _find_closures(missing.graph, derivations)
    _leave_out(run, [each for each in derivations if each in unbuilt])
    for each in derivations:
        run.states.setdefault(each, (State.TO_BUILD if each in unbuilt else State.TO_FETCH, ""))
    return run


def build(
    derivations: Sequence[str], announce: Callable[[Missing], object] = lambda _: None
) -> Run:
    """Build derivations, as many of them as can be built; Ctrl-C leaves those that are built.

    `announce` gets what is missing before it is fetched.
    """
    started = time.monotonic()
    run, derivations = _recall(derivations)
    if not derivations:
        return run
    lacking = find_missing(derivations)
    run.spans, run.graph = fetch_cached(derivations), lacking.graph
    missing = find_missing(derivations) if run.spans else lacking
    announce(missing)
    run.refused += extras.fetch(missing)
    run.seconds_before["sources"] = time.monotonic() - started
    # Caches have the others, or another process has built them meanwhile.
    unbuilt = [each for each in derivations if each in missing.graph]
    run.closures |= _find_closures(lacking.graph, derivations)
    _leave_out(run, unbuilt)
    if ready := [each for each in unbuilt if each not in run.states]:
        run.failed, stranded = _compile(ready, missing, run), set[str]()
        # Before 2.12, Nix gives up a step without starting it if some outputs of another one were
        # in the store and the rest is made in the same run (NixOS/nix#6572).
        while stranded != (stranded := run.failed.keys() - run.spans.keys()):
            run.failed = _compile(ready, missing, run)
    if run.interruption:
        lost = missing.find_lacking(ready)
        if len(lost) == len(ready):
            raise run.interruption
        run.states |= dict.fromkeys(lost, (State.LEFT_OUT, "interrupted"))
    for each in derivations:
        state = State.BUILT if each in run.spans else State.CACHED
        outputs = lacking.graph[each].outputs.values() if each in lacking.graph else ()
        if not run.spans.keys().isdisjoint(outputs):
            state = State.FETCHED
        if causes := [short_name(path) for path in run.failed if path in run.closures[each]]:
            state = State.FAILED
        run.states.setdefault(each, (state, ", ".join(shorten(causes, NAMES_SHOWN))))
    return run


def _recall(derivations: Sequence[str]) -> tuple[Run, Sequence[str]]:
    """Return a run that leaves out what could not be had minutes ago, and the other derivations."""
    recalled = extras.recall(derivations)
    run = Run(refused=[refusal for each in recalled.values() for refusal in each])
    run.closures = {each: {path for path, _ in recalled[each]} for each in recalled}
    _leave_out(run, recalled)
    return run, [each for each in derivations if each not in recalled]


def _find_closures(graph: Graph, derivations: Iterable[str]) -> dict[str, set[str]]:
    """Return the steps that each derivation needs, with their outputs."""
    found = {each: list_closure(graph, each) for each in derivations}
    for steps in found.values():
        steps.update(*(graph[step].outputs.values() for step in steps))
    return found


def _leave_out(run: Run, derivations: Iterable[str]) -> None:
    """Leave out those whose sources cannot be had."""
    for each in derivations:
        problems = [problem for path, problem in run.refused if path in run.closures[each]]
        reasons = dict.fromkeys(problem.found.partition("\n")[0] for problem in problems)
        if problems:
            run.states[each] = State.LEFT_OUT, "; ".join(shorten([*reasons], NAMES_SHOWN))


def make_path(outline: Mapping[str, str], headline: str) -> str:
    """Return the store path of a derivation (`drv`, `out`), and build it if it is missing.

    Raises KernelBuilderError with this headline if it cannot be built, AbsentError if that is for
    sources alone.
    """
    if nix.find_invalid([outline["out"]]):
        run = build([outline["drv"]])
        refused, failed = run.describe_problems([outline["drv"]])
        if failed:
            raise KernelBuilderError(headline, [*refused, *failed])
        if refused:
            raise AbsentError(headline, refused, {path for path, _ in run.refused})
    return outline["out"]


def _compile(derivations: Sequence[str], missing: Missing, run: Run) -> Failures:
    """Build derivations, the longest steps first; return those that failed."""
    progress, options = Progress(), current_settings()
    steps = {each.path: each for each in missing.list_unbuilt(derivations) if not each.is_source}

    def print_log(derivation: str, line: str) -> None:
        progress.say(f"{short_name(derivation)}> {line}")

    log = NixLog(on_log_line=print_log if options.print_logs else None, spans=run.spans)

    def show() -> None:
        names = (steps[path].words if path in steps else short_name(path) for path in log.running)
        progress.show_timed(f"{log.done}/{len(steps)} {'; '.join(names)}")

    def read(line: str) -> None:
        known, ended = len(log.started), log.ended
        log.read(line)
        for derivation in log.started[known:] if options.verbosity > 1 else ():
            progress.say(f"building {short_name(derivation)}")
        if log.ended > ended:
            _close_ended(log, {*log.running} & {*targets} & steps.keys(), missing)
        show()

    run.room = find_room()
    units = {path: each.step for path, each in steps.items() if each.step in COMPILES}
    # With a number of jobs that was asked for, memory does not count.
    fitting = count_jobs([COMPILES[step] for step in units.values()], run.room)
    run.jobs = fitting if options.max_jobs is None else options.max_jobs
    # Nix starts the units that are named first, and finds the others by itself.
    ordered = sorted(units, key=lambda unit: ([*COMPILES].index(units[unit]), unit))
    targets = [*ordered[: run.jobs], *derivations]
    shared = max(1, run.room.cores // max(1, run.jobs))
    cores = shared if options.cores is None else options.cores
    # Everything that caches have is here already.
    settings = {"max_jobs": run.jobs, "cores": cores, "substitute": "false"}
    with closing(progress):
        try:
            status = nix.realise(targets, read, show, **settings)
        except KeyboardInterrupt as interruption:
            # The other signals allow no more work.
            if signal.SIGINT not in interruption.args:
                raise
            heed(RESUMED)
            run.interruption, status = interruption, 0
    return _find_failed(log, missing) if status else {}


def _close_ended(log: NixLog, derivations: set[str], missing: Missing) -> None:
    """Find the end of steps that were asked for by name, which Nix keeps open till all end."""
    log.close(derivations - missing.find_lacking(derivations) | log.blamed)


def _find_failed(log: NixLog, missing: Missing) -> Failures:
    """Return the derivations that failed, with the lines that tell why.

    Raises KernelBuilderError if Nix itself failed, such as on a full disk or without a sandbox.
    """
    failed = missing.find_lacking({*log.started, *log.blamed} & missing.graph.keys())
    # A step that could not start because of another's failure has no message of its own.
    causes = {path for path in failed if path in log.started or log.show_failure(path)}
    if not causes:
        said = "\n\n".join(dict.fromkeys([*log.errors, *log.warnings]))
        raise make_nix_error(read_message(said))
    unexplained = [each for each in log.errors if not any(path in each for path in causes)]
    lost = [line for line in unexplained if is_full(line) or "out of memory" in line.lower()]
    # By name: the hash in front would order them in another way after each edit.
    ordered = sorted(causes, key=lambda path: (short_name(path), path))
    own = {path for path in ordered if missing.graph[path].step in OWN}
    for warning in log.list_warnings(path for path in ordered if path in own):
        complain("warning", warning)
    return {path: [*lost, *log.show_failure(path, is_own=path in own)] for path in ordered}


def describe_failures(failed: Failures, graph: Graph | None = None) -> list[Problem]:
    """Return the problems that checks wrote into the logs, or else the ends of the logs.

    A unit with device code has a step for each target, and its mistake is the same in all of them:
    it is one problem, in the words of the first step. `graph` has the flags of steps.
    """
    alike: dict[str, list[str]] = {}
    for derivation, lines in failed.items():
        alike.setdefault(_VARYING.sub("*", "\n".join(lines)) or derivation, []).append(derivation)
    problems = []
    for steps in alike.values():
        text = "\n".join(failed[steps[0]]) or "a failure without a message"
        step = (graph or {}).get(steps[0])
        flags = step.environment.get("flags", "") if step else ""
        default = Problem("", text, *find_advice(text, flags))
        names = shorten([*map(short_name, steps)], NAMES_SHOWN)
        log = f"the whole log: nix-store --read-log {steps[0]}"
        own = parse_problems(text) if not step or step.step in OWN else ()
        for each in own or [default]:
            at = "\n".join(filter(None, [*names, each.at]))
            fix = f"{each.fix}\n({log})" if each.fix else log
            problems.append(Problem(at, each.found, each.want, fix))
    # The symbol check names the units that need a symbol, which the import of a library does not.
    checked = {at for it in problems if it.found.startswith(UNDEFINED) for at in it.at.split("\n")}
    return [each for each in problems if checked.isdisjoint(_UNDEFINED.findall(each.found))]

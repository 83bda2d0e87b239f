"""Builds derivations and shows how far it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from kernel_builder import nix
from kernel_builder.build.log import BuildLog, short_name
from kernel_builder.nix.derivations import Graph
from kernel_builder.messages.errors import Problem
from kernel_builder.machine.limits import count_jobs
from kernel_builder.messages.terminal import StatusLine


@dataclass(frozen=True)
class Options:
    """How to build; None leaves a limit to this program or to Nix."""

    print_logs: bool
    max_jobs: int | None
    cores: int | None


class Building:
    """One run of Nix over some derivations, going on after failures."""

    def __init__(self, graph: Graph, options: Options) -> None:
        self._graph = graph
        self._options = options
        self._line = StatusLine()
        self._log = BuildLog(on_log_line=self._print_log if options.print_logs else None)
        self._announced = 0

    def run(self, derivations: Sequence[str]) -> Mapping[str, Sequence[str]]:
        """Build; return the derivations that failed, each with what its log says."""
        jobs = self._options.max_jobs or count_jobs()
        cores = self._options.cores
        status = nix.realise(derivations, self._read, max_jobs=jobs, cores=cores)
        self._line.clear()
        if status == 0:
            return {}
        outputs = {
            output: path
            for path in dict.fromkeys(self._log.started)
            if path in self._graph
            for output in self._graph[path].outputs.values()
        }
        failed = {outputs[each] for each in nix.find_invalid(sorted(outputs))}
        if not failed:
            # Nothing was started and failed: Nix itself has a reason, such as a full disk.
            said = "\n\n".join(dict.fromkeys(self._log.errors))
            raise nix.NixError(nix.read_message(said) or "Nix did not build; it does not say why")
        return {path: self._log.show_failure(path) for path in sorted(failed)}

    def _read(self, line: str) -> bool:
        log = self._log
        log.read(line)
        count = f"{log.done}/{log.expected}"
        if self._line.is_live:
            names = ", ".join(short_name(each) for each in log.running.values())
            if log.expected:
                self._line.show(f"building {count}: {names}")
        else:
            for derivation in log.started[self._announced :]:
                self._line.print_above(f"building {short_name(derivation)} ({count} done)")
        self._announced = len(log.started)
        return True

    def _print_log(self, derivation: str, line: str) -> None:
        self._line.print_above(f"{short_name(derivation)}> {line}")


def describe_failures(failed: Mapping[str, Sequence[str]]) -> list[Problem]:
    """Return a problem for each derivation that failed."""
    return [
        Problem(
            at=short_name(derivation),
            found="\n".join(lines) or "a failure without a word in its log",
            want="a step that succeeds",
            fix=f"correct the cause; the whole log: nix-store --read-log {derivation}",
        )
        for derivation, lines in failed.items()
    ]

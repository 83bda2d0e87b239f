"""Run one check on many folders in one process: `python3 run_check.py < JOBS`.

It is given the variables of a derivation that runs a check (pkgs/checks/run-check). A job has the
`arguments` of the check, and `out` and `log` for its result and its output. The modules of PRELOAD
are imported once, since Torch takes longer than a check. The exit statuses are printed as JSON.
"""

import json
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any


def find_main() -> Any:
    """Return the check's `main`, found as in its build."""
    modules = Path("modules").resolve()
    for name, place in json.loads(os.environ["packages"]).items():  # noqa: SIM112
        (modules / name).parent.mkdir(parents=True, exist_ok=True)
        (modules / name).symlink_to(place)
    sys.path[0] = str(modules)
    for name in os.environ["PRELOAD"].split():
        import_module(name)
    return import_module(f"{os.environ['module']}.__main__").main  # noqa: SIM112


def run_all(main: Any, jobs: "Sequence[dict[str, Any]]", at_once: int) -> "list[int]":
    """Run each job in a child process, and return the exit statuses."""
    statuses = [0] * len(jobs)
    running: dict[int, int] = {}
    for number, job in enumerate([*jobs, None]):
        while running and (job is None or len(running) == at_once):
            child, status = os.wait()
            statuses[running.pop(child)] = os.waitstatus_to_exitcode(status)
        if job is None:
            break
        child = os.fork()
        if child == 0:
            run_job(main, job)
        running[child] = number
    return statuses


def run_job(main: Any, job: "dict[str, Any]") -> None:
    """Run one job, and end the process."""
    status, process = 1, os.getpid()
    log = os.open(job["log"], os.O_CREAT | os.O_WRONLY)
    os.dup2(log, 1)
    os.dup2(log, 2)
    try:
        os.environ["out"] = job["out"]  # noqa: SIM112
        for folder in (job["out"], job["home"]):
            Path(folder).mkdir()
        os.chdir(job["home"])
        status = main(job["arguments"])
    finally:
        # The import runs in a child of this one, which ends by SystemExit.
        if os.getpid() == process:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(status)


if __name__ == "__main__":
    os.environ.update(HF_HUB_OFFLINE="1", HF_HOME=str(Path.cwd()), HOME=str(Path.cwd()))
    print(json.dumps(run_all(find_main(), json.load(sys.stdin), os.cpu_count() or 1)))

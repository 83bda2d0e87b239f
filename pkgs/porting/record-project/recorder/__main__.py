"""Run a project's own build description once for each backend, and write what it asks for as JSON.

Each run is a process of its own, forked after Torch was imported, with limits on time, memory and files.
"""

import importlib
import json
import os
import re
import resource
import shutil
import signal
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

PROJECT = Path("/build/project")
CMAKE = "CMakeLists.txt"
# Some projects have a second one beside it, such as setup_cuda.py.
SETUP = re.compile(r"setup\w*\.py")
SECONDS = 60
BYTES = 16 * 2**20
MEMORY = 6 * 2**30
SKIPPED = {".git", "third_party", "third-party", "3rdparty", "external", "submodules", "tests", "test", "examples"}
MOST = 8
# Seconds for all runs of a project.
BUDGET = 300
STARTED = time.monotonic()


def find_descriptions() -> "list[str]":
    """Return the build descriptions of the project: that of its root, then others and those in folders below."""
    names = ("setup.py", "pyproject.toml", "setup.cfg", CMAKE)
    project = Path(os.environ["project"])
    root = [name for name in names if (project / name).is_file()][:1]
    plain = [name for name in root if name != CMAKE]
    root = [*plain, CMAKE] if (project / CMAKE).is_file() and "cmake_wheel" in os.environ else plain
    more = []
    for folder, folders, files in os.walk(project):
        folders[:] = sorted(each for each in folders if each not in SKIPPED)
        places = [Path(folder, name) for name in files if SETUP.fullmatch(name)]
        found = [each.relative_to(project).as_posix() for each in places if b"setup(" in each.read_bytes()]
        more += [name for name in found if name not in root]
    return root + sorted(more, key=lambda name: (name.count("/"), name))[:MOST]


def limit() -> None:
    """Limit this process and all that it starts."""
    os.setsid()
    for kind, most in (("CPU", SECONDS), ("FSIZE", 2**30), ("AS", MEMORY), ("CORE", 0), ("NPROC", 4096)):
        resource.setrlimit(getattr(resource, f"RLIMIT_{kind}"), (most, most))


def end_others() -> None:
    """End all processes that a run has left behind: one could write into the project or the record of the next."""
    with suppress(ProcessLookupError):
        # Only in a namespace of its own, where it can signal no other.
        if os.getpid() == 1:
            os.kill(-1, signal.SIGKILL)
    with suppress(ChildProcessError):
        while True:
            os.waitpid(-1, 0)


def run(words: "dict[str, Any]") -> "dict[str, Any]":
    """Return what one run records; `words` say which."""
    if time.monotonic() > BUDGET + STARTED:
        return {**words, "error": f"all of its runs together took {BUDGET} seconds"}
    place = Path(f"/build/run-{time.monotonic_ns()}.json")
    # A description may write files, and the next run reads the project as it was.
    shutil.rmtree(PROJECT, ignore_errors=True)
    shutil.copytree(os.environ["project"], PROJECT, copy_function=shutil.copyfile)
    for folder, _, _ in os.walk(PROJECT):
        Path(folder).chmod(0o755)
    child = os.fork()
    if child == 0:
        status = 1
        try:
            limit()
            # The project may print anything, and Nix shows a log.
            null = os.open(os.devnull, os.O_RDWR)
            for stream in (0, 1, 2):
                os.dup2(null, stream)
            record = importlib.import_module("cmake" if words["file"].endswith(CMAKE) else "running").record

            try:
                made = record(PROJECT, words)
            except Exception as problem:  # What a project's own files make of this step is for the user.
                made = {**words, "error": f"it cannot be recorded: {problem!r}"[:300]}
            place.write_text(json.dumps(made, default=str), encoding="utf-8")
            status = 0
        finally:
            os._exit(status)
    end = time.monotonic() + SECONDS
    found, status = 0, 0
    while not found and time.monotonic() < end:
        found, status = os.waitpid(child, os.WNOHANG)
        time.sleep(0 if found else 0.02)
    with suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)
    end_others()
    if not found:
        return {**words, "error": f"it did not end within {SECONDS} seconds"}
    if status or not place.is_file() or place.stat().st_size > BYTES:
        return {**words, "error": f"it ended its process (status {status})"}
    recorded: dict[str, Any] = json.loads(place.read_text(encoding="utf-8"))
    return recorded


def record_all(request: "dict[str, Any]") -> "list[dict[str, Any]]":
    """Return the runs of all descriptions; those of folders below only if the root compiles nothing."""
    runs: list[dict[str, Any]] = []
    descriptions = find_descriptions()
    for file in [*descriptions, "*.py"]:
        if file == CMAKE and any(each["file"].endswith(CMAKE) for each in runs):
            continue
        if any(one["sources"] for each in runs for one in each.get("extensions", [])):
            runs += [] if file in ("*.py", CMAKE) else [{"file": file, "backend": "", "given": "skipped", "error": ""}]
            continue
        for backend in request["backends"] if file != CMAKE else ["cpu", "cuda"]:
            words = {"file": file, "backend": backend, "given": "nothing", **request["given"]}
            plain = run(words)
            runs.append(plain)
            if "cmake_wheel" in os.environ and (cmake := plain.get("cmake")):
                arguments = [*cmake["arguments"], *words["arguments"]]
                runs.append(run({**words, **cmake, "arguments": arguments}))
            # Options and variables that the description reads, all at once: what do they turn on?
            for kind in ("options", "variables"):
                names = [each["name"] for each in plain.get(f"read_{kind}", [])]
                if names:
                    runs.append(run({**words, "given": kind, kind: names}))
    return runs


def main() -> None:
    """Record the project `$project` into `$out`."""
    request = json.loads(os.environ["request"])
    if not os.environ["NIX_BUILD_TOP"].startswith("/build"):
        sys.exit("error: a project's setup.py runs in the sandbox alone, and Nix builds without it here")
    import running  # imports Torch, once for all runs

    running.prepare()
    try:
        runs = record_all(request)
    except (AttributeError, LookupError, RecursionError, TypeError, ValueError) as error:
        # A description can write its record by itself.
        sys.exit(f"error: a build description wrote another record: {error!r}"[:300])
    out = Path(os.environ["out"])
    # Whatever the project may have written there.
    if out.is_dir() and not out.is_symlink():
        shutil.rmtree(out)
    out.unlink(missing_ok=True)
    out.mkdir()
    text = json.dumps({"version": 1, "runs": runs})
    for run_ in runs:
        print(f"{run_['file']} {run_.get('backend', '')}: {run_.get('error') or len(run_.get('extensions', []))}")
    (out / "record.json").write_text(re.sub(r"/nix/store/[0-9a-z]{32}", "/@store@", text), encoding="utf-8")


if __name__ == "__main__":
    main()

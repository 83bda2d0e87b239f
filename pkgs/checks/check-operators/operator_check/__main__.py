"""Run the check: `python3 -m operator_check OPTIONS FOLDER`, in a folder for temporary files.

OPTIONS are JSON: the folder `tests`, the name `variant`, the `repository` that tests may load, other `local_kernels`,
and the seconds that the tests may take, `limit`. Tests that fail here only give no calls, so the check
never fails: `$out/findings.json` has the warnings, and `$out/findings.txt` their text.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from checking.problem import Problem, warn
from kernel_builder.import_check.child import run_in_child
from kernel_builder.messages.problem import render

HEADLINE = "torch.library.opcheck finds mistakes in operators that the tests call"
MARKER = "kernels_ci"
# Lines of what the tests print that are shown if they end the process.
LAST_LINES = 30


class Plugin:
    """Checks the calls of each test that passes, after the test. A line of `file` is an operator, a check and a problem."""

    def __init__(self, recorder: Any, file: Path) -> None:
        from operator_check.wording import check_call

        self.recorder, self.file, self.check_call = recorder, file, check_call
        self.known: set[tuple[str, str]] = set()
        self.calls = 0
        self.passed = 0

    def check(self) -> None:
        """Check the recorded calls. A later one may end the process, so problems are written at once."""
        import torch

        # The next test draws the same numbers.
        with torch.random.fork_rng(devices=[]), torch.enable_grad():
            for call in self.recorder.take():
                self.calls += 1
                for util, problem in self.check_call(call):
                    if (call.operator.name(), util) not in self.known:
                        self.known.add((call.operator.name(), util))
                        with self.file.open("a") as file:
                            file.write(f"{json.dumps(problem.as_data())}\n")


def run_tests(home: Path, namespace: str, file: Path) -> "dict[str, Any]":
    """Run the tests below `home` with a recorder; return numbers for the log."""
    import pytest

    from operator_check.recording import Recorder

    recorder = Recorder(namespace, home)
    recorder.install()
    plugin = Plugin(recorder, file)

    class Hooks:
        @pytest.hookimpl(hookwrapper=True)
        def pytest_runtest_call(self) -> "Iterator[None]":
            recorder.is_active = True
            outcome = yield
            recorder.is_active = False
            if outcome.excinfo is None:  # type: ignore[attr-defined]
                plugin.passed += 1
                plugin.check()
            recorder.take()

    options = ["-q", "-m", MARKER, "-p", "no:cacheprovider", "--rootdir", str(home)]
    pytest.main([*options, str(home / "tests")], plugins=[Hooks()])
    # An answer with an error ends the process without the exit handlers of the tests.
    return {"error": "", "passed": plugin.passed, "calls": plugin.calls, "operators": sorted(recorder.counts)}


def main(arguments: "Sequence[str]") -> int:
    """Run the tests with the variant in a folder, and return 0."""
    options, folder = json.loads(arguments[0]), Path(arguments[1])
    home = Path("home").resolve()
    (home / "local").mkdir(parents=True)
    (home / "tests").symlink_to(options["tests"])
    # pytest looks for settings in the folders above.
    (home / "pytest.ini").write_text("[pytest]\n")
    # As the public client looks for it.
    (home / "local" / options["variant"]).symlink_to(folder)
    kernels = [options["local_kernels"], options["repository"] and f"{options['repository']}={home / 'local'}"]
    os.environ.update(HF_HUB_OFFLINE="1", HOME=str(home), TMPDIR=str(home), LOCAL_KERNELS=":".join(filter(None, kernels)))
    os.chdir(home)
    sys.path.insert(0, str(folder))
    namespace, file = json.loads((folder / "metadata.json").read_text())["id"], home / "problems"
    outcome = run_in_child(partial(run_tests, home, namespace, file), options["limit"])
    problems = [Problem(**json.loads(line)) for line in file.read_text().splitlines()] if file.exists() else []
    if outcome.answer:
        print("{calls} calls of {} operators, from {passed} tests that pass here".format(len(outcome.answer["operators"]), **outcome.answer))
    else:
        print(*outcome.said.splitlines()[-LAST_LINES:], sep="\n")
        print("the tests did not end; their calls up to here count")
    warn(HEADLINE, problems)
    text = f"{render(f'warning: {HEADLINE}', problems)}\n" if problems else ""
    (Path(os.environ["out"]) / "findings.txt").write_text(text)  # noqa: SIM112
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

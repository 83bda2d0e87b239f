"""Run the check: `python3 -m operator_check OPTIONS FOLDER`, in a folder for temporary files.

OPTIONS are JSON: the folder `tests`; the name of the `variant`; the `repository` that tests may load, or null; other
`local_kernels`; and the seconds that the tests may take, `limit`. A test that fails only gives no calls, so the check
never fails: `$out/findings.json` gets the warnings, and `$out/findings.txt` their text.
"""

import json
import os
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from checking.problem import Problem, warn

from kernel_builder.import_check.child import run_in_child
from kernel_builder.messages.problem import render

HEADLINE = "torch.library.opcheck finds mistakes in operators that the tests call"
# Lines of the tests' output that are shown if they end the process.
LAST_LINES = 30


def main(arguments: "Sequence[str]") -> int:
    """Run the tests with the variant in a folder, and return 0."""
    options, folder = json.loads(arguments[0]), Path(arguments[1])
    home = Path("home").resolve()
    variables = lay_out(home, folder, options)
    namespace, file = json.loads((folder / "metadata.json").read_text())["id"], home / "problems"
    outcome = run_in_child(partial(run_tests, home, folder, namespace, file, variables), options["limit"])
    lines = outcome.shown.splitlines()
    if answer := outcome.answer:
        # The last line is pytest's summary.
        print(*lines[-1:])
        print("checked {calls} calls of {operators} operators, of {passed} tests that pass here".format(**answer))
    else:
        print(*lines[-LAST_LINES:], sep="\n")
        print("the tests ended the process, or took too long or too much memory; the calls of those before count")
    problems = [Problem(**json.loads(line)) for line in file.read_text().splitlines()] if file.exists() else []
    warn(HEADLINE, problems)
    text = f"{render(f'warning: {HEADLINE}', problems)}\n" if problems else ""
    (Path(os.environ["out"]) / "findings.txt").write_text(text)
    return 0


def lay_out(home: Path, folder: Path, options: "dict[str, Any]") -> "dict[str, str]":
    """Make the folder in which tests run, as `ci-test` has it, and return their environment."""
    local = home / "local"
    local.mkdir(parents=True)
    # As the public client looks for it.
    (local / options["variant"]).symlink_to(folder)
    (home / "tests").symlink_to(options["tests"])
    # pytest looks for settings in the folders above.
    (home / "pytest.ini").write_text("[pytest]\n")
    this = options["repository"] and f"{options['repository']}={local}"
    kernels = ":".join(filter(None, [options["local_kernels"], this]))
    kept = {name: value for name, value in os.environ.items() if name == "PATH" or name.startswith("PYTHON")}
    own = {"HOME": str(home), "TMPDIR": str(home), "LANG": "C.UTF-8", "HF_HUB_OFFLINE": "1"}
    return {**kept, **own, **({"LOCAL_KERNELS": kernels} if kernels else {})}


def run_tests(home: Path, folder: Path, namespace: str, file: Path, variables: "dict[str, str]") -> "dict[str, Any]":
    """Run the tests in `home`, and write the problems to `file`; return facts for the log."""
    os.environ.clear()
    os.environ.update(variables)
    os.chdir(home)
    sys.path.insert(0, str(folder))
    import pytest

    from operator_check.plugin import Plugin
    from operator_check.recording import Recorder

    recorder = Recorder(namespace, home)
    recorder.install()
    plugin = Plugin(recorder, file)
    options = ["-q", "-m", "kernels_ci", "-p", "no:cacheprovider", "--rootdir", str(home)]
    pytest.main([*options, str(home / "tests")], plugins=[plugin])
    # An answer with an error ends the process without the exit handlers of the tests.
    facts = {"passed": plugin.passed, "calls": plugin.calls, "operators": len(recorder.operators)}
    return {"error": "", **facts}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

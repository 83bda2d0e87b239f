"""Compare the plans of a few kernels with the texts in `plans/`, or renew those (`--renew`)."""

import argparse
import difflib
import json
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent


def rendered(kernel: str, names: "list[str]") -> "dict[str, str]":
    """Return the plans of the variants `names` of a kernel."""
    wanted = " ".join(json.dumps(name) for name in names)
    expression = f"import {HERE}/render.nix {{ root = {ROOT / kernel}; names = [ {wanted} ]; }}"
    command = [
        "nix",
        "--extra-experimental-features",
        "nix-command",
        "eval",
        "--impure",
        "--json",
        "--expr",
        expression,
    ]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(done.stdout)


def main() -> int:
    """Run the comparison; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--renew", action="store_true", help="write the plans as they are now")
    renew = parser.parse_args().renew
    passed = failed = 0
    for kernel, names in json.loads((HERE / "plans.json").read_text()).items():
        plans = rendered(kernel, names)
        for name in names:
            file = HERE / "plans" / Path(kernel).name / f"{name}.txt"
            if renew:
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(plans[name])
            old = file.read_text() if file.is_file() else ""
            if plans.get(name) == old:
                passed += 1
                continue
            failed += 1
            lines = difflib.unified_diff(
                old.splitlines(),
                plans.get(name, "").splitlines(),
                str(file.relative_to(ROOT)),
                "now",
                lineterm="",
            )
            print("\n".join(lines))
    if failed:
        print("\nthe plan of a kernel has changed; if that is meant: tests/run golden -- --renew")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


sys.exit(main())

"""Store what a step has to say in its output `$findings`, or end the step with it.

The output has `findings.json`, the step's own warnings, and `messages`, those of the programs that it ran.
pkgs/kernel/collect-findings reads both, so that they are also known if the step comes out of a cache.
"""

import json
import os
import sys
from pathlib import Path

env = os.environ
FIELDS = ("at", "found", "want", "fix")
# The characters of the messages that are kept.
MESSAGES_KEPT = 1 << 18


def describe(headline: str, problems: "list[dict[str, str]]") -> "dict[str, object]":
    """Return a finding; `problems` have the fields `FIELDS`."""
    return {"headline": headline, "problems": problems}


def store(findings: "list[dict[str, object]]", messages: str) -> None:
    """Write the output `$findings`."""
    out = Path(env["findings"])
    out.mkdir()
    if findings:
        (out / "findings.json").write_text(json.dumps(findings) + "\n")
    if messages:
        (out / "messages").write_text(messages[:MESSAGES_KEPT], errors="replace")


def fail(headline: str, **problem: str) -> None:
    """End the step with a problem."""
    lines = (f"{field:<7}{problem[field]}".replace("\n", f"\n{'':14}") for field in FIELDS)
    sys.exit("\n".join([f"error: {headline} (1 problem)\n", *(f"{'':7}{line}" for line in lines)]))

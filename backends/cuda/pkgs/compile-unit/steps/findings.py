"""Store what a step has to say in its output `$findings`.

The output has `findings.json`, the step's own warnings, and `messages`, those of the programs that it ran.
pkgs/kernel/collect-findings reads both, so that they are also known if the step comes out of a cache.
"""

import os

from files import write_bytes, write_text

env = os.environ
# The characters of the messages that are kept.
MESSAGES_KEPT = 1 << 18


def describe(headline: str, problems: "list[dict[str, str]]") -> "dict[str, object]":
    """Return a finding; `problems` have the fields at, found, want and fix."""
    return {"headline": headline, "problems": problems}


def store(findings: "list[dict[str, object]]", messages: str) -> None:
    """Write the output `$findings`."""
    out = env["findings"]
    os.mkdir(out)
    if findings:
        import json

        write_text(f"{out}/findings.json", json.dumps(findings) + "\n")
    if messages:
        write_bytes(f"{out}/messages", messages[:MESSAGES_KEPT].encode(errors="replace"))


def report(parts: "list[tuple[str, str]]", **more: object) -> None:
    """Write the output `$report`: the name and the headers of each part, and what else is to be said of all."""
    rest = ""
    if more:
        import json

        rest = "".join(f', "{name}": {json.dumps(value)}' for name, value in more.items())
    lines = [
        f'{{"unit": {env["unitInJson"]}, "part": "{part}", "headers": "{headers}"{rest}}}' for part, headers in parts
    ]
    write_text(env["report"], f"[{', '.join(lines)}]\n")

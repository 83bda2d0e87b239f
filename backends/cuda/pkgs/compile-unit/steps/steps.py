"""List nvcc's steps with `nvcc --dryrun`, and run them one by one.

The scripts in ../passes lay out the kernel's files, list the steps and run the steps of their pass. Modules that take
long to import, such as dataclasses, would be a tenth of the time of a small unit.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import sys
import time
from functools import partial
from pathlib import Path

TYPE_CHECKING = False
if TYPE_CHECKING:
    import resource
    from collections.abc import Callable, Iterable
    from typing import IO

    Output = IO[str] | None

env = os.environ
# The sets of lean headers, see pkgs/torch/lean-headers.
LEAN = ("tensors", "named", "operators")
# The set of a unit without Torch that is tried without the optional flags of the plan.
PLAIN = "plain"
# gcc's messages if the system killed a part of it, or if it gets no memory. `measure` prints the first one, too.
KILLED = re.compile(r"^[^ :\n]*: (fatal error: Killed signal|out of memory)", re.MULTILINE)
SIGKILL = 9
# The messages of the programs whose results the step uses.
messages: list[str] = []
STEM = Path(env["source"]).stem if "source" in env else ""


class Step:
    """One command and its kind."""

    def __init__(self, kind: str, argv: list[str]) -> None:
        self.kind, self.argv = kind, argv

    def option(self, name: str) -> str:
        """Return the argument that follows `name`."""
        return self.argv[self.argv.index(name) + 1]


def kernel_files() -> list[tuple[str, str]]:
    """Return the store path of each file that the unit may include, and its name; the path of a folder is `folder`."""
    lines = Path(env["filesPath"]).read_text().splitlines()
    return [(path, file) for path, _, file in (line.partition(" ") for line in lines)]


def lay_out() -> None:
    """Copy the kernel's files under their own names into a new folder, and enter it.

    gcc takes two files for one if their times, sizes and contents are equal and they have `#pragma once`, and in the
    store all times are equal. So no two files of one size have one time, as in pkgs/compile/unit-inputs/lay-out.sh.
    """
    Path("kernel").mkdir()
    os.chdir("kernel")
    seen: dict[int, int] = {}
    for path, file in sorted(kernel_files(), key=lambda each: each[1]):
        if path == "folder":
            Path(file).mkdir(parents=True, exist_ok=True)
            continue
        Path(file).parent.mkdir(parents=True, exist_ok=True)
        content = Path(path).read_bytes()
        Path(file).write_bytes(content)
        seen[len(content)] = number = seen.get(len(content), -1) + 1
        # The second day of 1970: files of packages have the first second.
        os.utime(file, (24 * 3600 + number,) * 2)
    Path(f"{STEM}.module_id").write_text(env["moduleId"])


def kind_of(argv: list[str]) -> str:
    """Return the kind of one of nvcc's commands."""
    program = Path(argv[0]).name
    if program in ("cudafe++", "cicc", "ptxas", "tileiras", "fatbinary", "nvlink", "rm"):
        return program
    if "-E" in argv:
        device = any(word.startswith("-D__CUDA_ARCH__=") for word in argv)
        return "preprocess-device" if device else "preprocess-host"
    return "compile"


def steps(arguments: list[str]) -> list[Step]:
    """Return nvcc's steps for a call with these arguments, with variables replaced."""
    with Path("../steps").open("w+") as output:
        status, _ = run(["nvcc", "--dryrun", "--keep", "--keep-dir", ".", *arguments], output)
        output.seek(0)
        listed = output.read()
    variables: dict[str, str] = {}
    found = []
    for line in listed.splitlines():
        if not line.startswith("#$ "):
            keep_messages(f"{line}\n")
            continue
        text = line[3:]
        assignment = re.match(r"([A-Za-z_]\w*)=(.*)", text)
        if assignment:
            variables[assignment.group(1)] = assignment.group(2)
            continue
        argv = [
            re.sub(r"\$(\w+)", lambda name: variables.get(name.group(1), name.group(0)), word)
            for word in shlex.split(text)
        ]
        argv = [
            f"-D__CUDA_ARCH_LIST__={env['archList']}" if word.startswith("-D__CUDA_ARCH_LIST__=") else word
            for word in argv
        ]
        found.append(Step(kind_of(argv), argv))
    if status or not found:
        sys.exit(status or "nvcc lists no steps for this unit")
    env["NVVMIR_LIBRARY_DIR"] = variables.get("NVVMIR_LIBRARY_DIR", "")
    # CUDA 12.4 names cicc without its folder, which nvcc.profile puts into PATH.
    env["PATH"] = f"{env['PATH']}:{variables.get('PATH', '')}"
    return found


def run(argv: list[str], output: Output) -> tuple[int, resource.struct_rusage]:
    """Run a program; return its exit status, or minus the signal that ended it, and what it used."""
    actions = [(os.POSIX_SPAWN_DUP2, output.fileno(), own) for own in (1, 2)] if output else []
    _, status, used = os.wait4(os.posix_spawnp(argv[0], argv, env, file_actions=actions), 0)
    return os.waitstatus_to_exitcode(status), used


def measure(step: Step, output: Output) -> int:
    """Run a step and return its exit status; report its time and memory as a phase of this build.

    Nix stores phases in the log only, so they are part of no output.
    """
    started = time.monotonic()
    status, used = run(step.argv, output)
    phase = f"{step.kind}: {time.monotonic() - started:.2f} s, {used.ru_maxrss // 1024} MB"
    print("@nix", json.dumps({"action": "setPhase", "phase": phase}), flush=True)
    if status == -SIGKILL:
        os.write(
            (output or sys.stderr).fileno(), f"{step.kind}: fatal error: Killed signal terminated program\n".encode()
        )
    return status


def keep_messages(said: str) -> None:
    """Print messages, and keep them for the output `$findings`, with files named as in the kernel."""
    print(said, end="", file=sys.stderr, flush=True)
    messages.append(said.replace(f"{Path.cwd()}/", ""))


def capture(make: Callable[[Output], bool]) -> tuple[bool, str]:
    """Call a function with a file for the messages of its programs; return its result and the messages."""
    with Path("../messages").open("w+", errors="replace") as output:
        is_made = make(output)
        output.seek(0)
        return is_made, output.read()


def run_all(steps: Iterable[Step], output: Output = None) -> bool:
    """Run steps until one fails; return whether all succeeded. `output` gets their messages, else the user."""
    for step in steps:
        if measure(step, output):
            return False
        if step.kind == "cicc" and step.option("-o").endswith(".ptx"):
            name_files(Path(step.option("-o")))
    return True


def places() -> dict[str, str]:
    """Return the folders of the unit's files, each with its name that is the same on every machine."""
    option = "-ffile-prefix-map="
    words = [*unit_flags(), *(word for headers in LEAN for word in lean_flags(headers))]
    return dict(word[len(option) :].partition("=")[::2] for word in words if word.startswith(option))


def name_files(code: Path) -> None:
    """Rename the files in PTX line information, because cicc has no option for prefix maps."""

    def named(match: re.Match[str]) -> str:
        place = max((place for place in known if match[2].startswith(place)), key=len, default="")
        return f"{match[1]}{known.get(place, '')}{match[2][len(place) :]}"

    known = places()
    text = code.read_bytes().decode(errors="surrogateescape")
    text = re.sub(r'(?m)^(\s*\.file\s+\d+\s+")([^"]*)', named, text)
    code.write_bytes(text.encode(errors="surrogateescape"))


def targets() -> list[str]:
    """Return the arguments that make nvcc compile for the plan's targets."""
    return env["target"].splitlines()


def unit_flags() -> list[str]:
    """Return the plan's flags of the unit. The last `@build/kernel@` is the plan's; others are the kernel's text."""
    before, _, after = env["flags"].rpartition("@build/kernel@")
    return f"{before}{Path.cwd()}{after}".splitlines()


def lean_flags(headers: str) -> list[str]:
    """Return the plan's flags for a set of lean headers; full headers need none."""
    lean: dict[str, str] = json.loads(env.get("leanFlags", "{}"))
    return lean.get(headers, "").splitlines()


def compile_arguments(headers: str) -> list[str]:
    """Return nvcc's arguments for this unit without targets; `headers` is a set of lean headers, "plain" or "full"."""
    if headers == "named":
        Path("named").mkdir(exist_ok=True)
        Path("named/kernel_builder_named_operators.h").write_text(include_named_operators())
    optional = [] if headers == PLAIN else env.get("optionalFlags", "").splitlines()
    return [*lean_flags(headers), *unit_flags(), *optional, "-c", env["source"], "-o", f"{STEM}.o"]


def kernel_text() -> str:
    """Return the text of all files that the unit may include, with lines joined, and the values of macros in flags."""
    text = "\n".join(Path(file).read_text(errors="replace") for path, file in kernel_files() if path != "folder")
    joined = re.sub(r"\\[ \t\r]*\n", "", text)
    return "\n".join([joined, *(flag.partition("=")[2] for flag in env["flags"].splitlines())])


def include_named_operators() -> str:
    """Return a header that includes Torch's operators that the kernel's text names."""
    names = sorted(set(re.findall(r"\b[A-Za-z_]\w*", kernel_text())))
    headers = [f"<ATen/ops/{name}.h>" for name in names]
    return "".join(f"#if __has_include({header})\n#include {header}\n#endif\n" for header in headers)


def smallest_sets() -> list[str]:
    """Return the sets of lean headers that can suffice for device code, smallest first."""
    # A text that calls `at::empty` needs operators.
    calls = re.search(r"\b(at|torch)::[a-z_0-9]+\s*\(", kernel_text())
    return ["named"] if calls else ["tensors", "named"]


def with_all_macros(sets: list[str]) -> list[str]:
    """Return the sets that have all of Torch's macros that the kernel's text names."""
    words = set(re.findall(r"[A-Za-z_]\w*", kernel_text()))
    return [name for name in sets if words.isdisjoint((Path(env["leanMacros"]) / name).read_text().split())]


def with_fallback(part: str, tried: list[str], make: Callable[[str, Output], bool]) -> str:
    """Call `make` with the sets in `tried` until one suffices, at last with "full"; return its name.

    Errors with these sets are not shown, because an error of the user comes again with full headers. A compile
    that ran out of memory is not repeated, because full headers need more.
    """
    for headers in tried:
        serves, said = capture(partial(make, headers))
        is_killed = not serves and KILLED.search(said)
        if serves or is_killed:
            keep_messages(said)
        if is_killed and headers == PLAIN:
            sys.exit(1)
        if is_killed:
            page = "docs/troubleshooting/out-of-memory.md"
            sys.exit(f"{env['source']}, {part}: out of memory with lean headers; Torch's own take more, see {page}")
        if serves:
            return headers
    if (tried or env["torchHeaders"] == "lean") and PLAIN not in tried:
        why = "does not compile with lean headers" if tried else "names macros that lean headers lack"
        print(f"{env['source']}, {part}: {why}; compiled with Torch's own", flush=True)
    is_made, said = capture(partial(make, "full"))
    keep_messages(said)
    if not is_made:
        sys.exit(1)
    return "full"


def in_words_of_the_plan(headers: str) -> str:
    """Return the headers that were used, in the words of the plan."""
    wanted = env["torchHeaders"]
    return "full" if headers == "full" and wanted.startswith("lean") else wanted

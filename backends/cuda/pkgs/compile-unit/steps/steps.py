"""List nvcc's steps with `nvcc --dryrun`, and run them one by one.

The scripts in ../passes lay out the kernel's files, list the steps and run the steps of their pass. A small unit needs
only modules that Python itself starts with: json, pathlib, re and shlex take longer to import than Python to start, so
they are imported where something unusual is to be done.
"""

from __future__ import annotations

import os
import sys
import time

from files import read_bytes, read_text, write_bytes, write_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
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
KILLED = r"(?m)^[^ :\n]*: (fatal error: Killed signal|out of memory)"
SIGKILL = 9
# The messages of the programs whose results the step uses.
messages: list[str] = []
STEM = os.path.splitext(os.path.basename(env.get("source", "")))[0]


class Step:
    """One command and its kind."""

    def __init__(self, kind: str, argv: list[str]) -> None:
        self.kind, self.argv = kind, argv

    def option(self, name: str) -> str:
        """Return the argument that follows `name`."""
        return self.argv[self.argv.index(name) + 1]


def kernel_files() -> list[tuple[str, str]]:
    """Return the store path of each file that the unit may include, and its name; the path of a folder is `folder`."""
    lines = read_text(env["filesPath"]).splitlines()
    return [(path, file) for path, _, file in (line.partition(" ") for line in lines)]


def lay_out() -> None:
    """Copy the kernel's files under their own names into a new folder, and enter it.

    gcc takes two files for one if their times, sizes and contents are equal and they have `#pragma once`, and in the
    store all times are equal. So no two files of one size have one time, as in pkgs/compile/unit-inputs/lay-out.sh.
    """
    os.mkdir("kernel")
    os.chdir("kernel")
    seen: dict[int, int] = {}
    for path, file in sorted(kernel_files(), key=lambda each: each[1]):
        os.makedirs((file if path == "folder" else os.path.dirname(file)) or ".", exist_ok=True)
        if path == "folder":
            continue
        content = read_bytes(path)
        write_bytes(file, content)
        seen[len(content)] = number = seen.get(len(content), -1) + 1
        # The second day of 1970: files of packages have the first second.
        os.utime(file, (24 * 3600 + number,) * 2)
    write_text(f"{STEM}.module_id", env["moduleId"])


def kind_of(argv: list[str]) -> str:
    """Return the kind of one of nvcc's commands."""
    program = os.path.basename(argv[0])
    if program in ("cudafe++", "cicc", "ptxas", "tileiras", "fatbinary", "nvlink", "rm"):
        return program
    if "-E" in argv:
        device = any(word.startswith("-D__CUDA_ARCH__=") for word in argv)
        return "preprocess-device" if device else "preprocess-host"
    return "compile"


def split(command: str) -> list[str]:
    """Return the words of a command that nvcc lists."""
    if any(mark in command for mark in ("\\", "'", "\t", '""')):
        import shlex

        return shlex.split(command)
    parts = command.split('"')
    parts[::2] = [part.replace(" ", "\n") for part in parts[::2]]
    return [word for word in "".join(parts).split("\n") if word]


def fill(word: str, variables: dict[str, str]) -> str:
    """Return a word with the values of the variables that nvcc has listed."""
    filled, *parts = word.split("$")
    for part in parts:
        end = next((place for place, letter in enumerate(part) if not (letter.isalnum() or letter == "_")), len(part))
        filled += variables.get(part[:end], f"${part[:end]}") + part[end:]
    return filled


def steps(arguments: list[str]) -> list[Step]:
    """Return nvcc's steps for a call with these arguments, with variables replaced."""
    with open("../steps", "w+") as output:
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
        name, is_assignment, value = text.partition("=")
        if is_assignment and name.isidentifier():
            variables[name] = value
            continue
        argv = [fill(word, variables) for word in split(text)]
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
    print(f'@nix {{"action": "setPhase", "phase": "{phase}"}}', flush=True)
    if status == -SIGKILL:
        os.write(
            (output or sys.stderr).fileno(), f"{step.kind}: fatal error: Killed signal terminated program\n".encode()
        )
    return status


def keep_messages(said: str) -> None:
    """Print messages, and keep them for the output `$findings`, with files named as in the kernel."""
    print(said, end="", file=sys.stderr, flush=True)
    messages.append(said.replace(f"{os.getcwd()}/", ""))


def capture(make: Callable[..., bool], *arguments: object) -> tuple[bool, str]:
    """Call a function with a file for the messages of its programs, too; return its result and the messages."""
    with open("../messages", "w+", errors="replace") as output:
        is_made = make(*arguments, output)
        output.seek(0)
        return is_made, output.read()


def run_all(steps: Iterable[Step], output: Output = None) -> bool:
    """Run steps until one fails; return whether all succeeded. `output` gets their messages, else the user."""
    for step in steps:
        if measure(step, output):
            return False
        if step.kind == "cicc" and step.option("-o").endswith(".ptx"):
            name_files(step.option("-o"))
    return True


def places() -> dict[str, str]:
    """Return the folders of the unit's files, each with its name that is the same on every machine."""
    option = "-ffile-prefix-map="
    words = [*unit_flags(), *(word for headers in LEAN for word in lean_flags(headers))]
    return dict(word[len(option) :].partition("=")[::2] for word in words if word.startswith(option))


def name_files(code: str) -> None:
    """Rename the files in PTX line information, because cicc has no option for prefix maps."""
    text = read_text(code)
    if ".file" not in text:
        return
    import re

    def named(match: re.Match[str]) -> str:
        place = max((place for place in known if match[2].startswith(place)), key=len, default="")
        return f"{match[1]}{known.get(place, '')}{match[2][len(place) :]}"

    known = places()
    write_text(code, re.sub(r'(?m)^(\s*\.file\s+\d+\s+")([^"]*)', named, text))


def targets() -> list[str]:
    """Return the arguments that make nvcc compile for the plan's targets."""
    return env["target"].splitlines()


def unit_flags() -> list[str]:
    """Return the plan's flags of the unit. The last `@build/kernel@` is the plan's; others are the kernel's text."""
    before, _, after = env["flags"].rpartition("@build/kernel@")
    return f"{before}{os.getcwd()}{after}".splitlines()


def lean_flags(headers: str) -> list[str]:
    """Return the plan's flags for a set of lean headers; full headers need none."""
    if "leanFlags" not in env:
        return []
    import json

    lean: dict[str, str] = json.loads(env["leanFlags"])
    return lean.get(headers, "").splitlines()


def compile_arguments(headers: str) -> list[str]:
    """Return nvcc's arguments for this unit without targets; `headers` is a set of lean headers, "plain" or "full"."""
    if headers == "named":
        os.makedirs("named", exist_ok=True)
        write_text("named/kernel_builder_named_operators.h", include_named_operators())
    optional = [] if headers == PLAIN else env.get("optionalFlags", "").splitlines()
    return [*lean_flags(headers), *unit_flags(), *optional, "-c", env["source"], "-o", f"{STEM}.o"]


def kernel_text() -> str:
    """Return the text of all files that the unit may include, with lines joined, and the values of macros in flags."""
    import re

    text = "\n".join(read_bytes(file).decode(errors="replace") for path, file in kernel_files() if path != "folder")
    joined = re.sub(r"\\[ \t\r]*\n", "", text)
    return "\n".join([joined, *(flag.partition("=")[2] for flag in env["flags"].splitlines())])


def include_named_operators() -> str:
    """Return a header that includes Torch's operators that the kernel's text names."""
    import re

    names = sorted(set(re.findall(r"\b[A-Za-z_]\w*", kernel_text())))
    headers = [f"<ATen/ops/{name}.h>" for name in names]
    return "".join(f"#if __has_include({header})\n#include {header}\n#endif\n" for header in headers)


def smallest_sets() -> list[str]:
    """Return the sets of lean headers that can suffice for device code, smallest first."""
    import re

    # A text that calls `at::empty` needs operators.
    calls = re.search(r"\b(at|torch)::[a-z_0-9]+\s*\(", kernel_text())
    return ["named"] if calls else ["tensors", "named"]


def with_all_macros(sets: list[str]) -> list[str]:
    """Return the sets that have all of Torch's macros that the kernel's text names."""
    import re

    words = set(re.findall(r"[A-Za-z_]\w*", kernel_text()))
    return [name for name in sets if words.isdisjoint(read_text(f"{env['leanMacros']}/{name}").split())]


def is_killed_by_system(said: str) -> bool:
    """Return whether messages of a compiler say that the system killed it, or that it gets no memory."""
    import re

    return re.search(KILLED, said) is not None


def with_fallback(part: str, tried: list[str], make: Callable[[str, Output], bool]) -> str:
    """Call `make` with the sets in `tried` until one suffices, at last with "full"; return its name.

    Errors with these sets are not shown, because an error of the user comes again with full headers. A compile
    that ran out of memory is not repeated, because full headers need more.
    """
    for headers in tried:
        serves, said = capture(make, headers)
        is_killed = not serves and is_killed_by_system(said)
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
    is_made, said = capture(make, "full")
    keep_messages(said)
    if not is_made:
        sys.exit(1)
    return "full"


def in_words_of_the_plan(headers: str) -> str:
    """Return the headers that were used, in the words of the plan."""
    wanted = env["torchHeaders"]
    return "full" if headers == "full" and wanted.startswith("lean") else wanted

"""Pinned wheels, through the machine's own pip: its indexes, mirrors, proxies and logins."""

import os
import re
import sys
from collections.abc import Iterable, Sequence
from itertools import chain
from pathlib import Path
from typing import Final

from packaging.utils import canonicalize_name, parse_wheel_filename

from kernel_builder.machine.environment import PIP
from kernel_builder.machine.process import MissingProgramError, run
from kernel_builder.messages.names import show as show_name
from kernel_builder.mirrors.coordinates import Outcomes, Show, Source, Unasked, quote_complaints
from kernel_builder.mirrors.listening import listen

VARIABLE: Final = "KERNEL_BUILDER_PIP"
NO_PIP: Final = f"no pip runs here; install one, or name it in {VARIABLE}"
# Nothing is installed, so the user's rules about installing do not apply. An empty variable would
# leave the rule of a file in force.
NEUTRAL: Final = {"PIP_REQUIRE_VIRTUALENV": "0", "PIP_CONSTRAINT": os.devnull}
# An index that is silent for 8 seconds is asked once more, and not again for each single wheel.
PATIENT: Final = ("--timeout", "8", "--retries", "1")
# pip never gets an archive of sources, since building one runs its code. The tags choose the wheel,
# and an abi3 wheel is asked for under its lowest version, so its requirement is ignored. The store
# keeps what arrives; pip's cache would keep the answer of an index that lied.
DOWNLOAD: Final = (
    *("download", "--no-input", "--disable-pip-version-check", "--no-deps", "--require-hashes"),
    *("--only-binary", ":all:", "--ignore-requires-python", "--no-cache-dir", *PATIENT),
)
_OTHER_HASH: Final = re.compile(r"\bGot +([0-9a-f]{64})\b")


def find_pip() -> list[str] | None:
    """Return the words that start pip: the named one, the machine's, or that of this Python."""
    named = os.environ.get(VARIABLE)
    # -I: -m alone would run a pip.py of the current folder, which may be a stranger's.
    module = ["-I", "-m", "pip"]
    everywhere = [["python3", *module], ["pip"], [sys.executable, *module]]
    for candidate in [[named]] if named else everywhere:
        try:
            done = run([*candidate, "--version"], environment=NEUTRAL, inherit=PIP)
        except (MissingProgramError, OSError):
            continue
        if done.status == 0:
            return candidate
    return None


def list_files_of_pip() -> list[str]:
    """Return the files in which pip looks for its settings, there or not."""
    debug = [*(find_pip() or ["false"]), "config", "debug"]
    said = run(debug, environment=NEUTRAL, inherit=PIP).stdout
    return re.findall(r"^ +(/.+), exists: \w+$", said, re.MULTILINE)


def pip_options(files: Iterable[str]) -> list[str]:
    """Return the options for an interpreter and a machine that take these wheels."""
    tags = {tag for file in files for tag in parse_wheel_filename(file)[3]}
    newest = max((tag.interpreter for tag in tags), key=lambda name: (len(name), name))
    options = []
    if named := re.fullmatch(r"([a-z]{2})(\d)(\d*)", newest):
        implementation, major, minor = named.groups()
        options += ["--implementation", implementation]
        options += ["--python-version", f"{major}.{minor}" if minor else major]
    pairs = {("--abi", tag.abi) for tag in tags} | {("--platform", tag.platform) for tag in tags}
    return [*options, *chain.from_iterable(sorted(pairs))]


def fetch_wheels(wheels: Sequence[Source], folder: Path, show: Show) -> Outcomes:
    """Save wheels in a folder; `show` gets each line of pip's output."""
    pip = find_pip()
    if pip is None:
        named = show_name(os.environ.get(VARIABLE, ""))
        refusal = f'{VARIABLE} is "{named}", which does not run: name the program alone'
        yield dict.fromkeys(wheels, Unasked(refusal if named else NO_PIP))
        return

    def download(some: Sequence[Source], *options: str) -> str:
        requirements = folder / "requirements.txt"
        # Coordinates have been checked: none of them holds a line break or an option.
        lines = [f"{each.project}=={each.version} --hash=sha256:{each.sha256}\n" for each in some]
        requirements.write_text("".join(lines))
        argv = [*pip, *DOWNLOAD, *options, *pip_options(each.file for each in some)]
        argv += ["--dest", str(folder), "--requirement", str(requirements)]
        # Temporary files need as much room as what is saved, so they are in the same place.
        done = listen(argv, show, environment={**NEUTRAL, "TMPDIR": str(folder)}, inherit=PIP)
        if done.status != 0:
            # On a full disk, pip leaves half a file.
            for each in some:
                (folder / each.file).unlink(missing_ok=True)
        return done.stdout

    # No project twice: pip takes one version of it in a call. Indexes may lack what has an address.
    some = {canonicalize_name(wheel.project): wheel for wheel in wheels if not wheel.url}
    output = download(list(some.values())) + "\n" if len(some) > 1 else ""
    files = {wheel: folder / wheel.file for wheel in wheels}
    yield (arrived := {wheel: file for wheel, file in files.items() if file.is_file()})
    for wheel in [wheel for wheel in wheels if wheel not in arrived]:
        alone = download([wheel], *(("--retries", "0") if output else ()))
        reason = f"pip does not get {wheel.label}{quote_complaints('pip', output + alone)}"
        if other := _OTHER_HASH.search(alone):
            reason = f"pip got another file, with sha256 {other[1]}"
        yield {wheel: files[wheel] if files[wheel].is_file() else reason}

"""All calls of Nix, one function for each operation; no other module starts it.

Only what works the same from Nix 2.8 to today is used: `nix-store --realise` for building, since
`nix build` changed what it makes of a `.drv` path, and `nix eval --json` for data.
"""

import hashlib
import json
import os
import re
import signal
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple
from urllib.parse import unquote

from kernel_builder.machine.environment import CACHE, GIT, configuration_variables
from kernel_builder.machine.git import neutral_variables
from kernel_builder.machine.process import Finished, OnIdle, OnLine, run, stream
from kernel_builder.messages.errors import KernelBuilderError, Problem
from kernel_builder.messages.terminal import say
from kernel_builder.nix.advisories import Release, read_release
from kernel_builder.nix.errors import COLOUR, make_nix_error, read_message
from kernel_builder.nix.log import NixLog
from kernel_builder.settings import current_settings

FEATURES: Final = ("--extra-experimental-features", "nix-command flakes")
# From here on, Nix sees what is not committed behind an address with escapes in it.
READS_ESCAPES: Final = (2, 20)
# Far below the length that systems allow for a command line.
PATHS_A_CALL: Final = 2000

# In seconds. By itself Nix would wait for a silent host for minutes, five times.
TIMEOUTS: Final = {"connect_timeout": 10, "stalled_download_timeout": 60, "download_attempts": 3}
# A derivation as data.
OUTLINE: Final = "d: { drv = d.drvPath; out = d.outPath; }"

# Nix waits for its database by itself. It locks the inputs of a new kernel, in its flake.lock or
# for this evaluation; an input that is locked anew is news.
_NO_NEWS = re.compile(
    r"(?m)^warning: .*(?:database .* busy"
    r"|(?:creating|not writing modified) lock file.*(?:\n• Added input.*(?:\n {4}.*)*)*(?!\n[• ]))$"
)
# Of Nix's numbers to the base of 32.
_DIGITS: Final = "0123456789abcdfghijklmnpqrsvwxyz"
# The folder that a reference to a flake names.
_FOLDER = re.compile(r"(?:path:|git\+file:(?://)?)?([^#?]*)")


def _options(*pairs: tuple[str, str], **values: object) -> list[str]:
    """Return settings of Nix as words of a command line."""
    pairs += tuple((name.replace("_", "-"), str(value)) for name, value in values.items())
    return [word for pair in pairs for word in ("--option", *pair)]


# A build during an evaluation would have the variables that the evaluation needs for git. Builds
# state by themselves what was not committed. Nix's cache saves no time here, and waits while
# another evaluation of the same flake writes it.
EVALUATION: Final = _options(
    allow_import_from_derivation="false", eval_cache="false", warn_dirty="false"
)


@cache
def release() -> Release:
    """Return the release of Nix that this machine has."""
    done = run(["nix", "--version"])
    if done.status != 0:
        raise make_nix_error(read_message(done.stderr), done.status)
    return read_release(done.stdout)


def _call(argv: Sequence[str], **options: Any) -> Finished:
    """Run Nix to its end; raise NixError if it fails. Options are those of `process.run`."""
    settings = current_settings()
    variables = {**configuration_variables(), **options.pop("environment", {})}
    done = run([*argv, *_options(*settings.nix_options)], environment=variables, **options)
    if done.status != 0:
        raise make_nix_error(read_message(done.stderr, settings.show_trace), done.status)
    return done


def _evaluate(words: Sequence[str], references: Sequence[str], cwd: Path | None) -> Finished:
    """Run a command of Nix that evaluates `references`.

    It looks at the folders of flakes, and fetches their inputs, with git.
    """
    place = cwd or Path.cwd()
    folders = [place / unquote(found[1]) for found in map(_FOLDER.match, references) if found]
    offline = ["--offline"] if current_settings().offline else []
    return _call(
        ["nix", *FEATURES, *words, *EVALUATION, *offline, *references],
        cwd=cwd,
        environment=neutral_variables(place, *filter(os.path.isdir, folders)),
        inherit=GIT,
        # Nix heeds no signal in the middle of an expression, which may take any time.
        orphaned=signal.SIGKILL,
    )


def _stream(
    argv: Sequence[str],
    on_line: OnLine,
    on_idle: OnIdle = lambda: None,
    last: Sequence[str] = (),
    inherit: Sequence[str] = (),
) -> int:
    """Run Nix, pass the lines of its JSON log on, and return its status."""
    options = [*_options(*current_settings().nix_options), *last]
    argv = [*argv, *options, "--log-format", "internal-json", "-v"]
    return stream(argv, on_line, on_idle, environment=configuration_variables(), inherit=inherit)


def evaluate(reference: Sequence[str], apply: str | None = None, cwd: Path | None = None) -> Any:
    """Return the value of an attribute; `reference` comes from `kernel.folder.Kernel`."""
    trace = ["--show-trace"] if current_settings().show_trace else []
    words = ["eval", "--json", *trace, *(["--apply", apply] if apply else [])]
    done = _evaluate(words, reference, cwd)
    # Warnings, and traces of the kernel's own.
    if notices := _NO_NEWS.sub("", COLOUR.sub("", done.stderr)).strip():
        say(notices)
    return json.loads(done.stdout)


def lock_inputs(
    flake: str, cwd: Path | None, name: str | None = None, reference: str | None = None
) -> None:
    """Lock the inputs of a flake that are not locked.

    The named one is locked anew: to a reference, or to the newest commit of its address.
    """
    moved = ["--override-input", name, reference] if reference else ["--update-input", name]
    _evaluate(["flake", "lock", *(filter(None, moved) if name else ())], [flake], cwd)


def _restrict() -> list[str]:
    """Return the settings of whatever may build: `--offline`, and a sandbox for root.

    Nix would build without one for root if it cannot make one. A daemon uses its own settings.
    """
    caches = _options(substitute="false") if current_settings().offline else []
    return caches + (_options(sandbox_fallback="false") if os.geteuid() == 0 else [])


def has_sandbox() -> bool:
    """Return whether Nix builds every step in its sandbox, and none without it.

    `sandbox = relaxed` is not that.
    """
    settings = _read_settings()
    # Some releases of Nix print the sandbox as a text.
    found = [str(settings[name]).lower() for name in ("sandbox", "sandbox-fallback")]
    return found == ["true", "false"]


def has_caches() -> bool:
    """Return whether there may be a binary cache to ask; a daemon may know some of its own."""
    return os.geteuid() != 0 or bool(_read_settings()["substituters"])


def _read_settings() -> dict[str, Any]:
    words = ["config", "show"] if release().number >= (2, 20) else ["show-config"]
    output = _call(["nix", *FEATURES, *words, "--json", *_restrict()]).stdout
    return {name: each["value"] for name, each in json.loads(output).items()}


def hash_folder(folder: Path, form: str = "--sri") -> str:
    """Return the hash of a folder, as locks state it or in another form."""
    argv = ["nix", *FEATURES, "hash", "path", "--type", "sha256", form, str(folder)]
    return _call(argv).stdout.strip()


class Tree(NamedTuple):
    """Files in the store: their path, their hash as locks state it, their commit if it is known."""

    path: str
    digest: str
    commit: str


def read_flake(reference: str, cwd: Path | None) -> Tree:
    """Fetch a flake that the user trusts."""
    words = ["flake", "metadata", "--json", "--no-write-lock-file"]
    found = json.loads(_evaluate(words, [reference], cwd).stdout)
    return Tree(found["path"], hash_folder(found["path"]), found["locked"].get("rev", ""))


def show_derivations(installables: Sequence[str], *, recursive: bool = False) -> Any:
    """Return derivations, or all that lead to them, as this Nix prints them."""
    words = ["derivation", "show"] if release().number >= (2, 15) else ["show-derivation"]
    words += ["--recursive"] if recursive else []
    # Looking at derivations is no reason to write into the folder of a flake.
    return json.loads(_evaluate([*words, "--no-write-lock-file"], installables, None).stdout)


def _call_with(argv: Sequence[str], paths: Sequence[str]) -> Iterator[str]:
    """Run Nix on as many paths at once as a command line can hold; yield each output."""
    for start in range(0, len(paths), PATHS_A_CALL):
        yield _call([*argv, *paths[start : start + PATHS_A_CALL]]).stdout


def find_invalid(paths: Iterable[str]) -> set[str]:
    """Return those paths that are not in the store."""
    words = ("nix-store", "--check-validity", "--print-invalid")
    return {path for output in _call_with(words, list(paths)) for path in output.split()}


def find_derivers(paths: Sequence[str]) -> dict[str, str]:
    """Return the derivation that built each of these valid paths; none is `unknown-deriver`."""
    output = "".join(_call_with(["nix-store", "--query", "--deriver"], paths))
    return dict(zip(paths, output.split()))


def add_files(files: Sequence[Path]) -> str:
    """Put files, or one folder, into the store under their names; return their paths as lines."""
    mode = ["--recursive"] if any(map(Path.is_dir, files)) else []
    return _call(["nix-store", "--add-fixed", *mode, "sha256", *map(str, files)]).stdout.strip()


def fetch_tree(url: str, name: str, sha256: str) -> None:
    """Unpack an archive and add its tree to the store; raise NixError if it has another hash."""
    argv = ["nix-prefetch-url", "--unpack", "--name", name, "--type", "sha256", url, sha256]
    _call([*argv, *_options(**TIMEOUTS)])


def realise(
    derivations: Sequence[str], on_line: OnLine, on_idle: OnIdle = lambda: None, **settings: object
) -> int:
    """Build derivations with settings of Nix, such as `max_jobs`, going on after failures.

    Lines are Nix's internal JSON log. `on_idle` is that of `machine.process.stream`.
    """
    argv = ["nix-store", "--realise", *derivations, "--keep-going", *_options(**settings)]
    return _stream([*argv, *_restrict()], on_line, on_idle)


def find_unbuilt(derivations: Sequence[str], **settings: object) -> set[str]:
    """Return the derivations that Nix would build; all else is in the store or in a cache."""
    words = ["nix-store", "--realise", "--dry-run", *derivations, *_options(**settings)]
    return set(re.findall(r"^ +(\S+\.drv)$", _call([*words, *_restrict()]).stderr, re.MULTILINE))


def substitute(derivations: Sequence[str], on_line: OnLine) -> None:
    """Fetch what binary caches have of derivations, or else of their inputs.

    Nix fails where a cache does not have all of them, so its status says nothing.
    """
    argv = ["nix-store", "--realise", *derivations, "--keep-going", "--fallback"]
    # Nothing is built here, so no build can read the logins.
    _stream(argv, on_line, last=_options(max_jobs=0, builders=""), inherit=CACHE)


def list_requisites(paths: Sequence[str]) -> list[str]:
    """Return the closure of paths."""
    return _call(["nix-store", "--query", "--requisites", *paths]).stdout.split()


def copy_to(url: str, paths: Sequence[str]) -> int:
    """Send the closure of paths to another store; return how many of it that store lacked.

    A store that trusts this user takes what is not signed. Raises KernelBuilderError.
    """
    log = NixLog()
    # A cache may have dropped what Nix remembers of it.
    fresh = _options(narinfo_cache_positive_ttl=0, narinfo_cache_negative_ttl=0)
    argv = ["nix", *FEATURES, "copy", "--no-check-sigs", "--to", url, *paths]
    inherit = CACHE if url.startswith("s3://") else ()
    if _stream([*argv, *fresh], log.read, inherit=inherit) != 0:
        found = read_message("\n".join(log.errors)) or "a failure without a message"
        want = "a store that can be reached and takes files from you"
        fix = "correct the address or the rights, and run it again (docs/operations/machines.md)"
        raise KernelBuilderError("not everything could be sent", [Problem(url, found, want, fix)])
    return len(log.copied)


def is_linked(path: str, link: Path) -> bool:
    """Return whether `link` points to a path and keeps it: `link_result` has made it.

    False if that is not certain, as with a store elsewhere.
    """
    # Nix names its link to a link by the hash of that one's path.
    number = int.from_bytes(hashlib.sha1(os.fsencode(link)).digest(), "little")
    name = "".join(_DIGITS[number >> shift & 31] for shift in range(155, -1, -5))
    root = f"/nix/var/nix/gcroots/auto/{name}"
    return os.path.realpath(root) == path and "NIX_REMOTE" not in os.environ


def link_result(derivation: str, link: Path) -> None:
    """Build a derivation if need be, and let `link` point to it and keep it."""
    root = ("--add-root", str(link), "--indirect")
    _call(["nix-store", "--realise", derivation, *root, *_restrict()])

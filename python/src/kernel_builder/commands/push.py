"""`push`: what a kernel was built with, to a binary cache or another store."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import click

from kernel_builder import nix
from kernel_builder.commands import options
from kernel_builder.commands.build import build_for
from kernel_builder.kernel.folder import Kernel
from kernel_builder.messages.errors import KernelBuilderError, Problem, render
from kernel_builder.messages.progress import Progress
from kernel_builder.messages.secrets import redact
from kernel_builder.messages.terminal import complain, print_json, say
from kernel_builder.nix.errors import NixError, read_message
from kernel_builder.nix.log import NixLog
from kernel_builder.variants.build import Report
from kernel_builder.variants.contents import KINDS, Contents, find_contents, keep, kind_of
from kernel_builder.variants.request import Choice, Limits


@click.command(short_help="Build, and send all of it to a binary cache.")
@click.argument("url")
@options.kernel_folder
@options.choice
@click.option("--no-build", "is_built", is_flag=True, help="Send what is there; build nothing.")
@options.as_json
@options.how_to_build
def push(
    url: str, folder: Path, choice: Choice, limits: Limits, is_built: bool, as_json: bool
) -> int:
    """Build the kernel in DIR (default: this folder) and send what it was built with to URL.

    URL is what `nix copy --to` takes: file:///srv/cache, s3://bucket, https://cache.example,
    ssh-ng://host. Other machines then fetch objects, headers, tools and the bundle from there, and
    compile what has changed. What URL has already (a hit) is not sent. A build that fails is pushed
    as far as it went. A push that was broken off can simply be run again.
    """
    kernel = Kernel(folder, choice.targets, choice.system)
    report = build_for(kernel, choice, replace(limits, dry_run=is_built))
    contents = find_contents(report)
    if is_built and limits.keep:
        keep(contents, limits.keep)
    sent = _send(url, contents)
    kinds = _count(report, contents, sent)
    if as_json:
        said = {"url": redact(url), "contents": contents.path, "kinds": kinds}
        print_json({**report.as_data(), **said})
    else:
        click.echo(f"{'kind':<10}{'hits':>6}{'misses':>8}{'absent':>8}")
        for kind, row in kinds.items():
            click.echo(f"{kind:<10}{row['hits']:>6}{row['misses']:>8}{row['absent']:>8}")
    if contents.absent:
        say("absent is what this machine has not built, and fetched only as a part of the whole")
    _warn_unsigned(url, contents, sent)
    return 1 if report.errors else 0


def _send(url: str, contents: Contents) -> set[str]:
    """Send what is not there yet; return what that was."""
    log, progress = NixLog(), Progress()

    def read(line: str) -> bool:
        log.read(line)
        progress.show(f"sending to {redact(url)}: {len(log.copied)} paths")
        return True

    try:
        status = nix.copy_to(url, contents.path, read)
    finally:
        progress.close()
    if status != 0:
        said = read_message("\n".join(log.errors)) or "Nix does not say what"
        raise _refused("not everything could be sent", url, said)
    return log.copied


def _refused(headline: str, url: str, said: str) -> KernelBuilderError:
    problem = Problem(
        at=url,
        found=said,
        want="a cache that can be reached and takes files from you",
        fix="correct the address or the rights, then run it again: what has arrived stays "
        "there (docs/machines.md)",
    )
    return KernelBuilderError(headline, [problem])


def _count(report: Report, contents: Contents, sent: set[str]) -> dict[str, dict[str, int]]:
    """Return for each kind how many paths were there, were sent, or are not on this machine."""
    states = {path: "misses" if path in sent else "hits" for path in contents.closure}
    states.update(dict.fromkeys(contents.absent, "absent"))
    name = report.manifest["name"]
    variants = [variant["name"] for variant in report.manifest["variants"]]
    counts = Counter((kind_of(path, name, variants), state) for path, state in states.items())
    rows = {
        kind: {state: counts[kind, state] for state in ("hits", "misses", "absent")}
        for kind in KINDS
    }
    return {kind: row for kind, row in rows.items() if any(row.values())}


def _warn_unsigned(url: str, contents: Contents, sent: set[str]) -> None:
    """Warn if what was sent has no signature; a text is not in need of one."""
    built = sorted(sent - {contents.path})
    if not built or url.startswith("ssh"):
        return
    try:
        if nix.is_signed(url, built[0]):
            return
    except NixError as error:
        raise _refused("what was sent cannot be read back", url, error.headline) from None
    problem = Problem(
        at=url,
        found=f"no signature of {built[0]}",
        want="signed paths: other machines take no others, unless they are told to",
        fix="nix store sign --recursive --key-file KEY --store URL "
        f"{contents.path}, and from now on push to an address with ?secret-key=KEY",
    )
    complain("warning", render("what was sent is not signed", [problem]))

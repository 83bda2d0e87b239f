"""Uploads a bundle: variants to the branch of their version, the card to main.

The differences to a branch are sent as one commit on top of the commit that they were computed for.
If another upload was faster, or an answer was lost, all is compared again. So an upload can be run
again at any time, and undoes nothing of others.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from huggingface_hub import CommitOperationAdd, CommitOperationDelete, HfApi
from huggingface_hub.errors import RepositoryNotFoundError

from kernel_builder.hub import UploadOptions, to_data
from kernel_builder.hub.bundle import BuiltVariant, Bundle
from kernel_builder.hub.client import KERNEL, connect, find_commit, is_same, list_remote, retry
from kernel_builder.hub.version_guard import UNREADABLE, ApiChange, compare_packages, read_package
from kernel_builder.machine.files import read_file
from kernel_builder.messages.errors import KernelBuilderError, Problem
from kernel_builder.messages.secrets import redact
from kernel_builder.messages.terminal import complain, say
from kernel_builder.variants.result import METADATA, is_signature, list_beside
from kernel_builder.variants.sandbox import UNKNOWN, describe_states

MAIN: Final = "main"
README: Final = "README.md"
_METADATA: Final = re.compile(rf"build/([\w.+-]+)/{re.escape(METADATA)}")
_VERSION: Final = re.compile(r"v([1-9][0-9]*)")
# Files by path on the Hub, and the folders (ending in `/`) and files in which no other remains.
Part = tuple[Mapping[str, Path], tuple[str, ...]]


@dataclass
class BranchReport:
    """The changes of an upload on one branch, made or planned. `commit` is the branch's commit."""

    branch: str
    add: list[str] = field(default_factory=list)
    remove: list[str] = field(default_factory=list)
    commit: str = ""
    pull_request: str = ""
    api_changes: list[ApiChange] = field(default_factory=list)


@dataclass(frozen=True)
class UploadReport:
    """The result of an upload. `sandbox` maps variants to `on`, `off` or `unknown`."""

    repository: str
    url: str
    dry_run: bool
    sandbox: Mapping[str, str]
    branches: list[BranchReport]

    def as_data(self) -> dict[str, Any]:
        """Return the report as JSON data."""
        return {**to_data(self), "variants": list(self.sandbox)}

    def as_text(self) -> str:
        """Return the report for people."""
        lines = []
        for each in self.branches:
            place = f" in {each.pull_request}" if each.pull_request else ""
            done = f"{len(each.add)} files to add, {len(each.remove)} to remove{place}"
            done = done if each.add or each.remove else "everything is there already"
            lines.append(f"{each.branch}: {done}")
            if self.dry_run:
                lines += [f"  add     {path}" for path in each.add]
                lines += [f"  remove  {path}" for path in each.remove]
        return "\n".join([*lines, f"{'it would be at ' if self.dry_run else ''}{self.url}"])


def upload_bundle(bundle: Bundle, options: UploadOptions) -> UploadReport:
    """Upload a bundle that was checked; with `dry_run` only report the differences.

    Raises KernelBuilderError if the Hub refuses it, or if it would break a published version.
    """
    hub = connect(may_write=not options.dry_run)
    states = {name: each.state for name, each in bundle.sandbox.items()}
    if UNKNOWN in states.values():
        complain("warning", "it is not known whether this was built in Nix's sandbox")
    if not all(variant.metadata.get("source") for variant in bundle.variants):
        said = "no `source` in build.toml: `verify` will not find the kernel's commit"
        complain("warning", f'{said}; state source = "https://…", its repository, in [general]')
    branches = _list_branches(bundle, options)
    reports = {name: BranchReport(name) for name in branches}

    def bring_all() -> None:
        exists = _prepare(hub, options)
        for name, parts in branches.items():
            _update_branch(hub, bundle, options, parts, reports[name], exists=exists)

    retry(bring_all, options.repo_id, "upload to")
    url = redact(f"{hub.endpoint}/kernels/{options.repo_id}")
    return UploadReport(options.repo_id, url, options.dry_run, states, list(reports.values()))


def list_parts(bundle: Bundle) -> list[Part]:
    """Return what is published on the branch of a version."""
    parts: list[Part] = [
        (bundle.list_variant(each), (f"build/{each.name}/", *list_beside(each.name)))
        for each in bundle.variants
    ]
    benchmarks = dict(bundle.list_benchmarks())
    return [*parts, (benchmarks, ("benchmarks/",))] if benchmarks else parts


def find_differences(
    parts: Sequence[Part], remote: Mapping[str, Any]
) -> tuple[dict[str, Path], list[str]]:
    """Return the files to add, and the paths to remove, so that a branch has these parts.

    A part that is there, and signed, keeps signatures that this copy lacks.
    """
    add: dict[str, Path] = {}
    remove: list[str] = []
    for files, owned in parts:
        changed = {path: f for path, f in files.items() if not is_same(f, remote.get(path))}
        folders = tuple(each for each in owned if each.endswith("/"))
        stale = [
            path
            for path in sorted(remote.keys() - files.keys())
            if path in owned or (folders and path.startswith(folders))
        ]
        if changed or not all(map(is_signature, stale)):
            add |= changed
            remove += stale
    return add, remove


def _list_branches(bundle: Bundle, options: UploadOptions) -> dict[str, list[Part]]:
    """Return the parts by branch, builds first: the card never promises too much."""
    branches = {options.branch: list_parts(bundle)}
    if bundle.card is None:
        complain("warning", f"there is no CARD.md, so {README} stays as it is")
        return branches
    if options.repo_id not in read_file(bundle.card).decode(errors="replace"):
        complain("warning", f"the card does not name {options.repo_id}; see hub.repo-id")
    branches.setdefault(MAIN, []).append(({README: bundle.card}, (README,)))
    return branches


def _prepare(hub: HfApi, options: UploadOptions) -> bool:
    """Create repository and branch if they are missing; return whether the repository exists."""
    repo_id, private = options.repo_id, None
    try:
        private = bool(hub.kernel_info(repo_id).private)
    except RepositoryNotFoundError:
        if options.dry_run:
            return False
        hub.create_repo(repo_id, repo_type=KERNEL, private=options.private or None, exist_ok=True)
    if options.private and private is False:
        want = "a private one, since --private is given"
        fix = "make it private in its settings, or leave --private out"
        problem = Problem(repo_id, "a public repository", want, fix)
        raise KernelBuilderError(f"{repo_id} is public, but --private is given", [problem])
    missing = find_commit(hub, repo_id, options.branch) is None
    if missing and options.create_pr:
        fix = "let someone who may write there upload first, or make the branch"
        problem = Problem(f"{repo_id}, branch {options.branch}", "none", "a branch", fix)
        raise KernelBuilderError(f"{repo_id} has no branch {options.branch}", [problem])
    if missing and not options.dry_run:
        # At the first commit, a branch has no files of other versions.
        first = hub.list_repo_commits(repo_id, repo_type=KERNEL, revision=MAIN)[-1].commit_id
        branch = options.branch
        hub.create_branch(repo_id, branch=branch, revision=first, repo_type=KERNEL, exist_ok=True)
    return True


def _update_branch(
    hub: HfApi,
    bundle: Bundle,
    options: UploadOptions,
    parts: Sequence[Part],
    report: BranchReport,
    *,
    exists: bool,
) -> None:
    """Commit the differences to a branch, or make a pull request of them."""
    commit = find_commit(hub, options.repo_id, report.branch) if exists else None
    remote = list_remote(hub, options.repo_id, commit) if commit else {}
    add, remove = find_differences(parts, remote)
    report.commit = commit or ""
    if not (add or remove) or report.pull_request:
        return
    report.add, report.remove = report.add or list(add), report.remove or remove
    is_build = report.branch == options.branch
    if is_build:
        _guard(hub, bundle, options.repo_id, remote, report)
    if commit is None or options.dry_run:
        return
    say(f"{report.branch}: {len(add)} files, {len(remove)} to remove")
    names = [variant.name for variant in bundle.variants]
    listed = ", ".join(names) if len(names) < 4 else f"{len(names)} variants"
    title = f"{bundle.read_one('name')} {options.branch}: {listed if is_build else README}"
    states = {name: each.state for name, each in bundle.sandbox.items()}
    done = hub.create_commit(
        options.repo_id,
        [
            *(CommitOperationAdd(path, file) for path, file in add.items()),
            *(CommitOperationDelete(path, is_folder=False) for path in remove),
        ],
        commit_message=title,
        commit_description=describe_states(states) if is_build else "",
        repo_type=KERNEL,
        revision=report.branch,
        parent_commit=commit,
        create_pr=options.create_pr,
    )
    report.commit, report.pull_request = done.oid, redact(done.pr_url or "")


def _guard(
    hub: HfApi, bundle: Bundle, repo_id: str, remote: Mapping[str, Any], report: BranchReport
) -> None:
    """Compare with the published variant whose name is closest. Raise if its users would break."""
    published = sorted({found[1] for path in remote if (found := _METADATA.fullmatch(path))})
    if not published:
        return
    pairs = product(bundle.variants, published)
    new, old = max(pairs, key=lambda pair: SequenceMatcher(None, pair[0].name, pair[1]).ratio())
    at = f"build/{old}"
    with TemporaryDirectory(prefix="kernel-builder-") as folder:
        hub.snapshot_download(
            repo_id,
            repo_type=KERNEL,
            revision=report.commit,
            local_dir=folder,
            allow_patterns=[f"{at}/*.py", f"{at}/{METADATA}"],
        )
        try:
            package = read_package(BuiltVariant(old, Path(folder, at)))
        except (*UNREADABLE, KernelBuilderError) as error:
            complain("warning", f"{report.branch} is not compared with this build: {at}: {error}")
            return
        changes = compare_packages(package, new)
    # Compared again after an interruption, the Hub may have this very build.
    if not report.api_changes:
        report.api_changes = changes
        listed = "\n".join(map(str, changes)) or "  no public name is different"
        say(f"{report.branch}, compared with {at}:\n{listed}")
    version = _VERSION.fullmatch(report.branch)
    if version and (broken := [f"{each.name}: {each.change}" for each in changes if each.breaking]):
        fix = (
            f"state version = {int(version[1]) + 1} in [general] of build.toml and build again "
            "(it goes to a branch of its own), or put back what is missing"
        )
        place, want = f"{repo_id}, branch {report.branch}, {at}", "the names that it has"
        headline = f"this would break code that uses version {version[1]} of {repo_id}"
        raise KernelBuilderError(headline, [Problem(place, "\n".join(broken), want, fix)])
    others = sorted({*published} - {each.name for each in bundle.variants})
    if changes and others:
        complain("warning", f"{report.branch} keeps other builds of: {', '.join(others)}")

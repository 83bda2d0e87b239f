"""Uploads a bundle: variants to the branch of their version, the card to main.

The differences to a branch are sent as one commit on top of the commit that they were computed for.
If another upload was faster, or an answer was lost, all is compared again. So an upload can be run
again at any time, and undoes nothing of others.
"""

import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from functools import partial
from os import PathLike
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from huggingface_hub import CommitOperationAdd, CommitOperationDelete

from kernel_builder.extras import load_guard
from kernel_builder.hub import UploadOptions, client
from kernel_builder.hub.bundle import Bundle
from kernel_builder.hub.client import KERNEL, connect, is_same, list_remote, open_repository, retry
from kernel_builder.hub.target import check_upload
from kernel_builder.kernel.folder import Kernel
from kernel_builder.messages.errors import KernelBuilderError, Problem, UsageError
from kernel_builder.messages.names import show
from kernel_builder.messages.secrets import redact
from kernel_builder.messages.terminal import complain, say
from kernel_builder.settings import current_settings
from kernel_builder.variants.result import METADATA, is_signature, list_records, read_metadata
from kernel_builder.variants.sandbox import UNKNOWN, describe_states

MAIN: Final = "main"
README: Final = "README.md"
_METADATA: Final = re.compile(rf"build/([\w.+-]+)/{re.escape(METADATA)}")
# Files by path on the Hub, and beginnings of the paths under which no other files remain.
Part = tuple[Mapping[str, Path], tuple[str, ...]]


def upload(folder: str | PathLike[str], options: UploadOptions | None = None) -> dict[str, Any]:
    """Upload built variants to the Hub: to the branch of their version, and the card to main.

    Running it again changes only what differs. It needs a token (`hf auth login`, or HF_TOKEN).

    Args:
        folder: A kernel with variants in build/ or result, or with `repo_id` any folder of some.
        options: The options of the upload; None takes all from build.toml.

    Returns:
        The result of `upload --json`: files added and removed by branch, and changes of the API.

    Raises:
        KernelBuilderError: The variants are not as they were built, incomplete or untraceable; the
            Hub refuses them; or public names of the published version would be gone.
    """
    place, options = Path(folder), options or UploadOptions()
    # The matrix of a kernel says which variants are retired.
    is_alone = options.repo_id and not (options.prune or (place / "build.toml").is_file())
    return upload_variants(None if is_alone else Kernel(place), place, options)


def upload_variants(kernel: Kernel | None, folder: Path, options: UploadOptions) -> dict[str, Any]:
    """Check the variants in a folder and upload them.

    Without a kernel, only the statements of the variants count.
    """
    if current_settings().offline and not options.dry_run:
        problem = Problem("--offline", "an upload", "a network", "add --dry-run, or leave it out")
        raise UsageError("nothing can be uploaded offline", [problem])
    bundle, options = check_upload(kernel, folder, options)
    given = kernel.evaluate("variants") if kernel and options.prune else ()
    upload = _Upload(bundle, options, given)
    if UNKNOWN in upload.states.values():
        complain("warning", "it is not known whether this was built in Nix's sandbox")
    if not all(variant.metadata.get("source") for variant in bundle.variants):
        complain("warning", "no `source` in build.toml: `verify` will not find the kernel's commit")
    if not all((each.folder / "licenses").is_dir() for each in bundle.variants):
        complain("warning", "no text of a licence is published: add the file LICENSE to the kernel")
    retry(upload.update_all, options.repo_id, "upload to")
    return {
        "repository": options.repo_id,
        "url": upload.url,
        "dry-run": options.dry_run,
        "variants": list(upload.states),
        "sandbox": upload.states,
        "branches": list(upload.reports.values()),
    }


def list_parts(bundle: Bundle, branch: str) -> dict[str, list[Part]]:
    """Return the parts that each branch gets; `branch` is the one of the builds."""
    parts: list[Part] = [
        (bundle.list_variant(each), (f"build/{each.name}/", *list_records(each.name)))
        for each in bundle.variants
    ]
    if benchmarks := dict(bundle.list_benchmarks()):
        parts.append((benchmarks, ("benchmarks/",)))
    branches = {branch: parts}
    if bundle.card:
        # After the builds: the card never promises too much.
        branches.setdefault(MAIN, []).append(({README: bundle.card}, ()))
    return branches


def find_differences(
    parts: list[Part], remote: Mapping[str, Any]
) -> tuple[dict[str, Path], list[str]]:
    """Return the files to add, and the paths to remove, so that a branch has these parts.

    A part that is there, and signed, keeps signatures that this copy lacks.
    """
    add: dict[str, Path] = {}
    remove: list[str] = []
    for files, owned in parts:
        changed = {path: f for path, f in files.items() if not is_same(f, remote.get(path))}
        stale = [each for each in sorted(remote.keys() - files.keys()) if each.startswith(owned)]
        if changed or not all(map(is_signature, stale)):
            add |= changed
            remove += stale
    return add, remove


class _Upload:
    """An upload of a checked bundle. `states` says by variant whether a sandbox was used.

    `given` are the variants that the kernel's matrix gives; with --prune, others are removed.
    """

    def __init__(self, bundle: Bundle, options: UploadOptions, given: Iterable[str]) -> None:
        self.hub, self.bundle, self.options = connect(), bundle, options
        self.place: dict[str, Any] = {"repo_id": options.repo_id, "repo_type": options.repo_type}
        kind = f"{KERNEL}s/" if options.repo_type == KERNEL else ""
        # The address of the repository's page.
        self.url = redact(f"{self.hub.endpoint}/{kind}{options.repo_id}")
        self.states = {name: each.state for name, each in bundle.sandbox.items()}
        self.kept = {*given, *self.states}
        self.parts = list_parts(bundle, options.branch)
        empty: dict[str, Any] = {"commit": "", "pull-request": "", "api-changes": []}
        empty |= {"add": [], "remove": [], "retired": []}
        self.reports = {name: {"branch": name, **empty} for name in self.parts}
        # The pull requests that were there, at each try.
        self.pulls: list[set[str]] = []

    def update_all(self) -> None:
        """Update every branch that differs; offline, as if the Hub had none."""
        heads = {} if current_settings().offline else self.prepare()
        for branch, parts in self.parts.items():
            self.update(branch, heads.get(branch, ""), parts)

    def prepare(self) -> dict[str, str]:
        """Create repository and branch if they are missing; return the commit of each branch."""
        private, dry_run = self.options.private, self.options.dry_run
        if open_repository(self.hub, **self.place, private=private, dry_run=dry_run) is None:
            return {}
        create_pr, branch = self.options.create_pr, self.options.branch
        refs = self.hub.list_repo_refs(**self.place, include_pull_requests=create_pr)
        heads = {each.name: each.target_commit for each in refs.branches}
        self.pulls.append({each.ref for each in refs.pull_requests or ()})
        if branch not in heads and not dry_run:
            # At the first commit, a branch has no files of other versions.
            first = self.hub.list_repo_commits(**self.place, revision=MAIN)[-1].commit_id
            self.hub.create_branch(**self.place, branch=branch, revision=first, exist_ok=True)
            heads[branch] = first
        return heads

    def update(self, branch: str, commit: str, parts: list[Part]) -> None:
        """Commit the differences to a branch at a commit, or make a pull request of them."""
        report, is_build = self.reports[branch], branch == self.options.branch
        if report["pull-request"]:
            return
        remote = list_remote(self.hub, commit=commit, **self.place) if commit else {}
        published = [each[1] for path in remote if (each := _METADATA.fullmatch(path))]
        if is_build and self.options.prune:
            parts = [*parts, *self.list_retired(published, report)]
        add, remove = find_differences(parts, remote)
        # Compared again after an interruption, the Hub may have these files.
        report["add"], report["remove"] = report["add"] or list(add), report["remove"] or remove
        report["commit"] = commit
        if not (add or remove):
            return
        if is_build:
            self.guard(published, report, remote)
        if self.options.dry_run:
            return
        names = ", ".join(self.states) if is_build else README
        title = f"{self.bundle.read_one('name')} {self.options.branch}: {names}"
        if found := self.find_pull(title):
            report["commit"], report["pull-request"] = found
            return
        say(f"{branch}: {len(add)} files, {len(remove)} to remove")
        operations: list[Any] = [CommitOperationAdd(path, file) for path, file in add.items()]
        operations += [CommitOperationDelete(path, is_folder=False) for path in remove]
        told = describe_states(self.states) if is_build else ""
        words = {**self.place, "commit_message": title, "commit_description": told}
        words |= {"revision": branch, "parent_commit": commit, "create_pr": self.options.create_pr}
        done = self.hub.create_commit(operations=operations, **words)
        report["commit"], report["pull-request"] = done.oid, redact(done.pr_url or "")

    def list_retired(self, published: list[str], report: dict[str, Any]) -> list[Part]:
        """Return a part without files for each variant to remove. Raises until the user agrees."""
        retired = [name for name in published if name not in self.kept]
        report["retired"] = report["retired"] or retired
        if retired and not (self.options.yes or self.options.dry_run):
            names, fix = "\n".join(retired), "add --yes, or leave --prune out"
            problem = Problem(names, "retired, but published", "your consent to its removal", fix)
            raise KernelBuilderError(f"{report['branch']} would lose variants", [problem])
        return [({}, (f"build/{name}/", *list_records(name))) for name in retired]

    def find_pull(self, title: str) -> tuple[str, str] | None:
        """Return commit and address of a pull request that was made while its answer was lost."""
        for ref in self.pulls[-1] - self.pulls[0]:
            last = self.hub.list_repo_commits(**self.place, revision=ref)[0]
            if last.title == title:
                return last.commit_id, f"{self.url}/discussions/{ref.rpartition('/')[2]}"
        return None

    def guard(self, published: list[str], report: dict[str, Any], remote: dict[str, Any]) -> None:
        """Compare with what is published. Raises KernelBuilderError if users would break."""
        branch, compare, repo_id = report["branch"], load_guard(), self.options.repo_id
        fetch = partial(client.download, self.hub, {**self.place, "revision": report["commit"]})
        names, name = set[Any](), self.bundle.read_one("name")
        new = {each.name for each in self.bundle.variants}
        with TemporaryDirectory(prefix="kernel-builder-") as folder:
            # Variants that this upload replaces, or else any one, say which kernel is there.
            for each in [each for each in published if each in new] or published[:1]:
                path = f"build/{each}/{METADATA}"
                # Damaged metadata names no kernel, and this upload may repair it.
                with suppress(KernelBuilderError):
                    fetch({path: remote[path]}, Path(folder))
                    names.add(read_metadata(Path(folder, path).parent).get("name", name))
        if others := names - {name}:
            found = f"builds of {', '.join(map(show, others))}"
            want, fix = f"those of {name}", "correct repo-id; if you renamed it, raise `version`"
            problem = Problem(f"{repo_id}, branch {branch}", found, want, fix)
            raise KernelBuilderError(f"{repo_id} has another kernel", [problem])
        if published and compare:
            report["api-changes"] = compare(fetch, remote, published, self.bundle, branch, repo_id)
        elif published:
            # Nothing is refused then: it is the user's choice what to install.
            why = "is not compared with this build: that takes ./install.sh --trust"
            complain("warning", f"{branch} {why}")

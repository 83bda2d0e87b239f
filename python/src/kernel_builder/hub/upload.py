"""Uploads a bundle: variants to the branch of their version, the card to main.

The differences to a branch are sent as one commit on top of the commit that they were computed for.
If another upload was faster, or an answer was lost, all is compared again. So an upload can be run
again at any time, and undoes nothing of others.
"""

import re
from collections.abc import Mapping
from difflib import get_close_matches
from os import PathLike
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from huggingface_hub import CommitOperationAdd, CommitOperationDelete

from kernel_builder.extras import load_guard
from kernel_builder.hub import UploadOptions
from kernel_builder.hub.bundle import BuiltVariant, Bundle
from kernel_builder.hub.client import KERNEL, connect, is_same, list_remote, open_repository, retry
from kernel_builder.hub.target import check_upload
from kernel_builder.kernel.folder import Kernel
from kernel_builder.messages.errors import KernelBuilderError, Problem, UsageError
from kernel_builder.messages.secrets import redact
from kernel_builder.messages.terminal import complain, say
from kernel_builder.settings import current_settings
from kernel_builder.variants.result import METADATA, is_signature, list_beside
from kernel_builder.variants.sandbox import UNKNOWN, describe_states

MAIN: Final = "main"
README: Final = "README.md"
_METADATA: Final = re.compile(rf"build/([\w.+-]+)/{re.escape(METADATA)}")
_VERSION: Final = re.compile(r"v([1-9][0-9]*)")
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
    is_alone = options.repo_id and not (place / "build.toml").is_file()
    return upload_variants(None if is_alone else Kernel(place), place, options)


def upload_variants(kernel: Kernel | None, folder: Path, options: UploadOptions) -> dict[str, Any]:
    """Check the variants in a folder and upload them.

    Without a kernel, only the statements of the variants count.
    """
    offline = current_settings().offline
    if offline and not options.dry_run:
        problem = Problem("--offline", "an upload", "a network", "add --dry-run, or leave it out")
        raise UsageError("nothing can be uploaded offline", [problem])
    bundle, options = check_upload(kernel, folder, options)
    upload = _Upload(bundle, options)
    if UNKNOWN in upload.states.values():
        complain("warning", "it is not known whether this was built in Nix's sandbox")
    if not all(variant.metadata.get("source") for variant in bundle.variants):
        complain("warning", "no `source` in build.toml: `verify` will not find the kernel's commit")
    branches = {options.branch: list_parts(bundle)}
    if bundle.card:
        # After the builds: the card never promises too much.
        branches.setdefault(MAIN, []).append(({README: bundle.card}, ()))
    reports: dict[str, dict[str, Any]] = {
        name: {"branch": name, "commit": "", "pull-request": ""} for name in branches
    }
    for report in reports.values():
        report |= {"add": [], "remove": [], "api-changes": []}

    def update_all() -> None:
        heads = {} if offline else upload.prepare()
        for name, parts in branches.items():
            upload.update(heads.get(name, ""), parts, reports[name])

    retry(update_all, options.repo_id, "upload to")
    return {
        "repository": options.repo_id,
        "url": redact(locate(upload.hub, options)),
        "dry-run": options.dry_run,
        "variants": list(upload.states),
        "sandbox": upload.states,
        "branches": list(reports.values()),
    }


def locate(hub: Any, options: UploadOptions) -> str:
    """Return the address of the repository's page."""
    place = f"{KERNEL}s/" if options.repo_type == KERNEL else ""
    return f"{hub.endpoint}/{place}{options.repo_id}"


def list_parts(bundle: Bundle) -> list[Part]:
    """Return the parts that the branch of a version gets."""
    parts: list[Part] = [
        (bundle.list_variant(each), (f"build/{each.name}/", *list_beside(each.name)))
        for each in bundle.variants
    ]
    benchmarks = dict(bundle.list_benchmarks())
    return [*parts, (benchmarks, ("benchmarks/",))] if benchmarks else parts


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
        others = sorted(remote.keys() - files.keys())
        stale = [path for path in others if path.startswith(owned)]
        if changed or not all(map(is_signature, stale)):
            add |= changed
            remove += stale
    return add, remove


class _Upload:
    """An upload of a checked bundle. `states` says by variant whether a sandbox was used."""

    def __init__(self, bundle: Bundle, options: UploadOptions) -> None:
        self.hub = connect()
        self.bundle = bundle
        self.options = options
        self.place: dict[str, Any] = {"repo_id": options.repo_id, "repo_type": options.repo_type}
        self.states = {name: each.state for name, each in bundle.sandbox.items()}
        # Pull requests that were there before the first commit.
        self.earlier: set[str] | None = None

    def prepare(self) -> dict[str, str]:
        """Create repository and branch if they are missing; return the commit of each branch."""
        private, dry_run = self.options.private, self.options.dry_run
        if open_repository(self.hub, **self.place, private=private, dry_run=dry_run) is None:
            return {}
        create_pr, branch = self.options.create_pr, self.options.branch
        refs = self.hub.list_repo_refs(**self.place, include_pull_requests=create_pr)
        heads = {each.name: each.target_commit for each in refs.branches}
        pulls = {each.ref: each.target_commit for each in refs.pull_requests or ()}
        if self.earlier is None:
            self.earlier = {*pulls}
        self.pulls = {ref: pulls[ref] for ref in pulls.keys() - self.earlier}
        if branch not in heads and not dry_run:
            # At the first commit, a branch has no files of other versions.
            first = self.hub.list_repo_commits(**self.place, revision=MAIN)[-1].commit_id
            self.hub.create_branch(**self.place, branch=branch, revision=first, exist_ok=True)
            heads[branch] = first
        return heads

    def update(self, commit: str, parts: list[Part], report: dict[str, Any]) -> None:
        """Commit the differences to a branch at a commit, or make a pull request of them."""
        branch = report["branch"]
        remote = list_remote(self.hub, commit=commit, **self.place) if commit else {}
        add, remove = find_differences(parts, remote)
        report["commit"] = commit
        if not (add or remove) or report["pull-request"]:
            return
        report["add"], report["remove"] = report["add"] or list(add), report["remove"] or remove
        is_build = branch == self.options.branch
        if is_build:
            self.guard(remote, report)
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
        done = self.hub.create_commit(
            **self.place,
            operations=operations,
            commit_message=title,
            commit_description=describe_states(self.states) if is_build else "",
            revision=branch,
            parent_commit=commit,
            create_pr=self.options.create_pr,
        )
        report["commit"], report["pull-request"] = done.oid, redact(done.pr_url or "")

    def find_pull(self, title: str) -> tuple[str, str] | None:
        """Return commit and address of a pull request that was made while its answer was lost."""
        for ref, commit in self.pulls.items():
            if self.hub.list_repo_commits(**self.place, revision=ref)[0].title == title:
                number = ref.rpartition("/")[2]
                return commit, redact(f"{locate(self.hub, self.options)}/discussions/{number}")
        return None

    def guard(self, remote: Mapping[str, Any], report: dict[str, Any]) -> None:
        """Compare with the published variant of the closest name. Raise if users would break."""
        published = sorted({found[1] for path in remote if (found := _METADATA.fullmatch(path))})
        if not published:
            return
        if (compare := load_guard()) is None:
            # Nothing is refused then: it is the user's choice what to install.
            why = "that takes `pip install 'kernel-builder[trust]'`"
            complain("warning", f"{report['branch']} is not compared with this build: {why}")
            return
        variants, branch = self.bundle.variants, report["branch"]
        new = next((each for each in variants if each.name in published), variants[0])
        (old,) = get_close_matches(new.name, published, n=1, cutoff=0)
        at = f"build/{old}"
        with TemporaryDirectory(prefix="kernel-builder-") as folder:
            patterns, commit = [f"{at}/*.py", f"{at}/{METADATA}"], report["commit"]
            self.hub.snapshot_download(
                **self.place, revision=commit, local_dir=folder, allow_patterns=patterns
            )
            try:
                changes = compare(BuiltVariant(old, Path(folder, at)), new)
            except ValueError as error:
                complain("warning", f"{branch} is not compared with this build: {at}: {error}")
                return
        # Compared again after an interruption, the Hub may have this very build.
        if not report["api-changes"]:
            report["api-changes"] = [vars(each) for each in changes]
            listed = "\n".join(map(str, changes)) or "  no public name is different"
            say(f"{branch}, compared with {at}:\n{listed}")
        broken = [f"{each.name}: {each.change}" for each in changes if each.breaking]
        if broken and (version := _VERSION.fullmatch(branch)):
            fix = (
                f"state version = {int(version[1]) + 1} in [general] of build.toml and build again "
                "(it goes to a branch of its own), or put back what is missing"
            )
            at = f"{self.options.repo_id}, branch {branch}, {at}"
            problem = Problem(at, "\n".join(broken), "the names that it has", fix)
            raise KernelBuilderError(f"this would break code that uses {branch}", [problem])

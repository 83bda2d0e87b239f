"""A repository's own .git/config, attributes and hooks: nothing that they name is run."""

import os
import subprocess
import time
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import pytest

from kernel_builder.machine import git
from kernel_builder.trust import clones
from kernel_builder.trust.clones import BRANCHES, fetch_commit
from tests.cli.command_line import Cli
from tests.cli.conftest import *  # noqa: F403  (fixtures)
from tests.cli.fake_kernel import FakeKernel
from tests.install.fake_machine import write_program
from tests.skipping import skip
from tests.tiny_kernel import TinyKernel, commit_all
from tests.tiny_kernel import git as run_git


@pytest.fixture
def proof(tmp_path: Path) -> Path:
    return tmp_path / "proof"


@pytest.fixture
def evil(tmp_path: Path, proof: Path) -> str:
    """Return a program that leaves a proof, and hands on what it gets."""
    program = tmp_path / "evil"
    write_program(program, f"echo $0 $* $HF_TOKEN >>{proof}\ncat")
    return str(program)


@pytest.fixture
def repository(kernel: FakeKernel) -> Path:
    """Return a kernel in a repository with one commit, whose files look changed."""
    kernel.add("one")
    folder = kernel.write()
    (folder / "data.txt").write_text("data\n")
    commit_all(folder)
    # git compares a file with what it has only if its time differs.
    os.utime(folder / "data.txt", (time.time() + 10, time.time() + 10))
    return folder


def configure(folder: Path, *settings: tuple[str, str]) -> None:
    for key, value in settings:
        run_git(folder, "config", key, value)


def diff_as_nix(folder: Path) -> None:
    """Compare the files with the last commit, as Nix does."""
    environment = {**os.environ, **git.neutral_variables(folder)}
    argv = ["git", "-C", str(folder), "diff", "HEAD", "--quiet"]
    subprocess.run(argv, env=environment, check=False, capture_output=True)


HOOKS = ("post-index-change", "pre-auto-gc", "reference-transaction", "post-checkout")
FILTER = '[filter "x"]\n\tclean = EVIL\n'
# Settings, attributes of all files, and files in .git; EVIL is the program.
HOSTILE: dict[str, tuple[dict[str, str], str, dict[str, str]]] = {
    "fsmonitor": ({"core.fsmonitor": "EVIL"}, "", {}),
    # A name with the sign that separates keys from values elsewhere.
    "filter": ({"filter.a=b.clean": "EVIL", "filter.a=b.required": "true"}, "filter=a=b", {}),
    "process": ({"filter.x.process": "EVIL", "filter.x.smudge": "EVIL"}, "filter=x", {}),
    "include": ({"include.path": "more"}, "filter=x", {"more": FILTER}),
    "worktree": (
        {"extensions.worktreeConfig": "true"}, "filter=x", {"config.worktree": FILTER}
    ),
    "diff": (
        {"diff.external": "EVIL", "diff.x.command": "EVIL", "diff.x.textconv": "EVIL"},
        "diff=x", {},
    ),
    "hooks": ({"core.hooksPath": "HOOKS"}, "", {}),
    "pager": ({"core.pager": "EVIL", "pager.ls-files": "EVIL", "core.editor": "EVIL"}, "", {}),
}  # fmt: skip


def make_hostile(folder: Path, evil: str, kind: str) -> None:
    settings, attributes, files = HOSTILE[kind]
    for name in HOOKS if kind == "hooks" else ():
        (folder / ".git" / "hooks").mkdir(exist_ok=True)
        (folder / ".git" / "hooks" / name).symlink_to(evil)
    for name, text in files.items():
        (folder / ".git" / name).write_text(text.replace("EVIL", evil))
    for name, value in settings.items():
        value = value.replace("HOOKS", str(folder / ".git" / "hooks"))
        configure(folder, (name, value.replace("EVIL", evil)))
    if attributes:
        (folder / ".gitattributes").write_text(f"* {attributes}\n")


@pytest.mark.attack("check-config", "core.fsmonitor in .git/config", "not run")
@pytest.mark.attack("check-config", "filter, process, worktree, diff, hook, pager there", "not run")
@pytest.mark.parametrize("kind", HOSTILE)
def test_a_hostile_repository(
    kind: str, repository: Path, evil: str, proof: Path, cli: Cli
) -> None:
    make_hostile(repository, evil, kind)
    done = cli("check-config", str(repository), HF_TOKEN="hf_canaryCanaryCanary")
    assert "error" not in done.stderr, done.stderr
    git.list_untracked(repository)
    git.find_address(repository)
    # As young as the index, so that git compares them when it writes it.
    os.utime(repository / ".git/index", (1, 1))
    git.stage_files(repository, ["data.txt"])
    diff_as_nix(repository)
    assert not proof.exists(), proof.read_text()


@pytest.mark.parametrize("kind", ["fsmonitor", "filter"])
def test_they_would_run(kind: str, repository: Path, evil: str, proof: Path) -> None:
    """Without the defence, so that the test above can fail."""
    make_hostile(repository, evil, kind)
    argv = ["git", "-C", str(repository), "diff", "HEAD", "--quiet"]
    subprocess.run(argv, check=False, capture_output=True)
    assert proof.exists()


@pytest.mark.attack("verify", "core.sshCommand, gitProxy, credential.helper, ext::", "not run")
@pytest.mark.parametrize(
    "address",
    [
        "ext::sh -c touch% PROOF",
        "ssh://127.0.0.1:1/x",
        "git://127.0.0.1:1/x",
        "http://127.0.0.1:1/",
    ],
)
def test_a_hostile_remote(address: str, repository: Path, evil: str, proof: Path) -> None:
    configure(
        repository,
        ("core.sshCommand", evil),
        ("core.gitProxy", evil),
        ("core.askPass", evil),
        ("credential.helper", f"!{evil}"),
        ("credential.http://127.0.0.1:1.helper", f"!{evil}"),
        ("protocol.ext.allow", "always"),
        ("core.alternateRefsCommand", evil),
        ("remote.origin.url", address.replace("PROOF", str(proof))),
        ("remote.origin.uploadpack", evil),
    )
    assert git.run_git(repository, "fetch", "origin").status != 0
    assert not proof.exists(), proof.read_text()


@pytest.mark.attack("verify --source", "`ext::` and `--upload-pack`", "refused")
@pytest.mark.parametrize("source", ["ext::sh -c touch% PROOF", "--upload-pack=touch PROOF"])
def test_a_hostile_source(source: str, tmp_path: Path, proof: Path) -> None:
    said = fetch_commit(source.replace("PROOF", str(proof)), "0" * 40, tmp_path / "clone", BRANCHES)
    assert said
    assert not proof.exists()


def test_what_the_user_has_set_stays(
    repository: Path, evil: str, proof: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A filter of the user's own settings runs, as git-lfs has to."""
    (tmp_path / "own").write_text(f'[filter "x"]\n\tclean = {evil}\n')
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "own"))
    (repository / ".gitattributes").write_text("* filter=x\n")
    configure(repository, ("filter.x.clean", "false"))
    diff_as_nix(repository)
    assert proof.exists()


# Keys whose values git runs, and values that run nothing.
NEUTRAL = {
    "core.askPass": "",
    "core.sshCommand": "ssh",
    "filter.x.clean": "",
    "filter.x.smudge": "",
    "filter.x.process": "",
    "filter.x.required": "false",
    "credential.helper": "",
    "credential.https://host.helper": "",
    "diff.x.textconv": "cat",
    "diff.external": "true",
    "diff.x.command": "true",
    "diff.trustExitCode": "false",
    "gpg.program": "false",
    "gpg.ssh.program": "false",
    "remote.origin.uploadpack": "git-upload-pack",
    "tar.x.command": "cat",
}


def test_every_key_that_names_a_program_is_neutral(repository: Path, evil: str) -> None:
    configure(repository, *((key, evil) for key in NEUTRAL))
    variables = git.neutral_variables(repository)
    pairs = [
        (variables[f"GIT_CONFIG_KEY_{n}"], variables[f"GIT_CONFIG_VALUE_{n}"])
        for n in range(int(variables["GIT_CONFIG_COUNT"]))
    ]
    # git writes the parts of a key that do not depend on case in small letters.
    last = {key.lower(): value for key, value in pairs}
    assert {key: last.get(key.lower()) for key in NEUTRAL} == NEUTRAL


@pytest.mark.attack("init", "a repository without .git inside of the clone", "not read")
def test_a_repository_inside_of_the_repository(
    repository: Path, evil: str, proof: Path, cli: Cli
) -> None:
    """All of it are tracked files, so that a clone is enough."""
    inner = repository / "sub"
    run_git(repository, "init", "--quiet", "--bare", str(inner))
    run_git(inner, "config", "core.bare", "false")
    run_git(inner, "config", "core.worktree", ".")
    configure(inner, ("filter.x.clean", evil), ("core.fsmonitor", evil))
    (inner / "info/attributes").write_text("* filter=x\n")
    cli.expect(0, "init", str(inner), "--name", "a/hello", "--backends", "cpu")
    assert not proof.exists(), proof.read_text()
    # The files are staged where Nix reads them.
    assert "sub/build.toml" in run_git(repository, "ls-files").splitlines()
    assert git.list_untracked(inner) == git.list_untracked(inner / "refs/..")
    # Without the defence, so that this test can fail.
    os.utime(inner / "build.toml", (1, 1))
    argv = ["git", "-C", str(inner), "add", "build.toml"]
    subprocess.run(argv, check=False, capture_output=True)
    assert proof.exists()


@pytest.mark.attack("build", "a .git of another user in a folder above", "not asked")
@pytest.mark.parametrize("command", ["list-variants", "init"])
def test_a_repository_of_another_user_above(
    command: str, tmp_path: Path, evil: str, proof: Path, cli: Cli
) -> None:
    if os.geteuid() != 0:
        skip("only root can give files away", installable=False)
    above = tmp_path / "above"
    above.mkdir()
    run_git(above, "init", "--quiet")
    (above / "flake.nix").write_text('{ outputs = _: throw "evaluated"; }')
    configure(above, ("core.fsmonitor", evil))
    for path in (above / ".git", *(above / ".git").rglob("*")):
        os.chown(path, 12345, 12345)
    kernel = above / "kernels/tiny"
    if command == "init":
        done = cli("init", str(kernel), "--name", "me/tiny")
        # It is a repository of its own.
        assert "A  build.toml" in run_git(kernel, "status", "--porcelain").splitlines()
    else:
        TinyKernel(kernel)
        done = cli("list-variants", str(kernel))
    assert (done.status, "safe.directory" in done.stderr) == (0, False), done.stderr
    assert not proof.exists()


@pytest.mark.attack("verify", "a source on https sends git to http://127.0.0.1", "not followed")
@pytest.mark.attack("any", "a kernel's git asks http://127.0.0.1 for missing objects", "not asked")
@pytest.mark.parametrize("kind", ["http", "redirect", "promisor"])
def test_a_clone_stays_on_its_transport(kind: str, tmp_path: Path) -> None:
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_response(302)
            self.send_header("Location", f"http://{self.headers['Host']}/x")
            self.end_headers()

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        source = f"http://127.0.0.1:{server.server_port}/k"
        with pytest.MonkeyPatch.context() as patch:
            if kind == "redirect":
                # As a transport that is allowed, without a certificate.
                patch.setattr(clones, "TRANSPORTS", "http")
            assert fetch_commit(source, "0" * 40, tmp_path / "clone", BRANCHES)
        if kind == "promisor":
            settings = {"protocol.http.allow": "always", "remote.x.url": source}
            settings |= {"core.repositoryFormatVersion": "1", "extensions.partialClone": "x"}
            configure(tmp_path / "clone", *settings.items())
            assert git.find_commit(tmp_path / "clone", "1" * 40) is None
        server.shutdown()
    assert [path.partition("?")[0] for path in asked] == ["/k/info/refs"] * (kind == "redirect")

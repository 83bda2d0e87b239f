"""A CI signs and uploads exactly what Nix built, whatever the kernel's tests do."""

import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from tests.author.ci_runner import SECRETS, TOKEN, WHO, Runner
from tests.evaluation import ROOT
from tests.install.fake_machine import names_in, write_program
from tests.tiny_kernel import commit_all, git

ACTION = ROOT / ".github/actions/build-kernel/action.yml"
WORKFLOWS = sorted((ROOT / ".github/workflows").iterdir())
SECRET = ("secrets.", "github.token", "GITHUB_TOKEN")


@pytest.fixture
def runner(tmp_path: Path) -> Runner:
    runner = Runner(tmp_path)
    shutil.copytree(runner.kernel / "result", runner.kernel / "build")
    return runner


def hand_on(runner: Runner, *builds: str) -> dict[str, str]:
    """Return the variables by which a job takes what others have built."""
    artifacts = runner.kernel.parent / "artifacts"
    digests = []
    for number, text in enumerate(builds):
        shutil.rmtree(runner.kernel / "build", ignore_errors=True)
        (runner.kernel / "build" / text).mkdir(parents=True)
        (runner.kernel / "build" / text / "metadata.json").write_text(text)
        digests.append(digest_of(runner))
        shutil.copytree(runner.kernel / "build", artifacts / f"build-{number}")
    return {"ARTIFACTS": str(artifacts), "DIGESTS": " ".join(digests) + "  "}


def digest_of(runner: Runner) -> str:
    file = runner.kernel.parent / "outputs"
    file.unlink(missing_ok=True)
    said = runner.run("digest", DIGEST_FILE=str(file))
    line = file.read_text().strip()
    assert line in said.splitlines()
    return line.removeprefix("DIGEST=")


def refused(runner: Runner, headline: str, *steps: str, **variables: str) -> bool:
    """Say whether a step stops with this headline, before a program gets a secret."""
    said = runner.run(*steps, status=1, **variables)
    called = runner.called() if runner.calls.exists() else []
    return f"error: {headline}" in said and not [line for line in called if "knows" in line]


@pytest.mark.attack(
    ".ci/build-kernel test",
    "a test edits build/ and its digests",
    "an error after the test, before `sign`",
)
def test_what_tests_change_is_not_signed(runner: Runner) -> None:
    digest = digest_of(runner)
    edited = runner.kernel / "build/torch-cpu/metadata.json"
    runner.tests(f"$(echo evil >{edited}; echo 0)")
    assert refused(runner, "this is not what was built", "test")
    for step in ("sign", "upload"):
        assert refused(runner, "this is not what was built", step, DIGEST=digest)
    edited.write_text("{}")
    runner.run("sign", "upload", DIGEST=digest)
    assert "  knows HF_TOKEN" in runner.called()


@pytest.mark.attack(".ci/build-kernel test", "a test wants its job's secrets", "does not start")
def test_tests_have_no_secret_in_reach(runner: Runner) -> None:
    # Runner.run leaves these out where tests are run.
    for name, value in {**SECRETS, **WHO}.items():
        said = runner.run("install", "test", status=1, **{name: value})
        assert "error: the kernel's tests would have secrets in reach" in said
        assert f"found  {name}\n" in said
        assert value not in said
    assert not runner.calls.exists()


@pytest.mark.attack(".ci/build-kernel collect", "an artifact is changed or added", "refused")
def test_artifacts_are_what_the_jobs_said(runner: Runner) -> None:
    given = hand_on(runner, "torch-cpu", "torch-cuda")
    artifacts = Path(given["ARTIFACTS"])
    # A build/ that somebody has committed is not taken for what was built.
    (runner.kernel / "build/evil").mkdir()
    runner.run("collect", ARTIFACTS=given["ARTIFACTS"], DIGESTS=given["DIGESTS"])
    assert names_in(runner.kernel / "build") == ["torch-cpu", "torch-cuda"]
    assert not (runner.kernel / "result").exists()
    # In a run for several kernels, each artifact has the kernel's name before it.
    for number in (0, 1):
        (artifacts / f"build-{number}").rename(artifacts / f"kernels-relu.build-{number}")
    runner.run("collect", ARTIFACTS=given["ARTIFACTS"], DIGESTS=given["DIGESTS"])
    assert names_in(runner.kernel / "build") == ["torch-cpu", "torch-cuda"]
    file = artifacts / "kernels-relu.build-1/torch-cuda/metadata.json"
    file.write_text("evil")
    assert refused(runner, "this is not what was built", "collect", "sign", "upload", **given)
    file.write_text("torch-cuda")
    (artifacts / "build-2").mkdir()
    assert refused(runner, "there are other artifacts than jobs", "collect", "upload", **given)
    shutil.rmtree(artifacts)
    artifacts.mkdir()
    given["DIGESTS"] = " "
    assert refused(runner, "there are other artifacts than jobs", "collect", "upload", **given)


@pytest.mark.attack(
    ".ci/build-kernel digest",
    "an artifact has a link or a pipe, or is a link",
    "refused before it goes",
)
def test_artifacts_have_files_alone(runner: Runner, tmp_path: Path) -> None:
    build = runner.kernel / "build"
    odd = build / "torch-cpu/odd"
    for target in ("/etc/passwd", tmp_path, None):
        if target:
            odd.symlink_to(target)
        else:
            os.mkfifo(odd)
        assert refused(runner, "a build has files and folders alone", "digest")
        odd.unlink()
    shutil.rmtree(build)
    build.symlink_to(tmp_path)
    assert refused(runner, "a build has files and folders alone", "digest")
    # A committed link to another folder is replaced, and its target stays untouched.
    build.unlink()
    given = hand_on(runner, "torch-cpu")
    shutil.rmtree(build)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "thesis.tex").touch()
    build.symlink_to(elsewhere)
    runner.run("collect", ARTIFACTS=given["ARTIFACTS"], DIGESTS=given["DIGESTS"])
    assert names_in(elsewhere) == ["thesis.tex"]
    assert not build.is_symlink()


@pytest.mark.attack(".ci/build-kernel upload", "a folder called `-rf`, `a b;id`", "a folder")
@pytest.mark.parametrize("name", ["-rf", "-", "a b;id", "$(id)"])
def test_a_folder_may_have_any_name(runner: Runner, name: str) -> None:
    shutil.move(runner.kernel, runner.kernel.parent / "moved")
    folder = runner.root / name
    shutil.move(runner.kernel.parent / "moved", folder)
    runner.kernel.mkdir()
    runner.run("build", "upload", KERNEL=name)
    assert f"kernel-builder upload -- {folder}" in runner.called()


@pytest.mark.attack(
    ".ci/build-kernel upload",
    "`kernel-builder`, `git` and the like in a kernel's folder, and a token",
    "not run",
)
def test_the_token_is_given_in_another_folder(runner: Runner) -> None:
    for name in ("kernel-builder", "git", "nix", "find", "sha256sum"):
        write_program(runner.kernel / "result" / name, f"echo pwned >>{runner.calls}")
        shutil.copy(runner.kernel / "result" / name, runner.kernel / "build")
    body = 'echo "$(basename $0) in $PWD has ${HF_TOKEN:-nothing}" >>"$CALLS"'
    write_program(runner.root / "python/bin/kernel-builder", body)
    path = f".:{runner.kernel}/build::{runner.bin}:{os.environ['PATH']}".replace(
        f"{runner.kernel}/build", "build"
    )
    runner.run("build", "upload", PATH=path)
    assert runner.called() == [
        f"kernel-builder in {runner.kernel} has nothing",
        f"kernel-builder in / has {TOKEN}",
    ]


def jobs() -> Iterator[tuple[str, dict[str, Any]]]:
    for file in WORKFLOWS:
        yield from YAML().load(file)["jobs"].items()


@pytest.mark.attack("workflows", "a branch or a tag whose name is a command", "no `run` has `${{`")
def test_no_expression_is_a_command() -> None:
    steps = YAML().load(ACTION)["runs"]["steps"] + [
        step for _, job in jobs() for step in job["steps"]
    ]
    commands = [step["run"] for step in steps if "run" in step]
    assert len(commands) > 6
    assert [command for command in commands if "${{" in command] == []


@pytest.mark.attack("workflows", "a job that runs a kernel's code and has a token", "no such job")
def test_jobs_have_what_they_need() -> None:
    rights = {}
    for name, job in jobs():
        rights[name] = dict(job["permissions"])
        text = json.dumps(job, default=str)
        used = [step["with"] for step in job["steps"] if "with" in step]
        tests = [each for each in used if "kernel" in each and each.get("test", True) is not False]
        assert bool(tests) == (name == "test"), name
        if tests:
            assert [word for word in SECRET if word in text] == []
        assert ("hf-token" in text) == (name in ("upload", "sign")), name
    read = {"contents": "read"}
    signing = {**read, "id-token": "write"}
    assert rights.pop("all") == read, "every night"
    assert rights == {"build": read, "test": read, "upload": read, "sign": signing}


@pytest.mark.attack(".ci/build-kernel", "tests write .git/config before other steps", "not run")
@pytest.mark.parametrize("step", ["matrix", "cache", "sign", "upload", "test"])
def test_what_tests_write_into_git_s_settings_is_not_run(step: str, runner: Runner) -> None:
    top, proof = runner.kernel.parent, runner.kernel.parent / "proof"
    write_program(top / "evil", f"touch {proof}")
    # Git itself, and a Nix that asks git for the state of the folder, as the true one does.
    (runner.bin / "git").unlink()
    nix = (runner.bin / "nix").read_text().partition("\n")[2]
    runner.fake("nix", f"case $* in *' eval '*) git status >&2 ;; esac\n{nix}")
    commit_all(top)
    git(top, "tag", "v1")
    for name in ("core.fsmonitor", "pager.tag"):
        git(top, "config", name, str(top / "evil"))
    git(top, "config", "tag.gpgSign", "true")
    git(top, "status")
    assert proof.exists()
    proof.unlink()
    if step == "matrix":
        runner.prints({})
    runner.run(step, CACHE="file:///cache")
    assert not proof.exists()

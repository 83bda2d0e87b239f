""".ci/build-kernel: what each step calls and may know. The programs that it calls are pretended."""

import json
from pathlib import Path

import pytest
import yaml

from tests.author.ci_runner import RECORD, WHO, Runner
from tests.evaluation import ROOT, evaluate, path_of


@pytest.fixture
def runner(tmp_path: Path) -> Runner:
    return Runner(tmp_path)


@pytest.mark.parametrize("last", ["build", "sign", "upload"])
def test_what_signs_and_uploads_has_the_extra(runner: Runner, last: str) -> None:
    runner.run("install", "build", last, status=0, **WHO)
    (install,) = [line for line in runner.called() if line.startswith("install.sh")]
    assert ("--trust" in install) == (last != "build")


def test_the_action_asks_for_the_extra() -> None:
    """Its steps are calls of their own, so that the first one does not know of the others."""
    action = yaml.safe_load((ROOT / ".github/actions/build-kernel/action.yml").read_text())
    (install,) = [each for each in action["runs"]["steps"] if each["name"] == "Install"]
    asked = install["env"]["INSTALL_OPTIONS"]
    assert "inputs.sign == 'true' || inputs.hf-token != ''" in asked
    assert "'--trust'" in asked


def test_the_key_signs_what_is_compiled_and_here(runner: Runner) -> None:
    runner.run("cache", CACHE="https://cache.example", CACHE_TO="s3://cache?region=eu")
    asked, copied, knows = runner.called()
    assert "redistributable" in asked
    assert knows == "  knows AWS_SECRET_ACCESS_KEY"
    assert '"torch-cpu"' in asked
    options, *paths = copied.split(" copy --to ")[1].split()
    assert options.startswith("s3://cache?region=eu&secret-key=/")
    assert paths == [str(runner.built.parent), str(runner.built)]


def test_only_what_signs_knows_who_the_job_is(runner: Runner) -> None:
    said = runner.run(
        "install", "build", "cache", "sign", "upload", status=0, CACHE="file:///cache", **WHO
    )
    called = [line for line in runner.called() if "AWS" not in line]
    sign = called.index(f"kernel-builder sign -- {runner.kernel}")
    assert called[sign:] == [
        f"kernel-builder sign -- {runner.kernel}",
        *(f"  knows {name}" for name in WHO),
        f"kernel-builder upload -- {runner.kernel}",
        "  knows HF_TOKEN",
    ]
    assert not [line for line in called[:sign] if line.startswith("  knows")]
    assert "secret-" not in said
    runner.run("sign", SIGN_OPTIONS="--json")
    assert runner.called()[-1] == f"kernel-builder sign --json -- {runner.kernel}"


def test_options_are_handed_on(runner: Runner) -> None:
    runner.run("build", "upload", BUILD_OPTIONS="--backend cpu", UPLOAD_OPTIONS="--create-pr")
    runner.run("build", "upload", PARTIAL="true")
    assert [line for line in runner.called() if line.startswith("kernel-builder")] == [
        "kernel-builder build-and-copy --prune --require-all --backend cpu",
        f"kernel-builder upload --create-pr -- {runner.kernel}",
        "kernel-builder build-and-copy --prune",
        f"kernel-builder upload --partial -- {runner.kernel}",
    ]


def test_without_a_tag_nothing_is_uploaded(runner: Runner) -> None:
    runner.fake("git", "exit 0")
    assert "the commit has no tag: nothing is uploaded" in runner.run("upload")
    assert "the commit has no tag: nothing is signed" in runner.run("sign", status=0, **WHO)
    assert not runner.calls.exists()


def test_a_machine_without_a_device_is_no_failure(runner: Runner) -> None:
    runner.tests(69)
    assert "note: nothing was tested" in runner.run("test")
    assert "::warning::nothing was tested" in runner.run("test", GITHUB_ACTIONS="true")
    runner.tests(1)
    runner.run("test", "build", status=1)
    assert not [line for line in runner.called() if "build-and-copy" in line]


@pytest.mark.parametrize(
    ("steps", "found"),
    [(["bild"], "found  bild"), (["build", "cache"], "at     the variables CACHE_TO")],
)
def test_what_is_wrong_is_said_before_anything_runs(
    runner: Runner, steps: list[str], found: str
) -> None:
    assert found in runner.run(*steps, status=1)
    assert not runner.calls.exists()


def test_the_matrix_has_the_kernels_to_build(runner: Runner, tmp_path: Path) -> None:
    made = [runner.kernel / "result" / name for name in ("one", "other")]
    for folder in made:
        folder.mkdir()
    one = {"folder": "result/one", "variants": [{"state": "to build"}]}
    other = {"folder": "result/other", "variants": [{"state": "left out"}]}
    runner.prints({"kernels": [one, other]})
    line = tmp_path / "outputs"
    options = {"KERNELS": "result/o*", "BUILD_OPTIONS": "--backend cpu"}
    said = runner.run("matrix", status=0, MATRIX_FILE=str(line), **options)
    row = 'MATRIX=[{"kernel":"result/one","name":"result-one"}]'
    assert row in said
    assert line.read_text() == f"{row}\n"
    words = "build --dry-run --json --backend cpu -- result/one result/other"
    assert runner.called() == [f"kernel-builder {words}"]
    # Only those that have changed are evaluated.
    runner.fake("python3", f"{RECORD}echo result/one")
    assert row in runner.run("matrix", KERNELS="result/o*", CHANGED_SINCE="main")
    listed, built = runner.called()[-2:]
    assert listed.endswith("changed-kernels.py main result/one result/other")
    assert built == "kernel-builder build --dry-run --json -- result/one"
    # The last tag is git's answer; without one, all are listed.
    runner.run("matrix", KERNELS="result/o*", CHANGED_SINCE="last-tag")
    assert runner.called()[-2].endswith("changed-kernels.py v1 result/one result/other")
    runner.fake("git", "exit 128")
    runner.run("matrix", KERNELS="result/o*", CHANGED_SINCE="last-tag")
    assert runner.called()[-1].endswith("-- result/one result/other")
    runner.fake("python3", "exit 0")
    assert "MATRIX=[]" in runner.run("matrix", KERNELS="result/o*", CHANGED_SINCE="main")
    # Without KERNELS, the flake lists them.
    runner.calls.unlink()
    runner.fake("nix", f'{RECORD}echo "kernels/b kernels/b kernels/a"')
    runner.run("matrix")
    assert "ciMatrix" in runner.called()[0]
    assert runner.called()[1] == "kernel-builder build --dry-run --json -- kernels/a kernels/b"


def test_the_status_is_that_of_all_kernels(runner: Runner) -> None:
    folder = runner.kernel / "result" / "torch-cpu"
    runner.run("status", KERNELS="result/t*")
    runner.run("status", KERNELS="result/t*", STATUS_OPTIONS="--json")
    assert runner.called() == [
        f"kernel-builder status --fail-on stale,missing,damaged -- {folder}",
        "  knows HF_TOKEN",
        f"kernel-builder status --json -- {folder}",
        "  knows HF_TOKEN",
    ]


def test_the_matrix_leaves_out_what_cannot_be_built(tmp_path: Path) -> None:
    def choose(**printed: object) -> object:
        (tmp_path / "printed.json").write_text(json.dumps(printed))
        arguments = f'{{ file = "{tmp_path}/printed.json"; folders = "kernels/a"; }}'
        return evaluate(f"import {path_of(ROOT / '.ci/matrix.nix')} {arguments}")

    states = {
        "kernels/a": ["left out"],
        "kernels/b": ["left out", "to build"],
        "kernels/c": ["failed"],
        "kernels/d": ["cached"],
    }
    kernels = [
        {"folder": folder, "variants": [{"state": each} for each in listed]}
        for folder, listed in states.items()
    ]
    assert choose(kernels=kernels) == [
        {"kernel": f"kernels/{name}", "name": f"kernels-{name}"} for name in "bcd"
    ]
    alone = [{"kernel": "kernels/a", "name": "kernels-a"}]
    assert choose(variants=[{"state": "to fetch"}]) == alone
    assert choose(variants=[{"state": "left out"}]) == []
    assert choose(message="broken", problems=[]) == alone

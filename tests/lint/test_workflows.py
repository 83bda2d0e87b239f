"""The files for CIs: those of kernel-builder, of its templates and of docs/operations/ci.md."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from tests.evaluation import ROOT
from tests.lint.linter import lint
from tests.tiny_kernel import write_files

ACTION = ROOT / ".github/actions/build-kernel/action.yml"
WORKFLOWS = sorted((ROOT / ".github/workflows").iterdir())
TEMPLATES = sorted((ROOT / "python/src/kernel_builder/templates").glob("*/.github/workflows/*.yml"))
BLOCK = re.compile(r"^```yaml (\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
DOCUMENTED = dict(BLOCK.findall((ROOT / "docs/operations/ci.md").read_text()))
# Other repositories name our workflows so.
HERE = re.compile(r"(?:\$|OWNER/kernel-builder)/(\.github/[^@]+)(?:@COMMIT)?")


@pytest.fixture(scope="module")
def documented(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the files of docs/operations/ci.md."""
    return write_files(tmp_path_factory.mktemp("documented"), DOCUMENTED)


def workflows(documented: Path) -> list[Path]:
    return [*WORKFLOWS, *TEMPLATES, *sorted((documented / ".github/workflows").iterdir())]


def judge(schema: str, *files: Path) -> None:
    lint("check-jsonschema", "--builtin-schema", f"vendor.{schema}", *map(str, files))


def test_github_takes_them(documented: Path) -> None:
    judge("github-actions", ACTION)
    judge("github-workflows", *workflows(documented))


def test_gitlab_takes_it(documented: Path) -> None:
    judge("gitlab-ci", documented / ".gitlab-ci.yml")


def test_zizmor_has_nothing_to_say(documented: Path) -> None:
    files = map(str, [ACTION, *workflows(documented)])
    configuration = str(Path(__file__).with_name("zizmor.yml"))
    lint("zizmor", "--offline", "--no-progress", "--config", configuration, *files)


def uses(data: Any) -> Iterator[tuple[str, set[str], set[str]]]:
    """Yield what jobs and steps use, with the inputs and the secrets that they give it."""
    for job in data["jobs"].values():
        for each in [job, *job.get("steps", [])]:
            if "uses" in each:
                yield each["uses"], set(each.get("with", {})), set(each.get("secrets", {}))


def test_ours_are_given_what_they_take(documented: Path) -> None:
    found = set()
    for file in workflows(documented):
        for name, inputs, secrets in uses(YAML().load(file)):
            if not (match := HERE.fullmatch(name)):
                continue
            used = ROOT / match[1]
            used = used / "action.yml" if used.is_dir() else used
            data = YAML().load(used)
            takes = data["on"]["workflow_call"] if "on" in data else data
            assert inputs <= set(takes["inputs"]), file
            assert secrets <= set(takes.get("secrets", {})), file
            found.add(used)
    called = {file for file in WORKFLOWS if "workflow_call" in YAML().load(file)["on"]}
    assert found == {ACTION, *called}


def test_templates_have_what_is_documented() -> None:
    assert TEMPLATES
    for file in TEMPLATES:
        assert file.read_text() == DOCUMENTED[f".github/workflows/{file.name}"]

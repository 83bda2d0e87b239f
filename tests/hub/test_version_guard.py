"""When an upload is compared with what is published, and what becomes of it."""

from __future__ import annotations

import json

import pytest

from tests.hub.client import REPO
from tests.hub.exchange import Hub
from tests.hub.publisher import CPU, Publisher

OLDER = "torch212-cxx11-cpu-x86_64-linux"
CUDA = "torch213-cxx11-cu130-x86_64-linux"
ONE = 'def f(x): ...\n__all__ = ["f"]\n'
OTHER = 'def g(x): ...\n__all__ = ["g"]\n'
BOTH = 'def f(x): ...\ndef g(x): ...\n__all__ = ["f", "g"]\n'


def test_a_new_version_is_the_way_out(publish: Publisher, hub: Hub) -> None:
    publish(ONE)
    done = publish(OTHER)
    assert (done.status, done.stdout) == (1, "")
    assert "this would break code that uses v1 (1 problem)" in done.stderr
    assert f"at     {REPO}, branch v1, build/{CPU}\n       found  f: is gone\n" in done.stderr
    assert "fix    state version = 2 in [general] of build.toml" in done.stderr
    assert publish(OTHER, version=2).status == 0
    assert "refs/heads/v2" in hub.repositories.get(REPO).summarize()


@pytest.mark.parametrize("branch", ["v0", "try"])
def test_branches_that_promise_nothing(branch: str, publish: Publisher) -> None:
    publish(ONE, "--branch", branch)
    done = publish(OTHER, "--branch", branch)
    assert done.status == 0
    assert publish.rows(done) == [["breaking", "f:", "is gone"], ["listed", "g:", "is new"]]


def test_a_dry_run_and_a_pull_request_are_refused_as_well(publish: Publisher, hub: Hub) -> None:
    publish(ONE)
    before = hub.repositories.get(REPO).summarize()
    assert publish(OTHER, "--dry-run").status == 1
    assert publish(OTHER, "--create-pr").status == 1
    assert hub.repositories.get(REPO).summarize() == before


def test_the_table_as_json(publish: Publisher) -> None:
    publish(ONE)
    done = publish(BOTH, "--json", "--dry-run")
    assert json.loads(done.stdout)["branches"][0]["api-changes"] == [
        {"name": "g", "change": "is new", "breaking": False}
    ]


@pytest.mark.parametrize("text", ["def f(:\n", "\0", "(" * 3000])
def test_a_published_build_that_is_no_python(text: str, publish: Publisher) -> None:
    publish(text)
    done = publish(ONE)
    assert done.status == 0
    assert f"warning: v1 is not compared with this build: build/{CPU}: " in done.stderr


def test_a_build_that_is_no_python(publish: Publisher) -> None:
    publish(ONE)
    done = publish("def f(:\n")
    assert done.status == 1
    assert f"{CPU} cannot be read" in done.stderr
    assert "invalid syntax (__init__.py, line 1)" in done.stderr


def test_the_closest_variant_is_compared(publish: Publisher, hub: Hub) -> None:
    files = {"__init__.py": "from .more import f", "more.py": "def f(): ..."}
    publish(files, variants=[OLDER, CPU, CUDA])
    hub.faults.reset()
    done = publish({**files, "more.py": "def f(x): ..."}, variants=[CPU])
    assert publish.rows(done) == [["listed", "more.f:", "Parameter was added as required: x"]]
    assert f"v1, compared with build/{CPU}:" in done.stderr
    asked = [each.split("/build/")[1] for each in hub.faults.requests if "/resolve/" in each]
    assert {path.split("/")[0] for path in asked} == {CPU}


OPS = 'from ._ops import ops\n__all__ = ["ops"]\n'


@pytest.mark.parametrize(
    ("python", "status"), [(OPS, 1), ("from ._ops import ops\n__all__ = []", 0)]
)
def test_operators_count_where_ops_is_public(python: str, status: int, publish: Publisher) -> None:
    publish(python, operators=["f(Tensor x) -> ()"])
    done = publish(python, operators=["f(Tensor x, int n) -> ()"])
    assert done.status == status
    assert ("ops.f: takes less" in done.stderr) == bool(status)


@pytest.mark.parametrize(("old", "new"), [(None, ["f() -> ()"]), (["f() -> ()"], None)])
def test_operators_that_are_not_known(
    old: list[str] | None, new: list[str] | None, publish: Publisher
) -> None:
    publish(OPS, operators=old)
    done = publish(OPS, operators=new)
    assert done.status == 0
    assert publish.rows(done) == []

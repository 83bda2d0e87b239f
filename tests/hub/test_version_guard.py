"""When an upload is compared with what is published, and what becomes of it."""

from __future__ import annotations

import json

import pytest

from kernel_builder.hub import changes
from tests.hub.client import REPO
from tests.hub.exchange import Hub
from tests.hub.faults import Fault
from tests.hub.publisher import CPU, Files, Publisher, function

OLDER = "torch212-cxx11-cpu-x86_64-linux"
CUDA = "torch213-cxx11-cu130-x86_64-linux"


def test_the_first_upload_is_compared_with_nothing(publish: Publisher) -> None:
    done = publish(function("x"))
    assert done.status == 0
    assert "public names" not in done.stderr


def test_a_new_version_is_the_way_out(publish: Publisher, hub: Hub) -> None:
    publish(function("x"))
    assert publish(function("y")).status == 1
    assert publish(function("y"), version=2).status == 0
    assert "refs/heads/v2" in hub.repositories.get(REPO).summarize()


@pytest.mark.parametrize("branch", ["v0", "try"])
def test_branches_that_promise_nothing(branch: str, publish: Publisher) -> None:
    publish(function("x"), "--branch", branch)
    done = publish(function("y"), "--branch", branch)
    assert done.status == 0
    assert publish.rows(done) == [["f", "breaking", "parameter x is called y"]]
    assert f"warning: code that uses {branch} can fail" in done.stderr


def test_a_dry_run_and_a_pull_request_are_refused_as_well(publish: Publisher, hub: Hub) -> None:
    publish(function("x"))
    before = hub.repositories.get(REPO).summarize()
    assert publish(function("y"), "--dry-run").status == 1
    assert publish(function("y"), "--create-pr").status == 1
    assert hub.repositories.get(REPO).summarize() == before


def test_the_table_as_json(publish: Publisher) -> None:
    publish(function("x"))
    done = publish(function("x, y=1"), "--json", "--dry-run")
    assert json.loads(done.stdout)["branches"][0]["api-changes"] == [
        {"name": "f", "change": "new parameter y = 1", "breaking": False}
    ]


def test_an_upload_that_goes_on_tells_what_it_began_with(
    publish: Publisher, hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(changes, "FILES_A_COMMIT", 1)
    publish(function("x"))

    def lose_the_third_answer(request: str) -> None:
        commits = [each for each in hub.faults.requests if each.endswith("commit/v1")]
        if len(commits) == 3 and request == commits[-1]:
            hub.faults.planned = [Fault("500 after", len(hub.faults.requests))]

    hub.faults.reset()
    hub.faults.meanwhile = lose_the_third_answer
    done = publish(function("x, y=1"), "--json")
    assert hub.faults.planned
    assert len(publish.rows(done)) == 1
    assert len(json.loads(done.stdout)["branches"][0]["api-changes"]) == 1


@pytest.mark.parametrize(
    ("files", "why"),
    [
        ({"__init__.py": "def f(:\n"}, "__init__.py:1"),
        ({"__init__.py": "\0"}, "__init__.py"),
        ({"__init__.py": "from . import layers", "layers.py": "(" * 3000}, "layers.py"),
    ],
)
def test_a_published_build_that_is_no_python(files: Files, why: str, publish: Publisher) -> None:
    publish(files)
    done = publish(function("x"))
    assert done.status == 0
    assert f"warning: v1 is not compared with this build: build/{CPU}, {why}" in done.stderr


def test_a_build_that_is_no_python(publish: Publisher) -> None:
    publish(function("x"))
    done = publish("def f(:\n")
    assert done.status == 1
    assert f"at     {CPU}, __init__.py:1\n" in done.stderr


def test_a_build_of_an_older_tool(publish: Publisher, hub: Hub) -> None:
    publish(function("x"))
    repository = hub.repositories.get(REPO)
    changes = [
        ("remove", f"build/{CPU}/__init__.py", None),
        ("write", f"build/{CPU}/tiny/__init__.py", function("x, y").encode()),
    ]
    repository.commit("v1", None, "as it was", changes, create_pr=False)
    done = publish(function("x"))
    assert publish.rows(done) == [["f", "breaking", "parameter y is gone"]]


def test_one_variant_is_compared_and_only_what_differs_is_fetched(
    publish: Publisher, hub: Hub
) -> None:
    init = "from .more import f\nfrom .same import g"
    files = {"__init__.py": init, "same.py": "def g(): ...", "unused.py": ""}
    publish({**files, "more.py": "def f(): ..."}, variants=[OLDER, CPU, CUDA])
    hub.faults.reset()
    files |= {"__init__.py": f"{init}\n", "unused.py": "\n"}
    done = publish({**files, "more.py": "def f(x=1): ..."}, variants=[CPU, CUDA])
    assert publish.rows(done) == [["f", "compatible", "new parameter x = 1"]]
    asked = [each.split("/build/") for each in hub.faults.requests if "/resolve/" in each]
    fetched = [f"{CPU}/__init__.py", f"{CPU}/metadata.json", f"{CPU}/more.py"]
    assert sorted(words[1] for words in asked) == fetched


def test_variants_that_stay_without_what_is_new(publish: Publisher) -> None:
    publish(function("x"), variants=[OLDER, CPU])
    warned = f"what is new is not in these variants of v1, which stay: {OLDER};"
    assert warned in publish(function("x, y=1")).stderr
    # They have it by now.
    publish(function("x, y=1"), variants=[OLDER])
    assert "what is new" not in publish(function("x, y=1, z=1"), variants=[OLDER, CPU]).stderr


OPS = 'from ._ops import ops\n__all__ = ["ops"]\n'


@pytest.mark.parametrize(
    ("old", "new", "kind", "change"),
    [
        ("f(Tensor x) -> ()", "f(Tensor x, int n) -> ()", "breaking", "new parameter n without"),
        ("f(Tensor x) -> ()", "f(Tensor x) -> Tensor", "breaking", "it returns Tensor, not ()"),
        ("f(Tensor x) -> ()", "f(Tensor! x) -> ()", "breaking", "parameter x is Tensor!, not"),
        ("f(Tensor(a!) x) -> ()", "f(Tensor(a!) y) -> ()", "breaking", "parameter x is called y"),
        ("f(int[] n=[1, 2]) -> ()", "f(int[] n=[1]) -> ()", "compatible", "parameter n is [1] by"),
        ("f(Tensor x) -> ()", "f(Tensor? x, *, int n=1) -> ()", "compatible", "parameter x is Te"),
    ],
)
def test_operators(old: str, new: str, kind: str, change: str, publish: Publisher) -> None:
    publish(OPS, operators=[old])
    done = publish(OPS, operators=[new])
    assert done.status == (kind == "breaking")
    name, found, text = publish.rows(done)[0]
    assert (name, found) == ("ops.f", kind)
    assert text.startswith(change)


def test_operators_that_are_not_public(publish: Publisher) -> None:
    publish(function("x"), operators=["f() -> ()"])
    done = publish(function("x"), operators=[])
    assert done.status == 0
    assert publish.rows(done) == [["ops.f", "compatible", "operator is gone (ops is not public)"]]


@pytest.mark.parametrize(("old", "new"), [(None, ["f() -> ()"]), (["f() -> ()"], None)])
def test_operators_that_are_not_known(
    old: list[str] | None, new: list[str] | None, publish: Publisher
) -> None:
    publish(OPS, operators=old)
    done = publish(OPS, operators=new)
    assert done.status == 0
    assert "operators are not compared" in done.stderr

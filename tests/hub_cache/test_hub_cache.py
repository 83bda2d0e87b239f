"""A dataset repository of the Hub as a binary cache: pushed by the command line, read by Nix."""

import json
import os
import re
import subprocess
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command_line import Cli, Ran, python_argv
from tests.distributed.machine import Machine, make_key
from tests.distributed.made_up import OBJECTS, VARIANT, MadeUp
from tests.hub.client import TOKEN
from tests.hub.exchange import Fault, Hub
from tests.hub.repository import Repository
from tests.hub.server import serve

REPO = "org/cache"
# The objects, the tool, the variant, the bundle, and the text that refers to them.
ALL = OBJECTS + 4
Maker = Callable[..., Machine]


class HubCache:
    """The repository, the key of its entries, and machines that write and read."""

    def __init__(self, hub: Hub, folder: Path) -> None:
        self.hub, self.folder = hub, folder
        self.secret, self.public = make_key(folder, "team-1")
        self.url = f"hf://{REPO}?compression=none&secret-key={self.secret}"
        self.substituter = f"{hub.url}/datasets/{REPO}/resolve/main"

    @property
    def repository(self) -> Repository:
        return self.hub.repositories.get(REPO, "datasets")

    @property
    def files(self) -> set[str]:
        return set(self.repository.summarize()["refs/heads/main"])

    def read(self, path: str) -> str:
        return self.repository.read_file(path, "main").decode()

    def write(self, path: str, text: str) -> None:
        self.repository.write(path, text, "main")

    def records(self) -> dict[str, str]:
        return {path: self.read(path) for path in self.files if path.startswith("pushes/")}

    def make_old(self, days: int = 40) -> None:
        """Let all pushes of today be older."""
        today = date.fromisoformat(next(iter(self.records().values())).split("\n")[0])
        for path, text in self.records().items():
            self.write(path, text.replace(str(today), str(today - timedelta(days))))

    def paths(self) -> set[str]:
        """Return the path of each entry; each is signed, and has its archive."""
        infos = {path: self.read(path) for path in self.files if path.endswith(".narinfo")}
        archives = {re.findall(r"^URL: (\S+)$", text, re.MULTILINE)[0] for text in infos.values()}
        assert archives == {path for path in self.files if path.startswith("nar/")}
        assert all("\nSig: team-1:" in text for text in infos.values())
        return {re.findall(r"^StorePath: (\S+)$", text, re.M)[0] for text in infos.values()}

    def let_write(self, machine: Machine) -> Machine:
        machine.environment.update(
            HF_ENDPOINT=self.hub.url,
            HF_HOME=str(self.folder / "hf"),
            HF_TOKEN=TOKEN,
            HF_HUB_DISABLE_XET="1",
            NO_PROXY="127.0.0.1,localhost",
        )
        return machine

    def let_read(self, machine: Machine, **settings: str) -> Machine:
        machine.set(
            substituters=self.substituter,
            trusted_public_keys=self.public,
            narinfo_cache_negative_ttl="0",
            **settings,
        )
        return machine

    def push(self, machine: Machine, kernel: Path, *words: str) -> dict[str, Any]:
        done = self.run(machine, kernel, *words)
        assert done.status == 0, done.stderr
        data: dict[str, Any] = json.loads(done.stdout)
        return data

    def run(self, machine: Machine, kernel: Path, *words: str) -> Ran:
        done = machine.cli(kernel, "push", self.url, str(kernel), "--json", *words)
        assert TOKEN not in done.stdout + done.stderr
        assert "secret-of-the-address" not in done.stdout + done.stderr
        return done


@pytest.fixture
def hub(tmp_path: Path) -> Iterator[Hub]:
    """A Hub whose large files come from another host."""
    with serve(tmp_path / "server") as running:
        running.tokens[TOKEN] = {"org"}
        running.storage = running.url.replace("127.0.0.1", "localhost")
        yield running


@pytest.fixture
def cache(hub: Hub, tmp_path: Path) -> HubCache:
    return HubCache(hub, tmp_path)


@pytest.fixture
def first(machine: Maker, cache: HubCache) -> Machine:
    return cache.let_write(machine("first"))


@pytest.fixture
def second(machine: Maker, cache: HubCache) -> Machine:
    return cache.let_read(machine("second"))


def is_whole(report: dict[str, Any]) -> bool:
    """Say whether a build compiled nothing."""
    return not report["built"] and report["variants"][0]["state"] == "fetched"


def test_a_second_machine_builds_nothing(
    first: Machine, second: Machine, cache: HubCache, kernel: MadeUp
) -> None:
    folder = kernel.make()
    pushed = cache.push(first, folder)
    assert (pushed["sent"], pushed["present"]) == (ALL, 0)
    names = {path.split("-", 1)[1] for path in cache.paths()}
    assert {"tool-1.0", "k-cpu-part0.cpp.o", f"k-{VARIANT}", "k", "k-contents"} <= names
    report, said = second.build(folder)
    assert is_whole(report)
    assert report["fetched"] == {cache.substituter: 2}
    assert "warning" not in said
    assert second.has(pushed["result"])
    # Objects are there for edits, with all that `contents` refers to.
    second.run("nix-store", "--realise", pushed["contents"])
    assert second.has(*cache.paths())


def test_what_is_there_is_not_sent_again(
    first: Machine, cache: HubCache, kernel: MadeUp, hub: Hub
) -> None:
    cache.push(first, kernel.make())
    hub.faults.reset()
    again = cache.push(first, kernel.folder)
    assert (again["sent"], again["present"]) == (0, ALL)
    assert not [each for each in hub.faults.requests if each.startswith(("PUT", "POST"))]
    edited = cache.push(first, kernel.make(edit="edited"))
    assert (edited["sent"], edited["present"]) == (ALL - 1, 1)
    assert len(cache.records()) == 2
    # Another day, the record alone is new.
    cache.make_old()
    assert cache.push(first, kernel.folder)["sent"] == 0
    assert len({text.split("\n")[0] for text in cache.records().values()}) == 2


@pytest.mark.parametrize("password", [TOKEN, "wrong-one", None])
def test_a_private_repository(
    first: Machine,
    machine: Maker,
    cache: HubCache,
    kernel: MadeUp,
    hub: Hub,
    tmp_path: Path,
    password: str | None,
) -> None:
    cache.push(first, kernel.make(), "--private")
    assert cache.repository.read()["private"]
    hub.logins.clear()
    netrc = tmp_path / "netrc"
    netrc.write_text(f"machine 127.0.0.1 login anybody password {password}\n" if password else "")
    second = cache.let_read(machine("second"), netrc_file=str(netrc))
    report, said = second.build(kernel.folder)
    assert is_whole(report) is (password == TOKEN)
    assert ("warning: a binary cache failed" in said) is (password != TOKEN)
    # Large files come from another host, which gets no token.
    tokens = {host.split(":")[0]: token for (host, _), token in hub.logins.items() if token}
    assert "localhost" not in tokens
    assert tokens == ({"127.0.0.1": password} if password else {})
    assert TOKEN not in said + json.dumps(report)
    if password == TOKEN:
        assert any(host.startswith("localhost") for host, _ in hub.logins)


def test_what_is_collected_during_a_push_is_sent_again(
    first: Machine, machine: Maker, cache: HubCache, kernel: MadeUp, hub: Hub
) -> None:
    cache.push(first, kernel.make(edit="old"))
    cache.make_old()
    rival = cache.let_write(machine("rival"))
    other = MadeUp(kernel.folder.with_name("other"), "another").make()
    done: list[str] = []

    def collect(request: str) -> None:
        if request.endswith("/commit/main") and not done:
            done.append(request)
            cache.push(rival, other, "--delete-older-than", "30d")

    hub.faults.meanwhile = collect
    pushed = cache.push(first, kernel.make())
    # The tool was there at first.
    assert (pushed["sent"], pushed["present"]) == (ALL, 0)
    assert len(cache.paths()) == 2 * ALL
    assert len(cache.records()) == 2


@pytest.mark.parametrize("kind", ["killed before", "killed after"])
def test_a_push_that_is_killed_goes_on(
    first: Machine, cache: HubCache, kernel: MadeUp, hub: Hub, kind: str
) -> None:
    objects = 60
    folder = kernel.make(objects=objects)
    argv = [*python_argv(), "push", cache.url, str(folder)]
    environment = {**os.environ, **first.environment}
    first.build(folder)
    process = subprocess.Popen(argv, env=environment, stderr=subprocess.PIPE, text=True)
    hub.faults.kill = process.terminate
    commits = 0

    def plan(request: str) -> None:
        nonlocal commits
        if request.endswith("/commit/main"):
            commits += 1
            # The second of two.
            if commits == 2:
                hub.faults.planned = [Fault(kind, len(hub.faults.requests))]

    hub.faults.meanwhile = plan
    _, said = process.communicate(timeout=120)
    assert process.returncode == 143, said
    assert "interrupted; run it again to go on" in said
    hub.faults.reset()
    sent = 0 if kind == "killed after" else objects + 4 - 48
    again = cache.push(first, folder)
    assert (again["sent"], again["present"]) == (sent, objects + 4 - sent)
    # Large files that had arrived are not sent twice.
    assert not [each for each in hub.faults.requests if each.startswith("PUT")]
    assert len(cache.paths()) == objects + 4


def test_old_pushes_are_removed(
    first: Machine, second: Machine, cache: HubCache, kernel: MadeUp
) -> None:
    old = cache.push(first, kernel.make(edit="old"))
    cache.make_old(days=31)
    cache.write("README.md", "a page of somebody")
    cache.write(f"{'0' * 32}.narinfo", "of somebody else")
    young = kernel.make(edit="young")
    assert cache.push(first, young, "--delete-older-than", "31d")["removed"] == 0
    removed = cache.push(first, young, "--delete-older-than", "30d")
    # The tool stays: the young push uses it.
    assert (removed["sent"], removed["removed"]) == (0, ALL - 1)
    assert {"README.md", f"{'0' * 32}.narinfo", "nix-cache-info"} <= cache.files
    changes = [("remove", f"{'0' * 32}.narinfo", None)]
    cache.repository.commit("main", None, "by hand", changes, create_pr=False)
    assert len(cache.paths()) == ALL
    assert old["contents"] not in cache.paths()
    assert is_whole(second.build(young)[0])


def test_nothing_is_removed_by_mistake(first: Machine, cache: HubCache, kernel: MadeUp) -> None:
    cache.push(first, kernel.make())
    before = cache.files
    path = "0" * 32 + "-k"
    texts = ("", f"2026-13-01\n{path}\n", f"2026-01-01\n../../{path}\n", f"2026-01-01\n{path}")
    for text in texts:
        cache.write("pushes/odd", text)
        done = cache.run(first, kernel.folder, "--delete-older-than", "1d")
        assert done.status == 1
        assert "nothing was removed: no such record of a push" in done.stderr
        assert "at     pushes/odd" in done.stderr
    assert cache.files == {*before, "pushes/odd"}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("hf://org/cache",), "this names no repository and key"),
        (("hf://org/cache?secret-key=",), "this names no repository and key"),
        (("hf://org/../x?secret-key=a",), "this names no repository and key"),
        (("hf://datasets/org/cache?secret-key=a",), "this names no repository and key"),
        (("hf://org/cache?secret-key=a", "--offline"), "nothing can be pushed offline"),
        (("hf://org/cache?secret-key=a", "--delete-older-than", "30"), "is no number of days"),
        (("hf://org/cache?secret-key=a", "--delete-older-than", "0d"), "is no number of days"),
        (("file:///cache", "--private"), "are for hf://ORG/NAME"),
    ],
)
def test_what_cannot_be_meant(kernel: MadeUp, words: tuple[str, ...], message: str) -> None:
    url, *options = words
    done = Cli(kernel.make().parent)("push", url, str(kernel.folder), *options)
    assert done.status == 2, done.stderr
    assert message in done.stderr
    assert not (kernel.folder / "result").exists()

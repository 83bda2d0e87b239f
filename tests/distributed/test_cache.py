"""Several machines: builds on others, and a binary cache that they share."""

import base64
import json
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command_line import Cli, Started
from tests.cli.served import Quiet, serve_with
from tests.distributed.machine import Cache, Machine, builders, make_key
from tests.distributed.made_up import OBJECTS, STEPS, VARIANT, WAIT, MadeUp
from tests.evaluation import SYSTEM

Maker = Callable[..., Machine]
# The number of times that Nix asks a cache that does not answer.
ONCE = {"download_attempts": "1"}


@pytest.fixture
def first(machine: Maker) -> Machine:
    return machine("first")


@pytest.fixture
def second(machine: Maker) -> Machine:
    return machine("second")


def state_of(report: dict[str, Any]) -> object:
    (row,) = report["variants"]
    return row["state"]


def test_a_second_machine_builds_nothing(
    first: Machine, second: Machine, cache: Cache, kernel: MadeUp
) -> None:
    folder = kernel.make()
    pushed, _ = first.push(folder, cache.signed)
    second.set(**cache.settings)
    report, _ = second.build(folder)
    assert state_of(report) == "fetched"
    assert report["built"] == {}
    # The variant and the bundle.
    assert report["fetched"] == {cache.url: 2}
    assert second.has(pushed["result"])


def test_what_was_edited_alone_is_built(
    first: Machine, second: Machine, cache: Cache, kernel: MadeUp
) -> None:
    fast = "compression=zstd&parallel-compression=true"
    first.push(kernel.make(), cache.signed.replace("compression=none", fast))
    second.set(**cache.settings)
    # The bundle of other objects: the tool comes from the cache, and nothing else is the same.
    edited, page = kernel.make(edit="edited"), kernel.folder.with_name("report.html")
    report, said = second.build(edited, "--report", str(page))
    assert report["fetched"] == {cache.url: 1}
    (step,) = [each for each in report["report"]["steps"] if each["state"] == "fetched"]
    assert (step["name"], step["where"]) == ("tool-1.0", cache.url)
    assert report["built"] == {"here": STEPS - 1}
    assert "warning" not in said


def test_a_dry_run_tells_what_a_cache_has(
    first: Machine, second: Machine, cache: Cache, kernel: MadeUp
) -> None:
    folder = kernel.make()
    first.push(folder, cache.signed)
    assert state_of(second.build(folder, "--dry-run")[0]) == "to build"
    # For one command.
    there = ("--option", "extra-substituters", cache.url)
    trusted = ("--option", "extra-trusted-public-keys", cache.public)
    told, _ = second.build(folder, "--dry-run", *there, *trusted)
    assert state_of(told) == "to fetch"


@pytest.mark.parametrize("key", ["missing", "wrong"])
def test_what_nobody_signed_is_not_taken(
    first: Machine, second: Machine, cache: Cache, kernel: MadeUp, tmp_path: Path, key: str
) -> None:
    folder = kernel.make()
    if key == "missing":
        first.push(folder, cache.unsigned)
    else:
        first.push(folder, cache.signed)
        _, cache.public = make_key(tmp_path, "other-1")
    second.set(**cache.settings)
    report, said = second.build(folder)
    assert state_of(report) == "built"
    assert report["fetched"] == {}
    assert cache.url in said
    assert "not signed by any of the keys in" in said


def test_a_cache_that_is_down(second: Machine, dead_url: str, kernel: MadeUp) -> None:
    second.set(substituters=dead_url, **ONCE)
    report, said = second.build(kernel.make())
    assert state_of(report) == "built"
    assert "warning: a binary cache failed, so more is built here" in said
    assert f"unable to download '{dead_url}/nix-cache-info'" in said


@pytest.mark.parametrize("lie", ["other bytes", "no bytes"])
def test_a_cache_that_lies(
    first: Machine, second: Machine, cache: Cache, kernel: MadeUp, lie: str
) -> None:
    folder = kernel.make()
    pushed, _ = first.push(folder, cache.signed)
    info = cache.names()[f"k-{VARIANT}"]
    content = cache.content(info)
    if lie == "other bytes":
        content.write_bytes(content.read_bytes().replace(b"contents", b"CONTENTS"))
    else:
        content.unlink()
    second.set(**cache.settings)
    report, said = second.build(folder)
    assert state_of(report) == "built"
    assert "warning: a binary cache failed, so more is built here" in said
    assert cache.url in said
    out = report["variants"][0]["out"]
    assert out == pushed["variants"][0]["out"]
    hashes = [each.run("nix-store", "--query", "--hash", out) for each in (first, second)]
    assert hashes[0] == hashes[1]


PASSWORD = "opensesame"
GOOD = "Basic " + base64.b64encode(f"team:{PASSWORD}".encode()).decode()
# The objects, the tool, the variant, the bundle, and the text that refers to them.
ALL = OBJECTS + 4


class Put(Quiet):
    """Takes files from those who have the password."""

    def do_PUT(self) -> None:  # noqa: N802
        if self.headers.get("Authorization") != GOOD:
            self.send_error(401)
            return
        content = self.rfile.read(int(self.headers["Content-Length"]))
        file = Path(self.translate_path(self.path))
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
        self.send_response(201)
        self.end_headers()


@pytest.fixture
def host(machine: Callable[..., Machine]) -> Machine:
    return machine("host")


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """A cache that takes files over HTTP; what comes before the @ is to be filled in."""
    folder = tmp_path / "taken"
    folder.mkdir()
    (folder / "nix-cache-info").write_text("StoreDir: /nix/store\n")
    with serve_with(partial(Put, directory=str(folder))) as url:
        yield url.removeprefix("http://")


def test_what_is_there_is_not_sent_again(host: Machine, cache: Cache, kernel: MadeUp) -> None:
    pushed, _ = host.push(kernel.make(), cache.signed)
    assert (pushed["sent"], pushed["present"]) == (ALL, 0)
    assert {"tool-1.0", "k-cpu-part0.cpp.o", f"k-{VARIANT}", "k", "k-contents"} <= set(
        cache.names()
    )
    again, _ = host.push(kernel.make(), cache.signed)
    assert (again["sent"], again["present"]) == (0, ALL)
    edited, _ = host.push(kernel.make(edit="edited"), cache.signed)
    assert (edited["sent"], edited["present"]) == (ALL - 1, 1)
    # People get a line.
    said = host.cli(kernel.folder, "push", cache.signed, str(kernel.folder)).stdout
    assert said == f"0 paths sent, {ALL} were there already\n"


def test_to_another_store(host: Machine, machine: Callable[..., Machine], kernel: MadeUp) -> None:
    server = machine("server")
    pushed, _ = host.push(kernel.make(), server.serve())
    assert pushed["sent"] == ALL
    root = server.root / "kept" / "main"
    root.parent.mkdir()
    server.run("nix-store", "--realise", pushed["contents"], "--add-root", str(root))
    server.run("nix-collect-garbage")
    objects = server.run("nix-store", "--query", "--references", pushed["contents"])
    assert objects.count(".cpp.o\n") == OBJECTS
    assert server.has(pushed["contents"], pushed["result"], *objects.split())


def test_a_cache_that_lost_a_path_gets_it_again(
    host: Machine, address: str, kernel: MadeUp, tmp_path: Path
) -> None:
    netrc = tmp_path / "netrc"
    netrc.write_text(f"machine 127.0.0.1 login team password {PASSWORD}\n")
    host.set(netrc_file=str(netrc))
    url = f"http://{address}?compression=none"
    host.push(kernel.make(), url)
    taken = Cache.names_in(tmp_path / "taken")
    taken["k-cpu-part1.cpp.o"].unlink()
    assert host.push(kernel.folder, url)[0]["sent"] == 1


@pytest.mark.parametrize("password", [PASSWORD, "wrong-one"])
def test_no_password_is_printed(host: Machine, address: str, kernel: MadeUp, password: str) -> None:
    folder = kernel.make()
    url = f"http://team:{password}@{address}?compression=none"
    for option in ("--verbose", "--json"):
        done = host.cli(folder, "push", url, str(folder), option)
        assert done.status == (0 if password == PASSWORD else 1), done.stderr
        assert address in done.stdout + done.stderr
        assert password not in done.stdout + done.stderr
    if password != PASSWORD:
        assert "error: not everything could be sent" in done.stderr


SECONDS = 400


def test_steps_are_spread_and_counted(
    machine: Callable[..., Machine], three: list[Machine], kernel: MadeUp, tmp_path: Path
) -> None:
    coordinator = machine("main")
    lines = ["# where  system  key  jobs  speed"]
    for each in three:
        each.share()
        lines.append(f"{each.serve()}  {SYSTEM}  -  1  2")
    machines = tmp_path / "machines"
    machines.write_text("\n".join(lines))
    options = ("--max-jobs", "0", "--option", "builders", f"@{machines}")
    words = ("build", str(kernel.make(WAIT, objects=3)), "--json", "-v", *options)
    with Started(Cli(tmp_path, coordinator.environment), *words) as process:
        end = time.monotonic() + SECONDS
        # Nobody ends before all have something to do.
        while not all(each.begun() for each in three):
            assert time.monotonic() < end, "no builder was given what it has to build"
            assert process.poll() is None, process.communicate()
            time.sleep(0.1)
        for each in three:
            each.go()
        out, said = process.communicate(timeout=SECONDS)
    assert process.returncode == 0, said
    report = json.loads(out)
    assert set(report["built"]) == {each.serve() for each in three}
    # The tool, the objects, the variant, the bundle.
    assert sum(report["built"].values()) == 1 + 3 + 1 + 1
    # Each one is told of once, although a builder tells of it as well.
    assert said.count("building k-cpu-part1.cpp.o") == 1
    # Their results have come back.
    assert coordinator.has(report["result"], *(each["out"] for each in report["variants"]))


def test_a_builder_that_does_not_answer(
    machine: Callable[..., Machine], three: list[Machine], kernel: MadeUp
) -> None:
    coordinator, nobody, folder = machine("main"), machine("nobody"), kernel.make()
    where = builders(nobody)
    (nobody.root / "serve.sh").unlink()
    done = coordinator.cli(folder, "build", str(folder), *where)
    assert done.status == 1
    assert f"cannot build on '{where[-1].split()[0]}'" in done.stderr
    report, _ = coordinator.build(folder, *where[:-1], f"{where[-1]}; {builders(three[0])[-1]}")
    assert set(report["built"]) == {three[0].serve()}

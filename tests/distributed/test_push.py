"""`push` and `--keep`: what goes where, what stays, and what nobody gets to read."""

from __future__ import annotations

import base64
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from kernel_builder.variants.contents import kind_of
from tests.cli.command_line import PACKAGE
from tests.distributed.cache import Cache
from tests.distributed.machine import Machine, Sshd
from tests.distributed.made_up import OBJECTS, VARIANT, MadeUp

PASSWORD = "opensesame"
GOOD = "Basic " + base64.b64encode(f"team:{PASSWORD}".encode()).decode()
LEFT_OPEN = 30


class Put(SimpleHTTPRequestHandler):
    """Takes files from those who have the password; at the one `stops_at`, it goes deaf."""

    stops_at = 0
    stopped = threading.Event()
    taken = 0

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        pass

    def do_PUT(self) -> None:
        if self.headers.get("Authorization") != GOOD:
            self.send_error(401)
            return
        type(self).taken += 1
        if type(self).taken == self.stops_at:
            self.stopped.set()
            threading.Event().wait(LEFT_OPEN)
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
def handler() -> type[Put]:
    return type("Handler", (Put,), {"stopped": threading.Event()})


@pytest.fixture
def address(tmp_path: Path, handler: type[Put]) -> Iterator[str]:
    """A cache that takes files over HTTP; what comes before the @ is to be filled in."""
    folder = tmp_path / "taken"
    folder.mkdir()
    (folder / "nix-cache-info").write_text("StoreDir: /nix/store\n")
    running = ThreadingHTTPServer(("127.0.0.1", 0), partial(handler, directory=str(folder)))
    running.daemon_threads = True
    threading.Thread(target=running.serve_forever, daemon=True).start()
    yield f"127.0.0.1:{running.server_port}"
    running.shutdown()
    running.server_close()


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("precompiled-torch-all.h", "header"),
        ("torch-2.13.0-headers", "header"),
        ("cuda-cudart-13.0-dev", "header"),
        ("precompiler-1.0", "toolchain"),
        ("k-cpu-part0.cpp.o", "object"),
    ],
)
def test_what_a_step_makes_has_a_kind(name: str, kind: str) -> None:
    assert kind_of(f"/nix/store/{'0' * 32}-{name}", "k", [VARIANT]) == kind


def test_hits_and_misses_by_kind(host: Machine, cache: Cache, kernel: MadeUp) -> None:
    pushed, _ = host.push(kernel.make(), cache.signed)
    row = {"hits": 0, "misses": 1, "absent": 0}
    assert pushed["kinds"] == {
        "object": {**row, "misses": OBJECTS},
        "variant": row,
        # It, and the text that names all that was sent.
        "bundle": {**row, "misses": 2},
        "toolchain": row,
    }
    assert {"tool-1.0", "k-cpu-part0.cpp.o", f"k-{VARIANT}", "k"} <= set(cache.names())
    again = host.push(kernel.make(), cache.signed)[0]["kinds"]
    assert again["object"] == {"hits": OBJECTS, "misses": 0, "absent": 0}
    edited = host.push(kernel.make(edit="edited"), cache.signed)[0]["kinds"]
    assert edited["object"]["misses"] == OBJECTS
    assert edited["toolchain"] == {"hits": 1, "misses": 0, "absent": 0}
    # People get a table.
    said = host.cli(kernel.folder, "push", cache.signed, str(kernel.folder)).stdout
    assert said.splitlines()[0].split() == ["kind", "hits", "misses", "absent"]
    assert said.splitlines()[1].split() == ["object", str(OBJECTS), "0", "0"]


def test_what_is_not_there_is_told(
    host: Machine, machine: Callable[..., Machine], cache: Cache, kernel: MadeUp, tmp_path: Path
) -> None:
    host.push(kernel.make(), cache.signed)
    second = machine("second")
    second.set(**cache.settings)
    pushed, said = second.push(kernel.folder, f"file://{tmp_path}/other?compression=none")
    assert pushed["kinds"]["object"] == {"hits": 0, "misses": 0, "absent": OBJECTS}
    assert "absent is what this machine has not built" in said


def test_to_another_store(
    host: Machine, machine: Callable[..., Machine], sshd: Sshd, kernel: MadeUp
) -> None:
    host.environment.update(sshd.variables())
    server = machine("server")
    sshd.lead_to(server)
    pushed, _ = host.push(kernel.make(), f"ssh-ng://{server.name}")
    assert pushed["kinds"]["object"]["misses"] == OBJECTS
    root = server.root / "kept" / "main"
    root.parent.mkdir()
    server.run("nix-store", "--realise", pushed["contents"], "--add-root", str(root))
    server.run("nix-collect-garbage")
    objects = server.run("nix-store", "--query", "--references", pushed["contents"])
    assert objects.count(".cpp.o\n") == OBJECTS
    assert server.has(pushed["contents"], pushed["result"], *objects.split())


def test_a_push_that_is_killed_goes_on(
    host: Machine, address: str, handler: type[Put], kernel: MadeUp, tmp_path: Path
) -> None:
    url = f"http://team:{PASSWORD}@{address}?compression=none"
    handler.stops_at = 6
    argv = [sys.executable, "-m", "kernel_builder", "push", url, str(kernel.make())]
    environment = {**os.environ, **host.environment, "PYTHONPATH": str(PACKAGE)}
    process = subprocess.Popen(argv, env=environment, stderr=subprocess.PIPE, text=True)
    assert handler.stopped.wait(60)
    process.send_signal(signal.SIGTERM)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "interrupted; run it again to go on" in said
    arrived = len(list((tmp_path / "taken").glob("*.narinfo")))
    assert 0 < arrived < OBJECTS
    kinds = host.push(kernel.folder, url)[0]["kinds"]
    assert sum(row["hits"] for row in kinds.values()) == arrived
    kinds = host.push(kernel.folder, url)[0]["kinds"]
    assert sum(row["misses"] for row in kinds.values()) == 0


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
    assert host.push(kernel.folder, url)[0]["kinds"]["object"]["misses"] == 1


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


@pytest.mark.parametrize(
    ("url", "problem"),
    [
        ("nonsense://cache", "don't know how to open Nix store"),
        ("http://127.0.0.1:1", "unable to"),
    ],
)
def test_an_address_that_takes_nothing(
    host: Machine, kernel: MadeUp, url: str, problem: str
) -> None:
    folder = kernel.make()
    options = ("--option", "download-attempts", "1")
    done = host.cli(folder, "push", url, str(folder), *options)
    assert done.status == 1
    assert "error: not everything could be sent (1 problem)" in done.stderr
    assert f"at     {url}" in done.stderr
    assert problem in done.stderr


def test_the_collector_leaves_what_is_kept(host: Machine, kernel: MadeUp) -> None:
    folder = kernel.make()
    _, said = host.build(folder, "--keep", "main")
    contents = host.run("nix-store", "--gc", "--print-roots")
    assert "k-contents" in contents
    link = host.root / "state" / "kernel-builder" / "kept" / "main"
    assert f"kept as long as this link is there: {link}" in said
    paths = host.run("nix-store", "--query", "--references", str(link.readlink())).split()
    assert len([path for path in paths if "cpp.o" in path]) == OBJECTS
    (folder / "result").unlink()
    host.run("nix-collect-garbage")
    assert host.has(*paths)
    link.unlink()
    host.run("nix-collect-garbage")
    assert not host.has(*paths)


def test_names_of_what_is_kept(host: Machine, kernel: MadeUp) -> None:
    folder = kernel.make()
    done = host.cli(folder, "build", str(folder), "--keep", "../main")
    assert done.status == 2
    assert "is no name" in done.stderr

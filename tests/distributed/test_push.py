"""`push` and the output `contents`: what is sent, what is kept, and who may read it."""

from __future__ import annotations

import base64
import threading
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from tests.distributed.cache import Cache
from tests.distributed.machine import Machine, Sshd
from tests.distributed.made_up import OBJECTS, VARIANT, MadeUp

PASSWORD = "opensesame"
GOOD = "Basic " + base64.b64encode(f"team:{PASSWORD}".encode()).decode()
LEFT_OPEN = 30
# The objects, the tool, the variant, the bundle, and the text that refers to them.
ALL = OBJECTS + 4


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


def test_to_another_store(
    host: Machine, machine: Callable[..., Machine], sshd: Sshd, kernel: MadeUp
) -> None:
    host.environment.update(sshd.variables())
    server = machine("server")
    sshd.lead_to(server)
    pushed, _ = host.push(kernel.make(), f"ssh-ng://{server.name}")
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


@pytest.mark.parametrize(
    ("url", "problem"),
    [("nonsense://cache", "don't know how to open Nix store"), ("http://127.0.0.1:1", "unable to")],
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

"""When each step ran and what it took, out of Nix's log: streams as Nix wrote them."""

from __future__ import annotations

from collections.abc import Iterator

from kernel_builder.nix.log import NixLog, Span

A = "/nix/store/rqaxsfimqrrggf5yxlgik5ql6kkxvd1z-rec-a.cpp.o.drv"
ALL = "/nix/store/lcyfndpj39jl9p1lmy5anhrnyakqm9gp-rec-all.drv"

BUILDS = f"""\
@nix {{"action":"start","id":1,"level":0,"text":"","type":102}}
@nix {{"action":"start","id":2,"level":0,"text":"","type":104}}
@nix {{"action":"start","fields":["{A}","",1,1],"id":3,"level":3,"text":"","type":105}}
@nix {{"action":"result","fields":[0,2,1,0],"id":2,"type":105}}
@nix {{"action":"result","fields":["lean headers: 1.50 s, 300 MB"],"id":3,"type":104}}
@nix {{"action":"result","fields":["a.cpp: a warning"],"id":3,"type":101}}
@nix {{"action":"result","fields":["compiler: 3.25 s, 812 MB"],"id":3,"type":104}}
@nix {{"action":"stop","id":3}}
@nix {{"action":"start","fields":["{ALL}","",1,1],"id":4,"level":3,"text":"","type":105}}
@nix {{"action":"result","fields":["unpackPhase"],"id":4,"type":104}}
"""
# The machine that builds tells of the same derivation itself, inside.
ELSEWHERE = f"""\
@nix {{"action":"start","fields":["{A}","ssh-ng://builder",1,1],"id":7,"level":3,"text":"","type":105}}
@nix {{"action":"start","fields":["{A}","",1,1],"id":8,"level":3,"text":"","type":105}}
@nix {{"action":"result","fields":["compiler: 2.00 s, 90 MB"],"id":8,"type":104}}
@nix {{"action":"stop","id":8}}
@nix {{"action":"stop","id":7}}
"""


def read(text: str) -> dict[str, Span]:
    """Return the spans; the clock goes on by a second each time that it is read."""

    def ticks() -> Iterator[float]:
        yield from range(1000)

    clock = ticks()
    log = NixLog(clock=lambda: float(next(clock)))
    for line in text.splitlines():
        log.read(line)
    return log.spans


def test_builds() -> None:
    parts = [("lean headers", 1.5, 300), ("compiler", 3.25, 812)]
    # It ended with its last program, not when Nix told; the second has not ended; a phase of
    # somebody else's is none of ours.
    assert read(BUILDS) == {A: Span(0, 2, "", parts, last_part=2), ALL: Span(3)}


def test_another_machine_builds() -> None:
    assert read(ELSEWHERE) == {
        A: Span(0, 1, "ssh-ng://builder", [("compiler", 2.0, 90)], last_part=1)
    }

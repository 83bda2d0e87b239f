"""The graph as different versions of Nix print it, and the walk over it."""

from __future__ import annotations

import pytest

from kernel_builder.nix.derivations import Derivation, parse_graph, walk_unbuilt

SOURCE = {"env": {"name": "s", "out": "/nix/store/c-s", "sourceKind": "vendor"}}

FORMATS = {
    "2.8": {
        "/nix/store/a-top.drv": {
            "outputs": {"out": {"path": "/nix/store/b-top"}},
            "inputDrvs": {"/nix/store/d-s.drv": ["out"]},
            "env": {},
        },
        "/nix/store/d-s.drv": {
            "outputs": {"out": {"path": "/nix/store/c-s", "hashAlgo": "sha256", "hash": "00"}},
            "inputDrvs": {},
            **SOURCE,
        },
    },
    "2.20": {
        "/nix/store/a-top.drv": {
            "outputs": {"out": {"path": "/nix/store/b-top"}},
            "inputDrvs": {"/nix/store/d-s.drv": {"dynamicOutputs": {}, "outputs": ["out"]}},
            "env": {},
        },
        "/nix/store/d-s.drv": {
            "outputs": {"out": {"path": "/nix/store/c-s", "method": "flat", "hash": "00"}},
            "inputDrvs": {},
            **SOURCE,
        },
    },
    "2.32": {
        "a-top.drv": {
            "outputs": {"out": {"path": "b-top"}},
            "inputDrvs": {"d-s.drv": {"dynamicOutputs": {}, "outputs": ["out"]}},
            "env": {},
        },
        "d-s.drv": {
            "outputs": {"out": {"path": None, "method": "flat", "hash": "sha256-AA="}},
            "inputDrvs": {},
            **SOURCE,
        },
    },
    "2.34": {
        "version": 4,
        "derivations": {
            "a-top.drv": {
                "outputs": {"out": {"path": "b-top"}},
                "inputs": {
                    "drvs": {"d-s.drv": {"dynamicOutputs": {}, "outputs": ["out"]}},
                    "srcs": [],
                },
                "env": {},
            },
            "d-s.drv": {
                "outputs": {"out": {"method": "flat", "hash": "sha256-AA="}},
                "inputs": {"drvs": {}, "srcs": []},
                **SOURCE,
            },
        },
    },
}


@pytest.mark.parametrize("version", FORMATS)
def test_formats(version: str) -> None:
    assert parse_graph(FORMATS[version]) == {
        "/nix/store/a-top.drv": Derivation(
            "/nix/store/a-top.drv",
            {"out": "/nix/store/b-top"},
            {"/nix/store/d-s.drv": ("out",)},
            {},
        ),
        "/nix/store/d-s.drv": Derivation(
            "/nix/store/d-s.drv", {"out": "/nix/store/c-s"}, {}, SOURCE["env"], is_fixed=True
        ),
    }


def node(name: str, *inputs: str, source: bool = False) -> Derivation:
    environment = {"sourceKind": "vendor"} if source else {}
    return Derivation(name, {"out": f"/{name}"}, dict.fromkeys(inputs, ("out",)), environment)


# top -> library -> source -> tool, and top -> plain
GRAPH = {
    each.path: each
    for each in (
        node("top", "library", "plain"),
        node("library", "source"),
        node("source", "tool", source=True),
        node("tool"),
        node("plain"),
    )
}


def walk(*invalid: str) -> list[str]:
    return sorted(each.path for each in walk_unbuilt(GRAPH, ["top"], {f"/{n}" for n in invalid}))


def test_walk_stops_at_what_is_there() -> None:
    assert walk("top", "source", "tool") == ["top"]


def test_walk_does_not_go_below_a_source() -> None:
    assert walk("top", "library", "source", "tool") == ["library", "source", "top"]


@pytest.mark.parametrize("invalid", ["/lib", "/dev"])
def test_walk_takes_what_lacks_one_of_its_outputs(invalid: str) -> None:
    graph = {
        "top": Derivation("top", {"out": "/top"}, {"split": ("lib", "dev")}, {}),
        "split": Derivation("split", {"lib": "/lib", "dev": "/dev"}, {}, {}),
    }
    assert [each.path for each in walk_unbuilt(graph, ["top"], {"/top", invalid})] == [
        "top",
        "split",
    ]
    assert [each.path for each in walk_unbuilt(graph, ["split"], {invalid})] == ["split"]

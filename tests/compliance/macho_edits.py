"""Libraries for macOS from pinned wheels, and edits that a linker could have made."""

import struct
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.evaluation import ROOT, build, evaluate, path_of

# Wheels for builds, and wheels for tests alone.
PINS = (
    ROOT / "pkgs" / "python" / "python-packages" / "pins.json",
    ROOT / "tests" / "nix" / "packages" / "test-packages" / "pins.json",
)
HEADER = struct.Struct("<8I")
LC_VERSION_MIN_MACOSX = 0x24
LC_BUILD_VERSION = 0x32
LC_RPATH = 0x8000001C

Edit = Callable[[bytes], bytes]


def read_library(project: str) -> tuple[str, bytes]:
    """Return name and content of the first library in the wheel that is pinned for macOS."""
    files = " ".join(map(path_of, PINS))
    drv = evaluate(
        f"""
        let
          read = file: (builtins.fromJSON (builtins.readFile file)).pins.aarch64-darwin;
          pins = builtins.foldl' (all: file: all // read file) {{ }} [ {files} ];
          packages = (import {path_of(ROOT)}).packages.${{builtins.currentSystem}};
          wheel = packages.fetchWheel {{
            project = "{project}";
            inherit (pins.{project}) version file sha256;
          }};
        in wheel.drvPath
        """
    )
    with zipfile.ZipFile(build(drv)) as wheel:
        name = min(name for name in wheel.namelist() if name.endswith(".so"))
        return Path(name).name, wheel.read(name)


def _commands(data: bytes) -> Iterator[tuple[int, int, int]]:
    """Yield number, place and size of each load command."""
    place = HEADER.size
    for _ in range(HEADER.unpack_from(data)[4]):
        number, size = struct.unpack_from("<2I", data, place)
        yield number, place, size
        place += size


def with_run_path(path: str) -> Edit:
    """Return the edit that adds a run path in the padding that linkers leave."""

    def edit(data: bytes) -> bytes:
        *_, (_, place, size) = _commands(data)
        end = place + size
        text = path.encode() + bytes(8 - len(path) % 8)
        # Offset of the text in the command, which 4 bytes of padding end.
        command = struct.pack("<3I", LC_RPATH, 16 + len(text), 12) + text + bytes(4)
        assert not any(data[end : end + len(command)]), "there is room for it"
        head = [*HEADER.unpack_from(data)]
        head[4] += 1
        head[5] += len(command)
        return HEADER.pack(*head) + data[HEADER.size : end] + command + data[end + len(command) :]

    return edit


def with_least(
    version: tuple[int, int], *, command: int = LC_BUILD_VERSION, platform: int = 1
) -> Edit:
    """Return the edit that changes the minimum macOS version, in one of the two commands."""
    number = version[0] << 16 | version[1] << 8

    def edit(data: bytes) -> bytes:
        (place, size) = next(
            (at, size) for one, at, size in _commands(data) if one == LC_BUILD_VERSION
        )
        body = (
            struct.pack("<2I", platform, number)
            if command == LC_BUILD_VERSION
            else struct.pack("<2I", number, 0)
        )
        changed = struct.pack("<2I", command, size) + body
        return data[:place] + changed + data[place + len(changed) :]

    return edit


def with_text(old: str, new: str) -> Edit:
    """Return the edit that replaces a text by another of the same length."""

    def edit(data: bytes) -> bytes:
        assert len(old) == len(new)
        assert old.encode() in data
        return data.replace(old.encode(), new.encode())

    return edit

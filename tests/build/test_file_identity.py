"""The identity of files, by which compilers decide whether they have read a file.

gcc compares time, size and content, clang the inode. In the store, equal files can be one file, and
all have one time.
"""

import os
from pathlib import Path

import pytest

from tests.build.one_step import BUSYBOX, run_steps
from tests.evaluation import ROOT, call

LAY_OUT = ROOT / "pkgs/compile/unit-inputs/lay-out.sh"
# Store paths of the files, by their names in the kernel. Equal files with one name are one path.
FILES = {
    "a/tile.h": "tile.h",
    "b/tile.h": "tile.h",
    "c/ tile 2.h ": "copy.h",
    "c/size.h": "size.h",
    "unit.cu": "unit.cu",
}
TEXTS = {
    "tile.h": "#pragma once\n",
    "copy.h": "#pragma once\n",
    "size.h": "#pragma two!\n",
    "unit.cu": "int x;\n",
}


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """Return the list of a unit's files, which are in a store of their own."""
    store = tmp_path / "store"
    store.mkdir()
    for name, text in TEXTS.items():
        (store / name).write_text(text)
        os.utime(store / name, (1, 1))
    lines = [f"{store / path} {file}" for file, path in FILES.items()]
    listed = tmp_path / "files"
    listed.write_text("\n".join([*lines, "folder c/empty"]))
    return listed


def run_lay_out(folder: Path, **variables: str) -> Path:
    """Run the shell's script in a new folder; return the folder with the unit's files."""
    programs = folder / "programs"
    programs.mkdir(exist_ok=True)
    call(BUSYBOX, "--install", "-s", programs)
    place = folder / "build"
    place.mkdir()
    environment = {
        "PATH": str(programs),
        "flags": "-I@build/kernel@",
        "TZ": "Asia/Tokyo",
        **variables,
    }
    argv = [str(BUSYBOX), "sh", "-eu", "-c", f'. {LAY_OUT}; printf "%s\\n" "$flags"']
    done = call(*argv, cwd=place, env=environment)
    assert done.stdout == f"-I{place / 'kernel'}\n"
    return place / "kernel"


def run_python(folder: Path, files: Path) -> Path:
    place = folder / "build"
    place.mkdir()
    done = run_steps(
        f"import os\nos.chdir({str(place)!r})\nsteps.lay_out()", filesPath=str(files), moduleId=""
    )
    assert done.returncode == 0, done.stderr
    return place / "kernel"


def run_translated(folder: Path, files: Path) -> Path:
    """Run the script with files of one step, whose equal files the store has made one."""
    tree = folder / "translated" / "kernel"
    for line in files.read_text().splitlines():
        path, _, file = line.partition(" ")
        if path == "folder":
            (tree / file).mkdir()
        else:
            (tree / file).parent.mkdir(parents=True, exist_ok=True)
            os.link(path, tree / file)
    (folder / "translated" / "source").write_text("unit.cu\n")
    return run_lay_out(folder, translated=str(folder / "translated"))


@pytest.mark.parametrize("how", ["shell", "python", "translated"])
def test_no_file_has_the_identity_of_another(tmp_path: Path, files: Path, how: str) -> None:
    if how == "shell":
        place = run_lay_out(tmp_path, filesPath=str(files))
    elif how == "python":
        place = run_python(tmp_path, files)
    else:
        place = run_translated(tmp_path, files)
    facts = {file: (place / file).lstat() for file in FILES}
    assert {file: (place / file).read_text() for file in FILES} == {
        file: TEXTS[path] for file, path in FILES.items()
    }
    assert not any((place / file).is_symlink() for file in FILES)
    assert len({fact.st_ino for fact in facts.values()}) == len(FILES)
    assert len({(fact.st_mtime, fact.st_size) for fact in facts.values()}) == len(FILES)
    # The files of packages, in the store, have the time 1.
    assert all(fact.st_mtime > 1 for fact in facts.values())
    assert (place / "c/empty").is_dir()
    # `__TIMESTAMP__` has the same text wherever and whenever the unit is compiled.
    assert sorted(fact.st_mtime - 24 * 3600 for fact in facts.values()) == [0, 0, 1, 2, 3]
    assert facts["a/tile.h"].st_mtime < facts["b/tile.h"].st_mtime < facts["c/size.h"].st_mtime

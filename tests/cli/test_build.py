"""`build`: fetch, build, link, report, warn. The kernels are tiny, all else is real."""

import json
import shutil
import signal
import time
from pathlib import Path

import pytest

from tests.cli.command_line import Cli, Started, wait_for
from tests.cli.fake_kernel import FAILS, SYSTEM, FakeKernel, init_git
from tests.cli.served import Server
from tests.cli.store import Store
from tests.evaluation import run_nix

SIZE = "13 bytes"  # of a variant that is a salt


def read_result(kernel: FakeKernel) -> str:
    return (kernel.folder / "result").read_text()


def test_built_then_cached(cli: Cli, kernel: FakeKernel) -> None:
    kernel.add("torch213-cxx11-cpu-x")
    # It asks for nothing, so it is no warning.
    note = '[ { at = "torch214-cxx11-cu130-x"; found = "x"; want = "y"; fix = "none needed"; } ]'
    kernel.add("torch214-cxx11-cu130-x", "cuda", notImported='"it is old"', warnings=note)
    folder = kernel.write()
    first = cli("build", str(folder))
    assert (first.status, first.stderr) == (0, "2 of 2 variants, 3 steps (--here: 1 variant)\n")
    out = str((kernel.folder / "result").readlink())
    assert first.stdout == (
        f"""\
variant                 state      size  why
torch213-cxx11-cpu-x    built  {SIZE}
torch214-cxx11-cu130-x  built  {SIZE}  no import check: it is old

{kernel.folder}/result -> {out}
"""
    )
    assert read_result(kernel).startswith("torch213-cxx11-cpu-x torch214")
    # Nix keeps it.
    assert f"{kernel.folder}/result" in run_nix("nix-store", "--query", "--roots", out)

    second = cli("build", str(folder))
    assert (second.status, second.stderr) == (0, "")
    assert second.stdout == first.stdout.replace("state  ", "state   ").replace("built ", "cached ")


def test_what_runs_if_nothing_changed(cli: Cli, kernel: FakeKernel, tmp_path: Path) -> None:
    kernel.add("torch213-cxx11-cpu-x")
    folder, copy = kernel.write(), tmp_path / "copy" / kernel.folder.name
    assert cli("build", str(folder)).status == 0

    def list_programs(folder: Path) -> list[str]:
        done = cli.expect(0, "build", "-v", str(folder))
        lines = [line.split() for line in done.stderr.splitlines() if line.startswith("+ ")]
        return [" ".join(words[1:3]) for words in lines]

    asked = ["nix --extra-experimental-features", "nix-store --check-validity"]
    assert list_programs(folder) == asked
    # Nix keeps nothing for a link that somebody copied.
    shutil.copytree(folder, copy, symlinks=True)
    assert list_programs(copy) == [*asked, "nix-store --realise"]
    out = str((copy / "result").readlink())
    assert f"{copy}/result" in run_nix("nix-store", "--query", "--roots", out)
    assert list_programs(copy) == asked


def test_here_is_the_best_one_that_can_be_had(
    cli: Cli, kernel: FakeKernel, store: Store, salt: str, tmp_path: Path
) -> None:
    cli.environment["XDG_CACHE_HOME"] = str(tmp_path / "cache")
    kernel.add("a-cuda", backend="cuda", sources=lacking_wheels(cli, store, salt, tmp_path))
    kernel.add("b-cuda", backend="cuda")
    kernel.add("c-cpu")
    folder = str(kernel.write())

    def build(device: str, *words: str) -> list[str]:
        done = cli("build", folder, "--here", *words, "--json", KERNEL_BUILDER_BACKEND=device)
        assert done.status == 0, done.stderr
        lost = "a-cuda is left out: pip does not get " in done.stderr
        assert lost is (device != "cpu")
        return [f"{row['variant']}: {row['state']}" for row in json.loads(done.stdout)["variants"]]

    assert build("cpu", "--dry-run") == ["c-cpu: to build"]
    assert not (kernel.folder / "result").exists()
    assert build("cpu") == ["c-cpu: built"]
    assert build("cuda") == ["b-cuda: built"]
    assert read_result(kernel) == f"b-cuda {salt}\n"
    # Without a device it is the first one of the first backend.
    assert build("metal") == ["b-cuda: cached"]
    assert cli("build", folder, "--here", "--backend", "cpu").status == 2


def test_another_torch_for_one_that_cannot_be_had(
    cli: Cli, kernel: FakeKernel, store: Store, server: Server, salt: str, tmp_path: Path
) -> None:
    cli.environment["XDG_CACHE_HOME"] = str(tmp_path / "cache")
    gone = lacking_wheels(cli, store, salt, tmp_path)
    had = sources(store, f"{salt}-had", server.put("had", f"{salt}-had".encode()))
    releases = {"2.15.0": f"builtins.head {gone}", "2.14.0": f"builtins.elemAt {gone} 1"}
    lost = [f'{{ torch = "{torch}"; source = {of}; }}' for torch, of in releases.items()]
    others = f'[ {" ".join(lost)} {{ torch = "2.13.0"; source = builtins.head {had}; }} ]'
    kernel.add("several", torches=others)
    kernel.add("none", torches=f"[ {' '.join(lost)} ]")
    kernel.add("good")
    folder = str(kernel.write())

    def build(*words: str) -> dict[str, tuple[str, str]]:
        done = cli("build", folder, "--json", *words)
        assert done.status == 0, done
        rows = json.loads(done.stdout)["variants"]
        return {row["variant"]: (row["state"], row["why"].split(" (")[0]) for row in rows}

    assert build("--dry-run")["several"] == ("to build", "")
    for state, *words in (["built"], ["cached"], ["cached", "--dry-run"], ["cached", "--refresh"]):
        found = build(*words)
        other = "Torch 2.13.0 instead of 2.15.0, which cannot be had here"
        assert found == {
            "several": (state, other),
            "none": ("left out", f"pip does not get {WHEELS[0]}"),
            "good": (state, ""),
        }
    assert read_result(kernel).startswith("several good")


def test_nothing_is_here(cli: Cli, kernel: FakeKernel) -> None:
    folder = str(kernel.write())
    here, everything = (cli("build", folder, *words) for words in (["--here"], []))
    assert (here.status, here.stderr) == (1, everything.stderr)


def signal_while_building(cli: Cli, kernel: FakeKernel, number: int) -> tuple[int, str, str]:
    """Signal a build of two variants, of which one is built; return its status and outputs."""
    kernel.add("a-short")
    kernel.add("b-long", script='"sleep 60; echo > $out"')
    folder = str(kernel.write())
    with Started(cli, "build", folder, "--max-jobs", "2") as process:
        data = json.loads(run_nix("nix", "eval", "--json", f"path:{folder}#manifest"))
        wait_for(Path(data["variants"][0]["out"]).exists)
        # A builder outlives a Nix that is ended while it starts it.
        time.sleep(1)
        process.send_signal(number)
        table, said = process.communicate(timeout=30)
    return process.returncode, table, said


def test_after_an_interruption_what_is_built_is_linked(cli: Cli, kernel: FakeKernel) -> None:
    status, table, said = signal_while_building(cli, kernel, signal.SIGINT)
    assert status == 128 + signal.SIGINT
    assert said.endswith("error: interrupted; run it again to go on\n")
    assert [line.split()[:4] for line in table.splitlines()[1:3]] == [
        ["a-short", "built", *SIZE.split()],
        ["b-long", "left", "out", "interrupted"],
    ]
    assert read_result(kernel) == f"a-short {kernel.salt}\n"


def test_a_signal_that_ends_everything_links_nothing(cli: Cli, kernel: FakeKernel) -> None:
    status, table, _ = signal_while_building(cli, kernel, signal.SIGTERM)
    assert (status, table) == (128 + signal.SIGTERM, "")


def test_wheels_of_what_was_built(cli: Cli, kernel: FakeKernel) -> None:
    kernel.add("a-cpu")
    kernel.add("b-cpu", script=FAILS)
    folder = kernel.write()
    done = cli.expect(1, "build", str(folder), "--wheels", "--json")
    link = folder / "wheels"
    assert link.read_text() == f"wheels of a-cpu {kernel.salt}\n"
    assert json.loads(done.stdout)["wheels"] == str(link.readlink())
    done = cli("build", str(folder), "--wheels", "--variant", "a-cpu")
    assert done.stdout.endswith(f"\n{link} -> {link.readlink()}\n")
    link.unlink()
    link.mkdir()
    for status, said, *words in ((1, "move it away"), (2, "whole variants", "--capability", "9.0")):
        done = cli("build", str(folder), "--wheels", "--variant", "a-cpu", *words)
        assert (done.status, said in done.stderr) == (status, True)


@pytest.mark.parametrize(
    ("words", "result"),
    [
        (["--backend", "cpu"], "a-cpu b-cpu "),
        (["--variant", "c-cuda"], "c-cuda "),
        (["--variant", "a-cpu", "--variant", "c-cuda"], "a-cpu c-cuda "),
        (["--variant", "a-cpu", "--backend", "cuda"], "a-cpu c-cuda "),
        ([], "a-cpu b-cpu c-cuda "),
        # No bundle has this one: it is built by name.
        (["--variant", "old-cpu"], "old-cpu "),
    ],
)
def test_selection_and_its_bundle(
    cli: Cli, kernel: FakeKernel, words: list[str], result: str
) -> None:
    kernel.add("a-cpu")
    kernel.add("b-cpu")
    kernel.add("c-cuda", backend="cuda")
    kernel.add("old-cpu", bundle="false")
    cli.expect(0, "build", str(kernel.write()), *words)
    assert read_result(kernel) == f"{result}{kernel.salt}\n"


def test_nothing_that_bundles_have(cli: Cli, kernel: FakeKernel) -> None:
    kernel.add("old-cpu", bundle="false")
    done = cli.expect(1, "build", str(kernel.write()))
    assert "that is part of bundles" in done.stderr
    assert "name another one with --variant" in done.stderr


def test_unknown_names(cli: Cli, kernel: FakeKernel) -> None:
    kernel.add("torch213-cpu")
    kernel.add("torch214-cpu")
    done = cli("build", str(kernel.write()), "--variant", "torch213-cpv", "--backend", "metal")
    assert done.status == 2
    expected = f"""\
error: k has no such variants on {SYSTEM} (2 problems)

       at     --variant
       found  "torch213-cpv"
       want   one of "torch213-cpu", "torch214-cpu"
       fix    did you mean "torch213-cpu"?

       at     --backend
       found  "metal"
       want   one of "cpu"
       fix    choose one that there is
"""
    assert done.stderr == expected


def test_failure_shows_the_compiler_and_keeps_the_rest(cli: Cli, kernel: FakeKernel) -> None:
    kernel.add("good")
    kernel.add("bad", backend="cuda", script=FAILS)
    done = cli.expect(1, "build", str(kernel.write()))
    head, _, log = done.stderr.split("error: ", 1)[1].partition("nix-store --read-log ")
    expected = """\
k does not build (1 problem)

       at     k-bad
       found  k/a.cpp:3:5: error: no such thing
              after
       fix    the whole log: """
    assert head == expected
    assert log.rstrip().endswith("-k-bad.drv")
    out = str((kernel.folder / "result").readlink())
    expected = f"""\
variant  state       size  why
good     built   {SIZE}
bad      failed            k-bad

{kernel.folder}/result -> {out}
"""
    assert done.stdout == expected
    assert read_result(kernel).startswith("good ")


def test_json(cli: Cli, kernel: FakeKernel) -> None:
    kernel.add("good")
    kernel.add("never", unavailable='"no Torch for it"')
    kernel.add("bad", script=FAILS)
    done = cli("build", str(kernel.write()), "--json")
    data = json.loads(done.stdout)
    assert (data.pop("built"), data.pop("fetched")) == ({"here": 1}, {})
    outs = [row.pop("out") for row in data["variants"] if row.pop("backend") == "cpu"]
    assert [row.pop("unchecked") for row in data["variants"]] == ["", "", ""]
    (problem,) = data.pop("problems")
    assert problem["at"] == "k-bad"
    assert "k/a.cpp:3:5: error: no such thing" in problem["found"]
    (left,) = data.pop("left-out")
    assert (left["at"], left["found"]) == ("never", "no Torch for it")
    assert data == {
        "version": 1,
        "name": "k",
        "system": SYSTEM,
        "result": str((kernel.folder / "result").readlink()),
        "warnings": [],
        "variants": [
            {"variant": "good", "state": "built", "size": 13, "why": ""},
            {"variant": "never", "state": "left out", "size": None, "why": "no Torch for it"},
            {"variant": "bad", "state": "failed", "size": None, "why": "k-bad"},
        ],
    }
    assert [out is not None for out in outs] == [True, False, False]
    assert done.status == 1


def sources(store: Store, name: str, url: str) -> str:
    return f"[ {store.source(name, name.encode(), sourceKind='vendor', url=url)} ]"


def test_left_out(
    cli: Cli, kernel: FakeKernel, store: Store, server: Server, dead_url: str, salt: str
) -> None:
    url = server.put("there", f"{salt}-there".encode())
    kernel.add("there", sources=sources(store, f"{salt}-there", url))
    kernel.add("gone", sources=sources(store, f"{salt}-gone", f"{dead_url}/gone"))
    folder = str(kernel.write())
    done = cli.expect(0, "build", folder)
    assert done.stdout.startswith(f"""\
variant  state         size  why
there    built     {SIZE}
gone     left out            unable to download '{dead_url}/gone': Couldn't connect to server (7)
""")
    assert read_result(kernel) == f"there {salt}\n"

    strict = cli.expect(1, "build", folder, "--require-all")
    assert "error: only 1 of 2 variants of k can be built here (1 problem)\n" in strict.stderr
    assert f"       at     {salt}-gone\n" in strict.stderr

    nothing = cli.expect(1, "build", folder, "--variant", "gone")
    assert "error: no variant of k can be built here (1 problem)\n" in nothing.stderr
    # What could be had by this name is said.
    assert "\n              or build one whose sources are here: there\n" in nothing.stderr
    assert nothing.stdout.startswith("variant  state     size  why\ngone     left out        ")


PIP = """\
#!/bin/sh
[ "$1" = --version ] && exit
[ "$1" = config ] && echo "  $PIP_CONFIG_FILE, exists: True" && exit
[ -z "${PIP_LOG_OF_TEST:-}" ] || echo asked >>"$PIP_LOG_OF_TEST"
echo "WARNING: an index of this machine is away"
echo "ERROR: No matching distribution found"
exit 1
"""


WHEELS = [f"kbtest_{name}-1.0-py3-none-any.whl" for name in ("one", "two")]


def lacking_wheels(cli: Cli, store: Store, salt: str, folder: Path) -> str:
    """Give the command line a pip that has none of the wheels; return their derivations."""
    pip = folder / "pip"
    pip.write_text(PIP)
    pip.chmod(0o755)
    config = folder / "pip.conf"
    config.touch()
    cli.environment |= {"KERNEL_BUILDER_PIP": str(pip), "PIP_CONFIG_FILE": str(config)}
    wheels = [
        store.source(
            f"{salt}-{file}", b"", sourceKind="wheel", project=file[:10], version="1.0", file=file
        )
        for file in WHEELS
    ]
    return f"[ {' '.join(wheels)} ]"


def test_one_line_says_which_wheels_do_not_come(
    cli: Cli, kernel: FakeKernel, store: Store, salt: str, tmp_path: Path
) -> None:
    kernel.add("gone", sources=lacking_wheels(cli, store, salt, tmp_path))
    done = cli.expect(1, "build", str(kernel.write()))
    row = "; ".join(f"pip does not get {file}" for file in WHEELS)
    assert done.stdout.splitlines()[1].split(maxsplit=3)[3] == row
    for line in ("WARNING: an index of this machine is away", "ERROR: No matching distribution"):
        assert done.stderr.count(f"pip says: {line}") == 1


AGAIN = "(could not be had here 1 min ago; --refresh asks again)"


def test_what_could_not_be_had_is_asked_for_again_after_ten_minutes(
    cli: Cli, kernel: FakeKernel, store: Store, salt: str, tmp_path: Path
) -> None:
    cli.environment["XDG_CACHE_HOME"] = str(tmp_path / "cache")
    cli.environment["PIP_LOG_OF_TEST"] = str(log := tmp_path / "log")
    sources = lacking_wheels(cli, store, salt, tmp_path)
    kernel.add("gone", sources=sources)
    kernel.add("good")
    folder = str(kernel.write())

    def asks(command: str, *words: str, **variables: str) -> bool:
        log.unlink(missing_ok=True)
        done = cli(command, folder, *words, **variables)
        # `check-config` has another table.
        assert (AGAIN in done.stdout) is not log.exists(), done
        assert "good" in done.stdout or command == "check-config"
        return log.exists()

    assert asks("build")
    assert not asks("build")
    assert not asks("build", "--dry-run")
    assert not asks("check-config")
    assert asks("build", "--refresh")
    # Another index, as a variable and in a file that pip reads.
    assert asks("build", PIP_INDEX_URL="https://other.invalid")
    assert not asks("build")
    (tmp_path / "pip.conf").write_text("[global]\n")
    assert asks("build")
    # An edit of the kernel changes its derivations, and no source.
    kernel.add("new", sources=sources)
    kernel.write()
    assert not asks("build")
    # Ten minutes later.
    memory = tmp_path / "cache" / "kernel-builder" / "refused.json"
    entries = json.loads(memory.read_text())
    memory.write_text(json.dumps({key: [at - 601, it] for key, (at, it) in entries.items()}))
    assert asks("build")
    # A memory that somebody broke is none.
    memory.write_text("[1]")
    assert asks("build")


def test_a_full_disk_or_no_pip_is_not_remembered(
    cli: Cli, kernel: FakeKernel, store: Store, salt: str, tmp_path: Path
) -> None:
    cli.environment["XDG_CACHE_HOME"] = str(tmp_path / "cache")
    kernel.add("gone", sources=lacking_wheels(cli, store, salt, tmp_path))
    folder = str(kernel.write())
    (tmp_path / "pip").write_text(PIP.replace("No matching", "No space left on device: No"))
    for variables in ({}, {"KERNEL_BUILDER_PIP": "/nowhere/pip"}, {"KERNEL_BUILDER_PIP": "pip no"}):
        assert cli("build", folder, **variables).status == 1
        assert not (tmp_path / "cache" / "kernel-builder" / "refused.json").exists()
    assert cli("--offline", "build", folder).status == 1
    assert not (tmp_path / "cache" / "kernel-builder" / "refused.json").exists()


def test_a_warning_gives_way_to_an_error_about_its_line(cli: Cli, kernel: FakeKernel) -> None:
    places = ["k/a.cpp:3", "k/a.cpp:30", "b/a.cpp:3", "k/a.cu:7", "torch-ext/k/__init__.py:2"]
    found = "".join(f'{{ at = "{at}"; found = "{at}"; want = ""; fix = ""; }} ' for at in places)
    # gcc, nvcc and a check of Python.
    said = "k/a.cpp:3:5: error: no\\nk/a.cu(7): error: no\\ntorch-ext/k/__init__.py:2: no"
    kernel.add("a-cpu", warnings=f"[ {found}]", script=f"\"printf '{said}' >&2; exit 1\"")
    folder = str(kernel.write())

    def list_warned(command: str, *words: str) -> list[str]:
        shown = cli(command, folder, *words).stderr.partition("error: k does not build")[0]
        return [place for place in places if f"at     {folder}/{place}\n" in shown]

    assert list_warned("check-config") == list_warned("build", "--dry-run") == places
    assert list_warned("build") == ["k/a.cpp:30", "b/a.cpp:3"]


@pytest.mark.parametrize(
    ("said", "name", "is_told"),
    [
        ("k/a.cpp:1:10: fatal error: b.h: No such file", "k/b.h", True),
        ("ModuleNotFoundError: No module named 'k.import_b'", "torch-ext/k/import_b.py", True),
        ("ModuleNotFoundError: No module named 'k.import_b'", "torch-ext/k/other.py", False),
    ],
)
def test_a_file_that_git_does_not_track_is_told_once(
    cli: Cli, kernel: FakeKernel, said: str, name: str, is_told: bool
) -> None:
    kernel.add("a-cpu", script=f'"echo \\"{said}\\" >&2; exit 1"')
    folder = kernel.write()
    init_git(folder, "flake.nix", "variants.nix", "build.toml")
    (folder / name).parent.mkdir(parents=True)
    (folder / name).write_text("")
    done = cli("build", str(folder))
    assert (f"{name} is there, but git does not track it" in done.stderr) is is_told
    assert ("git does not track 1 file" in done.stderr) is not is_told


def test_a_push_and_another_one(cli: Cli, kernel: FakeKernel, tmp_path: Path) -> None:
    kernel.add("a-cpu")
    kernel.add("b-cpu", script='"exit 1"')
    words = ("push", f"file://{tmp_path}/cache", str(kernel.write()), "--json")
    first, again = (cli(*words) for _ in range(2))
    assert (first.status, again.status) == (1, 1)
    pushed = json.loads(first.stdout)
    assert [problem["at"] for problem in pushed["problems"]] == ["k-b-cpu"]
    # The variant, the bundle, and the text that refers to them.
    assert (pushed["sent"], pushed["present"]) == (3, 0)
    assert pushed["contents"].endswith("-k-contents")
    assert [json.loads(again.stdout)[key] for key in ("sent", "present")] == [0, 3]

"""The shells, entered as people and scripts do: by a command, `nix develop`, and without Torch."""

import json
import re
import shutil
from pathlib import Path

import pytest

from tests.author.authoring import Author, use_registries
from tests.cli.store import make_wheel
from tests.evaluation import (
    ROOT,
    SYSTEM,
    VARIANT,
    build,
    call,
    evaluate,
    outputs_of,
    path_of,
    read_variant,
)
from tests.tiny_kernel import BUILD, FLAKE, TinyKernel

# Flags that a build adds, and that change no object of CMake's.
OF_BUILDS = ("-ffile-prefix-map=", "-frandom-seed=", "--param=ggc-min-heapsize=")
GET_KERNEL = """
from kernels import get_kernel
print("kernel", get_kernel("me/hello", version=1).__name__)
"""


def test_testshell_has_the_built_kernel(author: Author, hello: Path) -> None:
    (hello / "get.py").write_text(GET_KERNEL)
    line = "python -m pytest -q tests -p no:cacheprovider && python get.py && env"
    said = author.kernel_builder("testshell", "--variant", VARIANT, "-c", line, cwd=hello).stdout
    (hello / "get.py").unlink()
    assert re.search(r"^10 passed", said, re.MULTILINE)
    assert re.search(r"^kernel _hello_cpu_[0-9a-f]{16}$", said, re.MULTILINE)
    assert "LD_LIBRARY_PATH" not in said


def test_a_benchmark_runs_by_itself_and_with_the_public_client(author: Author, hello: Path) -> None:
    few = "--iterations 2 --warmup 1 --output timed.json"
    line = f"kernels benchmark ./result {few} && python benchmarks/benchmark.py"
    words = ("--variant", VARIANT, "--", "bash", "-c", line)
    said = author.kernel_builder("testshell", *words, cwd=hello)
    timed = json.loads((hello / "timed.json").read_text())["results"]
    (hello / "timed.json").unlink()
    assert [workload["workload"] for workload in timed] == ["AddOne.large", "AddOne.small"]
    assert all(workload["verified"] for workload in timed)
    assert re.search(r"^small: eager .* x$", said.stdout, re.MULTILINE)


def test_devshell_makes_and_enters_a_virtual_environment(author: Author, hello: Path) -> None:
    line = "which python g++ cmake ninja kernel-builder; exit 7"
    command = ("devshell", "--variant", VARIANT, "-c", line)
    said = author.kernel_builder(*command, cwd=hello, fails=True)
    assert said.status == 7
    python, *others = said.stdout.split()
    assert "/kernel-builder/venvs/" in python
    assert len(others) == 4
    assert all("/nix/store/" in program or "/venvs/" in program for program in others)
    # What editors are told to use.
    linked, line = hello / ".venv/bin/python", "import torch, sys; print(sys.prefix)"
    assert linked.samefile(python)
    assert author.run(str(linked), "-c", line, cwd=hello).stdout == f"{hello}/.venv\n"
    assert ".venv" not in author.run("git", "status", "--porcelain", cwd=hello).stdout


def test_devshell_leaves_a_virtual_environment_of_others(author: Author, tmp_path: Path) -> None:
    tiny = TinyKernel(tmp_path / "tiny")
    (tiny.folder / ".venv").mkdir()
    command = ("devshell", "--variant", VARIANT, "-c", "which python")
    said = author.kernel_builder(*command, cwd=tiny.folder)
    assert "/nix/store/" in said.stdout
    assert "stays as it is" in said.stderr
    assert not list((tiny.folder / ".venv").iterdir())
    (tiny.folder / ".venv").rmdir()
    line = "touch $VIRTUAL_ENV/mine && echo $VIRTUAL_ENV"
    command = ("devshell", "--variant", VARIANT, "-c", line)
    made = Path(author.kernel_builder(*command, cwd=tiny.folder).stdout.strip())
    assert author.kernel_builder(*command, cwd=tiny.folder).stderr == ""
    assert (made / "mine").exists()
    # To remove `.venv` is to ask for a new one.
    shutil.rmtree(tiny.folder / ".venv")
    again = author.kernel_builder(*command[:-1], "ls $VIRTUAL_ENV", cwd=tiny.folder).stdout
    assert "mine" not in again


FIND_DRIVER = """
import ctypes, sys
from kernel_builder_driver import load_driver
assert load_driver((sys.argv[1] + "/nothing",)) is None
try:
    ctypes.CDLL("libcuda.so.1")
    print("the machine has a driver")
except OSError:
    print(load_driver((sys.argv[1],)))
    print(ctypes.CDLL("libcuda.so.1").pretended())
"""


def test_a_driver_that_the_loader_does_not_look_for(
    author: Author, hello: Path, tmp_path: Path
) -> None:
    """Once loaded by its path, it is found by its name."""
    (tmp_path / "find.py").write_text(FIND_DRIVER)
    (tmp_path / "driver.c").write_text("int pretended(void) { return 42; }\n")
    library = f"{tmp_path}/libcuda.so.1"
    line = (
        f"gcc -shared -fPIC -Wl,-soname,libcuda.so.1 {tmp_path}/driver.c -o {library} && "
        f"python {tmp_path}/find.py {tmp_path}"
    )
    said = author.kernel_builder("devshell", "--variant", VARIANT, "-c", line, cwd=hello).stdout
    assert said in (f"{library}\n42\n", "the machine has a driver\n")


def test_nix_develop_has_the_built_kernel(author: Author, hello: Path) -> None:
    line = "pytest -q tests -p no:cacheprovider && env"
    said = author.nix("develop", ".#default", "--command", "bash", "-c", line, cwd=hello).stdout
    assert re.search(r"^10 passed", said, re.MULTILINE)
    # Attributes of the derivation are no part of the shell.
    assert not re.search(r"^(builder|stdenv|system|shellHook)=", said, re.MULTILINE)
    author.nix("develop", f".#devShells.{VARIANT}", "--command", "true", cwd=hello)


def test_packages_for_tests_by_name_and_out_of_pins_of_ones_own(author: Author) -> None:
    folder = author.init("indexed", "--backends", "cpu")
    use_registries(folder)
    pin = json.loads((ROOT / "pkgs/python/python-packages/pins.json").read_text())["pins"][SYSTEM][
        "click"
    ]
    (folder / "own.json").write_text(json.dumps({"pins": {SYSTEM: {"click": pin}}}))
    flake = folder / "flake.nix"
    inputs = 'pkgs: [ "packaging" (pkgs.fromIndex { pins = ./own.json; }).click ]'
    stated = re.sub(
        r"# pythonCheckInputs = .*", f"pythonCheckInputs = {inputs};", flake.read_text()
    )
    flake.write_text(stated)
    author.run("git", "add", "own.json", cwd=folder)
    line = "python -c 'import click, packaging; print(click.__file__)'"
    said = author.kernel_builder("devshell", "--variant", VARIANT, "-c", line, cwd=folder)
    assert said.stdout.startswith("/nix/store/")

    (folder / "own.json").write_text('{ "pins": {} }')
    refused = author.kernel_builder("devshell", "--variant", VARIANT, cwd=folder, fails=True)
    assert "error: no package of own.json is pinned for " in refused.stderr


def test_one_command_adds_a_package_for_tests(
    author: Author, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is pinned with what it needs, named in flake.nix, and there in the next shell."""
    needed = {"kbtest-top": ("kbtest-lib>=1", "torch", "tqdm"), "kbtest-lib": ()}
    for project, requires in needed.items():
        file, content = make_wheel(project, "2", requires=requires)
        (tmp_path / file).write_bytes(content)
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))
    folder = author.init("added", "--backends", "cpu")
    done = author.kernel_builder("add-test-package", "KBtest_Top>=1", "einops", cwd=folder)
    assert "test-packages.lock: kbtest-lib 2\ntest-packages.lock: kbtest-top 2\n" in done.stdout
    assert "einops is pinned by kernel-builder already" in done.stdout
    flake = (folder / "flake.nix").read_text()
    assert '\n      pythonCheckInputs = pkgs: [ "kbtest-top" "einops" ];\n' in flake
    locked = json.loads((folder / "test-packages.lock").read_text())
    assert {"kbtest-top", "kbtest-lib"} <= {*locked["pins"][SYSTEM]} - {"torch"}
    line = "python -c 'import kbtest_top, kbtest_lib, einops; print(kbtest_top.__file__)'"
    said = author.kernel_builder("devshell", "--variant", VARIANT, "-c", line, cwd=folder)
    assert said.stdout.startswith("/nix/store/")
    for wrong in ("torch", "a b", "x @ file:///x"):
        refused = author.kernel_builder("add-test-package", wrong, cwd=folder, fails=True)
        assert "want   a name of Python's index, or a requirement" in refused.stderr
    missing = author.kernel_builder("add-test-package", "kbtest-none", cwd=folder, fails=True)
    assert "wheels cannot be pinned" in missing.stderr
    assert json.loads((folder / "test-packages.lock").read_text()) == locked


def test_a_package_for_tests_that_is_not_pinned(author: Author, tmp_path: Path) -> None:
    inputs = 'path = ./.;\n    pythonCheckInputs = _: [ "tqdm" "kbtest" ];'
    tiny = TinyKernel(tmp_path / "tiny", {"flake.nix": FLAKE.replace("path = ./.;", inputs)})
    words = ("devshell", "--variant", VARIANT)
    refused = author.kernel_builder(*words, cwd=tiny.folder, fails=True)
    assert 'error: no Python package "kbtest" is pinned' in refused.stderr
    assert "kernel-builder add-test-package kbtest" in refused.stderr


def flags_of_build(folder: Path) -> dict[str, list[str]]:
    """Return what each unit is compiled with in a build, without what only a build adds."""
    variant = read_variant(folder)
    return {
        source: [
            "-isystem" if flag == "-isystem" else re.sub(r"/nix/store/[^/]*/", "@/", flag)
            for flag in variant.read_object(source).env["flags"].splitlines()
            if not flag.startswith(OF_BUILDS)
        ]
        for source in variant.objects
    }


def flags_of_cmake(folder: Path, torch: str, headers: str) -> dict[str, list[str]]:
    """Return what CMake compiles each unit with, with folders as a build names them."""
    found = {}
    for entry in json.loads((folder / "build-ext" / "compile_commands.json").read_text()):
        source = str(Path(entry["file"]).relative_to(folder))
        _, *flags = entry["command"].replace(f"{torch}/", "@/").split()
        flags = [flag.replace(f"-I{folder}/", "-I").replace(headers, "@/include") for flag in flags]
        found[source] = flags[: flags.index("-o")]
    return found


def test_cmake_and_pip_compile_what_a_build_compiles(author: Author, tmp_path: Path) -> None:
    """CMake and pip beside Nix: the same flags for each unit, the same results."""
    folder = TinyKernel(tmp_path / "tiny").folder
    (folder / "tests").mkdir()
    (folder / "tests" / "test_tiny.py").write_text(
        "import tiny\n\n\ndef test_answer():\n    assert tiny.answer() == 42\n"
    )
    lines = [
        "kernel-builder create-pyproject --variant " + VARIANT,
        "cmake -B build-ext -G Ninja -DCMAKE_EXPORT_COMPILE_COMMANDS=ON",
        "cmake --build build-ext",
        "python -c 'import os, torch; print(\"torch\", os.path.dirname(torch.__file__))'",
        'python -c \'import sysconfig; print("headers", sysconfig.get_path("include"))\'',
        "PYTHONPATH=torch-ext pytest -q -p no:cacheprovider",
        "pip install --no-build-isolation -e .",
        "pytest -q -p no:cacheprovider",
        # The edit loop of an editable install: CMake compiles what changed, and renews the module.
        "sed -i s/42/43/ include/number.h",
        "cmake --build build-ext/pip-*",
        "python -c 'import tiny; print(\"answer\", tiny.answer())'",
        "sed -i s/43/42/ include/number.h",
    ]
    line = " && ".join(lines)
    said = author.kernel_builder("devshell", "--variant", VARIANT, "-c", line, cwd=folder).stdout
    assert len(re.findall(r"^1 passed", said, re.MULTILINE)) == 2
    assert re.findall(r"^answer (\d+)$", said, re.MULTILINE) == ["43"]
    (torch,) = re.findall(r"^torch (.*)$", said, re.MULTILINE)
    (headers,) = re.findall(r"^headers (.*)$", said, re.MULTILINE)
    cmake = flags_of_cmake(folder, torch, headers)
    assert {source: cmake[source] for source in flags_of_build(folder)} == flags_of_build(folder)

    # A build of the same folder does not take the project's files for the kernel's own.
    before = read_variant(TinyKernel(tmp_path / "again").folder).out
    assert read_variant(folder).out == before, path_of(folder)
    author.kernel_builder("clean-pyproject", cwd=folder)
    left = {path.name for path in folder.iterdir()}
    assert not left & {"CMakeLists.txt", "setup.py", "pyproject.toml", ".kernel-builder"}


# A shell would read the quote.
REASON = "it's a stand-in"
STAND_INS = f"""overlays = [ (final: previous: let
  # For the Python of a variant, which its Torch decides.
  standInFor = torch: final.runStep {{
    name = "stand-in";
    outputs = [ "out" "dev" ];
    env = {{ inherit (final) busybox; inherit (torch) sitePackages; }};
    script = builtins.toFile "stand-in.sh" ''
      mkdir -p "$out/bin" "$out/$sitePackages/torch" "$dev"
      echo "raise ImportError('of another Python')" >"$out/$sitePackages/torch/__init__.py"
      for name in hipcc icpx; do
        printf '#!%s/bin/sh\\necho this is %s\\n' "$busybox" "$name" >"$out/bin/$name"
        chmod +x "$out/bin/$name"
      done
    '';
  }} // {{ depends = [ ]; }};
  standIn = standInFor final.python;
in {{
  torchWheel = build: standInFor (previous.torchWheel build);
  rocmToolkit = _: {{ hip = standIn; }};
  xpuToolkit = _: {{ sycl = standIn; }};
  importObstacle = _: "{REASON}";
}}) ];"""

# Prints what the vendor's compiler says and where CMake finds Torch, which it does not import.
LINE = """\
{compiler} && command -v g++ cmake kernel-builder &&
python -c 'import importlib.util as i; print(i.find_spec("torch").origin)' && exit 7"""


@pytest.mark.parametrize(
    ("backend", "compute", "compiler"),
    [("rocm", "torch211-cxx11-rocm71", "hipcc"), ("xpu", "torch213-cxx11-xpu20260", "icpx")],
)
def test_it_has_the_compilers(backend: str, compute: str, compiler: str, tmp_path: Path) -> None:
    tiny = TinyKernel(tmp_path)
    tiny.write("build.toml", BUILD.replace('"cpu"', json.dumps(backend)))
    outputs, variant = outputs_of(tiny.folder, STAND_INS), f"{compute}-{SYSTEM}"
    files = build(evaluate(f"({outputs}).devShells.{variant}.files.drvPath"))
    argv = (f"{files}/bin/enter", "bash", "-c", LINE.format(compiler=compiler))
    done = call(*argv, status=7, cwd=tiny.folder)
    said, *programs, torch = done.stdout.splitlines()
    assert said == f"this is {compiler}"
    assert len(programs) == 3
    assert torch.endswith("/torch/__init__.py")
    notice = f"this shell compiles for {variant}, but its Torch cannot be imported: {REASON}\n"
    assert done.stderr.count(notice) == 1

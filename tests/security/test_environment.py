"""Variables, programs and modules of the user's folder that builds and programs must not see."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from kernel_builder import nix
from kernel_builder.import_check.calling import module_argv
from kernel_builder.machine import environment
from kernel_builder.machine.environment import CACHE, PIP, choose_variables
from kernel_builder.machine.process import run
from kernel_builder.messages.errors import KernelBuilderError
from kernel_builder.mirrors.wheels import find_pip
from kernel_builder.nix.quoting import nix_string
from tests.cli.command_line import PACKAGE
from tests.cli.conftest import *  # noqa: F403  (fixtures)
from tests.cli.store import Store
from tests.evaluation import ROOT, SYSTEM, call, run_nix
from tests.install.fake_machine import write_program

CANARY = "canary-of-the-user"
SECRETS = {
    "HF_TOKEN": f"hf_{CANARY}",
    "HUGGING_FACE_HUB_TOKEN": CANARY,
    "AWS_ACCESS_KEY_ID": CANARY,
    "AWS_SECRET_ACCESS_KEY": CANARY,
    "CACHE_SECRET_KEY": CANARY,
    "ACTIONS_ID_TOKEN_REQUEST_TOKEN": CANARY,
    "GITHUB_TOKEN": CANARY,
    "PIP_INDEX_URL": f"https://user:{CANARY}@127.0.0.1/simple",
    "NIX_CONFIG": f"access-tokens = github.com={CANARY}",
    "GIT_CONFIG_COUNT": "1",
    "GIT_CONFIG_KEY_0": "http.extraHeader",
    "GIT_CONFIG_VALUE_0": CANARY,
    "BASH_FUNC_git%%": "() { echo " + CANARY + "; }",
    "LD_PRELOAD": f"/{CANARY}.so",
    "PYTHONSTARTUP": f"/{CANARY}.py",
}


@pytest.fixture
def secrets(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for name, text in SECRETS.items():
        monkeypatch.setenv(name, text)
    # Preloading is for the programs that would be started.
    monkeypatch.delenv("LD_PRELOAD")
    environment.configuration_variables.cache_clear()
    yield
    environment.configuration_variables.cache_clear()


def thief(store: Store, salt: str, script: str, busybox: str = "null") -> str:
    """Return a fixed-output derivation, which has the network, and asks for all the secrets."""
    names = " ".join(json.dumps(name) for name in SECRETS if "%" not in name)
    return store.instantiate(f"""derivation {{
      name = "thief-{salt}"; system = "{SYSTEM}"; builder = "/bin/sh";
      args = [ "-c" {nix_string(script)} ]; busybox = {busybox};
      impureEnvVars = [ {names} ];
      outputHashMode = "flat"; outputHashAlgo = "sha256"; outputHash = "{"0" * 64}";
    }}""")


@pytest.mark.usefixtures("secrets")
@pytest.mark.attack("build", "a download step asks for tokens", "it gets empty variables")
def test_a_build_sees_no_token(store: Store, salt: str) -> None:
    lines: list[str] = []
    drv = thief(store, salt, "export -p; echo the end")

    def keep(line: str) -> bool:
        lines.append(line)
        return True

    nix.realise([drv], keep)
    said = "\n".join(lines)
    assert "the end" in said
    assert "HF_TOKEN" in said
    assert CANARY not in said


@pytest.mark.attack("list-variants", "a build in an evaluation with git's settings", "refused")
def test_an_evaluation_builds_nothing(tmp_path: Path) -> None:
    (tmp_path / "flake.nix").write_text(
        '{ outputs = _: { all = import (derivation { name = "thief"; builder = "/bin/sh"; '
        f'args = [ "-c" "echo 1 > $out" ]; system = "{SYSTEM}"; }}); }}; }}'
    )
    with pytest.raises(KernelBuilderError, match="allow-import-from-derivation"):
        nix.evaluate([f"path:{tmp_path}#all"])


@pytest.mark.usefixtures("secrets")
@pytest.mark.parametrize(
    ("program", "inherit", "seen"),
    [
        ("nix", (), set()),
        ("nix-store", (), set()),
        ("git", (), set()),
        ("apt-get", (), set()),
        ("python3", PIP, {"PIP_INDEX_URL"}),
        ("nix", CACHE, {"AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"}),
    ],
)
def test_each_program_gets_what_it_needs(
    program: str, inherit: tuple[str, ...], seen: set[str]
) -> None:
    chosen = choose_variables(f"/usr/bin/{program}", inherit)
    assert seen == SECRETS.keys() & chosen.keys()
    assert {"PATH", "HOME"} <= chosen.keys()


@pytest.mark.usefixtures("secrets")
def test_settings_of_nix_still_count(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = tmp_path / "nix.conf"
    file.write_text("log-lines = 41\nmax-silent-time = 43\n")
    monkeypatch.setenv("NIX_USER_CONF_FILES", str(file))
    monkeypatch.setenv("NIX_CONFIG", "log-lines = 42")
    environment.configuration_variables.cache_clear()
    argv = ["nix", *nix.FEATURES, "show-config", "--json"]
    shown = json.loads(run(argv, environment=environment.configuration_variables()).stdout)
    assert (shown["log-lines"]["value"], shown["max-silent-time"]["value"]) == (42, 43)


def test_only_a_cache_on_s3_gets_its_logins(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[tuple[str, object]] = []

    def stream(argv: list[str], *_heard: object, **options: object) -> int:
        started.append((argv[-1], options["inherit"]))
        return 0

    monkeypatch.setattr(nix, "stream", stream)
    for url in ("s3://bucket", "https://cache.test", "file:///cache"):
        nix.copy_to(url, ["/path"])
    nix.realise(["/a.drv"], lambda _: True)
    assert [inherit for _, inherit in started] == [CACHE, (), (), ()]


def test_relative_folders_of_path_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", f":.:bin:{os.environ['PATH']}:")
    assert all(os.path.isabs(each) for each in choose_variables("git")["PATH"].split(":"))  # noqa: PTH117


LAUNCHER = PACKAGE.parent / "bin" / "kernel-builder"
TOKEN = "hf_canaryCanaryCanary"
# Modules of Python and of the command line that each of the programs imports.
MODULES = """
    click ensurepip importlib json os packaging pip runpy sitecustomize
    tomli torch usercustomize venv
""".split()  # noqa: SIM905  (a list has a line for each)
PACKAGES = ("kernel_builder", "registration_check", "lock")


@pytest.fixture
def hostile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a folder full of modules that write what they can read, and start everything in it."""
    folder = tmp_path / "kernel"
    folder.mkdir()
    proof = tmp_path / "proof"
    text = (
        f"import os\nopen({str(proof)!r}, 'a').write(__name__ + os.environ.get('HF_TOKEN', ''))\n"
    )
    for name in MODULES:
        (folder / f"{name}.py").write_text(text)
    for name in PACKAGES:
        (folder / name).mkdir()
        (folder / name / "__init__.py").write_text(text)
        (folder / name / "__main__.py").write_text(text)
    (folder / "build.toml").write_text('[general]\nname = "k"\n')
    (folder / "startup.py").write_text(text)
    monkeypatch.chdir(folder)
    monkeypatch.setenv("HF_TOKEN", TOKEN)
    # A relative entry is the current folder, too.
    monkeypatch.setenv("PYTHONPATH", f":.:{folder}")
    monkeypatch.setenv("PYTHONSTARTUP", str(folder / "startup.py"))
    return proof


@pytest.fixture
def launcher(tmp_path: Path) -> Any:
    """Return a function that starts the launcher with the Python of the tests."""
    python = tmp_path / "data" / "kernel-builder" / "venv" / "bin" / "python3"
    python.parent.mkdir(parents=True)
    write_program(python, f'exec {sys.executable} "$@"')

    def start(*words: str) -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, "XDG_DATA_HOME": str(tmp_path / "data")}
        return call(str(LAUNCHER), *words, status=None, env=environment)

    return start


@pytest.mark.attack("any", "click.py, json.py, kernel_builder/ in the current folder", "not run")
@pytest.mark.attack("any", "PYTHONPATH and PYTHONSTARTUP that name the kernel's folder", "not run")
@pytest.mark.parametrize(
    ("words", "status"),
    [
        (["--version"], 0),
        (["check-config"], 1),
        (["prefetch", "/nowhere.drv"], 1),
        (["verify", "nobody/nothing@1"], 1),
        (["upload", "--help"], 0),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else str(value),
)
def test_the_launcher(hostile: Path, launcher: Any, words: Sequence[str], status: int) -> None:
    done = launcher(*words)
    assert not hostile.exists(), hostile.read_text()
    assert (done.returncode != 0) == (status != 0), done.stderr
    if words == ["--version"]:
        assert done.stdout.startswith("kernel-builder, version ")


@pytest.mark.attack("prefetch", "pip.py in the current folder", "the machine's pip runs instead")
def test_pip(hostile: Path) -> None:
    assert find_pip() is not None
    assert not hostile.exists()


@pytest.mark.attack("build", "registration_check/ in the current folder", "the real check runs")
def test_a_check(hostile: Path, tmp_path: Path) -> None:
    (tmp_path / "package").mkdir()
    (tmp_path / "package" / "a.py").write_text("x = 1\n")
    programs = ROOT / "pkgs" / "checks"
    folders = [programs / "check-registration", programs / "run-check", PACKAGE]
    argv = module_argv(sys.executable, "registration_check", folders)
    done = run([*argv, "--shown-as", "package", str(tmp_path / "package")])
    assert (done.status, done.stderr) == (0, "")
    assert not hostile.exists()


def test_a_module_of_a_folder_with_a_colon(tmp_path: Path) -> None:
    (tmp_path / "a:b").mkdir()
    (tmp_path / "a:b" / "hello.py").write_text("print('hello')\n")
    argv = module_argv(sys.executable, "hello", [tmp_path, tmp_path / "a:b"])
    done = call(*argv, status=None)
    assert done.stdout == "hello\n", done.stderr


def test_the_program_that_nix_builds(hostile: Path) -> None:
    drv = run_nix("nix-instantiate", str(ROOT), "-A", f"packages.{SYSTEM}.kernelBuilder").strip()
    program = run_nix("nix-store", "--realise", drv).strip()
    done = call(f"{program}/bin/kernel-builder", "--version", status=None)
    assert done.stdout.startswith("kernel-builder, version "), done.stderr
    assert not hostile.exists()

"""Variables of the user's that builds and programs must not see, and what they can do without."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from kernel_builder import nix
from kernel_builder.machine import environment
from kernel_builder.machine.environment import CACHE, PIP, choose_variables
from kernel_builder.machine.process import run
from kernel_builder.messages.errors import KernelBuilderError
from kernel_builder.nix.quoting import nix_string
from tests.cli.conftest import *  # noqa: F403  (fixtures)
from tests.cli.fake_kernel import SYSTEM
from tests.cli.store import Store

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


@pytest.mark.usefixtures("secrets")
def test_an_evaluation_sees_no_token(tmp_path: Path) -> None:
    (tmp_path / "flake.nix").write_text(
        "{ outputs = _: { all = map builtins.getEnv [ "
        + " ".join(json.dumps(name) for name in SECRETS)
        + " ]; }; }"
    )
    assert set(nix.evaluate([f"path:{tmp_path}#all"])) == {""}


@pytest.mark.attack(
    "list-variants", "a build during an evaluation, which has git's settings", "refused"
)
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
@pytest.mark.attack("any", "BASH_FUNC_git%%, PYTHONSTARTUP in the environment", "not handed on")
def test_what_a_program_gets() -> None:
    said = run(["env"], inherit=PIP).stdout
    assert [line for line in said.splitlines() if CANARY in line] == [
        f"PIP_INDEX_URL={SECRETS['PIP_INDEX_URL']}"
    ]


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

    def stream(argv: list[str], _on_line: object, **options: object) -> int:
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

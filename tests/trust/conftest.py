"""Fixtures of trust: a Hub, a small Sigstore, and kernels of others."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.cli.command_line import Cli, Ran
from tests.cli.conftest import salt  # noqa: F401  (fixtures)
from tests.hub.built import make_bundle
from tests.hub.conftest import bundle, client, hub, isolated, upload  # noqa: F401  (fixtures)
from tests.tiny_kernel import NOARCH, TinyKernel
from tests.trust.sigstore_instance import CPU, Instance, Signing, run_instance


@pytest.fixture
def instance() -> Iterator[Instance]:
    with run_instance() as running:
        yield running


@pytest.fixture
def signing(instance: Instance, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Signing:
    """Sign and check as a job on GitHub."""
    monkeypatch.delenv("SIGSTORE_ID_TOKEN", raising=False)
    for name in ("HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(name, str(tmp_path / "home"))
    for name, value in instance.environment.items():
        monkeypatch.setenv(name, value)
    return Signing(instance, instance.write_trust(tmp_path / "trust.json"))


@pytest.fixture
def signed(signing: Signing, tmp_path: Path) -> Path:
    """A bundle of one variant, signed."""
    made = make_bundle(tmp_path / "bundle", CPU)
    done = signing.sign(made)
    assert done.status == 0, done.stderr
    return made


CANARY = "canary-of-the-user"
UNTRUSTED = ("--untrusted", "--allow-vulnerable-nix")
HASH = "sha256-" + "A" * 43 + "="
COMMIT = "a" * 40
MODULE = "def answer() -> int:\n    return 42\n"


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    """A folder of the user's, whose content is nowhere else."""
    folder = tmp_path / "secret"
    folder.mkdir()
    (folder / "id_rsa").write_text(f"{CANARY} {tmp_path}\n")
    return folder


@pytest.fixture
def kernel(tmp_path: Path) -> TinyKernel:
    """A kernel of Python alone, which no other test has."""
    files = {"build.toml": NOARCH, "torch-ext/tiny/__init__.py": f"{MODULE}# {tmp_path}\n"}
    return TinyKernel(tmp_path / "k", files)


Run = Callable[..., Ran]


@pytest.fixture
def run(tmp_path: Path, kernel: TinyKernel) -> Run:
    """Run a command on the kernel as one of others; nothing may be written into its folder."""

    def run_here(name: str, *words: str, before: tuple[str, ...] = ()) -> Ran:
        listed = sorted(kernel.folder.rglob("*"))
        cli = Cli(tmp_path, {"HF_TOKEN": CANARY}, before=before)
        done = cli(name, str(kernel.folder), *UNTRUSTED, *words)
        assert CANARY not in done.stdout + done.stderr
        assert sorted(kernel.folder.rglob("*")) == listed
        return done

    return run_here

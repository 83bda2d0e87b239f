"""Signs and checks signatures within this process, as a job on GitHub that has a small Sigstore."""

from __future__ import annotations

from contextvars import copy_context
from dataclasses import dataclass
from pathlib import Path

from tests.cli.command_line import Ran
from tests.trust.sigstore_instance import GITHUB, IDENTITY, RUNNER, SOURCE, Instance

CPU = "torch213-cxx11-cpu-x86_64-linux"
SIGNATURE = "metadata.json.sigstore"
LISTED = f"provenance/{CPU}.cdx.json"
BUILT = f"provenance/{CPU}.slsa.sigstore"
ASKED = ("--identity", IDENTITY, "--issuer", GITHUB, "--repository", SOURCE)


@dataclass
class Signing:
    """The commands, with the trust of the instance."""

    instance: Instance
    trust: Path

    def run(self, name: str, folder: Path, *words: str) -> Ran:
        from click.testing import CliRunner

        from kernel_builder.commands.group import cli
        from kernel_builder.messages.errors import KernelBuilderError

        # Options change the settings until the end of a run.
        done = copy_context().run(CliRunner().invoke, cli, [name, str(folder), *words])
        failed = done.exception
        if failed and not isinstance(failed, (KernelBuilderError, SystemExit)):
            raise failed
        message = str(failed) if isinstance(failed, KernelBuilderError) else ""
        assert RUNNER not in done.output + message
        assert "eyJ" not in done.output + message
        return Ran(done.exit_code, done.stdout, done.stderr + message)

    def sign(self, folder: Path, *words: str) -> Ran:
        return self.run("sign", folder, "--trust-config", str(self.trust), *words)

    def verify(self, folder: Path, *words: str) -> Ran:
        trust = ("--trust-config", str(self.trust))
        return self.run("verify-signature", folder, *(words or ASKED), *trust)

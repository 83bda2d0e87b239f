"""The instance of Sigstore, and its errors as messages."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from sigstore.models import ClientTrustConfig
from sigstore.oidc import ExpiredIdentity, IdentityError

from kernel_builder.messages.errors import KernelBuilderError, Problem
from kernel_builder.messages.secrets import redact

# Their errors have no base in common.
LIBRARIES: Final = ("id", "requests", "sigstore", "tuf")


def read_trust(file: Path | None, *, offline: bool = False) -> ClientTrustConfig:
    """Return the instance that a file describes, else the public one.

    What is trusted of the public instance is renewed first, unless `offline`.
    """
    if file is None:
        return ClientTrustConfig.production(offline=offline)
    try:
        return ClientTrustConfig.from_json(file.read_text(encoding="utf-8"))
    except ValueError as error:
        want = "a client trust config of Sigstore, as JSON"
        fix = "ask whoever runs the instance for it; docs/signing.md says what is in it"
        problem = Problem(str(file), str(error), want, fix)
        raise KernelBuilderError(f"{file} names no instance of Sigstore", [problem]) from None


@contextmanager
def explain_errors(headline: str) -> Iterator[None]:
    """Turn errors of the library and of Sigstore's services into KernelBuilderError."""
    try:
        yield
    except Exception as error:
        if type(error).__module__.partition(".")[0] not in LIBRARIES:
            raise
        found = ": ".join(filter(None, map(str, (error, error.__cause__ or ""))))
        at, want = "the services of Sigstore", "an answer"
        fix = "see to the network, its proxies and --trust-config, then run it again"
        if isinstance(error, (IdentityError, ExpiredIdentity)):
            at, want = "who signs", "an identity that a CI, or an account, proves"
            fix = (
                "on GitHub give the job `permissions: id-token: write`, on GitLab a token\n"
                "SIGSTORE_ID_TOKEN; elsewhere run it in a terminal, to log in with a browser"
            )
        problem = Problem(at, redact(found or type(error).__name__), want, fix)
        raise KernelBuilderError(headline, [problem]) from None

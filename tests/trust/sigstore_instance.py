"""A small Sigstore: an authority for certificates, its log, that of signatures, and a CI.

The real library talks to it and trusts it by a file of the form that it reads for any instance.
Each signature is the only entry of a log of its own.
"""

import base64
import hashlib
import json
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import jwt
import rfc8785
from cryptography import x509
from cryptography.hazmat import asn1
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from tests.cli.command_line import Ran
from tests.cli.served import Answer, serve_with
from tests.hub.client import invoke

GITHUB = "https://token.actions.githubusercontent.com"
SOURCE = "https://github.com/org/tiny"
IDENTITY = f"{SOURCE}/.github/workflows/release.yml@refs/tags/v1.0"
# The secret of a runner. Nothing may print it, nor the token that it gets for it.
RUNNER = "secret-of-the-runner"
SCTS = x509.ObjectIdentifier("1.3.6.1.4.1.11129.2.4.2")
# The extensions of Sigstore's certificates: issuer, the same as text in DER, workflow, repository.
OLD_ISSUER, ISSUER, SIGNER, REPOSITORY = (
    x509.ObjectIdentifier(f"1.3.6.1.4.1.57264.1.{number}") for number in (1, 8, 9, 12)
)
LIFE = timedelta(minutes=10)


def _encode(content: bytes) -> str:
    return base64.b64encode(content).decode()


class Key:
    def __init__(self) -> None:
        self.private = ec.generate_private_key(ec.SECP256R1())
        self.public = self.private.public_key().public_bytes(
            serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo
        )
        self.id = hashlib.sha256(self.public).digest()

    def sign(self, data: bytes) -> bytes:
        return self.private.sign(data, ec.ECDSA(hashes.SHA256()))


@dataclass
class Instance:
    """The services, their keys, and what they are told to do wrong."""

    url: str = ""
    # The claims of the token about the signer.
    claims: dict[str, str] = field(
        default_factory=lambda: {
            "iss": GITHUB,
            "sub": "repo:org/tiny:ref:refs/tags/v1.0",
            "job_workflow_ref": IDENTITY.removeprefix("https://github.com/"),
            "repository": "org/tiny",
        }
    )
    # The time from the issue of a certificate to the signature's arrival at the log.
    delay: timedelta = timedelta(0)
    requests: list[str] = field(default_factory=list)
    authority: Key = field(default_factory=Key)
    certificate_log: Key = field(default_factory=Key)
    signature_log: Key = field(default_factory=Key)

    def __post_init__(self) -> None:
        name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "authority")])
        public = self.authority.private.public_key()
        self.start = datetime.now(UTC) - timedelta(hours=1)
        self.root = (
            x509.CertificateBuilder(name, name, public, x509.random_serial_number())
            .not_valid_before(self.start)
            .not_valid_after(self.start + timedelta(days=1))
            .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
            .add_extension(_usage(sign_certificates=True), critical=True)
            .add_extension(x509.SubjectKeyIdentifier.from_public_key(public), critical=False)
            .sign(self.authority.private, hashes.SHA256())
        )

    @property
    def environment(self) -> dict[str, str]:
        """The variables of a job on GitHub that may prove who it is."""
        return {
            "GITHUB_ACTIONS": "true",
            "ACTIONS_ID_TOKEN_REQUEST_TOKEN": RUNNER,
            "ACTIONS_ID_TOKEN_REQUEST_URL": f"{self.url}/token?api-version=2.0",
        }

    def token(self) -> str:
        """Return what says who signs."""
        now = datetime.now(UTC)
        times = {"iat": now, "nbf": now, "exp": now + LIFE}
        return jwt.encode({**self.claims, **times, "aud": "sigstore"}, "k" * 32)

    def write_trust(self, file: Path) -> Path:
        """Write what a client trusts, and where it signs."""
        valid = {"start": self.start.isoformat().replace("+00:00", "Z")}

        def log(key: Key) -> dict[str, Any]:
            details = {"keyDetails": "PKIX_ECDSA_P256_SHA_256", "validFor": valid}
            public = {"rawBytes": _encode(key.public), **details}
            ids = {"logId": {"keyId": _encode(key.id)}, "hashAlgorithm": "SHA2_256"}
            return {"baseUrl": self.url, "publicKey": public, **ids}

        chain = [{"rawBytes": _encode(self.root.public_bytes(serialization.Encoding.DER))}]
        authority = {"uri": self.url, "certChain": {"certificates": chain}, "validFor": valid}
        subject = {"organization": "tests", "commonName": "authority"}
        kind = "application/vnd.dev.sigstore."
        root = {
            "mediaType": f"{kind}trustedroot+json;version=0.1",
            "tlogs": [log(self.signature_log)],
            "ctlogs": [log(self.certificate_log)],
            "certificateAuthorities": [{"subject": subject, **authority}],
            "timestampAuthorities": [],
        }
        service = {"url": self.url, "majorApiVersion": 1, "validFor": valid, "operator": "tests"}
        signing = {
            "mediaType": f"{kind}signingconfig.v0.2+json",
            **{name: [service] for name in ("caUrls", "oidcUrls", "rekorTlogUrls")},
            "rekorTlogConfig": {"selector": "ANY"},
            "tsaUrls": [],
            "tsaConfig": {"selector": "ANY"},
        }
        data = {
            "mediaType": f"{kind}clienttrustconfig.v0.1+json",
            "trustedRoot": root,
            "signingConfig": signing,
        }
        file.write_text(json.dumps(data))
        return file

    # ---- the services ----

    def certify(self, request: x509.CertificateSigningRequest, token: str) -> dict[str, Any]:
        """Return a certificate for whom the token names, as the authority answers."""
        claims = jwt.decode(token, options={"verify_signature": False, "verify_aud": False})
        now = datetime.now(UTC).replace(microsecond=0)
        builder = (
            x509.CertificateBuilder()
            .subject_name(x509.Name([]))
            .issuer_name(self.root.subject)
            .public_key(request.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now)
            .not_valid_after(now + LIFE)
            .add_extension(_usage(sign_certificates=False), critical=True)
            .add_extension(
                x509.ExtendedKeyUsage([ExtendedKeyUsageOID.CODE_SIGNING]), critical=False
            )
            .add_extension(
                x509.AuthorityKeyIdentifier.from_issuer_public_key(
                    self.authority.private.public_key()
                ),
                critical=False,
            )
        )
        extensions = {OLD_ISSUER: claims["iss"].encode(), ISSUER: asn1.encode_der(claims["iss"])}
        if workflow := claims.get("job_workflow_ref"):
            who: x509.GeneralName = x509.UniformResourceIdentifier(f"https://github.com/{workflow}")
            extensions[SIGNER] = asn1.encode_der(f"https://github.com/{workflow}")
            source = f"https://github.com/{claims['repository']}"
            extensions[REPOSITORY] = asn1.encode_der(source)
        else:
            who = x509.RFC822Name(claims["email"])
        builder = builder.add_extension(x509.SubjectAlternativeName([who]), critical=True)
        for name, value in extensions.items():
            builder = builder.add_extension(x509.UnrecognizedExtension(name, value), critical=False)
        bare = builder.sign(self.authority.private, hashes.SHA256())
        logged = x509.UnrecognizedExtension(SCTS, self._log(bare))
        leaf = builder.add_extension(logged, critical=False)
        chain = [leaf.sign(self.authority.private, hashes.SHA256()), self.root]
        listed = [each.public_bytes(serialization.Encoding.PEM).decode() for each in chain]
        return {"signedCertificateEmbeddedSct": {"chain": {"certificates": listed}}}

    def _log(self, certificate: x509.Certificate) -> bytes:
        """Return that a certificate was logged, as RFC 6962 has it, in the DER of its extension."""
        when = struct.pack("!Q", int(datetime.now(UTC).timestamp() * 1000))
        body = certificate.tbs_certificate_bytes
        entry = self.authority.id + struct.pack("!I", len(body))[1:] + body
        signature = self.certificate_log.sign(b"\0\0" + when + b"\0\1" + entry + b"\0\0")
        signed = b"\4\3" + struct.pack("!H", len(signature)) + signature
        sct = b"\0" + self.certificate_log.id + when + b"\0\0" + signed
        return asn1.encode_der(struct.pack("!HH", len(sct) + 2, len(sct)) + sct)

    def enter(self, proposed: dict[str, Any]) -> dict[str, Any]:
        """Return the entry of the log that a signature becomes."""
        if proposed["kind"] == "dsse":
            content = proposed["spec"]["proposedContent"]
            envelope = json.loads(content["envelope"])
            digests = {
                "payloadHash": hashlib.sha256(base64.b64decode(envelope["payload"])),
                "envelopeHash": hashlib.sha256(content["envelope"].encode()),
            }
            (signature,), (verifier,) = envelope["signatures"], content["verifiers"]
            spec = {
                name: {"algorithm": "sha256", "value": digest.hexdigest()}
                for name, digest in digests.items()
            }
            signatures = [{"signature": signature["sig"], "verifier": verifier}]
            proposed = {**proposed, "spec": {**spec, "signatures": signatures}}
        body = rfc8785.dumps(proposed)
        top = hashlib.sha256(b"\0" + body).digest()
        entry: dict[str, str | int] = {
            "body": _encode(body),
            "integratedTime": int((datetime.now(UTC) + self.delay).timestamp()),
            "logID": self.signature_log.id.hex(),
            "logIndex": 0,
        }
        note = f"log\n1\n{_encode(top)}\n"
        seal = _encode(self.signature_log.id[:4] + self.signature_log.sign(note.encode()))
        proof = {"logIndex": 0, "rootHash": top.hex(), "treeSize": 1, "hashes": []}
        proof["checkpoint"] = f"{note}\n\N{EM DASH} log {seal}\n"
        promise = _encode(self.signature_log.sign(rfc8785.dumps(entry)))
        verification = {"signedEntryTimestamp": promise, "inclusionProof": proof}
        return {top.hex(): {**entry, "verification": verification}}


def _usage(*, sign_certificates: bool) -> x509.KeyUsage:
    # In the order of the standard: the first is for signatures, the sixth for certificates.
    none = [False] * 9
    none[5 if sign_certificates else 0] = True
    return x509.KeyUsage(*none)


class _Handler(Answer):
    instance: Instance

    def _serve(self) -> None:
        path = self.path.partition("?")[0]
        self.instance.requests.append(path)
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        bearer = (self.headers.get("Authorization") or "").partition(" ")[2]
        status, answer = 200, {}
        if path == "/token" and bearer == RUNNER:
            answer = {"value": self.instance.token()}
        elif path == "/api/v2/signingCert":
            pem = base64.b64decode(json.loads(body)["certificateSigningRequest"])
            answer = self.instance.certify(x509.load_pem_x509_csr(pem), bearer)
        elif path == "/api/v1/log/entries":
            answer = self.instance.enter(json.loads(body))
        else:
            status = 403
        self.answer(json.dumps(answer).encode(), status)

    do_GET = do_POST = _serve  # noqa: N815


@contextmanager
def run_instance() -> Iterator[Instance]:
    """Run the services on a free port of this machine."""
    instance = Instance()
    handler = type("Handler", (_Handler,), {"instance": instance})
    with serve_with(handler) as instance.url:
        yield instance


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
        done = invoke(name, str(folder), *words)
        assert RUNNER not in done.stdout + done.stderr
        assert "eyJ" not in done.stdout + done.stderr
        return done

    def sign(self, folder: Path, *words: str) -> Ran:
        return self.run("sign", folder, "--trust-config", str(self.trust), *words)

    def verify(self, folder: Path, *words: str) -> Ran:
        trust = ("--trust-config", str(self.trust))
        return self.run("verify-signature", folder, *(words or ASKED), *trust)

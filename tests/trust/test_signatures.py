"""Variants are signed and checked: kernel, variant and all of its files, and nothing else."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
from base64 import b64decode
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from tests.hub.built import list_of, make_bundle, write_variant
from tests.hub.client import REPO, Uploader
from tests.hub.exchange import Hub
from tests.trust.signing import ASKED, BUILT, CPU, LISTED, SIGNATURE, Signing
from tests.trust.sigstore_instance import GITHUB, IDENTITY, SOURCE, Instance

# ---- the public client ----


def ask_client(signing: Signing, variant: Path, monkeypatch: pytest.MonkeyPatch) -> object:
    """Return what the client answers, whose trust alone is not its own."""
    from kernels.verify import GitHubWorkflowPolicy, verify_variant
    from sigstore.models import ClientTrustConfig
    from sigstore.verify import Verifier

    root = ClientTrustConfig.from_json(signing.trust.read_text()).trusted_root
    monkeypatch.setattr(Verifier, "production", lambda: Verifier(trusted_root=root))
    policy = GitHubWorkflowPolicy(repo_id="org/tiny", signer_uris=[IDENTITY])
    return verify_variant(variant, [policy])


def test_the_public_client_accepts_it(
    signing: Signing, signed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from kernels.verify import VerificationResult as Result

    variant = signed / CPU
    assert ask_client(signing, variant, monkeypatch) == Result.Success()
    (variant / "_ops.py").write_text("")
    answer = ask_client(signing, variant, monkeypatch)
    assert isinstance(answer, Result.DigestVerificationFailure)


def test_the_public_client_is_as_strict(
    signing: Signing, signed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from kernels.verify import VerificationResult as Result

    variant = signed / CPU
    add_a_space(variant / "metadata.json")
    answer = ask_client(signing, variant, monkeypatch)
    assert isinstance(answer, Result.SignatureVerificationFailure)
    (variant / SIGNATURE).unlink()
    assert ask_client(signing, variant, monkeypatch) == Result.SignatureBundleMissing()


# ---- what is refused, each with its answer ----


def add_a_space(file: Path) -> None:
    file.write_text(file.read_text().replace(":", " :", 1))


def break_certificate(_: Signing, bundle: Path) -> None:
    file = bundle / CPU / SIGNATURE
    data = json.loads(file.read_text())
    data["verificationMaterial"]["certificate"]["rawBytes"] = "AAAA"
    file.write_text(json.dumps(data))


def sign_another(signing: Signing, bundle: Path) -> None:
    """Put the provenance of another build with the same list in the place of this one's."""
    other = make_bundle(bundle.with_name("other"), CPU)
    metadata = other / CPU / "metadata.json"
    metadata.write_text(metadata.read_text() + "\n")
    signing.sign(other)
    shutil.copy(other / BUILT, bundle / BUILT)


def sign_as_another(signing: Signing, bundle: Path) -> None:
    """Let somebody else sign the provenance."""
    own = (bundle / CPU / SIGNATURE).read_bytes()
    signing.instance.claims["repository"] = "org/other"
    signing.sign(bundle)
    (bundle / CPU / SIGNATURE).write_bytes(own)


def sign_late(signing: Signing, bundle: Path) -> None:
    signing.instance.delay = timedelta(hours=2)
    signing.sign(bundle)


def trust_another(signing: Signing, bundle: Path) -> None:
    del bundle
    Instance(signing.instance.url).write_trust(signing.trust)


HERE = f"{CPU}/{SIGNATURE}"
BREAKS: dict[str, tuple[Callable[[Signing, Path], object], str, str]] = {
    "missing": (lambda _, b: (b / CPU / SIGNATURE).unlink(), HERE, "no such file"),
    "no signature": (
        lambda _, b: (b / CPU / SIGNATURE).write_text("{}"),
        HERE, "refused: failed to load bundle",
    ),
    "a broken certificate": (break_certificate, HERE, "refused: error parsing"),
    "other metadata": (
        lambda _, b: add_a_space(b / CPU / "metadata.json"),
        HERE, "refused: Bundle message digest mismatch",
    ),
    "a changed file": (
        lambda _, b: (b / CPU / "_ops.py").write_text("import os\n"),
        CPU, "files that are missing, changed or new: _ops.py",
    ),
    "an expired certificate": (sign_late, HERE, "refused: failed to build timestamp certificate"),
    "another authority": (trust_another, HERE, "refused: failed to build timestamp certificate"),
    "another list": (
        lambda _, b: (b / LISTED).write_text("{}"),
        LISTED, "another SHA-256 than metadata.json states",
    ),
    "the provenance of another build": (
        sign_another, BUILT, f"refused: it is about other files: {CPU}/",
    ),
    "provenance that somebody else has signed": (
        sign_as_another, BUILT, "refused: Certificate's OIDCSourceRepositoryURI does not match",
    ),
    "two signatures swapped": (
        lambda _, b: shutil.copy(b / CPU / SIGNATURE, b / BUILT),
        BUILT, "refused: cannot perform DSSE",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", BREAKS)
def test_each_defect_is_refused(name: str, signing: Signing, signed: Path) -> None:
    change, at, found = BREAKS[name]
    assert signing.verify(signed).status == 0
    change(signing, signed)
    done = signing.verify(signed)
    assert done.status == 1
    headline, first, *_ = done.stderr.split("\n\n")
    assert headline.startswith("not signed as asked (")
    assert first.startswith(f"       at     {at}\n       found  {found}")


@pytest.mark.parametrize("option", ["--identity", "--issuer", "--repository"])
def test_somebody_else(option: str, signing: Signing, signed: Path) -> None:
    done = signing.verify(signed, *ASKED, option, "https://github.com/org/other")
    assert done.status == 1
    assert f"at     {HERE}\n       found  refused: Certificate's " in done.stderr
    assert "https://github.com/org/other" in done.stderr


def test_the_public_instance_did_not_sign_it(signing: Signing, signed: Path) -> None:
    # Offline: by what the library itself brings along of that instance.
    done = signing.run("verify-signature", signed, *ASKED, "--offline")
    assert done.status == 1
    assert f"at     {HERE}\n       found  refused: " in done.stderr


def test_without_what_lies_beside_it(signing: Signing, signed: Path) -> None:
    for name in ("provenance", "benchmarks"):
        shutil.rmtree(signed / name)
    assert signing.verify(signed).status == 1
    done = signing.verify(signed, *ASKED, "--variants-only")
    assert done.status == 0
    assert done.stdout.endswith("; nothing beside them was checked\n")


def test_what_the_provenance_says(signed: Path) -> None:
    bundle = json.loads((signed / BUILT).read_text())
    statement = json.loads(b64decode(bundle["dsseEnvelope"]["payload"]))
    assert statement["predicateType"] == "https://slsa.dev/provenance/v1"
    names = {each["name"] for each in statement["subject"]}
    files = {path for path in (signed / CPU).rglob("*") if path.is_file()}
    variant = {path.relative_to(signed).as_posix() for path in files} - {HERE}
    assert names == {*variant, LISTED, "CARD.md", "benchmarks/benchmark.py"}
    build = statement["predicate"]["buildDefinition"]
    assert build["externalParameters"] == {
        "kernel": "tiny", "variant": CPU, "commit": "a" * 40, "dirty": False,
    }  # fmt: skip
    commit, sources = build["resolvedDependencies"]
    assert commit == {"name": "tiny", "digest": {"gitCommit": "a" * 40}}
    assert sources["name"] == LISTED
    assert sources in statement["subject"]
    assert statement["predicate"]["runDetails"]["builder"] == {"id": IDENTITY}


def test_in_a_ci_nothing_has_to_be_said(signing: Signing, bundle: Path) -> None:
    done = signing.sign(bundle, "--json")
    assert done.status == 0, done.stderr
    said = json.loads(done.stdout)
    assert (said["identity"], said["issuer"]) == (IDENTITY, GITHUB)
    # One certificate for all, and for each variant its metadata and its provenance.
    entries = ["/api/v1/log/entries"] * 4
    assert signing.instance.requests == ["/token", "/api/v2/signingCert", *entries]
    assert sorted(said["files"]) == sorted(map(str, bundle.rglob("*.sigstore")))
    done = signing.verify(bundle)
    assert done.stdout.startswith(
        f"2 variants of tiny are whole, and signed by {IDENTITY} for {SOURCE}"
    )


def test_what_is_printed_checks_it(signing: Signing, tmp_path: Path) -> None:
    done = signing.sign(make_bundle(tmp_path / "bundle", CPU))
    command, *words = done.stdout.splitlines()[1].removeprefix("  kernel-builder ").split()
    assert command == "verify-signature"
    assert signing.verify(tmp_path / "bundle", *words).status == 0


def test_a_person_signs(signing: Signing, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    who = {"iss": "https://accounts.example", "sub": "1", "email": "me@example.invalid"}
    signing.instance.claims = who
    monkeypatch.delenv("GITHUB_ACTIONS")
    monkeypatch.setenv("SIGSTORE_ID_TOKEN", signing.instance.token())
    bundle = make_bundle(tmp_path / "bundle", CPU)
    assert signing.sign(bundle).status == 0
    asked = ("--identity", who["email"], "--issuer", who["iss"])
    assert signing.verify(bundle, *asked).status == 0
    assert "refused: " in signing.verify(bundle, *asked, "--repository", SOURCE).stderr


# ---- what cannot be signed ----


def test_nobody_is_there(signing: Signing, bundle: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GITHUB_ACTIONS")
    assert "found  IdentityError: no CI that proves who it is" in signing.sign(bundle).stderr


def test_no_network(signing: Signing, bundle: Path, instance: Instance) -> None:
    text = signing.trust.read_text().replace(instance.url, "http://127.0.0.1:9")
    signing.trust.write_text(text)
    done = signing.sign(bundle)
    assert done.status == 1
    assert "found  ConnectionError: " in done.stderr
    assert not list(bundle.rglob("*.sigstore"))


def test_what_is_in_the_store(signing: Signing, bundle: Path) -> None:
    (bundle / CPU).chmod(0o555)
    done = signing.sign(bundle)
    (bundle / CPU).chmod(0o755)
    assert done.status == 1
    assert "fix    kernel-builder build-and-copy, and sign what is in build/" in done.stderr
    assert signing.instance.requests == []


# ---- and upload ----


def test_upload_takes_signatures_along(
    signing: Signing, signed: Path, upload: Uploader, hub: Hub, tmp_path: Path
) -> None:
    upload(signed)
    repository = hub.repositories.get(REPO)
    there = set(repository.summarize()["refs/heads/v1"])
    assert {f"build/{CPU}/{SIGNATURE}", BUILT} <= there
    # What users fetch is found to be what was signed.
    fetched = tmp_path / "fetched"
    tree = repository.tree(repository.resolve("v1") or "")
    for path, entry in tree.items():
        (fetched / path).parent.mkdir(parents=True, exist_ok=True)
        (fetched / path).write_bytes(repository.content(entry))
    assert signing.verify(fetched).status == 0
    # Where it is not signed, the same build is uploaded again.
    for file in signed.rglob("*.sigstore"):
        file.unlink()
    assert upload(signed).stdout.startswith("v1: everything is there already")
    assert set(repository.summarize()["refs/heads/v1"]) == there
    (fetched / BUILT).unlink()
    assert f"at     {BUILT}" in signing.verify(fetched).stderr


CUDA = "torch213-cxx11-cu130-x86_64-linux"


@pytest.fixture
def refuse(signing: Signing, signed: Path) -> Callable[..., str]:
    """Return what is said of the signed kernel, which was good before it was changed."""
    assert signing.verify(signed).status == 0

    def verify(*words: str) -> str:
        done = signing.verify(signed, *ASKED, *words)
        assert done.status == 1
        assert done.stdout == ""
        return done.stderr

    return verify


Refuse = Callable[..., str]


@pytest.mark.attack(
    "verify-signature", "a linked package folder in a signed variant", "refused: a link"
)
def test_linked_package(refuse: Refuse, signed: Path) -> None:
    evil = signed.with_name("evil")
    evil.mkdir()
    (evil / "__init__.py").write_text("raise SystemExit('unsigned code')\n")
    (signed / CPU / "_ops").symlink_to(evil)
    assert "found  a symbolic link" in refuse()


@pytest.mark.attack(
    "verify-signature", "a linked `__pycache__` in a signed variant", "refused: a link"
)
def test_linked_bytecode(refuse: Refuse, signed: Path) -> None:
    cache = signed.with_name("cache")
    cache.mkdir()
    (signed / CPU / "__pycache__").symlink_to(cache)
    assert "found  a symbolic link" in refuse()


@pytest.mark.attack(
    "verify-signature", "a real `__pycache__` in a signed variant", "refused: a new file"
)
def test_bytecode(refuse: Refuse, signed: Path) -> None:
    (signed / CPU / "__pycache__").mkdir()
    (signed / CPU / "__pycache__" / "_ops.cpython-311.pyc").write_bytes(b"")
    assert "new: __pycache__/_ops.cpython-311.pyc" in refuse()


@pytest.mark.attack(
    "verify-signature", "a named pipe or a socket in a signed variant", "refused: no file"
)
def test_pipe_and_socket(refuse: Refuse, signed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo(signed / CPU / "x.py")
    assert "found  a named pipe" in refuse()
    (signed / CPU / "x.py").unlink()
    # A socket's name is short: 108 bytes.
    monkeypatch.chdir(signed / CPU)
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind("s")
        assert "found  a socket" in refuse()


@pytest.mark.attack(
    "verify-signature", "a signed variant under another name", "refused: the signature names it"
)
def test_renamed(refuse: Refuse, signed: Path) -> None:
    (signed / CPU).rename(signed / CUDA)
    for path in (LISTED, BUILT):
        (signed / path).rename(signed / path.replace(CPU, CUDA))
    said = refuse()
    assert f"found  signed as the variant {CPU}" in said
    assert f"at     {BUILT.replace(CPU, CUDA)}" in said
    assert f"signed as the variant {CPU}" in refuse("--variants-only")


def sign_other(signing: Signing, folder: Path, *variants: str) -> Path:
    """Let the same workflow sign another kernel of its repository."""
    made = make_bundle(folder, *variants)
    for variant in variants:
        metadata = made / variant / "metadata.json"
        metadata.write_text(metadata.read_text().replace('"name": "tiny"', '"name": "other"'))
    assert signing.sign(made).status == 0
    return made


@pytest.mark.attack(
    "verify-signature",
    "another signed kernel of the same repository",
    "its name is printed; refused with --name",
)
def test_other_kernel(signing: Signing, signed: Path) -> None:
    assert signing.verify(signed, *ASKED, "--name", "tiny").status == 0
    other = sign_other(signing, signed.with_name("other"), CPU)
    assert signing.verify(other).stdout.startswith("1 variants of other are whole, and signed by")
    done = signing.verify(other, *ASKED, "--name", "tiny")
    assert (done.status, done.stdout) == (1, "")
    assert "found  a variant of the kernel other\n       want   tiny" in done.stderr


@pytest.mark.attack(
    "verify-signature", "a signed variant of another kernel beside one's own", "refused"
)
def test_mixed_kernels(signing: Signing, refuse: Refuse, signed: Path) -> None:
    other = sign_other(signing, signed.with_name("other"), CUDA)
    shutil.copytree(other / CUDA, signed / CUDA)
    for path in other.glob(f"provenance/{CUDA}*"):
        shutil.copy(path, signed / "provenance")
    said = refuse()
    assert "want   variants of one kernel" in said
    assert "(1 problem)" in said


@pytest.mark.attack(
    "verify-signature", "two signed variants in each other's folder", "both refused"
)
def test_swapped(signing: Signing, tmp_path: Path) -> None:
    bundle = make_bundle(tmp_path / "bundle", CPU, CUDA)
    assert signing.sign(bundle).status == 0
    assert signing.verify(bundle).status == 0
    (bundle / CPU).rename(bundle / "third")
    (bundle / CUDA).rename(bundle / CPU)
    (bundle / "third").rename(bundle / CUDA)
    said = signing.verify(bundle).stderr
    assert f"at     {CPU}\n       found  signed as the variant {CUDA}" in said
    assert f"at     {CUDA}\n       found  signed as the variant {CPU}" in said


@pytest.mark.attack(
    "verify-signature", "the signature of another variant", "refused: another digest"
)
def test_signature_of_another(signing: Signing, tmp_path: Path) -> None:
    bundle = make_bundle(tmp_path / "bundle", CPU, CUDA)
    assert signing.sign(bundle).status == 0
    shutil.copy(bundle / CUDA / SIGNATURE, bundle / CPU / SIGNATURE)
    shutil.copy(bundle / BUILT.replace(CPU, CUDA), bundle / BUILT)
    said = signing.verify(bundle)
    assert said.status == 1
    assert f"at     {CPU}/{SIGNATURE}\n       found  refused: Bundle message digest" in said.stderr


@pytest.mark.attack(
    "verify-signature",
    "the list of sources and its signatures are removed",
    "refused: no such file",
)
@pytest.mark.parametrize("removed", [(LISTED, BUILT), (BUILT,)])
def test_removed_list(refuse: Refuse, signed: Path, removed: tuple[str, ...]) -> None:
    for path in removed:
        (signed / path).unlink()
    assert f"at     {removed[0]}\n       found  no such file" in refuse()


@pytest.mark.attack(
    "verify-signature", "benchmarks or card are replaced", "refused: they are signed"
)
@pytest.mark.parametrize("path", ["benchmarks/benchmark.py", "benchmarks/new.py", "CARD.md"])
def test_replaced_benchmark(refuse: Refuse, signed: Path, path: str) -> None:
    (signed / path).write_text("raise SystemExit('unsigned code')\n")
    assert f"it is about other files: {path}" in refuse()


@pytest.mark.attack(
    "verify-signature", "benchmarks inside and outside of a fetched build/", "both compared"
)
def test_second_benchmark(signing: Signing, signed: Path) -> None:
    fetched = signed.with_name("fetched")
    fetched.mkdir()
    shutil.move(signed, fetched / "build")
    shutil.move(fetched / "build" / "provenance", fetched)
    shutil.copytree(fetched / "build" / "benchmarks", fetched / "benchmarks")
    assert signing.verify(fetched).status == 0
    for place in (fetched, fetched / "build"):
        file = place / "benchmarks" / "benchmark.py"
        kept = file.read_text()
        file.write_text("raise SystemExit('unsigned code')\n")
        assert "other files: benchmarks/benchmark.py" in signing.verify(fetched).stderr
        file.write_text(kept)


@pytest.mark.attack(
    "verify-signature", "a folder without metadata beside signed variants", "refused"
)
def test_extra_folder(refuse: Refuse, signed: Path) -> None:
    (signed / "torch-cpu").mkdir()
    (signed / "torch-cpu" / "__init__.py").write_text("raise SystemExit('unsigned code')\n")
    for words in ((), ("--variants-only",)):
        assert "at     torch-cpu\n       found  no metadata.json" in refuse(*words)


def replace_states(signed: Path, change: Callable[[Path], object]) -> None:
    shutil.rmtree(signed / "sandbox", ignore_errors=True)
    change(signed / "sandbox")


def write(file: Path, text: str = "raise SystemExit('unsigned code')\n") -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


STATES: dict[str, tuple[Callable[[Path], object], str]] = {
    "code": (lambda s: write(s / "evil" / "__init__.py"), "at     sandbox/evil/__init__.py"),
    "a link": (lambda s: s.symlink_to("/etc"), "found  a symbolic link"),
    "a dangling link": (lambda s: s.symlink_to("/nowhere"), "found  a symbolic link"),
    "a file": (write, "found  a regular file"),
    "of another variant": (lambda s: write(s / CUDA, f"on {'0' * 64}\n"), f"at     sandbox/{CUDA}"),
    "code as a state": (lambda s: write(s / CPU), f"at     sandbox/{CPU}"),
}


@pytest.mark.attack("verify-signature", "code, a file or a link at build/sandbox", "refused")
@pytest.mark.parametrize("how", STATES)
def test_states_of_the_sandbox(how: str, refuse: Refuse, signed: Path) -> None:
    change, said = STATES[how]
    replace_states(signed, change)
    for words in ((), ("--variants-only",)):
        assert said in refuse(*words)


@pytest.mark.attack(
    "verify-signature", "a signed variant of an older version beside a new one", "refused"
)
def test_mixed_versions(signing: Signing, refuse: Refuse, signed: Path) -> None:
    old = make_bundle(signed.with_name("old"), CUDA)
    write_variant(old / CUDA, version=7, listed=list_of(CUDA, ""))
    assert signing.sign(old).status == 0
    assert signing.verify(old).status == 0
    shutil.copytree(old / CUDA, signed / CUDA)
    for path in old.glob("provenance/*"):
        shutil.copy(path, signed / "provenance")
    said = refuse()
    assert "want   variants of one version" in said
    assert f"{CPU}: 1" in said
    assert f"{CUDA}: 7" in said


@pytest.mark.attack(
    "verify-signature", "1500 nested folders, or an empty folder, in a variant", "refused"
)
def test_folders_without_files(refuse: Refuse, signed: Path) -> None:
    (signed / CPU / "_ops").mkdir()
    assert "new: _ops/" in refuse()
    (signed / CPU / "_ops").rmdir()
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(signed / CPU)
        for _ in range(1500):
            os.mkdir("d")  # noqa: PTH102 (the whole path would be too long)
            os.chdir("d")
        Path("file").touch()
    try:
        assert "more than 200 folders in each other" in refuse()
    finally:
        # The fixture's own way calls itself for each folder.
        subprocess.run(["rm", "-rf", signed / CPU / "d"], check=True)


@pytest.mark.attack("verify-signature", "a variant's folder is a link", "refused: a link")
def test_linked_variant(refuse: Refuse, signed: Path) -> None:
    (signed / CPU).rename(signed.parent / CPU)
    (signed / CPU).symlink_to(signed.parent / CPU)
    assert "found  a symbolic link" in refuse()


@pytest.mark.attack("verify-signature", "escapes in file names", "written out")
def test_escapes_in_names(refuse: Refuse, signed: Path) -> None:
    (signed / CPU / "x\x1b]52;c;evil\a.py").write_text("")
    said = refuse()
    assert r"x\x1b]52;c;evil\x07.py" in said
    assert "\x1b" not in said


@pytest.mark.attack("sign", "metadata that nests 100,000 lists", "refused: no JSON")
def test_depth_bomb(signing: Signing, tmp_path: Path) -> None:
    bundle = make_bundle(tmp_path / "bundle", CPU)
    (bundle / CPU / "metadata.json").write_text("[" * 100_000)
    assert "no JSON" in signing.sign(bundle).stderr


@pytest.mark.attack("sign", "a forged list of sources", "refused: metadata.json has its hash")
def test_forged_list(signing: Signing, tmp_path: Path) -> None:
    bundle = make_bundle(tmp_path / "bundle", CPU)
    (bundle / LISTED).write_text('{"forged": true}')
    done = signing.sign(bundle)
    assert done.status == 1
    assert "found  another SHA-256 than metadata.json states" in done.stderr
    assert signing.instance.requests == []


@pytest.mark.fault("sign", "a full disk mixes a new list with an older variant", "refused")
def test_mixture(signing: Signing, tmp_path: Path) -> None:
    bundle = make_bundle(tmp_path / "bundle", CPU)
    newer = list_of(CPU, "newer")
    (bundle / LISTED).write_text(newer)
    assert "the list whose hash metadata.json" in signing.sign(bundle).stderr
    write_variant(bundle / CPU, "newer", listed=newer)
    assert signing.sign(bundle).status == 0


@pytest.mark.attack(
    "verify-signature", "`x.so.sigstore`, code under the name of a signature", "refused"
)
def test_named_as_a_signature(refuse: Refuse, signed: Path) -> None:
    (signed / CPU / "x.so.sigstore").write_text("")
    assert "new: x.so.sigstore" in refuse()

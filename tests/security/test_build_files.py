"""Kernels that want files of the machine in what is built, or hostile names."""

from pathlib import Path

import pytest

from tests.evaluation import NixError, build, evaluate, outputs_of, read_log, read_variant
from tests.tiny_kernel import ANSWER, BUILD, TinyKernel

SOURCE = "answer/answer.cpp"
CANARY = "canary of the machine"


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    """A file of the machine, outside of the kernel."""
    file = tmp_path / "id_rsa"
    file.write_text(CANARY)
    return file


def fail_to_compile(kernel: TinyKernel) -> str:
    """Return what the compile of the kernel's source says as it fails."""
    with pytest.raises(NixError) as error:
        build(read_variant(kernel.folder).objects[SOURCE])
    return str(error.value)


@pytest.mark.attack("build", "`.incbin` of files of the machine", "not found in the sandbox")
def test_incbin(tmp_path: Path, secret: Path) -> None:
    for place in (secret, Path("/etc/shadow"), Path("/root/.bashrc")):
        text = f'asm(".incbin \\"{place}\\"");\n{ANSWER}'
        said = fail_to_compile(TinyKernel(tmp_path / "tiny", {SOURCE: text}))
        assert f"file not found: {place}" in said
        assert CANARY not in said


@pytest.mark.attack("build", "flags `-fplugin=`, `@FILE`, `-include`", "not found in the sandbox")
def test_flags_that_name_files(tmp_path: Path, secret: Path) -> None:
    for flag in (f"-fplugin={secret}", f"@{secret}", f"-include{secret}"):
        text = BUILD.replace("include =", f"cxx-flags = ['{flag}']\ninclude =")
        said = fail_to_compile(TinyKernel(tmp_path / "tiny", {"build.toml": text}))
        assert str(secret) in said
        assert CANARY not in said


HEAD = "---\nlibrary_name: kernels\n---\n"
ATTACKS = {
    "classes": ("{{ name.__class__.__mro__[1].__subclasses__() }}", "unsafe"),
    "globals of a function": ("{{ lipsum.__globals__['os'].environ }}", "unsafe"),
    "a long text": ("{{ 'x' * 10 ** 9 }}", "not allowed"),
    "a large number": ("{{ 9 ** 9 ** 9 }}", "not allowed"),
    "a large card": (
        "{% for i in range(99999) %}{{ i }} and so on, and on{% endfor %}",
        "a card of",
    ),
    "a file": ("{% include '/etc/passwd' %}", "no loader"),
}


@pytest.mark.attack(
    "build",
    "Jinja in the card: classes, files, 4 GB of text, powers",
    "a minimal card and a warning",
)
def test_a_template_that_wants_out(tmp_path: Path) -> None:
    for name, (template, why) in ATTACKS.items():
        kernel = TinyKernel(tmp_path / name, {"CARD.md": f"{HEAD}canary {template}\n"})
        drv = evaluate(f"{outputs_of(kernel.folder)}.card.drvPath")
        card = build(drv).read_text()
        assert card.startswith("---\nlibrary_name: kernels\nlicense: mit\n"), name
        assert "canary" not in card, name
        assert why in read_log(drv), name

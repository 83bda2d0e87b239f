"""Kernels that want files of the machine in what is built, or hostile names."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.command_line import Cli
from tests.evaluation import ROOT, NixError, build, evaluate, outputs_of, read_log, read_variant
from tests.tiny_kernel import ANSWER, BUILD, TinyKernel

SOURCE = "answer/answer.cpp"
CANARY = "canary of the machine"
STEP = ROOT / "pkgs/kernel/build-variant"


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


def refuse_to_evaluate(kernel: TinyKernel) -> str:
    """Return what Nix says of a kernel as it refuses to evaluate it."""
    with pytest.raises(NixError) as error:
        read_variant(kernel.folder)
    return str(error.value)


def assemble(files: Path, out: Path) -> subprocess.CompletedProcess[str]:
    """Run the step that lays out a variant over Python files that Nix has not looked at."""
    variables = {
        "out": out, "pythonFiles": files, "pythonFolder": "torch-ext/tiny", "pythonName": "tiny",
        "extension": "_tiny", "extensionModule": "", "metadata": "{}",
        "renderOps": ROOT / "python/src/kernel_builder/ops.py",
        "templates": ROOT / "python/src/kernel_builder/templates/ops",
    }  # fmt: skip
    return subprocess.run(
        [sys.executable, str(STEP / "assemble.py")],
        env={name: str(value) for name, value in variables.items()},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.attack("build", "a link in torch-ext/ to a key or to /etc", "refused by its name")
def test_a_link_beside_the_python_files(tmp_path: Path, secret: Path) -> None:
    for number, target in enumerate((secret, Path("/etc/passwd"), Path("../../../id_rsa"))):
        kernel = TinyKernel(tmp_path / f"tiny{number}")
        (kernel.folder / "torch-ext/tiny/data.py").symlink_to(target)
        said = refuse_to_evaluate(kernel)
        assert "at     torch-ext/tiny/data.py\n       found  a symbolic link\n" in said
        assert CANARY not in said
        # The step refuses one that Nix has let through.
        done = assemble(kernel.folder / "torch-ext/tiny", tmp_path / f"out{number}")
        assert done.returncode == 1
        assert f"at     torch-ext/tiny/data.py\n       found  a link to {target}" in done.stderr
        assert CANARY not in done.stderr
        assert not (tmp_path / f"out{number}").exists()


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
    "classes by filter": ("{{ (name | attr('__class__')).__mro__ }}", "unsafe"),
    "globals of a function": ("{{ lipsum.__globals__['os'].environ }}", "unsafe"),
    "format": ("{{ '{0.__class__.__mro__}'.format(name) }}", "unsafe"),
    "a long text": ("{{ 'x' * 10 ** 9 }}", "not allowed"),
    "a longer text": ("{{ 'x' * 4000000000 }}", "MemoryError"),
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


VARIANT = "torch213-cxx11-cpu-x86_64-linux"


@pytest.mark.attack(
    "check-config", "the name `../x`, `-rf`, with a newline, of one letter", "refused"
)
@pytest.mark.parametrize("name", ["../x", "-rf", "a\nb", "x", "a/b", "${x}"])
def test_names(tmp_path: Path, name: str) -> None:
    kernel = TinyKernel(tmp_path / "k")
    kernel.write("build.toml", BUILD.replace('"tiny"', json.dumps(name)))
    done = Cli(tmp_path)("check-config", str(kernel.folder))
    assert done.status == 1
    assert f"at     {kernel.folder}/build.toml:2: general.name\n" in done.stderr

"""A flake for a folder of kernels, by Nix alone and through the command line."""

import json
from pathlib import Path

import pytest

from kernel_builder.kernel.folder import Kernel
from kernel_builder.kernel.manifest import collect_warnings
from kernel_builder.messages.errors import KernelBuilderError
from tests.evaluation import FEATURES, SYSTEM, VARIANT, NixError, run_nix
from tests.tiny_kernel import BUILD, FLAKE, TinyKernel, commit_all

FLAKE_OF_ALL = FLAKE.replace("genKernelFlakeOutputs", "genKernelsFlakeOutputs").replace(
    "path = ./.;", "path = ./kernels; kernelArguments.one.doGetKernelCheck = false;"
)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository with a flake for the kernels `one`, `other` and `broken`."""
    folder = tmp_path / "repository"
    for name in ("one", "other", "broken"):
        kernel = TinyKernel(folder / "kernels" / name)
        kernel.write("build.toml", BUILD.replace('"tiny"', f'"{name}"'))
        kernel.write(f"torch-ext/{name}/__init__.py", "from . import _ops as _ops\n")
    kernel.write("build.toml", "[general]\n")
    (folder / "flake.nix").write_text(FLAKE_OF_ALL)
    commit_all(folder)
    # A command that writes the lock would see another state than the one before it.
    run_nix("nix", *FEATURES, "flake", "lock", str(folder))
    commit_all(folder)
    return folder


def ask(repository: Path, output: str) -> object:
    words = ("--no-write-lock-file", "--json", f"{repository}#{output}")
    return json.loads(run_nix("nix", *FEATURES, "eval", *words))


def test_outputs_have_the_names_of_the_folders(repository: Path) -> None:
    drv = ask(repository, "other.drvPath")
    assert drv == ask(repository, "other.bundle.drvPath")
    assert str(drv).endswith("-other.drv")
    assert ask(repository, f"other.redistributable.{VARIANT}.drvPath") != drv
    assert "-one-" in str(ask(repository, f"one.redistributable.{VARIANT}.drvPath"))
    assert str(ask(repository, f"devShells.{SYSTEM}.one.drvPath")).endswith(".drv")


def test_a_broken_kernel_hides_only_the_matrix(repository: Path) -> None:
    for output in ("broken.drvPath", "ciMatrix"):
        with pytest.raises(NixError, match=r"broken/build\.toml"):
            ask(repository, output)
    for name in ("one", "other"):
        assert ask(repository, f"{name}.archVariants") == [VARIANT]
    (repository / "kernels" / "broken" / "build.toml").unlink()
    commit_all(repository)
    matrix = ask(repository, "ciMatrix")
    assert isinstance(matrix, list)
    assert [row["kernel"] for row in matrix if row["system"] == SYSTEM] == [
        "kernels/one",
        "kernels/other",
    ]
    assert {tuple(row["backends"]) for row in matrix} == {("cpu",)}


def test_the_command_line_finds_the_flake_above(repository: Path) -> None:
    kernel = Kernel(repository / "kernels" / "other")
    assert kernel.flake == repository
    bundle = ask(repository, "other.drvPath")
    asked = "f: (f { names = [ ]; backends = [ ]; }).bundle.drv"
    assert kernel.evaluate("manifestOf", asked) == bundle
    with pytest.raises(KernelBuilderError, match=r"broken/build\.toml"):
        Kernel(repository / "kernels" / "broken").evaluate("manifest")


BY_HAND = f"""outputs = {{{{ self, kernel-builder }}}}: {{{{
  legacyPackages.{SYSTEM}.other = (kernel-builder.lib.genKernelFlakeOutputs {{{{
    inherit self;
    path = ./kernels/{{}};
  }}}}).legacyPackages.{SYSTEM};
}}}}; }}}}"""
# Flakes above a kernel: whether they have it, whatever words their text has.
ABOVE = {
    "no outputs": ("{ outputs = _: { }; }", False),
    "the function in a comment": ("# not genKernelsFlakeOutputs\n{ outputs = _: { }; }", False),
    "another output of that name": ("{ outputs = _: { other = { }; }; }", False),
    "outputs put together by hand": (f"INPUTS {BY_HAND.format('other')}", True),
    "outputs of another folder by hand": (f"INPUTS {BY_HAND.format('one')}", False),
    "outputs in another file": ("INPUTS outputs = import ./outputs.nix; }", True),
}


@pytest.mark.parametrize("kind", ABOVE)
def test_nix_decides_whether_a_flake_above_has_the_kernel(repository: Path, kind: str) -> None:
    text, has_it = ABOVE[kind]
    inputs, outputs = FLAKE_OF_ALL.split("outputs = ", 1)
    (repository / "outputs.nix").write_text(outputs.rsplit(";", 1)[0].replace("./.", "../."))
    (repository / "flake.nix").write_text(text.replace("INPUTS", inputs))
    commit_all(repository)
    before = (repository / "flake.lock").read_text()
    kernel = Kernel(repository / "kernels" / "other")
    assert kernel.flake == (repository if has_it else None)
    assert (repository / "flake.lock").read_text() == before


# Folders without a flake, below one whose flake has a kernel of that name.
OTHERS = ("experimental/other", "other", "kernels/one/other", "kernels2/other")


@pytest.mark.parametrize("place", OTHERS)
def test_a_kernel_is_its_folder_and_not_its_name(
    repository: Path, capfd: pytest.CaptureFixture[str], place: str
) -> None:
    kernel = TinyKernel(repository / place)
    commit_all(repository)
    found = Kernel(repository / place)
    assert found.flake is None
    assert found.evaluate("manifest", "its: its.name") == "tiny"
    said = f"{repository / place} is built without a flake: {repository} has {repository}"
    assert f"{said}/kernels/other\n" in capfd.readouterr().err
    assert kernel.folder == found.folder


def test_a_flake_for_another_folder_is_told(repository: Path) -> None:
    """The path of the kernel `one` is changed for it alone."""
    flake = repository / "flake.nix"
    changed = "kernelArguments.one = { path = ./kernels/other; doGetKernelCheck = false; };"
    flake.write_text(
        flake.read_text().replace("kernelArguments.one.doGetKernelCheck = false;", changed)
    )
    commit_all(repository)
    kernel = Kernel(repository / "kernels" / "one")
    warnings = collect_warnings(kernel, kernel.evaluate("manifest"))
    told = ("the kernel in kernels/other", str(kernel.folder))
    assert [each.found for each in warnings].count(told[0]) == 1
    assert told in [(each.found, each.want) for each in warnings]
    other = Kernel(repository / "kernels" / "other")
    others = collect_warnings(other, other.evaluate("manifest"))
    assert told[0] not in [each.found for each in others]

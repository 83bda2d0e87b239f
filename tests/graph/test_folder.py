"""Kernels in folders, built without flakes: their flake.nix is obeyed or refused."""

import pytest

from tests.derivation import named
from tests.evaluation import ROOT, SYSTEM, NixError, evaluate, path_of
from tests.tiny_kernel import TinyKernel

FLAKE = """\
{{
  {inputs}
  outputs = {{ self, {arguments} }}{all}: {call} {{
    inherit self;
    path = ./.;
    torchVersions = builtins.filter (row: row.torchVersion == "2.13" && row ? cpu);
    {more}
  }};
}}
"""
CALL = "kernel-builder.lib.genKernelFlakeOutputs"
OURS = 'inputs.kernel-builder.url = "github:someone/kernel-builder";'
OTHER = 'inputs.nixpkgs.url = "github:someone/nixpkgs";'


def bundle_of(kernel: TinyKernel) -> set[str]:
    wanted = f"((import {path_of(ROOT)}).lib.{SYSTEM}.buildTorchExtensionBundle"
    drv = evaluate(f"{wanted} {path_of(kernel.folder)}).drvPath")
    parts = named(drv, "tiny").env["parts"].splitlines()
    return {name for _, _, name in (part.partition(" ") for part in parts) if "/" not in name}


def flake(
    inputs: str = OURS,
    arguments: str = "kernel-builder",
    call: str = CALL,
    more: str = "",
    everything: str = "",
) -> str:
    return FLAKE.format(inputs=inputs, arguments=arguments, call=call, more=more, all=everything)


@pytest.mark.parametrize(
    "text",
    [
        flake(),
        # Inputs need not be declared.
        flake(OURS, "kernel-builder, nixpkgs, ..."),
        flake(f"{OURS} {OTHER}", "...", f"inputs.{CALL}", everything="@inputs"),
        flake('inputs.kb.url = "path:/x";', "kb", "(let inherit (kb) lib; in lib.genFlakeOutputs)"),
        # The input's name does not matter, but the function that is called.
        flake(f'inputs.x.url = "path:/x"; {OTHER}', "x, nixpkgs", "x.lib.genKernelFlakeOutputs"),
    ],
)
def test_its_flake_is_obeyed(tiny: TinyKernel, text: str) -> None:
    tiny.write("flake.nix", text)
    assert bundle_of(tiny) == {f"torch213-cxx11-cpu-{SYSTEM}"}


@pytest.mark.parametrize("text", ["", "{ outputs = { self, nixpkgs }: nixpkgs.lib.mkThis { }; }"])
def test_a_flake_of_something_else_says_nothing_of_it(tiny: TinyKernel, text: str) -> None:
    if text:
        tiny.write("flake.nix", text)
    assert len(bundle_of(tiny)) > 1


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (
            flake(f"{OURS} {OTHER}", "kernel-builder, nixpkgs", more="overlays = [ nixpkgs.x ];"),
            'found  a use of the input "nixpkgs"',
        ),
        (
            f"{{ outputs = {{ self, kernel-builder }}: {{ x = {CALL}; }}; }}",
            f"found  no outputs of a kernel for {SYSTEM}",
        ),
        (
            "{ outputs = { self, a, b }: a.x.genFlakeOutputs { path = ./.; }; }",
            'found  no input of ["a", "b"] that is known to be kernel-builder',
        ),
    ],
)
def test_what_cannot_be_had_is_said(tiny: TinyKernel, text: str, found: str) -> None:
    tiny.write("flake.nix", text)
    with pytest.raises(NixError) as error:
        bundle_of(tiny)
    assert found in str(error.value)
    assert f"fix    build it as a flake: nix build {tiny.folder}#bundle" in str(error.value)

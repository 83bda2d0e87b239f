"""Variants that several Torches serve: trials with the others, and builds where one is lacking."""

import re
from pathlib import Path

import pytest

from tests.derivation import closure_of
from tests.evaluation import evaluate, outputs_of
from tests.tiny_kernel import BUILD, NOARCH, TinyKernel

FOR_CUDA = NOARCH.replace('["cpu"]', '["cuda"]')
STABLE = BUILD.replace("cpu", "cuda").replace("[torch]", '[torch]\nstable-abi = "2.10"')
# The kernel's own list does not matter for what is tried.
ONE_ROW = 'torchVersions = builtins.filter (row: row.torchVersion == "{}" && row ? cudaVersion);'
TORCH = re.compile(r"torch-(\d+)\.(\d+)\.(\d+)-cu\d+")


def outputs(folder: Path, build_toml: str, arguments: str = "") -> str:
    """Return the expression for the outputs of a kernel with this build.toml."""
    tiny = TinyKernel(folder)
    tiny.write("build.toml", build_toml)
    return outputs_of(tiny.folder, arguments)


def torches(drv: str) -> list[tuple[int, ...]]:
    """Return the releases of Torch that a derivation needs, in order."""
    found = filter(None, (TORCH.fullmatch(item.name) for item in closure_of(drv)))
    return sorted({tuple(map(int, each.groups())) for each in found})


@pytest.mark.parametrize("own", ["2.13", "2.15"])
def test_the_oldest_and_the_newest_torch_are_tried(tmp_path: Path, own: str) -> None:
    of = outputs(tmp_path, FOR_CUDA, ONE_ROW.format(own))
    (built,) = torches(str(evaluate(f"({of}).redistributable.torch-cuda.drvPath")))
    trials = f"map (trial: trial.drvPath) ({of}).versionChecks.torch-cuda.trials"
    tried = [torches(drv) for drv in evaluate(trials)]
    assert tried == [[(2, 9, 0)], *([[(2, 15, 0)]] if built != (2, 15, 0) else [])]
    everything = evaluate(f"({of}).versionChecks.torch-cuda.drvPath")
    assert torches(str(everything)) == sorted(release for (release,) in tried)


def test_a_machine_that_lacks_a_wheel_takes_another_torch(tmp_path: Path) -> None:
    name = "torch-stable-abi210-cu130-x86_64-linux"
    of = outputs(tmp_path, STABLE)
    seen = [
        evaluate(
            f"let of = ({of}).withoutTorch {{ {name} = {lacking}; }};"
            f" inherit (of.redistributable.{name}) drvPath identity; in {{ inherit drvPath;"
            " wheel = identity.torch-wheel or null;"
            f" flags = map (unit: unit.flags) of.plan.{name}.units; }}"
        )
        for lacking in ("[ ]", '[ "2.14.1" ]', '[ "2.14.1" "2.13.0" ]')
    ]
    assert [torches(each["drvPath"]) for each in seen] == [[(2, 14, 1)], [(2, 13, 0)], [(2, 12, 0)]]
    # `upload` refuses what is not the same on every machine.
    others = [f"Torch {torch} instead of 2.14.1" for torch in ("2.13.0", "2.12.0")]
    assert [each["wheel"] for each in seen] == [None, *others]
    # The ABI is that of build.toml, whatever Torch has the headers.
    assert "-DTORCH_TARGET_VERSION=0x020a000000000000" in seen[0]["flags"][0]
    assert seen[0]["flags"] == seen[1]["flags"] == seen[2]["flags"]


def test_no_other_output_needs_them(tmp_path: Path) -> None:
    of = outputs(tmp_path, FOR_CUDA)
    names = ("bundle", "ci", "contents", "ciTests.torch-cuda", "benchmarks.torch-cuda")
    for name in names:
        drv = str(evaluate(f"({of}).{name}.drvPath"))
        assert len(torches(drv)) <= 1
        assert not [item.name for item in closure_of(drv) if item.name.endswith("-trial")]


@pytest.mark.parametrize(
    ("build_toml", "arguments"),
    [
        pytest.param(BUILD, "", id="compiled"),
        pytest.param(FOR_CUDA, "doGetKernelCheck = false;", id="not imported"),
        pytest.param(FOR_CUDA.replace("cuda", "rocm"), "", id="no Torch in registries"),
    ],
)
def test_others_have_no_such_check(tmp_path: Path, build_toml: str, arguments: str) -> None:
    names = f"builtins.attrNames ({outputs(tmp_path, build_toml, arguments)}).versionChecks"
    assert evaluate(names) == []

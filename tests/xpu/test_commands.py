"""What Intel's compiler is called with, word for word: a program in its place writes that down."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.derivation import Derivation, named
from tests.evaluation import Variant, build, read_variant
from tests.xpu.xpu_kernel import BINDING, SCALE, SHIFT, VARIANT, xpu_kernel

# Its words, one a line, go where a compiler's output would; and a Torch without anything in it.
RECORDER = r"""overlays = [ (final: _: let
  recorder = final.runStep {
    name = "recorder";
    outputs = [ "out" "dev" ];
    env.busybox = final.busybox;
    script = builtins.toFile "recorder.sh" ''
      mkdir -p "$out/bin" "$dev"
      cat >"$out/bin/icpx" <<END
      #!$busybox/bin/sh
      for word; do
        [ "\$before" != -o ] || place=\$word
        before=\$word
      done
      printf '%s\n' "\$@" >"\$place"
      END
      chmod +x "$out/bin/icpx"
    '';
  };
in {
  xpuOcloc = recorder;
  torchWheel = _: recorder;
  xpuToolkit = _: { sycl = recorder; onednn = recorder; };
}) ];"""


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Variant:
    """The kernel's variant, as far as it is built with the program."""
    folder = xpu_kernel(tmp_path_factory.mktemp("xpu")).folder
    return read_variant(folder, VARIANT, arguments=RECORDER)


def words_of(built: Path) -> list[str]:
    return built.read_text().splitlines()


def words_in(step: Derivation, *names: str) -> list[str]:
    return [word for name in names for word in step.env[name].splitlines()]


def test_units(recorded: Variant) -> None:
    for source in (BINDING, SCALE, SHIFT):
        step = recorded.read_object(source)
        # The first one says where the unit is laid out.
        _, *words = words_of(build(step.path))
        place = ["-c", source, "-o", step.outputs["out"]]
        assert words == [*words_in(step, "flags"), *place]
        assert "-fsycl" in words
        assert ("-DTWO WORDS='1 2'" in words) == (source != BINDING)


def test_the_code_for_the_gpu_and_the_link(recorded: Variant) -> None:
    link, code = recorded.link, named(recorded.drv, "-device-code.o")
    file = build(link.path) / link.env["file"]

    of_code = words_of(Path(code.outputs["out"]))
    objects = [recorded.read_object(source).outputs["out"] for source in recorded.objects]
    planned = recorded.plan["link"]["device"]["flags"]
    assert of_code == [*planned, "-o", code.outputs["out"], *objects]
    assert of_code[of_code.index("-Xs") + 1].startswith("-device pvc,")

    of_link = words_of(file)
    all_objects = [*objects, code.outputs["out"], "name.o"]
    assert of_link == [
        *words_in(link, "flags"), "-o", str(file), *all_objects, *words_in(link, "arguments")
    ]  # fmt: skip
    # The objects have their code for the GPU no more to be linked.
    assert not any(word.startswith("-fsycl") for word in of_link)

"""Intel's compiler gets the arguments of the plan. A stand-in records its arguments."""

from pathlib import Path

import pytest

from tests.derivation import named
from tests.evaluation import ROOT, Variant, build, call, read_variant
from tests.install.fake_machine import write_program
from tests.planned_words import Words, flags_of, place_of
from tests.xpu.xpu_kernel import BINDING, VARIANT, xpu_kernel

# The stand-in writes its arguments into the output file, one a line. Torch is an empty package.
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
  torchWheel = _: recorder // { inherit (final.python) sitePackages; };
  xpuToolkit = _: { sycl = recorder; onednn = recorder; };
}) ];"""


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Variant:
    """The kernel's variant, built with the stand-in."""
    folder = xpu_kernel(tmp_path_factory.mktemp("xpu")).folder
    return read_variant(folder, VARIANT, arguments=RECORDER)


def words_of(built: Path) -> list[str]:
    return built.read_text().splitlines()


def test_units(recorded: Variant) -> None:
    words = Words()
    for unit in recorded.plan["units"]:
        step = recorded.read_object(unit["source"])
        given = words_of(build(step.path))
        words.check(given, flags_of(unit), place_of(step))
        assert "-fsycl" in given
        assert ("-DTWO WORDS='1 2'" in given) == (unit["source"] != BINDING)


def test_the_code_for_the_gpu_and_the_link(recorded: Variant) -> None:
    link, code, planned = (
        recorded.link,
        named(recorded.drv, "-device-code.o"),
        recorded.plan["link"],
    )
    file = build(link.path) / link.env["file"]
    objects = [recorded.read_object(source).outputs["out"] for source in recorded.objects]

    of_code = words_of(Path(code.outputs["out"]))
    # Nix writes them to files, which the commands name.
    assert link.env["objects"].split() == [*objects, code.outputs["out"]]
    assert code.env["objects"].split() == objects
    output = ["-o", code.outputs["out"], "@objects@"]
    Words().check(of_code, planned["device"]["flags"], output)
    (options,) = (word for word in of_code if word.startswith("-device "))
    assert of_code[of_code.index(options) - 1] == "-Xsycl-target-backend=spir64_gen"

    of_link = words_of(file)
    Words().check(
        of_link,
        planned["flags"],
        planned["portable"]["flags"],
        ["-o", str(file), "@objects@", "name.o"],
        planned["portable"]["libraries"],
        planned["arguments"],
    )
    # An earlier step has linked the device code.
    assert not any(word.startswith("-fsycl") for word in of_link)


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ('"llvm-spirv" "-spirv-ext=-all,+SPV_A,+SPV_B" "-o" "x"', "+SPV_A,+SPV_B,+SPV_OURS"),
        ('"llvm-spirv" "-spirv-ext=+SPV_A" "-o" "x"', "+SPV_A,+SPV_OURS"),
        ('"llvm-spirv" "-o" "x"', None),
    ],
)
def test_the_device_link_keeps_the_compilers_own_extensions(
    answer: str, expected: str | None, tmp_path: Path
) -> None:
    program = tmp_path / "icpx"
    says = f"[ \"$3\" = '-###' ] && exec echo ' {answer}' >&2"
    write_program(program, f"{says}\nprintf '%s\\n' \"$@\" >words")
    script = ROOT / "backends/xpu/pkgs/link-device-code/link.sh"
    flags = "-fsycl\n-spirv-ext=@spirv-extensions@,+SPV_OURS\n-device 'a b'"
    variables = {"program": str(program), "flags": flags, "out": "code.o", "objectsPath": "objects"}
    status = 1 if expected is None else 0
    environment = {"PATH": "/usr/bin:/bin", **variables}
    done = call("sh", "-eu", script, status=status, cwd=tmp_path, env=environment)
    if expected is None:
        assert "its own extensions are unknown" in done.stderr
    else:
        words = (tmp_path / "words").read_text().splitlines()
        own = ["-fsycl", f"-spirv-ext={expected}", "-device 'a b'"]
        assert words == [*own, "-o", "code.o", "@objects"]

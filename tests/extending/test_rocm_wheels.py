"""`check-rocm-wheels` with pip and a folder of made-up wheels."""

from tests.extending.maintainer import Maintainer

RESERVED = "rocm-sdk-libraries-gfx94x-dcgpu"


def test_placeholders_and_wheels(maintainer: Maintainer) -> None:
    maintainer.put(RESERVED, "0.0.1")
    maintainer.put("rocm-sdk-core", "0.1.0")
    done = maintainer.run("check-rocm-wheels")
    assert done.status == 0, done.stderr
    assert done.stdout.startswith("no wheels of ROCm yet: rocm, rocm-sdk-core, ")
    maintainer.put("rocm-sdk-core", "7.3.0")
    done = maintainer.run("check-rocm-wheels")
    assert done.stdout.startswith("there are wheels of ROCm now: rocm-sdk-core 7.3.0;")


def test_no_answer(maintainer: Maintainer) -> None:
    done = maintainer.run("check-rocm-wheels")
    assert done.status == 1
    assert f"found  no answer for {RESERVED}, which is there" in done.stderr

"""`add-toolkit` and `check-rocm-wheels`, with pip and a folder of made-up wheels."""

import json
from typing import Any

from tests.evaluation import ROOT
from tests.extending.maintainer import Maintainer

RELEASES = "backends/cuda/releases"
OPTIONS = "backends/cuda/nvcc-options.json"
LAST = json.loads((ROOT / RELEASES / "13.5.json").read_text())
PROJECTS = [each.partition("==")[0] for each in LAST["want"]]
PLACE = "nvidia/cu13"
PTXAS = "#!/bin/sh\necho \"'compute_140','sm_140','sm_75','sm_107f','sm_100a'.\"\n"


def write_nvcc(release: str) -> str:
    """Return a program with the help of nvcc."""
    known = json.loads((ROOT / OPTIONS).read_text())["options"]
    forms = {"none": "", "one": " <x>", "list": " <x>,..."}
    lines = [
        f"{long}{forms[option['value']]}  ({option['short']})" for long, option in known.items()
    ]
    lines.append("--new <x>  (-n)")
    text = "\n".join(lines)
    return (
        f"#!/bin/sh\ncase $1 in\n--version) echo 'release {release}, V{release}.1' ;;\n"
        f"*) cat <<'END'\n{text}\nEND\n;;\nesac\n"
    )


def publish(maintainer: Maintainer, release: str, lacking: str = "") -> dict[str, Any]:
    """Write the wheels of a release; return the pins for x86_64."""
    pins: dict[str, Any] = {}
    requires = []
    for project in PROJECTS:
        version = f"{release}.1"
        files = {}
        if project == "nvidia-cuda-nvcc":
            files = {f"{PLACE}/bin/ptxas": PTXAS, f"{PLACE}/bin/nvcc": write_nvcc(release)}
        if project == "nvidia-cuda-crt":
            files = {f"{PLACE}/include/crt/host_config.h": "#if __GNUC__ > 17\n#endif\n"}
        for machine in ("x86_64", "aarch64"):
            tags = f"py3-none-manylinux_2_17_{machine}"
            # Newer wheels of other releases are not taken.
            maintainer.put(project, "99.1", tags=tags)
            pin = maintainer.put(project, version, tags=tags, files=files)
            pins[project] = {**pin, "depends": []} if machine == "x86_64" else pins[project]
        # NVIDIA has ranges for some projects.
        asked = f"<99,>={version}" if project == "nvidia-nvjitlink" else f"=={version}.*"
        if project != lacking:
            requires.append(f'{project}{asked}; extra == "all"')
    maintainer.put("cuda-toolkit", f"{release}.0", *requires)
    return pins


def test_a_release(maintainer: Maintainer) -> None:
    pins = publish(maintainer, "14.0")
    done = maintainer.run("add-toolkit", "14.0")
    assert done.status == 0, done.stderr
    assert maintainer.copy.touched() == {f"{RELEASES}/14.0.json", OPTIONS}
    made = maintainer.read(f"{RELEASES}/14.0.json")
    assert made["pins"]["x86_64-linux"] == pins
    assert set(made["pins"]["aarch64-linux"]) == set(PROJECTS)
    assert made["want"] == [f"{project}==14.0.1" for project in PROJECTS]
    assert made["supported"] == ["7.5", "10.0a", "10.7f", "14.0"]
    assert made["gcc"] == {**LAST["gcc"], "newest": 17}
    assert {key: made[key] for key in ("default", "compression", "kind", "python")} == {
        key: LAST[key] for key in ("default", "compression", "kind", "python")
    }
    options = maintainer.read(OPTIONS)
    assert options["releases"][-1] == "14.0"
    assert options["options"]["--new"] == {"short": "-n", "value": "one", "only": ["14.0"]}
    assert "new capabilities: 14.0\nnew options of nvcc: --new\n" in done.stdout

    again = maintainer.run("add-toolkit", "14.0")
    assert (again.status, again.stdout) == (0, f"{RELEASES}/14.0.json: already there\n")


def test_nothing_is_written_unless_everything_is_found(maintainer: Maintainer) -> None:
    publish(maintainer, "14.0", lacking="nvidia-cufft")
    for release, found in (
        ("14.0", "no nvidia-cufft"),
        ("14.1", "No matching distribution found for cuda-toolkit==14.1.*"),
        ("13", '"13"'),
        ("12.7", "no wheels of CUDA 12"),
    ):
        done = maintainer.run("add-toolkit", release)
        assert done.status == 1
        assert "error: the toolkit cannot be added (1 problem)\n" in done.stderr
        assert found in done.stderr
    assert maintainer.copy.touched() == set()


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

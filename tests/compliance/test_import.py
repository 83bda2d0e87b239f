"""The import check: the stand-in for a GPU, for kernels of Python and Triton."""

import json
import os
import re
from pathlib import Path

import pytest

from tests.compliance.import_checks import TUNED, Check
from tests.derivation import named
from tests.evaluation import ROOT, NixError, build, call, read_log, read_variant
from tests.tiny_kernel import NOARCH, TinyKernel, write_files

# Questions that kernels ask at the top of a module, with the answers.
ASKED = {
    "cuda": [
        "torch.cuda.get_device_capability() == torch.cuda.get_device_capability(0) == (9, 0)",
        "torch.cuda.get_device_properties('cuda').multi_processor_count > 100",
        "'H100' in torch.cuda.get_device_name(0)",
        "torch.cuda.current_device() == 0",
        "not torch.cuda.is_available() and torch.cuda.device_count() == 0",
        "triton.runtime.driver.active.get_current_target().backend == 'cuda'",
        "triton.runtime.driver.active.get_active_torch_device() == torch.device('cuda', 0)",
        "triton.runtime.driver.active.utils.get_device_properties(0)['multiprocessor_count']",
    ],
    "rocm": [
        "torch.cuda.get_device_properties(0).gcnArchName.split(':')[0] == 'gfx942'",
        "triton.runtime.driver.active.get_current_target().arch == 'gfx942'",
    ],
    "xpu": [
        "torch.xpu.get_device_capability(0)['has_fp64']",
        "'Intel' in torch.xpu.get_device_name()",
    ],
}
# Calls that need a GPU fail.
REFUSED = [
    "torch.empty(1, device='cuda')",
    "torch.cuda.current_stream()",
    "triton.runtime.driver.active.get_current_stream(0)",
    "triton.testing.do_bench(lambda: None)",
]

TRY = """\
import json, sys, torch, triton
from kernel_builder.import_check import stand_ins
if sys.argv[1]:
    stand_ins.install(json.loads(sys.argv[1]))
for asked in sys.argv[2:]:
    try:
        print(bool(eval(asked)))
    except Exception as error:
        print(f"no GPU: {error}"[:6])
"""


def ask(check: Check, backend: str, asked: list[str]) -> list[str]:
    checks = json.loads((ROOT / "backends" / backend / "checks.json").read_text())
    device = json.dumps(checks["device"]) if "device" in checks else ""
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "python/src")}
    done = call(check.python, "-B", "-c", TRY, device, *asked, env=environment)
    return done.stdout.splitlines()


@pytest.mark.parametrize("backend", ASKED)
def test_who_asks_what_the_gpu_is_gets_an_answer(check: Check, backend: str) -> None:
    asked = ASKED[backend]
    assert dict(zip(asked, ask(check, backend, asked))) == dict.fromkeys(asked, "True")


def test_who_computes_on_it_does_not(check: Check) -> None:
    assert ask(check, "cuda", REFUSED) == ["no GPU"] * len(REFUSED)


def test_a_kernel_for_the_processor_has_no_gpu_at_all(check: Check) -> None:
    asked = [question for question in ASKED["cuda"] if "available" not in question]
    assert ask(check, "cpu", asked) == ["no GPU"] * len(asked)


WHERE_THERE_IS_A_GPU = """\
import torch

try:
    import tiny_fast
except ImportError:
    tiny_fast = None
if torch.cuda.is_available():
    from tiny_cuda.functions import forward
    DEVICES = range(torch.cuda.device_count())
    SPACE = torch.empty(1, device="cuda")
    import behind_the_gpu
"""


def test_code_for_machines_with_a_gpu_is_imported_too(check: Check) -> None:
    status, said = check.run({"__init__.py": WHERE_THERE_IS_A_GPU})
    assert status == 0
    assert "warning: the import would fail where there is a GPU (1 problem)" in said
    assert "at     torch-ext/tiny/__init__.py:8: from tiny_cuda.functions import forward\n" in said
    assert "found  ModuleNotFoundError: No module named 'tiny_cuda'\n" in said
    assert "error" not in said.lower().replace("modulenotfounderror", "")


def test_a_variant_for_the_processor_is_imported_once(check: Check) -> None:
    assert check.run({"__init__.py": WHERE_THERE_IS_A_GPU}, "cpu") == (0, "")


# Each line changes the process of its users, and the finding names the line and what it changed.
# tests/mistakes/tables/import-state.json has more.
CHANGES = {
    "torch.manual_seed(23)": "the next random numbers of torch: another state than before",
    "torch.set_flush_denormal(True)": "denormal numbers is 'flush to zero', and was 'keep'",
    "ctypes.CDLL(None).setenv(b'A_VARIABLE', b'1', 1)": "the variable A_VARIABLE is '1'",
    "print('loaded')": "the length of the standard output is 7, and was 0",
    "threading.Thread(target=time.sleep, args=[99], name='mine', daemon=True).start()": "'mine'",
    "torch.nn.modules.module.register_module_forward_hook(print)": "hooks) is 1, and was 0",
    "sys.modules['flash_attn'] = sys.modules[__name__]": "sys.modules['flash_attn'] is replaced",
}
# A package of others changes it, and users who import this package get the same.
UNCHANGED = "import others, triton, torch._dynamo\nlogging.getLogger(__name__).setLevel(10)\n"


def test_an_import_leaves_the_process_as_it_is(check: Check) -> None:
    modules = "import ctypes, logging, os, sys, threading, time, torch\n"
    (check.folder / "others.py").write_text("import os\nos.environ['OF_OTHERS'] = '1'\n")
    text = f"{modules}{UNCHANGED}from . import more; torch.compile(print)\n"
    more = "\n".join([modules, *CHANGES, ""])
    status, said = check.run({"__init__.py": text, "more.py": more}, "cpu", check.folder)
    assert status == 0
    assert f"warning: the import changes the process of its users ({len(CHANGES)} problems)" in said
    for number, (line, found) in enumerate(CHANGES.items(), 3):
        assert f"at     torch-ext/tiny/more.py:{number}: {line}\n" in said
        assert found in said
    assert "OF_OTHERS" not in said
    assert "torch-ext/tiny/__init__.py:4: from . import more; torch.compile(print)\n" in said


WITHOUT_A_GPU = """\
import torch

MAJOR = torch.cuda.get_device_capability()[0]
try:
    NAME = torch.cuda.get_device_name(0)
except RuntimeError:
    NAME = "none"
IS_LARGE = torch.cuda.is_available() and torch.cuda.get_device_properties(0).major > 8


def ask():
    return torch.cuda.get_device_properties(0).multi_processor_count
"""


def test_a_question_that_fails_without_a_gpu_is_found(check: Check) -> None:
    more = "from . import ask\nSMS = ask()\n"
    init = f"{WITHOUT_A_GPU}\nfrom . import more\n"
    status, said = check.run({"__init__.py": init, "more.py": more})
    assert status == 0
    assert "warning: the import fails where there is no GPU (2 problems)" in said
    assert "__init__.py:3: MAJOR = torch.cuda.get_device_capability()[0]\n" in said
    assert "more.py:2: SMS = ask()\n" in said
    assert "found  torch.cuda.get_device_properties() during the import\n" in said


LAYER = "import torch\nclass {}(torch.nn.Module):\n    def forward(self, x): return x\n    {}\n"
# Layers that are right: tests/mistakes/tables/layers.json has the others.
RIGHT_LAYERS = (
    "has_backward = False",
    "def forward(self, *xs): return xs",
    "@staticmethod\n    def forward(x): return x",
)


def test_right_layers_are_left_alone(check: Check) -> None:
    layers = "".join(LAYER.format(f"Layer{n}", text) for n, text in enumerate(RIGHT_LAYERS))
    status, said = check.run({"__init__.py": "from . import layers\n", "layers.py": layers})
    assert (status, said) == (0, "")


def test_layers_that_the_package_does_not_import_are_found(check: Check) -> None:
    vendored = LAYER.format("Stateful", "def __init__(self): super().__init__()")
    layers = LAYER.format("Lost", "has_backward = False") + vendored
    status, said = check.run({"__init__.py": "", "layers.py": layers})
    assert status == 0
    assert "warning: the client does not find these layers (1 problem)" in said
    assert "at     torch-ext/tiny/layers.py:2\n" in said
    assert "fix    write `from . import layers` in torch-ext/tiny/__init__.py\n" in said


IN_VAIN = """\
import triton, triton.language as tl


@triton.autotune([triton.Config({"WIDE": 64})], key=["count"], restore_value=["otu"])
@triton.heuristics({"SIZE": lambda given: 64})
@triton.jit
def add_one(out, x, count, SIZE: tl.constexpr): ...


@triton.autotune([triton.Config({"SIZE": 64})], key=["count"], reset_to_zero=["out"])
@triton.jit
def right(out, x, count, SIZE: tl.constexpr): ...
"""


def test_names_that_a_tuner_gets_in_vain_are_told(check: Check) -> None:
    _, said = check.run({"__init__.py": IN_VAIN})
    # Triton refuses some of them from 3.9 on.
    if "ValueError: restore_value contains names" not in said:
        assert "names that are no arguments of the function (2 problems)" in said
        assert "at     torch-ext/tiny/__init__.py:4\n       found  the name 'WIDE'" in said
        assert "found  the name 'otu'" in said
        assert "did you mean 'out'?" in said


NAMES = """\
import torch, torch.nn.functional as F, triton, triton.language as tl

try:
    import absent
except ImportError:
    pass


@triton.autotune([triton.Config({"SIZE": 64})], key=["count"])
@triton.jit
def add_one(out, x, count, SIZE: tl.constexpr):
    at = tl.progam_id(0) * SIZE + tl.arange(0, SIZE)
    tl.store(out + at, tl.load(x + at, at < coutn) + 1)


class Adder:
    def add(self, x):
        return [lambda: hidden_name for each in F.rleu(x)]


def expected(x):
    global LATER
    LATER = absent.value
    if hasattr(tl, "exp9"):
        return tl.exp9
    try:
        return unicode(x), torch.emtpy
    except (NameError, AttributeError):
        return torch.npu.synchronize(), tl.update_tensor_descriptor(x), torch._C._none, LATER
"""
UNDEFINED = {
    12: ["'tl.progam_id': triton.language has no 'progam_id' (triton 3.", "'tl.program_id'?"],
    13: ["found  the name 'coutn'\n", "did you mean 'count'?"],
    18: ["the name 'hidden_name'", "'F.rleu': torch.nn.functional has no 'rleu'", "'F.relu'?"],
}


def test_names_that_nothing_defines_are_found_in_functions(check: Check) -> None:
    status, said = check.run({"__init__.py": "from . import more\n", "more.py": NAMES}, "cpu")
    assert status == 0
    assert "warning: functions of the kernel use names that nothing defines (4 problems)" in said
    for line, texts in UNDEFINED.items():
        assert f"at     torch-ext/tiny/more.py:{line}\n" in said
        assert all(text in said for text in texts)


def test_names_in_all_that_a_module_lacks_are_found(check: Check) -> None:
    init = "from . import part\n\nadd = 1\n__all__ = [\n    'add', 'more',\n\n    'ad',\n]\n"
    part = "def __getattr__(name):\n    return name\n\n__all__ = ['late']\n"
    files = {"__init__.py": init, "part.py": part, "more.py": "", "other.py": "__all__ = ['a']\n"}
    status, said = check.run(files, "cpu")
    assert status == 0
    assert "warning: `__all__` lists names that the module does not have (1 problem)" in said
    assert "at     torch-ext/tiny/__init__.py:7\n       found  the name 'ad'\n" in said


WRITES = """\
import os, pathlib
HERE = pathlib.Path(__file__).parent
(HERE / "cache.txt").write_text("")
os.mkdir(HERE / "cache")
try:
    os.open(HERE / "none" / "there", os.O_CREAT)
except OSError:
    pass
open(HERE / "metadata.json").read()
open("elsewhere", "w").close()
def later(): (HERE / "later").write_text("")
"""


def test_an_import_that_writes_to_the_folder_of_the_kernel_is_found(check: Check) -> None:
    status, said = check.run({"__init__.py": WRITES}, "cpu")
    assert status == 0
    assert "warning: the import writes to the folder of the kernel (3 problems)" in said
    for line, name in ((3, "cache.txt"), (4, "cache"), (6, "none/there")):
        assert f"at     torch-ext/tiny/__init__.py:{line}: " in said
        assert f"found  {name} is written\n" in said


def test_users_have_the_packages_that_torch_and_the_client_require(check: Check) -> None:
    program = Path(__file__).with_name("required_modules.py")
    done = call(check.python, "-B", program, "torch", "kernels", "triton")
    names = json.loads((ROOT / "lib/config/python-names.json").read_text())
    assert names["provided"] == json.loads(done.stdout)
    assert not {*names["assumed"]} & {*names["provided"]}


def test_all_failing_imports_are_shown_at_once(check: Check) -> None:
    init = [
        "import missing.part",
        "from . import layers",
        "from absent import run",
        "run(none)",
        "",
    ]
    layers = "import lost as other\nclass Layer(other.Base): pass\n"
    status, said = check.run({"__init__.py": "\n".join(init), "layers.py": layers})
    assert status == 1
    assert "error: the kernel cannot be imported (4 problems)" in said
    found = [line.strip() for line in said.splitlines() if line.startswith("       found")]
    assert found == [
        *(
            f"found  ModuleNotFoundError: No module named {name!r}"
            for name in ("missing", "lost", "absent")
        ),
        "found  NameError: name 'none' is not defined",
    ]


OLDER_TRITON = "Metadata-Version: 2.1\nName: triton\nVersion: 3.3.0\n"
USES_TRITON = """\
import torch
torch.manual_seed(23)
from triton.tools.tensor_descriptor import TensorDescriptor
"""


def test_a_trial_with_an_older_triton_warns_with_its_version(check: Check) -> None:
    files = {
        "triton/__init__.py": "__version__ = '3.3.0'\n",
        "triton/tools/__init__.py": "",
        "triton-3.3.0.dist-info/METADATA": OLDER_TRITON,
    }
    others = write_files(check.folder / "others", files)
    status, said = check.run({"__init__.py": USES_TRITON}, "cpu", others, is_trial=True)
    assert status == 0
    headline = "the kernel cannot be imported with other versions that it is published for"
    # The build itself warns of what is odd with every Torch.
    (finding,) = json.loads((check.folder / "out/findings.json").read_text())
    assert finding["headline"] == headline
    assert f"warning: {headline} (1 problem)\n" in said
    versions = (check.folder / "out/versions").read_text()
    assert re.fullmatch(r"Torch 2\.\d+\.\d+ and Triton 3\.3\.0", versions)
    (lost,) = finding["problems"]
    assert lost["at"].startswith("torch-ext/tiny/__init__.py:3: ")
    missing = "ModuleNotFoundError: No module named 'triton.tools.tensor_descriptor'"
    assert lost["found"] == f"with {versions}: {missing}"
    assert lost["fix"].startswith("use what only some have in the function that needs it")


# nanobind, a part of Triton, reports leaked objects at exit.
FAILS = """\
import atexit, sys
atexit.register(print, "leaked 64 types!", file=sys.stderr)
add_two
"""


def test_what_cannot_be_imported_is_told_why_and_nothing_else(tmp_path: Path) -> None:
    tiny = TinyKernel(tmp_path)
    tiny.write("build.toml", NOARCH)
    tiny.write("torch-ext/tiny/__init__.py", FAILS)
    drv = read_variant(tiny.folder, "torch-cpu").drv
    with pytest.raises(NixError):
        build(drv)
    said = read_log(named(drv, "-get-kernel-check").path)
    assert "found  NameError: name 'add_two' is not defined" in said
    assert said.rstrip().endswith("builds without this check")


def test_it_is_made_once_for_all_kernels(triton: str, tmp_path: Path) -> None:
    tiny = TinyKernel(tmp_path)
    text = NOARCH.replace('"tiny"', '"other"')
    tiny.write("build.toml", text)
    tiny.write("torch-ext/other/__init__.py", TUNED)
    other = read_variant(tmp_path, "torch-cpu").drv
    paths = {named(drv, "get-kernel-check-python-bytecode").path for drv in (triton, other)}
    assert len(paths) == 1

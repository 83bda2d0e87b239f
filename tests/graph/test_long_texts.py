"""Texts of any length in a kernel are evaluated with the stack that a machine grants."""

from pathlib import Path

from tests.evaluation import ROOT, call, path_of
from tests.tiny_kernel import BINDING, BUILD, TinyKernel

LONG = 45_000
X = "x" * LONG
BLANKS = " " * LONG
# In files that are scanned for code of other build systems, which these lines look like.
CXX = {
    "line": f"// {X}\n",
    "comment": "/*\n" + "some text here\n" * 3000 + "*/\n",
    "stars": f"/*{'*' * LONG}/\n",
    "string": f'const char *s = "{X}";\n',
    "macro": "#define A \\\n" + "  some text \\\n" * 4000 + "  x\n",
    "blanks": f'{BLANKS}#include{BLANKS}"a.h"\n',
    "name": f'#include "{X}"\n',
    "call": f"int f(at::Tensor x, int n{', int n' * 7000});\n",
    "name_of_many": f"int {X};\n",
    "define": f'm.def("a",{BLANKS}&{"a::" * 15000}f);\n',
    "late": f"TORCH_LIBRARY_EXPAND({BLANKS}TORCH_EXTENSION_NAME, m);\n",
    "guard": f'#ifndef {X}\n#define {X}\n#include "a.h"\n#endif\n',
    "test": f'#if __has_include({BLANKS}"a.h")\n#endif\n',
}
PYTHON = {
    "line": f"# {X}\n",
    "text": '"""\n' + "some text (here)\n" * 2800 + '"""\n',
    "other_text": "'''\n" + "some text\n" * 4500 + "'''\n",
    "string": f's = "{X}"\n',
    "names": "from . import (\n" + "    a,\n" * 6000 + ")\n",
    "parts": f"import {'a.' * 20000}b\n",
    "custom": f'custom_op({BLANKS}"a::b")\n',
}
WORDS = "PYBIND11_MODULE(a, m) {}\nTORCH_LIBRARY(a, m) {}\n"
BYTES = 8 << 10


def test_long_texts_need_no_more_stack_than_others(tmp_path: Path) -> None:
    kernel = TinyKernel(tmp_path / "tiny")
    sources = ["answer/answer.cpp"]
    for name, text in CXX.items():
        sources.append(f"answer/{name}.cpp")
        kernel.write(sources[-1], text + WORDS)
    for name, text in PYTHON.items():
        kernel.write(f"torch-ext/tiny/{name}.py", f"{text}torch.ops.load_library(x)\n")
    imports = "".join(f"from . import {name}\n" for name in PYTHON)
    kernel.write("torch-ext/tiny/__init__.py", f"from ._ops import ops\n{imports}")
    kernel.write("torch-ext/torch_binding.cpp", BINDING)
    listed = ", ".join(f'"{source}"' for source in sources)
    kernel.write("build.toml", BUILD.replace('"answer/answer.cpp"', listed))
    expression = f"""
      let
        inherit (import {path_of(ROOT / "lib")}) plan;
        kernel = plan.kernel.readKernel {{
          root = {path_of(kernel.folder)};
          torchVersions = defaults: defaults;
          brought = [ ];
        }};
      in
      builtins.deepSeq [ kernel.config.warnings (map (variant: variant.plan) kernel.variants) ] true
    """
    # Without a hard limit, Nix raises its own.
    limit = f'ulimit -Hs {BYTES} && ulimit -Ss {BYTES} && exec nix-instantiate --eval --expr "$1"'
    call("sh", "-c", limit, "sh", expression)

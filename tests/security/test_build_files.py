"""Kernels that want out: what they name, include, run and write stays in the build."""

import json
import subprocess
from pathlib import Path

import pytest

from tests.evaluation import ROOT, NixError, build, evaluate, outputs_of, read_log, read_variant
from tests.tiny_kernel import ANSWER, BUILD, TinyKernel

SOURCE = "answer/answer.cpp"
SECRET = "hf_kept_by_the_machine"


def compile_answer(kernel: TinyKernel, source: str = SOURCE) -> bytes:
    return build(read_variant(kernel.folder).objects[source]).read_bytes()


def flags(*words: str) -> dict[str, str]:
    """Return a build.toml with flags of the compiler."""
    listed = ", ".join(f"'{word}'" for word in words)
    return {"build.toml": BUILD.replace("include =", f"cxx-flags = [{listed}]\ninclude =")}


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    """A file of the machine, beside the kernel's folder."""
    file = tmp_path / "id_rsa"
    file.write_text(f'extern const char *text; const char *text = "{SECRET}";\n')
    return file


@pytest.mark.attack("build", "`.incbin`, `#include` of files of the machine", "not found")
@pytest.mark.attack("build", "flags `-fplugin=`, `@FILE`, `-include`", "not found")
def test_no_file_of_the_machine_is_read(tmp_path: Path, secret: Path) -> None:
    places = [str(secret), "/etc/shadow", "/root/.bashrc"]
    texts = [f'asm(".incbin \\"{place}\\"");\n{ANSWER}' for place in places]
    texts += [f'#include "{name}"\n{ANSWER}' for name in (secret, "../../id_rsa")]
    options = [f"-fplugin={secret}", f"@{secret}", f"-include{secret}"]
    named = [*places, str(secret), "../../id_rsa", *[str(secret)] * 3]
    changes = [*({SOURCE: text} for text in texts), *map(flags, options)]
    for place, files in zip(named, changes, strict=True):
        with pytest.raises(NixError) as error:
            compile_answer(TinyKernel(tmp_path / "tiny", files))
        assert place in str(error.value)
        assert SECRET not in str(error.value)


NAMES = (
    "a b",
    "$(touch ran)",
    "`touch ran`",
    "a;touch ran",
    "a'b",
    "a&b",
    "a=b",
    "*",
    "#a",
    "é",
    " a",
    "a ",
    "x" * 220,
)


def test_a_name_is_a_name(tmp_path: Path) -> None:
    sources = [f"answer/{name}.cpp" for name in NAMES]
    listed = ", ".join(f'"{source}"' for source in sources)
    files = {"build.toml": BUILD.replace(f'"{SOURCE}"', listed), **dict.fromkeys(sources, ANSWER)}
    objects = read_variant(TinyKernel(tmp_path / "tiny", files).folder).objects
    built = [build(objects[source]) for source in sources]
    assert [file.read_bytes()[:4] for file in built] == [b"\x7fELF"] * len(NAMES)


def test_a_name_is_a_name_in_what_a_compile_reports(tmp_path: Path) -> None:
    source = 'answer/a"b\\c.cpp'
    written = source.replace("\\", "\\\\").replace('"', '\\"')
    lean = BUILD.replace(SOURCE, written).replace("[torch]", '[torch]\nheaders = "lean"')
    text = f"#include <torch/library.h>\n{ANSWER}"
    kernel = TinyKernel(tmp_path / "tiny", {"build.toml": lean, source: text})
    report = build(read_variant(kernel.folder).objects[source], output="report")
    assert [each["unit"] for each in json.loads(report.read_text())] == [source]


def test_a_name_may_be_as_long_as_files_can_have(tmp_path: Path) -> None:
    source = "answer/" + "far/" * 60 + "answer.cpp"
    files = {
        "build.toml": BUILD.replace(SOURCE, source),
        source: ANSWER.replace('"answer.h"', f'"{"../" * 60}answer.h"'),
    }
    assert compile_answer(TinyKernel(tmp_path / "tiny", files), source).startswith(b"\x7fELF")


@pytest.mark.parametrize("content", [b"#define NUMBER 42\n\0", None])
def test_a_header_that_cannot_be_read_is_named(tmp_path: Path, content: bytes | None) -> None:
    header = TinyKernel(tmp_path / "tiny").folder / "include" / "number.h"
    if content is None:
        header.unlink()
        header.symlink_to("nowhere.h")
    else:
        header.write_bytes(content)
    argv = [str(ROOT / "python" / "bin" / "kernel-builder"), "check-config", str(tmp_path / "tiny")]
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    # A kernel without a flake is read without its links, and the command names them.
    assert done.returncode == (1 if content else 0)
    assert (str(header) if content else "left out: include/number.h") in done.stderr


def test_a_flag_is_a_flag(tmp_path: Path) -> None:
    words = '"$(id) `id` $HOME * ;id"'
    with pytest.raises(NixError, match=r"argument to .-O. should be"):
        compile_answer(TinyKernel(tmp_path / "tiny", flags(f"-DTEXT={words}", "-O1 -Dnonsense")))
    text = f"{ANSWER}extern const char *text; const char *text = TEXT;\n"
    kernel = TinyKernel(tmp_path / "tiny", {SOURCE: text, **flags(f"-DTEXT={words}")})
    assert words.strip('"').encode() in compile_answer(kernel)


def test_what_a_compiler_is_told_to_run_sees_the_build_alone(
    tmp_path: Path, secret: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # -wrapper runs any program in place of the compiler's own.
    monkeypatch.setenv("HF_TOKEN", SECRET)
    script = f"env; id -u; ls -d {secret} /root/* /home/*; echo > {tmp_path}/ran; exit 3"
    with pytest.raises(NixError) as error:
        compile_answer(TinyKernel(tmp_path / "tiny", flags("-wrapper", f"sh,-c,{script}")))
    said = str(error.value)
    assert "NIX_BUILD_TOP" in said
    assert SECRET not in said
    for place in (str(secret), "/root/*", "/home/*"):
        assert f"{place}: No such file" in said
    assert not (tmp_path / "ran").exists()


def test_python_files_write_and_read_in_the_check_alone(tmp_path: Path, secret: Path) -> None:
    program = f"""\
import os, pathlib, socket
seen = [place for place in ({str(secret)!r}, "/root", "/etc/shadow") if os.path.exists(place)]
for place in ({str(tmp_path / "ran")!r}, "/usr/lib/ran"):
    try:
        pathlib.Path(place).write_text("ran")
        seen.append(place)
    except OSError:
        pass
try:
    socket.create_connection(("127.0.0.1", 1), timeout=5)
except ConnectionRefusedError:
    seen += [name for _, name in socket.if_nameindex() if name != "lo"]
raise RuntimeError(f"seen: {{seen}}, {{sorted(os.environ)}}")
"""
    kernel = TinyKernel(tmp_path / "tiny", {"torch-ext/tiny/__init__.py": program})
    with pytest.raises(NixError) as error:
        build(read_variant(kernel.folder).drv)
    said = str(error.value)
    assert "RuntimeError: seen: []" in said
    assert "HF_TOKEN" not in said
    assert not (tmp_path / "ran").exists()


HEAD = "---\nlibrary_name: kernels\n---\n"
ATTACKS = {
    "classes": ("{{ name.__class__.__mro__[1].__subclasses__() }}", "unsafe"),
    "globals of a function": ("{{ lipsum.__globals__['os'].environ }}", "unsafe"),
    "a long text": ("{{ 'x' * 10 ** 9 }}", "not allowed"),
    "a large number": ("{{ 9 ** 9 ** 9 }}", "not allowed"),
    "a large card": (
        "{% for i in range(99999) %}{{ i }} and so on, and on{% endfor %}",
        "a card of",
    ),
    "a file": ("{% include '/etc/passwd' %}", "no loader"),
}


@pytest.mark.attack("build", "Jinja in the card: classes, files, 4 GB, powers", "a minimal card")
def test_a_template_that_wants_out(tmp_path: Path) -> None:
    for name, (template, why) in ATTACKS.items():
        kernel = TinyKernel(tmp_path / name, {"CARD.md": f"{HEAD}canary {template}\n"})
        drv = evaluate(f"{outputs_of(kernel.folder)}.card.drvPath")
        card = build(drv).read_text()
        assert card.startswith("---\nlibrary_name: kernels\nlicense: mit\n"), name
        assert "canary" not in card, name
        assert why in read_log(drv), name

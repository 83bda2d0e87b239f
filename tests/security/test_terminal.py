"""Texts of a hostile kernel stay text, in commands too, and messages reveal no secrets."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from kernel_builder.messages import names
from kernel_builder.messages.terminal import clean
from kernel_builder.nix.quoting import git_reference
from tests.cli.command_line import Cli
from tests.cli.conftest import *  # noqa: F403  (fixtures)
from tests.cli.fake_kernel import FakeKernel, init_git
from tests.cli.test_terminal import run_on_terminal
from tests.evaluation import ROOT
from tests.skipping import skip

TOKEN = "hf_" + "aB3dE" * 7
# Sets the clipboard of many terminals.
ESCAPE = "\x1b]52;c;Y3VybCBldmls\x07"


@pytest.mark.attack("build", "ESC in a compiler's output and a flake's trace", "written as text")
def test_escapes_in_logs(cli: Cli, kernel: FakeKernel) -> None:
    # Octal, which printf of every shell knows.
    script = "printf 'k/a.cpp:3:5: error: \\033]52;c;x\\007\u202e\\n'; exit 1"
    kernel.add("bad", script=json.dumps(script))
    kernel.warnings = [ESCAPE]
    flake = kernel.write() / "flake.nix"
    text = flake.read_text()
    flake.write_text(text.replace("manifest = {", f'manifest = builtins.trace "{ESCAPE}" {{', 1))
    shown = run_on_terminal(cli, "build", "-L", str(kernel.folder))
    # A log loses whole sequences, as it loses colours; the trace and the warning have half of one.
    assert shown.count("52;c;") >= 2
    assert "\x1b]" not in shown
    assert "\x07" not in shown
    assert "\u202e" not in shown


@pytest.mark.attack("list-variants", "20 GB in a kernel without git", "refused before it is read")
def test_huge_file(cli: Cli, tmp_path: Path) -> None:
    # Without the fixture, which evaluates the kernel once more at the end.
    kernel = FakeKernel(tmp_path / "kernel", "huge")
    kernel.add("one")
    folder = kernel.write()
    with (folder / "huge").open("wb") as file:
        file.truncate(20 * 10**9)
    cli.seconds = 20
    done = cli.expect(1, "check-config", str(folder))
    assert f"the largest file is {folder}/huge" in done.stderr
    assert "git init && git add ." in done.stderr


@pytest.mark.attack("build -L", "a token and a login in a compiler's output", "taken out")
def test_secrets_on_a_terminal(cli: Cli, kernel: FakeKernel) -> None:
    known = "canary-of-a-variable"
    said = f"k/a.cpp:3:5: error: {TOKEN} {known} https://me:canary-pw@host/x hf_activation.cpp"
    kernel.add("bad", script=json.dumps(f"echo {said} >&2; exit 1"))
    folder = str(kernel.write())
    shown = run_on_terminal(cli, "build", "-L", folder, HF_TOKEN=known)
    shown += cli("build", "--json", folder, HF_TOKEN=known).stdout
    assert shown.count("error: *** *** https://host/x hf_activation.cpp") >= 3
    for secret in (TOKEN, known, "canary-pw"):
        assert secret not in shown


@pytest.mark.attack("list-variants", "another user's build.toml above", "not taken")
def test_a_kernel_of_another_user_above(cli: Cli, kernel: FakeKernel) -> None:
    if os.geteuid() != 0:
        skip("only root can give files away", installable=False)
    kernel.add("one")
    folder = kernel.write()
    (folder / "mine").mkdir()
    assert cli("list-variants", str(folder / "mine")).status == 0
    os.chown(folder / "build.toml", 12345, 12345)
    refused = cli("list-variants", str(folder / "mine"))
    assert (refused.status, refused.stdout) == (1, "")
    assert "is not a kernel" in refused.stderr


@pytest.mark.attack("check-config, hash", "a folder's name that forges lines", "none looks so")
def test_a_folder_that_forges_lines(cli: Cli) -> None:
    folder = cli.folder / f"k\nerror: forged{ESCAPE}"
    folder.mkdir()
    for content in (None, "x = = 1", '[general]\nname = "k"\n'):
        if content:
            (folder / "build.toml").write_text(content)
        shown = run_on_terminal(cli, "check-config", str(folder), KERNEL_BUILDER_FLAKE=str(ROOT))
        shown += run_on_terminal(cli, "hash", str(folder))
        assert "forged" in shown
        assert not any(line.startswith("error: forged") for line in shown.splitlines())
        assert "\x1b]" not in shown


@pytest.mark.attack("check-config --json", "a file name that is no UTF-8", "valid Unicode")
def test_json_of_names_that_are_no_text(cli: Cli) -> None:
    folder = cli.folder / os.fsdecode(b"k\xff")
    folder.mkdir()
    for content in (None, "x = = 1"):
        if content:
            (folder / "build.toml").write_text(content)
        done = cli("check-config", "--json", str(folder))
        problem = json.loads(done.stdout)["problems"][0]
        assert problem["at"].encode("utf-8")
        assert "k" in problem["at"]
        assert "internal error" not in done.stderr


@pytest.mark.attack("build", "a kernel in a folder whose name is no UTF-8", "works as any other")
@pytest.mark.parametrize("in_git", [False, True])
def test_a_folder_that_is_no_text(cli: Cli, kernel: FakeKernel, in_git: bool) -> None:
    kernel.add("one")
    folder = cli.folder / os.fsdecode(b"k\xff")
    shutil.copytree(kernel.write(), folder)
    if in_git:
        init_git(folder, "flake.nix", "build.toml", "variants.nix")
    built = cli.expect(0, "build", str(folder))
    assert "k\\udcff/result -> /nix/store/" in built.stdout
    assert git_reference(folder, Path("a b"), relative=False).endswith("k%FF?dir=a%20b")
    cli.folder = folder
    done = cli("init", "--name", "me/hello")
    assert (done.status, done.stdout[-6:]) == (0, " cuda\n"), done.stderr
    assert "k\\xff/hello'" in done.stdout


@pytest.mark.attack("list-variants", "an untracked file's name is a command", "quoted in advice")
@pytest.mark.parametrize("name", ["x;touch PWNED;.cpp", "$(touch PWNED)", "a\ntouch PWNED", "-f'"])
def test_proposed_commands_are_quoted(cli: Cli, kernel: FakeKernel, name: str) -> None:
    kernel.add("one")
    folder = kernel.write()
    (folder / name).touch()
    init_git(folder, "flake.nix", "build.toml", "variants.nix")
    done = cli("build", "--dry-run", str(folder))
    (line,) = [line for line in done.stderr.splitlines() if line.startswith("warning: git does")]
    command = line.split("so the build lacks them: ")[1]
    bash = shutil.which("bash")
    assert bash
    subprocess.run([bash, "-c", command], cwd=cli.folder, check=True)
    assert not (cli.folder / "PWNED").exists()
    assert "does not track" not in cli("build", "--dry-run", str(folder)).stderr


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain\ttext\n", "plain\ttext\n"),
        ("\x1b[01;31m\x1b[Kerror:\x1b[m\x1b[K no", "\x1b[01;31merror:\x1b[m no"),
        ("\x1b[30mblack\x1b[8mhidden\x1b[38;5;0mx", "\\x1b[30mblack\\x1b[8mhidden\\x1b[38;5;0mx"),
        ("\x1b]52;c;AA\x07", "\\x1b]52;c;AA\\x07"),
        ("\x1b[2J\x1b[1;1H\x1bc\x9b2J", "\\x1b[2J\\x1b[1;1H\\x1bc\\x9b2J"),
        ("a\r\nb\rc", "a\nb\\rc"),
        ("a\x1b[\x1b[31m31m", "a\\x1b[\x1b[31m31m"),
        ("\u202egnp.exe\u2066", "\\u202egnp.exe\\u2066"),
    ],
)
def test_clean(text: str, shown: str) -> None:
    assert clean(text) == shown


@pytest.mark.parametrize("words", [["a b"], ["it's"], ["$(x)", "`y`"], ["-x", "a\nb"], [""]])
def test_quoting(words: list[str]) -> None:
    argv = ["bash", "-c", names.join(["printf", "%s\\0", *words])]
    done = subprocess.run(argv, capture_output=True, text=True, check=True)
    assert done.stdout.split("\0")[:-1] == words

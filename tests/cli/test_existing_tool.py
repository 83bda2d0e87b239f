"""Commands, options and variables of Hugging Face's tool mean the same here, or get a sentence.

compatible/existing_tool.json has them as its source at the commit defines them, one record a line.
`instead` is the sentence of those that this tool has not. `values` are those of an option that
takes no others, or the default of one that is compared with a version.
"""

import hashlib
import json
import re
from collections.abc import Callable
from contextvars import copy_context
from pathlib import Path
from typing import Any

import click
import pytest

from kernel_builder.commands import group
from kernel_builder.compatible.commands import COMMON, SKILLS, TEXTS
from kernel_builder.compatible.table import FILE
from kernel_builder.settings import current_settings
from tests.cli.command_line import Cli
from tests.cli.fake_kernel import FakeKernel

SOURCE, *RECORDS = json.loads(FILE.read_text())
WORKING = [each for each in RECORDS if "instead" not in each]
# `help` is in test_help_and_version_of_the_whole.
COMMANDS = [each for each in WORKING if "arguments" in each and each["command"] != "help"]
OPTIONS = [each for each in WORKING if "option" in each and each["command"]]
ANSWERED = [each for each in RECORDS if "instead" in each]
SHELLS = ("devshell", "testshell")

# The value that a test gives an option and what the command gets, where it is not that value, or
# true, under the option's own name; by the command's name where that differs.
MEANINGS: dict[str, tuple[str, dict[str, Any]]] = {
    "--backends": ("cpu", {"backends": ("cpu",)}),
    "--cores": ("3", {"cores": 3}),
    "--dest": ("there", {"dest": Path("there")}),
    "--global": ("", {"everywhere": True}),
    "--license": ("mit", {"terms": "mit"}),
    "--max-jobs": ("2", {"max_jobs": 2}),
    "--output-json": ("f.json", {"output_json": Path("f.json")}),
    "--print-build-logs": ("", {"print_logs": True}),
    "--quiet": ("", {"verbosity": 0}),
    "--torch-stable-abi": ("2.10", {"torch_stable_abi": "2.10"}),
    "--variant": ("torch-cpu", {"names": ("torch-cpu",)}),
    **{f"{name} --variant": ("torch-cpu", {"variant": "torch-cpu"}) for name in SHELLS},
}
# The words for arguments, and what a command gets for them.
WORDS = {"SHELL": "bash", "[TARGET_DIR]": "second", "[OUTPUT]": "second", "add": "add"}
OF_SEVERAL = ("build", "build-and-upload", "check-config", "list-variants", "upload")
ARGUMENTS: dict[str, dict[str, Any]] = {
    **{name: {"folders": [Path("first")]} for name in OF_SEVERAL},
    "clean-pyproject": {"folder": Path("first"), "target": Path("second")},
    "completions": {"shell": "bash"},
    "create-pyproject": {"folder": Path("first"), "target": Path("second")},
    "fill-card": {"folder": Path("first"), "file": Path("second")},
    "init": {"words": ("first",)},
    "skills": {"action": "add"},
}

Parse = Callable[..., dict[str, Any]]


def name_record(record: dict[str, Any]) -> str:
    return " ".join([record["command"], *record.get("option", record.get("arguments", ()))])


@pytest.fixture
def parse(monkeypatch: pytest.MonkeyPatch) -> Parse:
    """Return what a command is called with, and the settings of its run, for a command line."""

    def parse(*words: str) -> dict[str, Any]:
        found: dict[str, Any] = {}
        command = group.cli.get_command(click.Context(group.cli), words[0])
        assert command is not None

        def call(**asked: Any) -> None:
            found.update(vars(current_settings()) | asked)

        monkeypatch.setattr(command, "callback", call)
        copy_context().run(group.cli.main, [*words], standalone_mode=False)
        return found

    return parse


@pytest.mark.parametrize("record", COMMANDS, ids=name_record)
def test_command(
    record: dict[str, Any], parse: Parse, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "first").mkdir()
    name = record["command"]
    words = [WORDS.get(each, "first") for each in record["arguments"]]
    expected = ARGUMENTS.get(name, {"folder": Path("first")})
    typed = parse(name, *words)
    assert {key: typed[key] for key in expected} == expected
    if "[KERNEL_DIR]" in record["arguments"]:
        alone = parse(name)
        assert alone.get("folder") == Path() or alone["folders"] == [Path()]


@pytest.mark.parametrize("record", OPTIONS, ids=name_record)
def test_option(record: dict[str, Any], parse: Parse) -> None:
    name, option, values = record["command"], record["option"][-1], record.get("values", [])
    plain = [*values, "me/hello"][0] if record["takes-value"] else ""
    own = (plain, {option[2:].replace("-", "_"): plain or True})
    value, expected = MEANINGS.get(f"{name} {option}") or MEANINGS.get(option, own)
    for spelling in record["option"]:
        typed = parse(*name.split(), spelling, *([value] if value else []))
        assert {key: typed[key] for key in expected} == expected
    for each in values:
        parse(*name.split(), f"{option}={each}")
    if values and option != "--backends":
        with pytest.raises(click.BadParameter, match=re.escape(f"'{values[-1]}'")):
            parse(*name.split(), option, "another")


@pytest.mark.parametrize("record", ANSWERED, ids=name_record)
def test_what_is_missing_gets_a_sentence(record: dict[str, Any], cli: Cli) -> None:
    name, option = record["command"], record.get("option", ())
    words = [*option, *(["x"] if record.get("takes-value") else []), *record.get("arguments", ())]
    done = cli(name, *words)
    assert record["instead"] in done.stderr
    assert "No such" not in done.stderr
    # An option without an effect stops nothing: there is no kernel here, and nothing to clean.
    assert done.status == (2 if not option else name == "create-pyproject")


def test_help_and_version_of_the_whole(cli: Cli) -> None:
    assert cli("help", "build").stdout == cli("build", "-h").stdout == cli("build", "--help").stdout
    assert cli("help").stdout == cli("-h").stdout == cli("--help").stdout
    assert cli("-V").stdout == cli("--version").stdout != ""
    assert "generate-docs" not in cli("-h").stdout


def test_variables(cli: Cli, kernel: FakeKernel, tmp_path: Path) -> None:
    """Those of the Hub are of its library, which tests/hub runs with both of them."""
    known = {each["variable"] for each in RECORDS if "variable" in each}
    assert known == {"HF_ENDPOINT", "HF_TOKEN", "NIX_CONFIG", "XDG_CONFIG_HOME"}
    kernel.add("one")
    setting = {"NIX_CONFIG": "experimental-features ="}
    assert cli("list-variants", str(kernel.write()), **setting).status == 0
    done = cli("list-variants", str(kernel.folder), NIX_CONFIG="no-such-setting = 1")
    assert "no-such-setting" in done.stderr
    skills = ("skills", "add", "--opencode", "--global")
    assert cli(*skills, XDG_CONFIG_HOME=str(tmp_path / "config")).status == 0
    assert (tmp_path / "config/opencode/skills/cuda-kernels/SKILL.md").is_file()


def test_the_card_goes_to_the_terminal_or_a_file(
    cli: Cli, kernel: FakeKernel, tmp_path: Path
) -> None:
    kernel.add("one")
    words = ("fill-card", str(kernel.write()))
    done = cli(*words, "--cores", "3")
    assert (done.status, done.stdout) == (0, "3 cores\n"), done.stderr
    assert not (kernel.folder / "build").exists()
    assert cli(*words, str(tmp_path / "CARD.md")).status == 0
    assert (tmp_path / "CARD.md").read_text() == "3 cores\n"


def test_hash(cli: Cli) -> None:
    variant = cli.folder / "build" / "torch-cuda"
    variant.mkdir(parents=True)
    (variant / "__init__.py").write_text("")
    (variant / "metadata.json").write_text('{"name": "k", "digest": {}}')
    done = cli.expect(0, "hash")
    text = (variant / "metadata.json").read_bytes()
    assert done.stdout == f"{hashlib.sha256(text).hexdigest()}  torch-cuda\n"
    empty = "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="
    assert json.loads(text) == {
        "name": "k",
        "digest": {"algorithm": "sha256", "files": {"__init__.py": empty}},
    }
    assert cli("hash").stdout == done.stdout


def test_the_owner_of_a_kernel_without_a_name(cli: Cli) -> None:
    assert cli("init", "me/other", "--backends", "cpu", "--offline").status == 0
    assert 'repo-id = "me/other"' in (cli.folder / "other" / "build.toml").read_text()
    done = cli.expect(2, "init", "hello", "--offline")
    assert "fix    give --name OWNER/REPO, or log in to the Hub" in done.stderr
    assert not (cli.folder / "hello").exists()


def test_skills_go_to_the_folders_of_assistants(cli: Cli, tmp_path: Path) -> None:
    cli.environment |= {"HOME": str(tmp_path / "home"), "XDG_CONFIG_HOME": ""}
    everyone = ("--claude", "--codex", "--opencode")
    here = [cli.folder / f".{name}/skills" for name in ("claude", "codex", "opencode")]
    home = tmp_path / "home"
    mine = [home / each for each in (".claude/skills", ".codex/skills", ".config/opencode/skills")]
    for more, folders in (([], here), (["--global"], mine)):
        done = cli.expect(0, "skills", "add", "--skill", "cpu-kernels", *everyone, *more)
        written = [folder / "cpu-kernels" / "SKILL.md" for folder in folders]
        assert done.stdout.splitlines() == [str(each) for each in written]
        assert {each.read_text()[:22] for each in written} == {"---\nname: cpu-kernels\n"}
    text = tmp_path / "dest" / "cuda-kernels" / "SKILL.md"
    add = ("skills", "add", "--dest", str(tmp_path / "dest"))
    assert cli(*add).status == 0
    text.write_text("mine")
    done = cli.expect(1, *add, "--claude")
    assert "fix    --force replaces it" in done.stderr
    assert text.read_text() == "mine"
    assert not (here[0] / "cuda-kernels").exists(), "nothing is half done"
    assert cli(*add, "--force").status == 0
    assert text.read_text() != "mine"
    # Without a word more, it is the text for the kernel that is here.
    cli.expect(0, "init", "kernel", "--name", "me/kk", "--backends", "cpu")
    cli.folder /= "kernel"
    assert cli("skills", "--claude").stdout.endswith(".claude/skills/cpu-kernels/SKILL.md\n")
    for wrong in ("general = 5", "general.backends = 5"):
        (cli.folder / "build.toml").write_text(wrong)
        assert "/cuda-kernels/" in cli.expect(0, "skills", "--claude", "--force").stdout


@pytest.mark.attack("skills add", ".claude is a link to a folder elsewhere", "refused")
def test_skills_need_a_place_and_follow_no_link(cli: Cli, tmp_path: Path) -> None:
    done = cli.expect(2, "skills", "add")
    assert "name a place: --claude, --codex, --opencode or --dest DIR" in done.stderr
    (tmp_path / "elsewhere").mkdir()
    (cli.folder / ".claude").symlink_to(tmp_path / "elsewhere")
    done = cli.expect(1, "skills", "add", "--claude")
    assert "found  a symbolic link" in done.stderr
    assert [*(tmp_path / "elsewhere").iterdir()] == []


@pytest.mark.parametrize("skill", [*SKILLS, COMMON])
def test_the_commands_in_a_skill_can_be_typed(skill: str) -> None:
    text = (TEXTS / f"{skill}.md").read_text()
    typed = re.findall(r"`kernel-builder ([^`]+)`", text)
    assert typed
    for line in [part for each in typed for part in each.split(" && kernel-builder ")]:
        name, *words = line.split()
        command = group.cli.get_command(click.Context(group.cli), name)
        assert command is not None, name
        command.make_context(name, words)
    if skill != COMMON:
        assert text.startswith(f"---\nname: {skill}\ndescription: ")

"""Commands and options of Hugging Face's tool work here under their spelling.

existing_tool.json has them as its source at the commit defines them, one record a line, with the
reason for each that is missing here. `values` are those of an option that takes no others, or the
default of one that is compared with a version.
"""

import json
from pathlib import Path
from typing import Any

import click
import pytest

from kernel_builder.commands.group import cli
from tests.cli.command_line import Cli
from tests.cli.fake_kernel import FakeKernel

TABLE = Path(__file__).with_name("existing_tool.json")
SOURCE, *RECORDS = json.loads(TABLE.read_text())
COMMANDS = [each for each in RECORDS if "arguments" in each]
OPTIONS = [each for each in RECORDS if "option" in each]


def read(name: str) -> click.Command:
    command = cli.get_command(click.Context(cli), name) if name else cli
    assert command is not None, name
    return command


def name_record(record: dict[str, Any]) -> str:
    return " ".join([record["command"], *record.get("option", ())])


@pytest.mark.parametrize("record", COMMANDS, ids=name_record)
def test_command(record: dict[str, Any]) -> None:
    name = record["command"]
    if "missing" in record or name == "help":
        assert cli.get_command(click.Context(cli), name) is None
        return
    arguments = [each for each in read(name).params if isinstance(each, click.Argument)]
    assert sum(2 if each.nargs == -1 else 1 for each in arguments) >= len(record["arguments"])
    needed = [each for each in record["arguments"] if not each.startswith("[")]
    assert [each.required for each in arguments].count(True) == len(needed)


@pytest.mark.parametrize("record", OPTIONS, ids=name_record)
def test_option(record: dict[str, Any]) -> None:
    command = read(record["command"])
    params = command.get_params(click.Context(command, **command.context_settings))
    found = [each for each in params if {*record["option"]} <= {*each.opts, *each.secondary_opts}]
    (option,) = found
    assert isinstance(option, click.Option)
    assert (not option.is_flag) == record["takes-value"]
    assert not option.required
    for value in record.get("values", ()):
        option.type.convert(value, option, None)


def test_help_of_a_command(cli: Cli) -> None:
    assert cli("help", "build").stdout == cli("build", "--help").stdout
    assert cli("help").stdout == cli("--help").stdout


def test_the_card_goes_to_a_second_place(cli: Cli, kernel: FakeKernel, tmp_path: Path) -> None:
    kernel.add("one")
    flake = kernel.write() / "flake.nix"
    card = 'card = sh "k-card-${salt}" "echo card > $out" [ ];'
    flake.write_text(flake.read_text().replace("inherit bundleOf", f"{card} inherit bundleOf", 1))
    done = cli("fill-card", str(kernel.folder), str(tmp_path / "CARD.md"))
    assert done.status == 0, done.stderr
    assert (tmp_path / "CARD.md").read_text() == "card\n"


def test_hash(cli: Cli) -> None:
    variant = cli.folder / "build" / "torch-cuda"
    variant.mkdir(parents=True)
    (variant / "__init__.py").write_text("")
    (variant / "metadata.json").write_text('{"name": "k", "digest": {}}')
    done = cli("hash")
    assert (done.status, done.stdout) == (0, "torch-cuda\n")
    empty = "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="
    assert json.loads((variant / "metadata.json").read_text()) == {
        "name": "k",
        "digest": {"algorithm": "sha256", "files": {"__init__.py": empty}},
    }


def test_the_owner_of_a_kernel_without_a_name(cli: Cli) -> None:
    assert cli("init", "me/other", "--backends", "cpu", "--offline").status == 0
    assert 'repo-id = "me/other"' in (cli.folder / "other" / "build.toml").read_text()
    done = cli("init", "hello", "--offline")
    assert done.status == 2
    assert "fix    give --name OWNER/REPO, or log in to the Hub" in done.stderr
    assert not (cli.folder / "hello").exists()

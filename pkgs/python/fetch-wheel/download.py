"""Download one wheel with pip and put it where Nix expects it.

Reads `project`, `version`, `file`, `outputHash`, `pip`, `certificates` and `out` from the environment.
pip chooses among files by the tags of the machine. The tags come from the name of the wanted file
instead, and the hash selects the file.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

LINES_SHOWN = 3

env = os.environ
wheel = env["file"]
# name-version[-build]-python-abi-platform.whl
python_tag, abi_tag, platform_tag = wheel[: -len(".whl")].split("-")[-3:]

tags = []
for platform in platform_tag.split("."):
    if platform != "any":
        tags += ["--platform", platform]
for abi in abi_tag.split("."):
    tags += ["--abi", abi]
first = python_tag.split(".")[0]
tags += ["--implementation", first[:2]]
if len(first) > 3:
    tags += ["--python-version", f"{first[2]}.{first[3:]}"]

Path("requirements.txt").write_text(f"{env['project']}=={env['version']} --hash=sha256:{env['outputHash']}\n")
# The tags of a wheel for the stable ABI name the oldest Python of that ABI. Its metadata may need a newer one.
arguments = ["--quiet", "--no-deps", "--only-binary", ":all:", "--require-hashes", "--no-cache-dir"]
command = [sys.executable, f"{env['pip']}/pip", "download", "--dest", "wheels", "--ignore-requires-python"]
command += [*arguments, *tags]
# These variables come from outside the sandbox, and may name files that the sandbox does not have.
files = ("PIP_CERT", "PIP_CLIENT_CERT")
outside = [name for name in files if env.get(name) and not os.access(env[name], os.R_OK)]
environment = {
    **{name: value for name, value in env.items() if name not in outside},
    "HOME": str(Path.cwd()),
    "PIP_DISABLE_PIP_VERSION_CHECK": "1",
}
# Nix sets a variable that the caller does not have to an empty string.
environment["PIP_CERT"] = environment.get("PIP_CERT") or env["certificates"]


def run_pip(*options: str) -> "subprocess.CompletedProcess[str]":
    """Run pip with more options, and capture its output."""
    return subprocess.run(
        [*command, *options, "-r", "requirements.txt"],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        check=False,
    )


def list_hosts() -> "list[str]":
    """Return the hosts of the indexes, or none if one of them gets a login."""
    named = f"{env.get('PIP_INDEX_URL', '')} {env.get('PIP_EXTRA_INDEX_URL', '')}".split()
    if env.get("PIP_CLIENT_CERT") or any("@" in address for address in named):
        return []
    hosts = [urlsplit(address).netloc for address in named]
    if not env.get("PIP_INDEX_URL"):
        sys.path.insert(0, env["pip"])
        from pip._internal.models.index import PyPI  # type: ignore[import-not-found,unused-ignore]

        hosts += [PyPI.netloc, PyPI.file_storage_domain]
    return hosts


done = run_pip()
if done.returncode and "PIP_CERT" in outside and "CERTIFICATE_VERIFY_FAILED" in done.stdout:
    # The machine's proxy has its own certificate. Without verification the hash still decides, as in Nix's
    # own downloader.
    done = run_pip(*(word for host in list_hosts() for word in ("--trusted-host", host)))
if done.returncode:
    lost = [f"{name}={env[name]} is not readable in the sandbox and was left out" for name in outside]
    # pip prints a traceback before its last lines.
    said = [line for line in done.stdout.splitlines() if line.strip()][-LINES_SHOWN:]
    advice = (
        f"{wheel} could not be downloaded with pip. In the sandbox, pip knows the index that PIP_INDEX_URL "
        "and its like name, and no pip.conf; on a machine whose pip is set up for a mirror, run "
        "`kernel-builder prefetch` on what you build: it uses that pip"
    )
    sys.exit("\n".join([*said, *lost, advice]))
shutil.copyfile(Path("wheels") / wheel, env["out"])

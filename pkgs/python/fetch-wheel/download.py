"""Download one wheel with pip and put it where Nix expects it.

Reads `project`, `version`, `file`, `outputHash`, `pip`, `certificates` and `out` from the environment.
pip decides from the machine's tags which files it would install; the tags are therefore
taken from the name of the wanted file, and its hash picks it among its sisters.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

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
arguments = ["--no-deps", "--only-binary", ":all:", "--require-hashes", "--no-cache-dir"]
command = [sys.executable, f"{env['pip']}/pip", "download", "--dest", "wheels", *arguments, *tags]
environment = {
    **env,
    "HOME": str(Path.cwd()),
    "PIP_CERT": env.get("PIP_CERT") or env["certificates"],
    "PIP_DISABLE_PIP_VERSION_CHECK": "1",
}
if subprocess.run([*command, "-r", "requirements.txt"], env=environment, check=False).returncode:
    sys.exit(
        f"{wheel} could not be downloaded with pip; on a machine whose pip is set up for a mirror, "
        "run `kernel-builder prefetch` on what you build: it uses that pip"
    )
shutil.copyfile(Path("wheels") / wheel, env["out"])

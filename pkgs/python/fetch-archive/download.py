"""Download an archive and unpack it: a single folder in it is the tree, else all that is in it.

Reads `url` and `out` from the environment.
"""

import os
import shutil
import ssl
import subprocess
import sys
import tarfile
import urllib.request
import zipfile
from pathlib import Path

url = os.environ["url"]
# As in Nix's own downloader: the hash says whether it is the right one, and a proxy's certificates
# lie outside the sandbox.
unverified = ssl.create_default_context()
unverified.check_hostname = False
unverified.verify_mode = ssl.CERT_NONE

try:
    with urllib.request.urlopen(url, context=unverified) as answer, Path("archive").open("wb") as archive:
        shutil.copyfileobj(answer, archive)
except OSError as error:
    sys.exit(
        f"{url} could not be downloaded ({error}); bring it to a folder, and run "
        "`kernel-builder prefetch --archives FOLDER` on what you build"
    )
Path("tree").mkdir()
if zipfile.is_zipfile("archive"):
    # Python's own leaves links and permissions behind.
    subprocess.run(["unzip", "-q", "../archive"], cwd="tree", check=True)
else:
    with tarfile.open("archive") as opened:
        opened.extractall("tree")
entries = list(Path("tree").iterdir())
shutil.move(entries[0] if len(entries) == 1 else "tree", os.environ["out"])

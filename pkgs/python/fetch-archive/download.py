"""Download an archive and unpack it. If it has a single folder, that folder is the tree.

Reads `url` and `out` from the environment. Nix checks the hash of the unpacked tree, so until then the
archive is not trusted.
"""

import os
import shutil
import ssl
import subprocess
import sys
import tarfile
import urllib.request
import zipfile
from pathlib import Path, PurePosixPath


def place(member: tarfile.TarInfo) -> Path:
    """Return the path of an entry in the tree."""
    path = PurePosixPath(member.name)
    if path.is_absolute() or ".." in path.parts:
        sys.exit(f"the archive has an entry outside of its tree: {member.name!r}")
    return Path("tree", path)


def unpack(archive: tarfile.TarFile) -> None:
    """Unpack files, folders and links only. The only permission that is kept is that to execute.

    `extractall` differs between versions of Python, which would change the tree.
    """
    links = []
    for member in archive:
        target = place(member)
        if member.isdir():
            target.mkdir(parents=True, exist_ok=True)
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        if member.issym():
            links.append((target, member.linkname))
        elif member.isfile() or member.islnk():
            content = archive.extractfile(archive.getmember(member.linkname) if member.islnk() else member)
            assert content is not None, "internal error: an entry that is a file has content"
            target.unlink(missing_ok=True)
            with target.open("wb") as file:
                shutil.copyfileobj(content, file)
            target.chmod(0o755 if member.mode & 0o100 else 0o644)
        else:
            sys.exit(f"the archive has an entry that is no file, folder or link: {member.name!r}")
    # Links come last, so that no file is written through a link.
    for target, leads_to in links:
        target.unlink(missing_ok=True)
        target.symlink_to(leads_to)


url = os.environ["url"]
# Certificates are not verified, as in Nix's own downloader: the hash is, and a proxy's certificates
# are outside the sandbox.
unverified = ssl.create_default_context()
unverified.check_hostname = False
unverified.verify_mode = ssl.CERT_NONE

try:
    with urllib.request.urlopen(url, context=unverified) as answer, Path("archive").open("wb") as archive:
        shutil.copyfileobj(answer, archive)
except OSError as error:
    way = "`kernel-builder prefetch` on what you build gets it in other ways, see docs/operations/sources.md"
    sys.exit(f"{url} could not be downloaded ({error}); {way}")
Path("tree").mkdir()
if zipfile.is_zipfile("archive"):
    # Python's zipfile drops links and permissions.
    subprocess.run(["unzip", "-q", "../archive"], cwd="tree", check=True)
else:
    with tarfile.open("archive") as opened:
        unpack(opened)
entries = list(Path("tree").iterdir())
shutil.move(entries[0] if len(entries) == 1 else "tree", os.environ["out"])

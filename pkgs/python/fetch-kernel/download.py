"""Download the kernel `$repository` of the Hub at `$commit` into the folder `$out`."""

import os
import shutil
import sys
from pathlib import Path

env = os.environ
# The Hub's library keeps a cache, and looks for a token, in this folder.
env["HF_HOME"] = str(Path.cwd())

import httpx2  # noqa: E402
from huggingface_hub import set_client_factory, snapshot_download  # noqa: E402

# Certificates are not verified, as in Nix's own downloader: the hash is, and a proxy's are outside the sandbox.
set_client_factory(lambda: httpx2.Client(verify=False, follow_redirects=True))
try:
    snapshot_download(env["repository"], repo_type="kernel", revision=env["commit"], local_dir=env["out"], token=False)
except Exception as error:
    advice = "it has to be public and have this commit; `nix run .#lock-kernels` locks the present one"
    sys.exit(f"{env['repository']} at {env['commit']} cannot be downloaded: {error}\n{advice}")
shutil.rmtree(Path(env["out"], ".cache"))

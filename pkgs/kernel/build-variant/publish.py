"""Copy the assembled variant to `$out` and add to its metadata: provenance, hash of the list of sources, operators."""

import base64
import hashlib
import json
import os
import shutil
from pathlib import Path

out = Path(os.environ["out"])
shutil.copytree(os.environ["assembled"], out)
provenance = json.loads(os.environ["provenance"])
# With this hash, a signature of the metadata covers the list of sources.
listed = hashlib.sha256(Path(os.environ["sources"]).read_bytes()).digest()
facts = {"provenance-list": {"algorithm": "sha256", "digest": base64.b64encode(listed).decode()}}
if provenance:
    facts["provenance"] = provenance
# A kernel may have forged what the import check reads in its process, so nothing else of it is taken.
FROM_IMPORT = ("operators", "operators-without-code", "operators-without-fake", "imported-with")
for check in os.environ["passed"].split():
    if (found := Path(check) / "operators.json").is_file():
        read = json.loads(found.read_text())
        facts |= {key: read[key] for key in FROM_IMPORT if read.get(key) is not None}
out.chmod(0o755)
file = out / "metadata.json"
metadata = {**json.loads(file.read_text()), **facts}
file.chmod(0o644)
file.write_text(json.dumps(metadata, indent=2, sort_keys=True) + "\n")

"""Copy the assembled variant, whose checks have passed, to `$out`, and say where it comes from."""

import json
import os
import shutil
from pathlib import Path

out = Path(os.environ["out"])
shutil.copytree(os.environ["assembled"], out)
provenance = json.loads(os.environ["provenance"])
if provenance:
    out.chmod(0o755)
    file = out / "metadata.json"
    metadata = {**json.loads(file.read_text()), "provenance": provenance}
    file.chmod(0o644)
    file.write_text(json.dumps(metadata, indent=2, sort_keys=True) + "\n")

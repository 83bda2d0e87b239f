"""Write `$out/bin/version-check`, which shows the text of the findings and the versions that were tried."""

import json
import os
import shutil
from pathlib import Path

env = os.environ
out = Path(env["out"])
(out / "bin").mkdir(parents=True)
shutil.copy(env["findings"], out / "findings.json")
found = json.loads((out / "findings.json").read_text())["findings"]
tried = [(Path(trial) / "versions").read_text() for trial in env["trials"].split()]
texts = [f"warning: {finding['text']}\n" for finding in found]
texts.append(f"version-check: {env['variant']} was imported with {', and with '.join(tried)}")
(out / "findings.txt").write_text("\n".join([*texts, ""]))
program = out / "bin" / "version-check"
program.write_text(f"#!{env['shell']}\n{env['cat']} {out}/findings.txt >&2\n")
program.chmod(0o755)

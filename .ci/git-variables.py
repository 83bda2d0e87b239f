"""Print variables under which git runs nothing that a folder's .git/config names, as NAME=VALUE.

Run as `python3 -I -B git-variables.py FOLDER`. A NUL is behind each, since values may have lines.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "python" / "src"))

from kernel_builder.machine.git import neutral_variables

for name, value in neutral_variables(Path(sys.argv[1]).resolve()).items():
    sys.stdout.write(f"{name}={value}\0")

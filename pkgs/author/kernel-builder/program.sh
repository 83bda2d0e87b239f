# The program. Modules in the store have no bytecode, so it is in a package of its own. With -I, Python imports nothing from
# PYTHONPATH or the current folder, which may be the kernel of others.
mkdir -p "$out/bin"
cat >"$out/bin/kernel-builder" <<EOF
#!$environment/bin/python3 -I
import sys
sys.pycache_prefix = "$bytecode"
from kernel_builder.__main__ import main
sys.exit(main())
EOF
chmod +x "$out/bin/kernel-builder"

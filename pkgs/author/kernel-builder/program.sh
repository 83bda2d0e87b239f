# The program. Its bytecode lies beside it, since modules in the store have none. -I: nothing is imported from the
# current folder, which may be a stranger's kernel, or from PYTHONPATH.
mkdir -p "$out/bin"
cat >"$out/bin/kernel-builder" <<EOF
#!$environment/bin/python3 -I
import sys
sys.pycache_prefix = "$bytecode"
from kernel_builder.__main__ import main
sys.exit(main())
EOF
chmod +x "$out/bin/kernel-builder"

# The program, which finds bytecode of what it imports beside it: nothing in the store has any.
mkdir -p "$out/bin"
cat >"$out/bin/kernel-builder" <<EOF
#!$environment/bin/python3
import sys
sys.pycache_prefix = "$bytecode"
from kernel_builder.__main__ import main
sys.exit(main())
EOF
chmod +x "$out/bin/kernel-builder"

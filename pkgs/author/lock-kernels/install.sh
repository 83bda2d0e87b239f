# Writes the program that starts $program with the dependencies.
mkdir -p "$out/bin"
cat >"$out/bin/lock-kernels" <<END
#!$shell
exec $python/bin/python3 -I $program $dependencies
END
chmod 755 "$out/bin/lock-kernels"

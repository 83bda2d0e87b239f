# Writes the program that starts $program with the dependencies and the options.
mkdir -p "$out/bin"
cat >"$out/bin/lock-kernels" <<END
#!$shell
exec $python/bin/python3 -I $program $request "\$@"
END
chmod 755 "$out/bin/lock-kernels"

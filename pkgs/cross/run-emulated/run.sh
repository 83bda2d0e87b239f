# Runs $script, with the emulator put before each program of $out at the start of a line.
# shellcheck disable=SC2016
sed 's#^"\$out/#"$emulator/bin/emulate" &#' "$script" >own.sh
. ./own.sh

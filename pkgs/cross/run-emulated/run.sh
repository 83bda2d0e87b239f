# Runs $script with the emulator before each program of $out that begins a line.
# shellcheck disable=SC2016
sed 's#^"\$out/#"$emulator/bin/emulate" &#' "$script" >own.sh
. ./own.sh

# Makes the virtual environment $1 that sees the packages of the environment $2; $3 is its prompt.
#
# Packages that pip installs into it come before those of the environment. Run again for another environment, it
# switches to that one and keeps installed packages.
# shellcheck shell=bash
set -eu
folder=$1 environment=$2 label=$3
# This file marks a folder of ours, and names its environment.
mark=$folder/kernel-builder
own="#!$environment/bin/python3"

if [ -f "$mark" ] && [ "$(cat "$mark")" = "$environment" ]; then
  exit
fi
done=made
if [ -e "$mark" ]; then
  done="changed over to this shell; what pip installed in it stays"
fi
# venv keeps existing links to an interpreter.
rm -f "$folder"/bin/python*
"$environment/bin/python3" -I -m venv --symlinks --without-pip --prompt "$label" "$folder"
# Bytecode of modules in the store goes into a folder of its own, so that root does not write it to the store.
for site in "$environment"/lib/python3.*/site-packages; do
  cat >"$folder${site#"$environment"}/kernel_builder.pth" <<END
import sys; sys.pycache_prefix = sys.pycache_prefix or sys.prefix + '/bytecode'
import site; site.addsitedir('$site')
END
done
# The environment's programs for this Python, which sees packages installed here.
for file in "$environment"/bin/*; do
  if [ -f "$file" ] && IFS= read -r first <"$file" && [ "$first" = "$own" ]; then
    program=$folder/bin/${file##*/}
    {
      echo "#!$folder/bin/python3"
      tail -n +2 "$file"
    } >"$program"
    chmod 755 "$program"
  fi
done
echo '*' >"$folder/.gitignore"
echo "$environment" >"$mark"
echo "$folder: $done" >&2

# Makes the virtual environment of the kernel $1 that sees the packages of the environment $2; $3 is its prompt. Prints its
# folder.
#
# The folder is in the user's cache, so that a kernel cannot bring one with programs or links in it. `.venv` of the kernel
# leads there, for editors; it is made if nothing is there, and neither read nor written to after that.
#
# Packages that pip installs into it come before those of the environment. Run again for another environment, it
# switches to that one and keeps installed packages.
# shellcheck shell=bash
set -eu
kernel=$1 environment=$2 label=$3
name=$("$environment/bin/python3" -I -c '
import hashlib, os, sys
print(hashlib.sha256(os.fsencode(os.path.realpath(sys.argv[1]))).hexdigest()[:32])
' "$kernel")
folder=${XDG_CACHE_HOME:-${HOME:?}/.cache}/kernel-builder/venvs/$name
# This file names the environment.
mark=$folder/kernel-builder
own="#!$environment/bin/python3"

if mkdir "$kernel/.venv" 2>/dev/null; then
  # Who removes `.venv` wants a new environment.
  rm -rf "$folder"
  echo '*' >"$kernel/.venv/.gitignore"
  for part in lib pyvenv.cfg bin; do
    ln -s "$folder/$part" "$kernel/.venv/$part"
  done
elif [ -e "$kernel/.venv" ] || [ -L "$kernel/.venv" ]; then
  if [ "$(readlink "$kernel/.venv/bin")" != "$folder/bin" ]; then
    echo "$kernel/.venv was not made by kernel-builder and stays as it is; remove it to get one for this shell" >&2
    exit 1
  fi
fi
if [ -f "$mark" ] && [ "$(cat "$mark")" = "$environment" ]; then
  echo "$folder"
  exit
fi
done=made
if [ -e "$mark" ]; then
  done="changed over to this shell; what pip installed in it stays"
fi
# venv keeps existing links to an interpreter.
rm -f "$folder"/bin/python*
"$environment/bin/python3" -I -m venv --symlinks --without-pip --prompt "$label" "$folder" >&2
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
echo "$environment" >"$mark"
echo "$folder: $done" >&2
echo "$folder"

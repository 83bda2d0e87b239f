#!/usr/bin/env bash
# obstacle.sh: says in one line why no Debian can be made here; nothing if one can.
set -euo pipefail

if [ "$(id -u)" != 0 ]; then
  echo "a Debian in a folder is made and entered by root only, and this is $(id -un)"
elif ! type -P apt-get >/dev/null; then
  echo "a Debian is made of what this machine's apt knows, and there is no apt-get"
elif ! unshare --mount --pid --fork mount -t tmpfs none /tmp 2>/dev/null; then
  echo "this machine lets nobody make mount namespaces"
fi

#!/usr/bin/env bash
# enter.sh [--bind FOLDER]… ROOT COMMAND…: runs COMMAND with ROOT as the root of the file system, in its own mount and process
# namespaces, with an environment of its own. What is bound can be read at the same place inside.
# A pivot and not a plain chroot, since inside a chroot the kernel makes no user namespaces and Nix no sandbox.
# All mounts and all processes are gone when COMMAND ends, or this program.
set -euo pipefail

if [ "$1" != --inside ]; then
  # shellcheck source=tests/machines/this-machine.sh
  source "$(dirname -- "${BASH_SOURCE[0]}")/this-machine.sh"
  mapfile -t folders < <(pip_folders)
  while [ "$1" = --bind ]; do
    folders+=("$2")
    shift 2
  done
  variables=(HOME=/root LANG=C.UTF-8 PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin)
  for name in ${!PIP_@} http_proxy https_proxy no_proxy HTTP_PROXY HTTPS_PROXY NO_PROXY; do
    [ -z "${!name-}" ] || variables+=("$name=${!name}")
  done
  # The last one wins.
  variables+=(PIP_CERT=/etc/machine-ca.crt)
  root=$1
  shift
  exec unshare --mount --pid --fork --kill-child --propagation private -- \
    "${BASH_SOURCE[0]}" --inside "$root" ${#folders[@]} "${folders[@]}" env -i "${variables[@]}" "$@"
fi

root=$2 count=$3
shift 3
mount --bind "$root" "$root"
mount -t proc proc "$root/proc"
mount --bind -o ro /sys "$root/sys"
mount --rbind /dev "$root/dev"
mount -t tmpfs tmpfs "$root/dev/shm"
mount -t tmpfs tmpfs "$root/run"
for folder in "${@:1:count}"; do
  mkdir -p "$root$folder"
  mount --bind -o ro "$folder" "$root$folder"
done
shift "$count"
mkdir -p "$root/old-root"
cd "$root"
pivot_root . old-root
# The shell stays the first process: it takes in those that others leave behind.
exec chroot . /bin/sh -c 'umount -l /old-root && rmdir /old-root && "$@"
  exit $?' sh "$@"

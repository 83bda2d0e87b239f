#!/bin/sh
# enter-root.sh FOLDER COMMAND…: runs COMMAND with FOLDER as the root of the file system, in its own mount and process namespaces.
# A pivot and not a plain chroot, since inside a chroot the kernel makes no user namespaces and Nix no sandbox.
# All mounts and all processes are gone when COMMAND ends.
set -eu

if [ "$1" != --inside ]; then
  exec unshare --mount --pid --fork --kill-child --propagation private -- "$0" --inside "$@"
fi
shift
root=$1
shift
mount --bind "$root" "$root"
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mount -t tmpfs tmpfs "$root/run"
# The machine's own package index may be a folder.
for folder in ${BIND:-}; do
  mkdir -p "$root$folder"
  mount --bind -o ro "$folder" "$root$folder"
done
mkdir -p "$root/old-root"
cd "$root"
pivot_root . old-root
exec chroot . /bin/sh -c 'umount -l /old-root && exec "$@"' sh "$@"

#!/usr/bin/env bash
# serve-ssh.sh FOLDER PORT SSHD [LIBRARIES]: runs a real sshd on this machine's loopback, in the foreground, with the keys in FOLDER.
# In a mount namespace of its own, in which there is a user sshd: nothing of this machine is changed, and nobody else sees it.
set -euo pipefail

if [ "$1" != --inside ]; then
  exec unshare --mount --propagation private -- "${BASH_SOURCE[0]}" --inside "$@"
fi
folder=$2 port=$3 sshd=$4

cp /etc/passwd "$folder/passwd"
grep -q '^sshd:' "$folder/passwd" || echo 'sshd:x:65533:65534::/run/sshd:/usr/sbin/nologin' >>"$folder/passwd"
mount --bind "$folder/passwd" /etc/passwd
mount -t tmpfs tmpfs /run
mkdir -m 755 /run/sshd
cat >"$folder/config" <<END
Port $port
ListenAddress 127.0.0.1
HostKey $folder/host
AuthorizedKeysFile $folder/authorized
PidFile $folder/pid
StrictModes no
UsePAM no
PasswordAuthentication no
MaxStartups 100
END
export LD_LIBRARY_PATH=${5-}
exec "$sshd" -D -e -f "$folder/config"

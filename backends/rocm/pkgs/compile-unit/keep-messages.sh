# keepMessages COMMAND…: runs a command, and stores its messages in $findings, with files named as in the kernel.
keepMessages() {
  status=0
  "$@" 2>../messages || status=$?
  cat ../messages >&2
  mkdir "$findings"
  sed "s|$PWD/||g" ../messages | head -c 262144 >"$findings/messages"
  return "$status"
}

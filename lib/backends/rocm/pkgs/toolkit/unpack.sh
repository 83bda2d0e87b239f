# unpack_rpms FOLDER: merges what $sources have below /opt/rocm-VERSION.
unpack_rpms() {
  mkdir -p "$1" parts
  for source in $sources; do
    (cd parts && rpm2cpio "$source" | cpio -idmu)
  done
  cp -a parts/opt/rocm*/. "$1/"
  rm -rf parts
  chmod -R u+w "$1"
}

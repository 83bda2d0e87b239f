# unpack_rpms FOLDER: merges the folders /opt/rocm-VERSION of $sources.
unpack_rpms() {
  mkdir -p "$1" parts
  for source in $sources; do
    (cd parts && rpm2cpio "$source" | cpio -idmu)
  done
  cp -a parts/opt/rocm*/. "$1/"
  rm -rf parts
  chmod -R u+w "$1"
}

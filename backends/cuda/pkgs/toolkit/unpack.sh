# unpack_toolkit FOLDER: merges $sources, wheels or NVIDIA's archives, into one tree with bin,
# include, lib and nvvm.
unpack_toolkit() {
  mkdir -p "$1" parts
  for source in $sources; do
    case $source in
      *.whl) unzip -q -o "$source" -d parts ;;
      # Busybox does not detect the compression of an archive.
      *) tar -xJf "$source" -C parts ;;
    esac
    # Wheels of CUDA 13 share one folder; each wheel of CUDA 12 has its own.
    for part in parts/nvidia/* parts/*-archive; do
      if [ -d "$part/include" ] || [ -d "$part/lib" ] || [ -d "$part/bin" ] || [ -d "$part/nvvm" ]; then
        cp -a "$part/." "$1/"
      fi
    done
    rm -rf parts
    mkdir parts
  done
}

# Compiles each image of $code for $device: N.bin, an archive of machine code, for N.spv. With $withPortable, that has the portable
# code as well, for devices that no archive is for.
mkdir "$out" members
while read -r image libraries; do
  set -- -spirv_input -file "$code/$image.spv"
  if [ -n "$libraries" ]; then
    # ocloc leaves undefined what another image has, unless it links both.
    set -- -file "$code/$image.spv"
    for library in $libraries; do
      case $library in /*) ;; *) library=$code/$library ;; esac
      set -- "$@" -file "$library.spv"
    done
    ocloc link "$@" -out linked.bc
    set -- -llvm_input -file linked.bc
  fi
  [ -n "$withPortable" ] || set -- "$@" -exclude_ir
  # Named twice, because ocloc makes no archive for a single device.
  ocloc compile "$@" -device "$device,$device" -options "$options" -output_no_suffix -output "$out/$image.bin"

  # ocloc calls code with undefined names a success.
  (cd members && ar x "$out/$image.bin" && rm -f pad_* generic_ir && readelf --syms --wide ./* && rm -f ./*) |
    awk '$7 == "UND" && $8 ~ /^(__devicelib_|_Z)/ { print $8 }' | sort -u >undefined
  if [ -s undefined ]; then
    echo "$source: the code for $device calls what it does not have: $(tr '\n' ' ' <undefined)" >&2
    exit 1
  fi
done <"$code/images"

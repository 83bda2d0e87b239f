# Runs $linker, which the lines before this file set. SYCL is compiled in two passes, which this command is not.
case " $* " in
  *' -fsycl'* | *' -c '*)
    echo "icpx: only Intel's own packages have this compiler (xpuToolkit); Intel's compiler library is sycl-device-pass and sycl-host-pass" >&2
    exit 1
    ;;
esac
exec "$linker" "$@"

# Compiles the unit for the GPU. $out gets the portable code of each image, its registration, and the declarations for the host.
. "$layOut"
mkdir "$out"
# The library has no choice of targets. Its code is the same at any level, and 2025.x fails with one.
# shellcheck disable=SC2046
set -- $(printf '%s\n' "$flags" | grep -v -e '^-fsycl-targets=' -e '^-O')
exec sycl-device-pass "$out" "$source" "$@" -Xclang "-fsycl-int-header=$out/header.h" -Xclang "-fsycl-int-footer=$out/footer.h"

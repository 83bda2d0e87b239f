# Compiles the unit for the GPU. $out gets the portable code of each image, its registration, and the declarations for the host.
. "$layOut"
mkdir "$out"
# shellcheck disable=SC2046
set -- $(printf '%s\n' "$flags" | grep -v '^-fsycl-targets=')
exec sycl-device-pass "$out" "$source" "$@" -Xclang "-fsycl-int-header=$out/header.h" -Xclang "-fsycl-int-footer=$out/footer.h"

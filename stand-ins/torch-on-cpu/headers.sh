# Torch's headers, with the file that CMake writes when Torch is built for Intel GPUs.
cp -R "$headers" "$out"
chmod -R u+w "$out"
printf '#pragma once\n#define C10_XPU_BUILD_SHARED_LIBS\n' >"$out/include/c10/xpu/impl/xpu_cmake_macros.h"

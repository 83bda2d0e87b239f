# Links $shaders to a library, and writes its bytes and the $functions that load it into the header $out.
# shellcheck disable=SC2086
metallib $shaders -o shaders.metallib
{
  printf '// The shaders of this kernel, compiled.\n#pragma once\n\n#include <stddef.h>\n\n'
  printf 'namespace EMBEDDED_METALLIB_NAMESPACE {\nalignas(16) static const unsigned char metallib_data[] = {\n'
  od -An -v -tx1 shaders.metallib | sed -E 's/ *([0-9a-f]{2})/0x\1,/g'
  printf '};\nstatic const size_t metallib_data_len = sizeof metallib_data;\n}\n\n'
  cat "$functions"
} >"$out"

# Writes the $shaders as one text, and the $functions that compile it, into the header $out. $compiler preprocesses them, so that the
# text includes headers of Metal alone.
sort -u "$filesPath" >files
filesPath=$PWD/files
. "$layOut"
# The flags of several shaders have the placeholder that one has.
while [ "${flags#*@build/kernel@}" != "$flags" ]; do
  flags=${flags%@build/kernel@*}$PWD${flags##*@build/kernel@}
done

# refuse FOUND WANT FIX
refuse() {
  printf 'error: the shaders cannot be embedded as source\n\n       at     %s\n       found  %s\n       want   %s\n       fix    %s\n' \
    "$(printf '%s' "$shaders" | tr '\n' ' ')" "$@" >&2
  exit 1
}

# preprocess FLAG…
preprocess() {
  # shellcheck disable=SC2086
  printf '#include "%s"\n' $shaders | "$compiler" $flags "$@" -
}

# A name in < and > may be a header of Metal, which is not here. The preprocessor finds a stub last, and keeps its pragma.
# The list of dependencies has the headers of packages.
{
  find . -type f -exec cat {} +
  preprocess -M -MG 2>/dev/null | tr ' ' '\n' | grep '^/' | xargs cat
} | sed -nE 's,^[[:blank:]]*#[[:blank:]]*(include|import)[[:blank:]]*<([A-Za-z0-9_./-]+)>.*,\2,p' | sort -u | while read -r name; do
  case /$name/ in *//* | */../*) continue ;; esac
  mkdir -p "../provided/$(dirname "$name")"
  printf '#pragma kernel_builder_include <%s>\n' "$name" >"../provided/$name"
done
preprocess -isystem ../provided >../expanded ||
  refuse "the error above" "headers of the kernel or, in < and >, of Metal; one meaning for each macro in all shaders" \
    "correct it, or write embed = \"library\" in [general.metal]"
if line=$(grep -m 1 '[^[:print:][:space:]]' ../expanded); then
  refuse "$line" "ASCII, except in comments" "replace the other characters"
fi

# Errors at load time name files of the kernel. Other folders differ between machines.
sed -E -e '/^# [0-9]+ "(<|\.\.\/provided\/)/d' -e 's/^#pragma kernel_builder_include /#include /' \
  -e 's,^# ([0-9]+) "(\./|/.*/)?(.*)".*,#line \1 "\3",' ../expanded >../joined
{
  printf '// The shaders of this kernel, as one text.\n#pragma once\n\n#include <stddef.h>\n\n'
  printf 'namespace EMBEDDED_METALLIB_NAMESPACE {\nalignas(16) static const unsigned char metallib_data[] = {\n'
  od -An -v -tx1 ../joined | sed -E 's/ *([0-9a-f]{2})/0x\1,/g'
  printf '};\nstatic const size_t metallib_data_len = sizeof metallib_data;\n}\n\n'
  cat "$functions"
} >"$out"

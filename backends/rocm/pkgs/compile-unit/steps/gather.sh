# Bundles the code of all $passes (lines with a target and a file) in one object under the name $symbol.
# Code is aligned to pages, because AMD's runtime maps it.
targets=host-x86_64-unknown-linux-gnu
printf '%s\n' "$passes" >list
set -- -input=/dev/null
while read -r target code; do
  targets=$targets,hipv4-amdgcn-amd-amdhsa--$target
  set -- "$@" "-input=$code"
done <list
clang-offload-bundler -type=o -bundle-align=4096 "-targets=$targets" "$@" -output=unit.hipfb
cat >unit.s <<END
.section .hip_fatbin, "a", @progbits
.balign 4096
.globl $symbol
.hidden $symbol
$symbol:
.incbin "unit.hipfb"
.section .note.GNU-stack, "", @progbits
END
as unit.s -o "$out"
mkdir "$findings"
# shellcheck disable=SC2086
cat $messages >"$findings/messages"

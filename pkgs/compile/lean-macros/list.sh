# Lists in $out, for each set of $leanHeaders, the macros that $torch's umbrella headers define and the set lacks or defines otherwise.
macros() {
  echo "#include <$1>" >header.cc
  shift
  g++ -std=c++20 -E -dM "$@" -isystem "$torch/include" -isystem "$torch/include/torch/csrc/api/include" header.cc
}

mkdir "$out" named
# Without named operators, the result holds for every unit.
: >named/kernel_builder_named_operators.h
for header in torch/all.h torch/types.h torch/library.h ATen/ATen.h; do
  macros "$header" >full
  for set in tensors named operators; do
    macros "$header" -isystem "$leanHeaders/$set" -isystem named >lean
    # Keep the name of `#define NAME(x) …`.
    awk 'NR == FNR { lean[$0]; next } !($0 in lean) { sub(/\(.*/, "", $2); print $2 }' lean full >>"$set.macros"
  done
done
for set in tensors named operators; do
  sort -u "$set.macros" >"$out/$set"
  [ -s "$out/$set" ]
done

# A unit does not compile for the stable ABI of the stated Torch. A later version may have what it uses: the compiler is
# asked with each one up to that of the headers. What it says comes before the errors.
# shellcheck disable=SC2086,SC2154
newest=$(echo '#include <torch/headeronly/version.h>' | "$compiler" $flags -x c++ -E -dM - 2>../refused |
  sed -n 's/^#define TORCH_VERSION_MINOR //p')
minor=$(printf '%s\n' "$flags" | sed -n 's/^-DTORCH_TARGET_VERSION=0x02\(..\).*/0x\1/p')
while minor=$((minor + 1)) && [ "$minor" -le "${newest:-0}" ]; do
  newer=-DTORCH_TARGET_VERSION=0x02$(printf '%02x' "$minor")000000000000
  # shellcheck disable=SC2086,SC2154
  if "$compiler" $flags -UTORCH_TARGET_VERSION "$newer" -fsyntax-only "$source" 2>../refused; then
    echo "$source: error: this compiles with stable-abi = \"2.$minor\"" >&2
    break
  fi
done

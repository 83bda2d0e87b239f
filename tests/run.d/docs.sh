#!/usr/bin/env bash
# The documents in docs/ that are written from the library's tables say what the tables say.
# --renew writes them anew.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../docs"
evaluate() { nix --extra-experimental-features 'nix-command flakes' eval --impure "$@"; }

passed=0 failed=0
# The texts are written byte for byte, so that an empty line too many is a difference.
while read -r name; do
  text=$(mktemp)
  evaluate --raw -f ../tests/documents.nix "\"$name\"" >"$text"
  if [[ ${1-} == --renew ]]; then
    cat "$text" >"$name"
  fi
  if diff -u "$name" "$text"; then
    passed=$((passed + 1))
  else
    echo "FAIL docs/$name: run \`tests/run docs -- --renew\`"
    failed=$((failed + 1))
  fi
  rm "$text"
done < <(evaluate --raw -f ../tests/documents.nix --apply 'documents: builtins.concatStringsSep "\n" (builtins.attrNames documents ++ [ "" ])')

echo "$passed passed, $failed failed"
((failed == 0))

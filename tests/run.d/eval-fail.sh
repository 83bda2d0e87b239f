#!/usr/bin/env bash
# Every tests/eval-fail/NAME.nix must fail to evaluate, with exactly the text of
# NAME.err. With --renew the texts are written instead; read them before committing.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../eval-fail"

# The message itself: from the last "error:" on, without Nix's indentation, the
# hint about traces, and empty lines at the end.
message() {
  tac | awk '{ print } /^ *error: /{ exit }' | tac \
    | sed 's/^ *error: //; s/^ *//; s/ *$//; /^(use .--show-trace/d' \
    | sed -e :a -e '/^\n*$/{$d;N;ba' -e '}'
}

passed=0 failed=0
for case in *.nix; do
  expected=${case%.nix}.err
  if output=$(nix-instantiate --eval --strict --read-write-mode "$case" 2>&1); then
    echo "FAIL $case: evaluated to $output"
    failed=$((failed + 1))
    continue
  fi
  got=$(message <<<"$output")
  if [[ ${1-} == --renew ]]; then
    printf '%s\n' "$got" >"$expected"
  fi
  if difference=$(diff -u "$expected" - <<<"$got"); then
    passed=$((passed + 1))
  else
    echo "FAIL $case"
    echo "$difference"
    failed=$((failed + 1))
  fi
done

echo "$passed passed, $failed failed"
((failed == 0))

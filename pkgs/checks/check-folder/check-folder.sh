# check-folder CHECK FOLDER ARGUMENT: CHECK is layout, registration, abi or facts. ARGUMENT is the newest stable ABI of Torch
# that abi allows, or "", and the bytes of published variants as JSON for facts.
# shellcheck shell=sh
check=$1
case $check in
layout) set -- --variant @variant@ --by-name @byName@ "$2" ;;
registration) set -- --shown-as @variant@ "$2" ;;
abi) set -- --variant @variant@ @symbols@ --torch-stable-abi "$3" "$2" ;;
facts)
  set -- --variant @variant@ @symbols@ --facts "$3" "$2"
  check=abi
  ;;
*)
  echo "check-folder: no such check: $check" >&2
  exit 2
  ;;
esac
export KERNEL_CHECK_FACTS=@facts@
# -I keeps the current folder and the user's variables out of the check.
exec @python@/bin/python3 -I -B -X utf8 -c '
import runpy, sys
check = sys.argv.pop(1)
sys.path[:0] = ["@programs@/check-" + check, "@programs@/run-check", "@modules@"]
runpy.run_module(check + "_check", run_name="__main__", alter_sys=True)
' "$check" "$@"

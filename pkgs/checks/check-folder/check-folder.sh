# check-folder CHECK FOLDER ARGUMENT VARIANT: CHECK is layout, registration, abi or facts. ARGUMENT is the newest stable
# ABI of Torch that abi allows, or "", and the bytes of published variants as JSON for facts. VARIANT is the variant's
# name, which is a stranger's text. So it is an argument, and no part of this script.
# shellcheck shell=sh
check=$1 folder=$2 argument=$3 variant=$4
set --
for list in @out@/symbols/*; do
  [ ! -e "$list" ] || set -- "$@" --symbols "$list"
done
case $check in
layout) set -- --variant="$variant" --by-name @byName@ "$folder" ;;
registration) set -- --shown-as="$variant" "$folder" ;;
abi) set -- --variant="$variant" "$@" --torch-stable-abi="$argument" "$folder" ;;
facts)
  set -- --variant="$variant" "$@" --facts="$argument" "$folder"
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
sys.path[:0] = ["@programs@/check-" + check, "@programs@/run-check", "@out@/modules"]
runpy.run_module(check + "_check", run_name="__main__", alter_sys=True)
' "$check" "$@"

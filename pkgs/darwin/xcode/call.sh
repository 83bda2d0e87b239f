#!/bin/sh
# The program of Xcode that this file is called as.
set -eu
program=${0##*/}
# shellcheck source=pkgs/darwin/xcode/find.sh
. "${0%/bin/*}/lib/find.sh"
find_xcode
case $program in
  metal*) find_metal ;;
esac
exec xcrun --sdk macosx "$program" "$@"

#!/bin/sh
# Runs the program of Xcode with the name of this file.
set -eu
program=${0##*/}
# shellcheck source=pkgs/darwin/xcode/find.sh
. "${0%/bin/*}/lib/find.sh"
find_xcode
case $program in
  metal*) find_metal ;;
esac
exec xcrun --sdk macosx "$program" "$@"

#!/bin/sh
# time -o FILE -f '%e %M %Z' COMMAND…, as busybox has it: seconds, then memory in pages of as many kilobytes. Apple's says both in
# lines of its own, the memory in bytes.
file=$2
shift 4
status=0
/usr/bin/time -l -o "$file.long" "$@" || status=$?
awk '$2 == "real" { seconds = $1 } /maximum resident set size/ { bytes = $1 } END { print seconds, int(bytes / 1048576), 1 }' "$file.long" >"$file"
exit "$status"

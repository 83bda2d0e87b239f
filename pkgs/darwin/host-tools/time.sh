#!/bin/sh
# time -o FILE -f '%e %M %Z' COMMAND…, with busybox's meaning: seconds, memory in pages, kilobytes of a page. Apple's `time` prints
# other lines, with memory in bytes.
file=$2
shift 4
status=0
/usr/bin/time -l -o "$file.long" "$@" || status=$?
awk '$2 == "real" { seconds = $1 } /maximum resident set size/ { bytes = $1 } END { print seconds, int(bytes / 1048576), 1 }' "$file.long" >"$file"
exit "$status"

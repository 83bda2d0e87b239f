# Links the objects in $objectsPath to $out/$file, and stores the messages of the linker in $findings. Only the entry points in $exports are visible, so that two kernels in a
# process share nothing.
mkdir "$out"
# The linker's flags name the file `exports.map`.
cat >exports.map <<END
{ global: $exports; local: *; };
END

# Each line is one word, which the shell must not split or expand.
set -f
IFS='
'
cp "$nameSource" name.c
# shellcheck disable=SC2086
"$nameProgram" $nameFlags -c name.c -o name.o
# shellcheck disable=SC2086
"$program" $flags -o "$out/$file" "@$objectsPath" name.o $arguments 2>messages || status=$?
cat messages >&2
mkdir "$findings"
head -c 262144 messages >"$findings/messages"
exit "${status-0}"

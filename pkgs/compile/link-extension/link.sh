# Links the objects in $objectsPath to $out/$file, and stores the messages of the linker in $findings. Only the entry points
# in $exports are visible, so that two kernels in a process share nothing. If there is an output $boxed, it gets what the
# import check needs to know the types of boxed functions.
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

if [ -n "${boxed:-}" ]; then
  mkdir "$boxed"
  # The same link with the names of local functions, which the extension has not. It would say errors a second time.
  # shellcheck disable=SC2086
  "$program" $namedFlags -o named "@$objectsPath" name.o $arguments 2>/dev/null &
  # shellcheck disable=SC2086
  "$nameProgram" $nameFlags -shared -nostdlib "$watchSource" -o "$boxed/watch.so"
fi
# shellcheck disable=SC2086
"$program" $flags -o "$out/$file" "@$objectsPath" name.o $arguments 2>messages || status=$?
cat messages >&2
mkdir "$findings"
head -c 262144 messages >"$findings/messages"
[ "${status-0}" = 0 ] || exit "$status"
if [ -n "${boxed:-}" ]; then
  segments() { readelf -lW "$1" | sed -n '/^  LOAD/p'; }
  # Addresses of functions are the same, unless a linker lays out the two differently.
  if wait "$!" && [ "$(segments named)" = "$(segments "$out/$file")" ]; then
    nm -C --defined-only named | sed -n '/ torch::stable::detail::boxer<.*>::boxed_fn(.*)$/p' >"$boxed/functions"
  fi
fi

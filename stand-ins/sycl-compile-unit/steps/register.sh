# An object with the device code of all images of $code, which registers it when the extension is loaded. $ahead are folders
# with machine code, one for each device.
cp "$code"/* .
set --
if [ -n "$ahead" ]; then
  while read -r image _; do
    for folder in $ahead; do set -- "$@" "$folder/$image.bin"; done
    ocloc concat "$@" -out "$image.bin"
    set --
  done <"$code/images"
  set -- --defsym AHEAD=1
fi
as "$@" registration.s -o "$out"

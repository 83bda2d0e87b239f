# Compiles the unit for all $targets at once, because its flags concern several passes.
. "$layOut"
. "$keepMessages"
case "
$flags
" in
  *"
-fgpu-rdc
"*)
    echo "$source: no relocatable device code is made for AMD GPUs: leave out -fgpu-rdc, and put what several units call into a header" >&2
    exit 1
    ;;
esac
# shellcheck disable=SC2086
keepMessages "$compiler" $flags $targets -c "$source" -o "$out"

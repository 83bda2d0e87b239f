# Functions that find Xcode. `least` is the oldest version that works. Each function ends the program if a part is missing.

# refuse AT FOUND WANT FIX
refuse() {
  printf 'error: nothing can be compiled for macOS here\n\n       at     %s\n       found  %s\n       want   %s\n       fix    %s\n' "$@" >&2
  exit 1
}

# Sets DEVELOPER_DIR to the folder of Xcode, unless it is set: the one that `xcode-select` names.
find_xcode() {
  wanted="Xcode $least or newer"
  kernel=$(uname -s)
  [ "$kernel" = Darwin ] ||
    refuse "this machine" "$kernel" "macOS with $wanted" "build on a Mac, or through a remote builder (nix.conf: builders)"
  DEVELOPER_DIR=${DEVELOPER_DIR:-$(xcode-select -p 2>/dev/null || true)}
  [ -d "$DEVELOPER_DIR" ] ||
    refuse "xcode-select -p" "${DEVELOPER_DIR:-nothing}" "$wanted" \
      "install Xcode; then \`sudo xcode-select -s /Applications/Xcode.app/Contents/Developer\`"
  export DEVELOPER_DIR
  plist=${DEVELOPER_DIR%/*}/version.plist
  [ -f "$plist" ] ||
    refuse "$DEVELOPER_DIR" "no Xcode: it has no version.plist beside it, as the Command Line Tools have none" "$wanted" \
      "install Xcode; then \`sudo xcode-select -s /Applications/Xcode.app/Contents/Developer\`"
  version=$(plutil -extract CFBundleShortVersionString raw -o - "$plist" || true)
  case ${version%%.*} in
    '' | *[!0-9]*) is_old=yes ;;
    *) [ "${version%%.*}" -ge "${least%%.*}" ] && is_old=no || is_old=yes ;;
  esac
  [ "$is_old" = no ] ||
    refuse "$DEVELOPER_DIR" "Xcode ${version:-of no version}" "$wanted" "install a newer Xcode, or choose it with \`sudo xcode-select -s\`"
}

# Checks that Xcode has the compiler of shaders, which is a separate download.
find_metal() {
  xcrun --sdk macosx metal --version >/dev/null 2>&1 ||
    refuse "$DEVELOPER_DIR" "Xcode $version without its Metal toolchain" "\`xcrun metal\`" \
      "\`xcodebuild -downloadComponent MetalToolchain\`"
}

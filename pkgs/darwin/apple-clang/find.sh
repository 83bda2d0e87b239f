# Finds the Command Line Tools, or Xcode. `least` is the oldest version of their headers that works.

# refuse AT FOUND
refuse() {
  printf 'error: nothing can be compiled for macOS here\n\n       at     %s\n       found  %s\n       want   %s\n       fix    %s\n' "$@" \
    "the Command Line Tools or Xcode, $least or newer" "install them with \`xcode-select --install\`, or update them" >&2
  exit 1
}

# Sets DEVELOPER_DIR to their folder, unless it is set: the one that `xcode-select` names.
find_xcode() {
  DEVELOPER_DIR=${DEVELOPER_DIR:-$(xcode-select -p 2>/dev/null || true)}
  [ -d "$DEVELOPER_DIR" ] || refuse "xcode-select -p" "${DEVELOPER_DIR:-nothing}"
  export DEVELOPER_DIR
  version=$(xcrun --sdk macosx --show-sdk-version 2>/dev/null || true)
  case ${version%%.*} in
    '' | *[!0-9]*) refuse "$DEVELOPER_DIR" "no headers of macOS" ;;
  esac
  [ "${version%%.*}" -ge "${least%%.*}" ] || refuse "$DEVELOPER_DIR" "headers of macOS $version"
}

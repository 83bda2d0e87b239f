# Runs $program with $options, which the lines before this file set, and with the words of the command.
# Apple's clang has no OpenMP.
for word in "$@"; do
  case $word in
    -fopenmp*)
      echo "clang: error: unsupported option '$word'" >&2
      exit 1
      ;;
  esac
done
# shellcheck disable=SC2086
exec "$program" $options "$@"

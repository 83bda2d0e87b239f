# Runs $program with $options, which the lines before this file set, and with the words of the command that concern the host.
first=1
for word in "$@"; do
  [ -z "$first" ] || set --
  first=
  case $word in
    -fsycl | -fsycl-targets=* | -fno-sycl-* | -foffload-* | --offload-compress | --intel) ;;
    -fp-model=*) set -- "$@" "-ffp-model=${word#*=}" ;;
    *) set -- "$@" "$word" ;;
  esac
done
# shellcheck disable=SC2086
exec "$program" $options -Xclang -fsycl-is-host -D__SYCL_UNNAMED_LAMBDA__=1 "$@"

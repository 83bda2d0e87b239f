#!@bash@
# shellcheck shell=bash disable=SC1091,SC2239  # `install.sh` puts paths in the place of @names@
# Enters the shell: interactively, or to run a command, or what comes through a pipe.
if [ $# = 0 ] && [ -t 0 ]; then
  exec @bash@ --rcfile @files@/rc -i
fi
. @files@/activate
if [ $# = 0 ]; then
  exec @bash@
fi
exec "$@"

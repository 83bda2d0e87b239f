# The start file of an interactive shell: first the user's own.
# shellcheck shell=bash disable=SC1090,SC1091  # `install.sh` puts paths in the place of @names@
if [ -e ~/.bashrc ]; then
  . ~/.bashrc
fi
. @files@/activate

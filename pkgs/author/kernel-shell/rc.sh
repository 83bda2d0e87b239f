# The start file of an interactive shell: first the user's own.
if [ -e ~/.bashrc ]; then
  . ~/.bashrc
fi
. @files@/activate

# A file with a shell function that makes programs of packages run with this set's libraries. Scripts source it.
{ lib }: lib.values.paths.alone ./relocate.sh

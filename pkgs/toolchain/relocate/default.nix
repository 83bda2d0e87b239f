# The shell function by which programs out of packages run with this set's libraries, for
# scripts that read it.
{ lib }: lib.values.paths.alone ./relocate.sh

# `writeSettings`: A file with a shell function that stores the values of a program as data. Scripts source it.
{ lib }: lib.values.paths.alone ./write.sh

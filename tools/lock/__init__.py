"""Programs of maintainers that write pin files. They are not part of the command line."""

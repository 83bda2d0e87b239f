"""One subcommand a module; each has a click command called `command`."""

"""The subcommands. A module has one, or those that do the same for something else to follow."""

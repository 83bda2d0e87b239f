"""Where sources come from: the machine's own pip and apt, and vendors' servers."""
